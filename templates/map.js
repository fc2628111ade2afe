/* What makes the maps answer: a field's story by hover, tap and keys, tiles, and the replay. Every word it shows stands on
   the page already, in the reader's language: rows of the table beside the map, lines of the list of rounds. */
(() => {
  "use strict";
  const SVG = "http://www.w3.org/2000/svg";
  const all = (what, where = document) => [...where.querySelectorAll(what)];
  const use = (attributes) => {
    const made = document.createElementNS(SVG, "use");
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };

  /* ---------- a field's story */
  const panel = document.querySelector(".tale");
  const row = (id) => document.getElementById(`c-${id}`);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  let pinned = "";

  function facts(id) {
    const heads = all("thead th", row(id).closest("table"));
    const list = document.createElement("dl");
    [...row(id).cells].forEach((cell, at) => {
      if (cell.tagName === "TH" || at === 0 || cell.textContent.trim() === "–") return;
      const term = document.createElement("dt"), told = document.createElement("dd");
      term.textContent = heads[at].textContent;
      told.append(...[...cell.childNodes].map((one) => one.cloneNode(true)));
      list.append(term, told);
    });
    return list;
  }

  function show(id) {
    if (!panel || !row(id)) return;
    const title = document.createElement("h3");
    const place = row(id).cells[0].textContent;
    title.textContent = `${place === "–" ? "" : place} ${row(id).querySelector("th").textContent}`.trim();
    const close = document.createElement("button");
    close.type = "button";
    close.setAttribute("aria-label", panel.dataset.close);
    close.append("×");
    close.addEventListener("click", hide);
    panel.replaceChildren(close, title, facts(id));
    panel.classList.add("open");
    const near = (row(id).dataset.near || "").split(" ");
    for (const map of all(".map:not(.inset)")) {
      for (const land of all(".lands > a", map)) land.classList.toggle("near", near.includes(land.dataset.id));
      const halo = map.querySelector(".halo");
      if (halo) halo.setAttribute("href", `#f-${id}`);
    }
  }

  function hide() {
    pinned = "";
    if (!panel) return;
    panel.classList.remove("open");
    panel.replaceChildren(...blank.map((one) => one.cloneNode(true)));
    for (const halo of all(".halo")) halo.setAttribute("href", "#none");
    for (const land of all(".map .near")) land.classList.remove("near");
  }

  /* Where the story is a sheet over the page's foot, the field that it tells of moves up until it stands clear of it. */
  function uncover(land) {
    if (!panel || getComputedStyle(panel).position !== "fixed") return;
    const { top, bottom } = land.getBoundingClientRect(), covered = bottom + 8 - panel.getBoundingClientRect().top;
    const by = Math.min(covered, Math.max(top - 8, 0));
    if (by > 0) scrollBy({ top: by, behavior: still ? "instant" : "smooth" });
  }

  const blank = panel ? [...panel.childNodes].map((one) => one.cloneNode(true)) : [];

  /* From one field to the nearest in the direction of an arrow key. */
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  function beside(map, from, [right, down]) {
    const middle = (land) => {
      const found = map.querySelector(`.badge[data-id="${CSS.escape(land.dataset.id)}"]`).getBoundingClientRect();
      return [found.x + found.width / 2, found.y + found.height / 2];
    };
    const [x, y] = middle(from);
    let best = null, least = Infinity;
    for (const land of all(".lands > a", map)) {
      const [a, b] = middle(land);
      const ahead = (a - x) * right + (b - y) * down, aside = Math.abs((a - x) * down) + Math.abs((b - y) * right);
      if (land !== from && ahead > 0 && ahead + 2 * aside < least) [best, least] = [land, ahead + 2 * aside];
    }
    return best;
  }

  for (const map of all(".map")) {
    const lands = all(".lands > a", map);
    if (lands.length) lands[0].tabIndex = 0;
    map.addEventListener("click", (event) => {
      const land = event.target.closest(".lands > a, .over");
      if (!land || !panel) return;
      event.preventDefault();
      pinned = pinned === land.dataset.id ? "" : land.dataset.id;
      if (!pinned) return hide();
      show(pinned);
      uncover(land);
    });
    map.addEventListener("pointerover", (event) => {
      const land = event.target.closest(".lands > a, .over");
      if (land && !pinned && event.pointerType === "mouse") show(land.dataset.id);
    });
    map.addEventListener("focusin", (event) => {
      const land = event.target.closest(".lands > a");
      if (!land || !land.matches(":focus-visible")) return;
      for (const one of lands) one.tabIndex = one === land ? 0 : -1;
      pinned = "";
      show(land.dataset.id);
      uncover(land);
    });
    map.addEventListener("keydown", (event) => {
      const land = event.target.closest(".lands > a"), step = STEPS[event.key];
      if (land && step) {
        event.preventDefault();
        const next = beside(map, land, step);
        if (next) next.focus();
      }
    });
  }
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  /* ---------- on paper nothing is folded but check sums, also where a browser doesn't know `::details-content` */
  const unfolded = [];
  window.addEventListener("beforeprint", () => {
    unfolded.push(...all("details.more:not([open])").filter((one) => !one.querySelector(".seal")));
    for (const one of unfolded) one.open = true;
  });
  window.addEventListener("afterprint", () => { for (const one of unfolded.splice(0)) one.open = false; });

  /* ---------- tiles: the same map with a tile of one size for each field */
  const WIDE = 220, HIGH = 190, GAP = 12, KNOT = "tiles";
  const tiles = Object.fromEntries(all("[data-tile]").map((shape) => {
    const [column, row, code] = shape.dataset.tile.split(" ");
    return [shape.id.slice(2), { shape, code, x: GAP + column * (WIDE + GAP), y: GAP + row * (HIGH + GAP) }];
  }));
  const former = new Map();
  let laid = false, again = () => {};

  /* Sets attributes, and remembers what the map had in their place. */
  function put(element, attributes) {
    if (!element) return;
    for (const [name, value] of Object.entries(attributes)) {
      former.set(element, [...(former.get(element) || []), [name, element.getAttribute(name)]]);
      element.setAttribute(name, value);
    }
  }

  function middle(id) {
    return [tiles[id].x + WIDE / 2, tiles[id].y + HIGH / 2];
  }

  function lead(arrow) {
    const { from, to } = arrow.dataset, [x, y] = middle(to);
    for (const circle of all("circle", arrow)) put(circle, { cx: x, cy: y });
    if (!from) return;
    const [a, b] = middle(from), far = Math.max(Math.hypot(x - a, y - b), 1), cut = 70 / far;
    const [right, down] = [(x - a) * cut, (y - b) * cut];
    const bow = `Q${(a + x) / 2 - (y - b) / 7} ${(b + y) / 2 + (x - a) / 7}`;
    for (const path of all("path", arrow)) put(path, { d: `M${a + right} ${b + down}${bow} ${x - right} ${y - down}` });
  }

  function lay(map) {
    const names = all(".name", map);
    all(".lands > a", map).forEach((land, i) => {
      const { id } = land.dataset, { x, y, code } = tiles[id];
      const of = (kind) => map.querySelector(`${kind}[data-id="${CSS.escape(id)}"]`);
      put(names[i], { x: x + WIDE / 2, y: y + 110, "text-anchor": "middle" });
      const wide = names[i].getComputedTextLength() / (WIDE - 14);
      if (wide > 1) put(names[i], { textLength: WIDE - 14, lengthAdjust: "spacingAndGlyphs" });
      if (wide > 1.5 && code) put(names[i], { class: `${names[i].getAttribute("class")} long` });
      put(of(".badge"), { transform: `translate(${x + 74} ${y + 42})` });
      put(of(".icons"), { transform: `translate(${x + 160} ${y + 40})` });
      put(of(".pieces"), { transform: `translate(${x + 14} ${y + 138}) scale(.78)` });
      const short = document.createElementNS(SVG, "text");
      short.setAttribute("class", "code");
      short.setAttribute("paint-order", "stroke");
      short.setAttribute("x", x + WIDE / 2);
      short.setAttribute("y", y + 150);
      short.append(code);
      names[i].after(short);
    });
    const right = Math.max(...Object.values(tiles).map((one) => one.x)), low = Math.max(...Object.values(tiles).map((one) => one.y));
    put(map, { viewBox: `0 0 ${right + WIDE + GAP} ${low + HIGH + GAP}` });
    for (const arrow of all(".arrow", map)) lead(arrow);
  }

  function unlay() {
    for (const [element, attributes] of former) {
      for (const [name, value] of attributes) {
        if (value === null) element.removeAttribute(name); else element.setAttribute(name, value);
      }
    }
    former.clear();
    for (const code of all(".map .code")) code.remove();
  }

  function turn(wanted) {
    laid = wanted;
    document.body.classList.toggle("tiled", laid);
    if (laid) {
      for (const one of Object.values(tiles)) put(one.shape, { d: `M${one.x} ${one.y}h${WIDE}v${HIGH}h-${WIDE}z` });
      all(".map:not(.inset)").forEach(lay);
    } else unlay();
    for (const button of all(".tiles")) button.setAttribute("aria-pressed", laid);
    again();
  }

  document.body.classList.add("live");
  for (const button of all(".tiles")) {
    button.addEventListener("click", () => {
      turn(!laid);
      history.replaceState(history.state, "", laid ? `#${KNOT}` : location.pathname + location.search);
    });
  }
  if (all(".tiles").length && location.hash === `#${KNOT}`) turn(true);

  /* ---------- the replay */
  const bar = document.querySelector(".replay"), block = document.getElementById("rounds-data");
  if (!bar || !block) return;
  const film = JSON.parse(block.textContent);
  const map = document.getElementById("map-now-all");
  const table = document.querySelector("table.standings tbody");
  const slider = bar.querySelector("input"), label = bar.querySelector("output"), told = document.querySelector(".stage .told");
  const play = bar.querySelector('[data-go="play"]');
  const last = film.rounds.length - 1;
  const number = new Intl.NumberFormat(document.documentElement.lang);
  const parts = {};
  for (const id of film.lands) {
    const of = (what) => map.querySelector(`${what}[data-id="${CSS.escape(id)}"]`);
    const badge = of(".badge"), icons = of(".icons"), spot = of(".lands > a");
    parts[id] = { land: spot.firstElementChild, spot, badge, icons, number: badge.textContent, pieces: of(".pieces") };
  }
  let at = last, timer = 0;

  function paint(round, before) {
    film.lands.forEach((id, i) => {
      const part = parts[id], owner = round.o[i], marks = round.m[id] || [];
      const seat = film.seats[owner];
      const ground = marks.map((mark) => (film.fills || {})[mark]).find(Boolean) || `var(--free,${film.free})`;
      part.land.firstElementChild.setAttribute("fill", seat ? seat.fill : ground);
      while (part.land.childElementCount > 1) part.land.lastElementChild.remove();
      part.land.append(...marks.map((mark) => use({ href: `#f-${id}`, fill: `url(#m-${mark})` })));
      part.icons.replaceChildren(
        ...marks.map((mark, k) => use({ href: `#k-${mark}`, x: 46 * k - 23 * (marks.length - 1) })));
      sign(part, seat);
      if (round.g) letter(part, round.g[id] || "");
      if (part.pieces) stand(part.pieces, (round.c || {})[id] || [], laid ? 3 : film.pieces[i]);
      part.land.classList.toggle("new", Boolean(before) && (round.b || before.o)[i] !== owner);
      part.badge.classList.toggle("fought", round.f.includes(id));
    });
  }

  function letter(part, said) {
    part.badge.querySelector("text").textContent = said;
    part.badge.classList.toggle("none", !said);
  }

  /* A tag on the map: a sign and a number. */
  function tag(kind, [x, y], [left, top, across, down], href, at, said, middle) {
    const group = document.createElementNS(SVG, "g"), rect = document.createElementNS(SVG, "rect");
    const text = document.createElementNS(SVG, "text");
    group.setAttribute("class", kind);
    group.setAttribute("transform", `translate(${x} ${y})`);
    Object.entries({ x: left, y: top, width: across, height: down, rx: 9 }).forEach((one) => rect.setAttribute(...one));
    text.setAttribute("x", middle);
    text.setAttribute("y", 9);
    text.textContent = said;
    group.append(rect, use({ href, x: at }), text);
    return group;
  }

  function stand(group, held, row) {
    const here = held.map(([seat, many]) => [film.seats[seat].look, many]).sort((a, b) => a[0] - b[0]);
    const sum = here.reduce((before, one) => before + one[1], 0);
    group.replaceChildren(...(row
      ? here.map(([look, many], i) => tag(
        "piece", [78 * (i % row), 44 * Math.floor(i / row)], [-4, -20, 72, 40], `#o-${look}`, 18, many, 50))
      : sum ? [tag("piece sum", [26, 0], [-4, -18, 54, 36], "#i-pawn", 12, sum, 34)] : []));
  }

  function sign(part, seat) {
    const rect = part.badge.querySelector("rect"), text = part.badge.querySelector("text");
    const size = seat ? [-43, -22, 86, 44, 22] : [-21, -17, 42, 34, 17];
    ["x", "y", "width", "height", "rx"].forEach((name, i) => rect.setAttribute(name, size[i]));
    if (seat) text.setAttribute("x", -18); else text.removeAttribute("x");
    part.badge.classList.toggle("free", !seat);
    all("use", part.badge).forEach((one) => one.remove());
    if (seat) part.badge.append(use({ href: `#o-${seat.look}`, x: 19 }));
  }

  function rank(round) {
    if (!table) return;
    const rows = Object.fromEntries(all("tr[data-seat]", table).map((one) => [one.dataset.seat, one]));
    const here = round.s.map((one) => rows[film.seats[one[0]].id]).filter(Boolean);
    for (const one of Object.values(rows)) one.hidden = !here.includes(one);
    round.s.forEach(([seat, place, points, countries], i) => {
      const line = rows[film.seats[seat].id];
      if (!line) return;
      line.querySelector(".rank").textContent = place;
      line.querySelector(".points").textContent = number.format(points).replace("-", "\u2212");
      const held = line.querySelector(".held");
      if (held) held.textContent = countries;
      all(".beside", line).forEach((cell, k) => { cell.textContent = ((round.k || [])[i] || [])[k] ?? "–"; });
      table.append(line);
    });
  }

  function go(to) {
    at = Math.max(0, Math.min(last, to));
    const round = film.rounds[at], line = document.querySelector(`[data-round="${round.n}"]`);
    hide();
    paint(round, film.rounds[at - 1]);
    rank(round);
    slider.value = at;
    label.textContent = round.p ? bar.dataset.right : line ? line.dataset.label : bar.dataset.start;
    slider.setAttribute("aria-valuetext", label.textContent);
    told.replaceChildren(...(line && !round.p ? all(".what", line).map((one) => one.cloneNode(true)) : []));
    document.body.classList.toggle("past", at < last);
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.setAttribute("aria-pressed", "false");
  }

  function start() {
    if (at === last) go(0);
    play.setAttribute("aria-pressed", "true");
    timer = setInterval(() => { go(at + 1); if (at === last) stop(); }, still ? 2500 : 1500);
  }

  const KNOBS = { first: () => go(0), back: () => go(at - 1), next: () => go(at + 1), last: () => go(last) };
  bar.addEventListener("click", (event) => {
    const knob = event.target.closest("button");
    if (!knob) return;
    if (knob.dataset.go === "play") { if (timer) stop(); else start(); return; }
    stop();
    KNOBS[knob.dataset.go]();
  });
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });
  again = () => { if (film.pieces) paint(film.rounds[at], film.rounds[at - 1]); };
  if (laid) again();
  slider.max = last;
  slider.value = last;
  label.textContent = film.rounds[last].p ? bar.dataset.right
    : document.querySelector(`[data-round="${film.rounds[last].n}"]`)?.dataset.label ?? "";
  bar.hidden = false;
})();
