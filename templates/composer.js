/* The order composer: choose a seat, choose orders, get a mail. It has no rules and no words of its own. What a seat may
   write and what the rules say to it comes from `orders.js`, which the game made; words stand on the page.
   A personal link carries a seat and its key behind the `#`, which no server sees: it is taken out of the address bar at
   once, kept in a variable, and stands in the mail's text alone. So goes what was chosen, when a link leads to the same
   page in another language: behind its `#`, from the click until that page has read it. What was chosen, without the
   key, is also kept with this visit of the page (`history.state`), for whoever loads it again or comes back to it. */
const leagueComposer = (() => {
  "use strict";

  /* ---------- what the data says: no page is needed for this */
  const fill = (pattern, parts) => pattern.replace(/\{(\w+)\}/g, (blank, name) => parts[name] ?? blank);
  const tidy = (text) => String(text).replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

  /* All that a seat may want to write, each with its sentence and what would become of it now. */
  function choices(data, seat) {
    const [comma, and] = data.listed;
    const again = (one, at, all) => at > 0 && all[at - 1].startsWith(data.if) && one.startsWith(data.if);
    const once = (some) => some.map((one, at, all) => (again(one, at, all) ? one.slice(data.if.length) : one));
    const listed = (some) => once(some).reduce((before, one, at) => (at ? before + (at === some.length - 1 ? and : comma) : "") + one, "");
    return seat.rows.map(([kind, at, verdict, low = 0, high = 0, picks = 0, cost = 0, spends = 0], place) => {
      const [text, group, keeps] = data.kinds[kind];
      const [id, name] = data.lands[at] ?? ["", ""];
      const [open, certain, rule, pattern, why, hinges] = data.verdicts[verdict];
      const says = fill(data.patterns[pattern], {
        why: data.whys[why],
        if: listed(hinges.map((hinge) => data.hinges[hinge]).filter(Boolean)),
      });
      return {
        place, id, name, text, low, high, cost, rule, says,
        group: fill(group, { land: id }),
        open: Boolean(open),
        never: Boolean(certain) && !open && !data.unsure,
        picks: picks ? data.picks[picks - 1] : [],
        spends: Boolean(spends),
        keep: keeps ? data.keep : "",
      };
    });
  }

  /* A line of the mail. `values` fills its blanks. */
  function line(choice, values = {}) {
    const parts = { land: choice.name, ...values };
    if (parts.text !== undefined) parts.text = tidy(parts.text);
    return { choice, values, text: tidy(fill(choice.text, parts)), cost: choice.cost + (choice.spends ? Number(values.number) : 0) };
  }

  /* The lines with one more. Of lines of one group a mail keeps the last, so the older goes. */
  const added = (lines, one) => [...lines.filter((old) => old.choice.group !== one.choice.group), one];
  const cost = (lines) => lines.reduce((sum, one) => sum + one.cost, 0);
  const written = (one) => (one.kept ? fill(one.choice.keep, { line: one.text }) : one.text);
  const text = (lines, key = "") => [...(key ? [`key ${key}`, ""] : []), ...lines.map(written)].join("\n");

  const picksOf = (choice, name) => (name.startsWith("pick") ? choice.picks[Number(name.slice(4) || 1) - 1] : []);
  const inRange = (choice, value) => /^\d+$/.test(value) && Number(value) >= choice.low && Number(value) <= choice.high;

  /* A line without words, which are another page's: what was picked is named by its place. */
  function packed(one) {
    const bare = ([name, value]) => [name, picksOf(one.choice, name).length ? picksOf(one.choice, name).indexOf(value) : value];
    return [one.choice.place, one.choice.group, Object.entries(one.values).map(bare), one.kept ? 1 : 0];
  }

  /* The same in this page's words; null where there is no such choice, or no longer. */
  function unpacked(known, [place, group, values, kept]) {
    const choice = known[place];
    if (choice?.group !== group || choice.never) return null;
    const worded = ([name, value]) => [name, picksOf(choice, name).length ? picksOf(choice, name)[Number(value)]
      : name === "number" ? (inRange(choice, value) ? Number(value) : undefined) : String(value).slice(0, LETTERS)];
    const read = Object.fromEntries(values.map(worded));
    const blanks = [...choice.text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).filter((name) => name !== "land");
    if (blanks.some((name) => read[name] === undefined)) return null;
    return { ...line(choice, read), kept: Boolean(kept && choice.keep) };
  }

  /* RFC 6068: everything but letters and digits by percent signs, lines ended by CRLF. */
  function mailto(to, subject, body) {
    const safe = (part) => encodeURIComponent(part).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
    const address = to.split("@").map(safe).join("@");
    return `mailto:${address}?subject=${safe(tidy(subject))}&body=${safe(body.replace(/\n/g, "\r\n"))}`;
  }

  const LETTERS = 200; // of a text that is filled in
  const told = { choices, line, added, cost, text, mailto };
  const section = document.querySelector(".composer");

  /* ---------- the personal link, `#seat/key`, also as mail programs leave it: signs glued to its end, `/` as `%2F`,
     letters large. What can be read in one way only is read; of the rest the page says that it is damaged. */
  const KEY = "[a-z0-8]{4}(?:-?[a-z0-8]{4}){3}(?!-?[\\p{L}\\p{N}])";
  const PERSONAL = new RegExp(`(?:^|[^\\w-])([\\w-]{1,40})[/\\\\]+(${KEY})`, "giu");
  const KEY_ALONE = new RegExp(`(?:^|[^\\p{L}\\p{N}])${KEY}`, "iu");
  const LIKE_A_LINK = /^[^\w?&=]*([\w-]*)[^?&=]*[/\\]/;
  const SEAT_ALONE = /^[^\p{L}\p{N}]*([a-z\d][\w-]{0,39}?)[^\p{L}\p{N}]*$/iu;
  let link = null; // {seat, key}; no key: it is damaged
  const mine = () => link?.seat ?? "";
  const key = () => link?.key ?? "";

  function decoded(hash) {
    let text = hash.slice(1);
    for (let coded = ""; coded !== text;) {
      coded = text;
      text = coded.replace(/(?:%[\da-f]{2})+/gi, (signs) => { try { return decodeURIComponent(signs); } catch { return signs; } });
    }
    return text;
  }

  const spaced = (text) => text.replace(/\p{Cf}/gu, "").replace(/\p{Pd}/gu, "-").replace(/([-/])[\p{Cc}\p{Z}]+/gu, "$1");

  /* Without what a mail's encoding and quotation leave: `=2D`, `=0A`, a line's end with the sign of a quotation. */
  const unquoted = (text) => spaced(text.replace(/=([\da-f]{2})/gi, (_, sign) => String.fromCharCode(parseInt(sign, 16)))
    .replace(/=?[\r\n]+[\s>|]*/g, ""));

  const linksIn = (text) => new Set([...text.matchAll(PERSONAL)].map(([, seat, own]) =>
    `${seat.replace(/^_+|_+$/g, "")}/${own.replace(/-/g, "")}`.toLowerCase()));

  /* A seat of this page, and nothing of it that one could go to. */
  const isSeat = (id) => !document.getElementById(id)
    && (/^s\d{1,2}$/.test(id) || Boolean(document.querySelector(`.standings [data-seat="${CSS.escape(id)}"]`)));

  /* What stands behind the `#`, as a personal link; null: it is none. */
  function readLink(hash) {
    const given = decoded(hash), text = spaced(given);
    const found = [...(linksIn(text).size ? linksIn(text) : linksIn(unquoted(given)))];
    if (found.length === 1) {
      const [seat, own] = found[0].split("/");
      return { seat, key: own.match(/.{4}/g).join("-") };
    }
    const like = LIKE_A_LINK.exec(text);
    if (like || (KEY_ALONE.test(text) && !document.getElementById(text))) return { seat: found.length ? "" : (like?.[1] ?? "").toLowerCase(), key: "" };
    const alone = SEAT_ALONE.exec(text)?.[1].toLowerCase();
    if (alone && !document.getElementById(text) && isSeat(alone)) return { seat: alone, key: "" };
    return null;
  }

  /* What the page in another language had, or this one before: `{link, seat, land, drafts, lost, had}`. `had` is the seat
     whose key was there. */
  const BROUGHT = "#draft=";
  let brought = null, had = "";

  function bringing(text) {
    try {
      const { link, seat, land, drafts, lost, had = "" } = JSON.parse(decodeURIComponent(text));
      return { link: readLink(`#${link}`), seat: String(seat), land: String(land), drafts: [...drafts], lost: Number(lost) || 0, had: String(had) };
    } catch {
      return { link: readLink(`#${text}`), seat: "", land: "", drafts: [], lost: Infinity, had: "" }; // nobody knows how many
    }
  }

  const packing = (bag) => encodeURIComponent(JSON.stringify(bag));

  /* With this visit of the page is kept what came with its address, but for the key: it may have to be loaded again before
     it has read its choices. */
  function keepWhatCame() {
    const { seat, land, drafts, lost } = brought ?? { seat: link.seat, land: "", drafts: [], lost: 0 };
    if (key()) had = link.seat;
    const state = section && lost !== Infinity ? { draft: packing({ link: "", seat, land, drafts, lost, had }) } : null;
    history.replaceState(state, "", location.pathname + location.search);
  }

  function takeKey() {
    const coded = location.hash.startsWith(BROUGHT) ? location.hash.slice(BROUGHT.length) : "";
    brought = coded ? { coded, ...bringing(coded) } : null;
    const read = brought ? brought.link : readLink(location.hash);
    if (!read && !brought) return false;
    link = read;
    had = brought?.had ?? had;
    keepWhatCame();
    return true;
  }

  /* What was chosen on this visit before. The lines' own words tell whether the page still offers the same. */
  function remember() {
    const { draft, round, texts } = history.state ?? {};
    if (typeof draft !== "string") return false;
    brought = { coded: draft, ...bringing(draft), link: null, round, texts, again: true };
    had = brought.had;
    return true;
  }
  const isPersonal = takeKey(), isAgain = !isPersonal && remember();
  if (!section) return { ...told, feed: () => {} };

  /* ---------- the page */
  const LONG = 2000;
  const DOUBLE = 500, NEAR = 24; // of clicks, in milliseconds and pixels
  const one = (what, where = section) => where.querySelector(what);
  const all = (what, where = section) => [...where.querySelectorAll(what)];
  const note = (name) => one(`[data-note="${name}"]`);
  const words = section.dataset;
  const work = one(".work"), seats = one("[data-seat]"), lands = one("[data-land]");
  const offers = one(".offers"), list = one(".orderlist"), box = one("textarea"), mail = one('[data-do="mail"]');
  const [upward, downward, cross] = all(".glyphs svg");
  let data = null, loading = null, seat = null, all_choices = [], lines = [], chosen = "";
  let clicked = { at: -Infinity, x: 0, y: 0 }, retry = 0;
  const drafts = new Map(); // of the seats that were looked at before

  function made(tag, attributes = {}, ...inside) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "click") element.addEventListener("click", value);
      else if (value !== false) element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...inside);
    return element;
  }
  const button = (label, click, attributes = {}) => made("button", { type: "button", click, ...attributes }, label);
  const tell = (said) => { one(".status").textContent = said; };

  /* ---------- the map once more, to be pointed at; the list beside it says the same */
  function drawMap() {
    one('.replay [data-go="last"]', document)?.click(); // it may show a round long ago
    const shown = document.getElementById("map-now-all")?.closest("svg");
    const insets = document.body.classList.contains("tiled") ? [] : all(".hero .map.inset", document);
    if (!shown) { one(".table-map").hidden = true; return; }
    const map = shown.cloneNode(true);
    for (const gone of all("title, desc", map)) gone.remove();
    for (const named of [map, ...all("[id]", map)]) for (const name of ["id", "aria-labelledby", "role"]) named.removeAttribute(name);
    for (const land of all("a", map)) for (const name of ["href", "tabindex", "aria-label"]) land.removeAttribute(name);
    all(":scope > g", map)[0].id = "map-write-all";
    const closer = insets.map((inset) => {
      const copy = inset.cloneNode(true);
      for (const name of ["role", "aria-label"]) copy.removeAttribute(name);
      one("use", copy).setAttribute("href", "#map-write-all");
      return copy;
    });
    one(".sheet").replaceChildren(map, ...closer);
  }

  function point(event) {
    const land = event.target.closest(".lands > a, .over");
    if (!land) return;
    event.preventDefault();
    choose(land.dataset.id);
    one(".choose").scrollIntoView({ block: "nearest" });
  }

  /* The page's map was turned into tiles, or back. */
  function redraw(event) {
    if (!data || !event.target.closest(".tiles")) return;
    drawMap();
    markMap();
  }

  function markMap() {
    const named = new Set(lines.map((entry) => entry.choice.id));
    const can = new Set(all_choices.filter((choice) => choice.open).map((choice) => choice.id));
    for (const land of all(".sheet .lands > a")) {
      land.classList.toggle("can", can.has(land.dataset.id));
      land.classList.toggle("cant", !can.has(land.dataset.id));
      land.classList.toggle("named", named.has(land.dataset.id));
    }
    for (const halo of all(".sheet .halo")) halo.setAttribute("href", chosen ? `#f-${chosen}` : "#none");
  }

  /* ---------- choosing */
  function sit(id) {
    if (seat) drafts.set(seat.id, lines);
    tell("");
    seat = data.seats.find((known) => known.id === id) ?? null;
    seats.value = seat ? id : "";
    const sign = seat && one(`.standings [data-seat="${CSS.escape(id)}"] .swatch`, document);
    one(".sign").replaceChildren(...(sign ? [sign.cloneNode(true)] : []));
    all_choices = seat ? choices(data, seat) : [];
    [lines, chosen] = [drafts.get(id) ?? [], ""];
    work.hidden = !all_choices.length;
    note("idle").hidden = !seat || all_choices.length > 0;
    proofs();
    const spend = note("spend");
    spend.hidden = !seat || seat.purse === null;
    if (seat) one("b", spend).textContent = seat.purse;
    listLands();
    show();
    draft();
  }

  /* Whether the seat's key is in the mail, or was and isn't any more. */
  function proofs() {
    note("known").hidden = !(key() && seat && mine() === seat.id);
    note("gone").hidden = Boolean(link) || !seat || had !== seat.id;
  }

  function listLands() {
    const can = new Set(all_choices.filter((choice) => choice.open).map((choice) => choice.id));
    const known = data.lands.map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, data.lang));
    const group = (label, some) => made("optgroup", { label }, ...some.map((land) => made("option", { value: land.id }, land.name)));
    lands.replaceChildren(
      made("option", { value: "" }, "–"),
      group(words.some, known.filter((land) => can.has(land.id))),
      group(words.none, known.filter((land) => !can.has(land.id))));
    one(".choose .field").hidden = !all_choices.some((choice) => choice.id);
  }

  function choose(id) {
    chosen = id;
    lands.value = id;
    show();
    keep();
  }

  /* The order with its blanks to fill in, and what would become of it. */
  function offer(choice, anyway = false) {
    const holds = {}, fixed = {};
    const parts = choice.text.split(/(\{\w+\})/).filter(Boolean).map((part) => {
      const name = part.startsWith("{") ? part.slice(1, -1) : "";
      if (!name || name === "land") return name ? choice.name : part;
      const picks = picksOf(choice, name);
      if (picks.length === 1) return fixed[name] = picks[0]; // nothing to choose from
      return holds[name] = blankOf(choice, name, picks);
    });
    const blanks = Object.values(holds);
    const enter = () => {
      const values = { ...fixed, ...Object.fromEntries(Object.entries(holds).map(([name, blank]) => [name, blank.value])) };
      const wrong = blanks.find((blank) => blank.type === "number" ? !inRange(choice, blank.value)
        : blank.type === "text" && !tidy(blank.value));
      for (const blank of blanks) blank.setAttribute("aria-invalid", String(blank === wrong));
      if (wrong) { wrong.focus(); wrong.reportValidity(); return; }
      if (holds.number) values.number = Number(values.number);
      put(line(choice, values));
    };
    if (!blanks.length) {
      const said = parts.join("");
      return button(said, enter, { class: anyway ? "anyway" : "take", "aria-label": anyway ? `${words.anyway}: ${said}` : said });
    }
    for (const blank of blanks) blank.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); enter(); } });
    const range = holds.number ? [made("span", { class: "soft" }, `${choice.low}–${choice.high}`)] : [];
    return made("span", { class: "blanks" }, made("span", {}, ...parts), ...range, button(anyway ? words.anyway : words.add, enter, { class: "take", "aria-label": `${words.add}: ${shortly(choice)}` }));
  }

  /* The order with its blanks left open. */
  const shortly = (choice) => tidy(fill(choice.text, { land: choice.name }).replace(/(\{\w+\})+/g, "…"));

  /* A field to fill in. What may be left out is called by the first word of what could stand there. */
  function blankOf(choice, name, picks) {
    const label = { "aria-label": shortly(choice), autocomplete: "off" };
    if (picks.length) {
      const shown = picks.map((pick) => pick.replace(/^[;\s]+|[;\s]+$/g, ""));
      const none = `${(shown.find(Boolean) ?? "").split(" ")[0]} –`.trim();
      return made("select", label, ...picks.map((pick, at) => made("option", { value: pick }, shown[at] || none)));
    }
    if (name === "text") return made("input", { ...label, type: "text", maxlength: LETTERS, required: true });
    return made("input", { ...label, type: "number", required: true, inputmode: "numeric", min: choice.low, max: choice.high, step: 1, value: choice.low });
  }

  function show() {
    const here = all_choices.filter((choice) => choice.id === chosen && chosen);
    const plain = all_choices.filter((choice) => !choice.id);
    offers.replaceChildren(...rows(here), ...(plain.length && here.length ? [made("p", { class: "soft apart" }, words.plain)] : []), ...rows(plain));
    markMap();
  }

  function rows(some) {
    const refused = new Map();
    for (const choice of some) if (!choice.open) refused.set(choice.says, [...(refused.get(choice.says) ?? []), choice]);
    const fits = some.filter((choice) => choice.open).map((choice) =>
      made("div", { class: "offer" }, offer(choice), ...(choice.picks.length || !choice.id ? [] : [made("p", { class: "soft" }, choice.says)])));
    const fails = [...refused].map(([says, several]) => made("div", { class: "offer no" },
      made("p", {}, made("b", {}, several.map(shortly).join(" / ")), ` ${says} `, ruled(several[0].rule)),
      ...instead(several.filter((choice) => !choice.never && choice.high >= choice.low))));
    return [...fits, ...fails];
  }

  /* A rule's number, leading to the rule where the league has a page of them: beside this page, which has the key. */
  function ruled(rule) {
    if (!rule || !one('.papers a[href="rules.html"]', document)) return made("span", { class: "rule" }, rule);
    return made("a", { class: "rule", href: `rules.html#${rule.replace(/^\W+/, "")}`, target: "_blank", rel: "noopener" }, rule);
  }

  /* What may yet become possible can be written all the same. */
  const instead = (some) => (some.length
    ? [made("p", { class: "instead" }, made("span", { class: "soft" }, `${words.anyway}:`), ...some.map((choice) => offer(choice, true)))]
    : []);

  /* ---------- the mail */
  function put(entry) {
    lines = added(lines, entry);
    tell(`${words.added} ${entry.text}`);
    draft();
  }

  function drop(at) {
    tell(`${words.removed} ${lines[at].text}`);
    lines = lines.filter((_, place) => place !== at);
    draft();
    (all("button.remove", list)[Math.min(at, lines.length - 1)] ?? firstField()).focus();
  }

  function move(at, by) {
    const other = at + by;
    [lines[at], lines[other]] = [lines[other], lines[at]];
    draft();
    const row = list.children[other];
    (one(by < 0 ? ".up:enabled" : ".down:enabled", row) ?? one("button:enabled", row)).focus();
  }

  /* The second click of a double click, which would hit the row that has come there. Browsers count them; by touch not all do. */
  function isDouble(event) {
    const { timeStamp: at, clientX: x, clientY: y, detail } = event;
    const soon = at - clicked.at < DOUBLE && Math.hypot(x - clicked.x, y - clicked.y) < NEAR;
    if (detail) clicked = { at, x, y }; // none: it was a key
    return detail > 1 || (detail === 1 && soon);
  }

  /* A key that is held would go on with the next row, and with what can be chosen when no row is left. */
  function onHeld(event) {
    if (event.repeat && event.key === "Enter" && event.target.closest("button")) event.preventDefault();
  }

  function tool(name, label, glyph, entry, act, off = false) {
    return button(glyph.cloneNode(true), (event) => { if (!isDouble(event)) act(); }, { class: name, "aria-label": `${label}: ${entry.text}`, disabled: off });
  }

  function draft() {
    list.replaceChildren(...lines.map((entry, at) => made("li", { class: entry.choice.open ? false : "doubt" },
      made("div", { class: "row" },
        made("span", { class: "line" }, entry.text),
        made("span", { class: "tools" },
          tool("up", words.up, upward, entry, () => move(at, -1), at === 0),
          tool("down", words.down, downward, entry, () => move(at, 1), at === lines.length - 1),
          tool("remove", words.remove, cross, entry, () => drop(at)))),
      ...(entry.choice.keep ? [keeper(entry)] : []),
      ...(entry.choice.open ? [] : [made("span", { class: "soft says" }, entry.choice.says)]))));
    letter();
  }

  function keeper(entry) {
    const box = made("input", { type: "checkbox", autocomplete: "off" });
    box.checked = Boolean(entry.kept);
    box.addEventListener("change", () => { entry.kept = box.checked; letter(); });
    return made("label", { class: "keep" }, box, ` ${words.keep}`);
  }

  function letter() {
    one(".blank").hidden = lines.length > 0;
    list.hidden = !lines.length;
    const body = text(lines, seat && mine() === seat.id ? key() : "");
    const href = mailto(words.to, words.subject, body);
    box.value = body;
    box.rows = Math.max(3, lines.length + (body.startsWith("key ") ? 3 : 1));
    if (lines.length) mail.href = href; else mail.removeAttribute("href");
    one('[data-do="copy"]').disabled = !lines.length;
    note("long").hidden = !lines.length || href.length <= LONG;
    const spent = cost(lines), over = seat && seat.purse !== null && spent > seat.purse;
    note("purse").hidden = !over;
    if (over) one("b", note("purse")).textContent = `${spent} > ${seat.purse}`;
    markMap();
    keep();
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(box.value);
      tell(words.copied);
    } catch {
      box.focus();
      box.select();
      tell(document.execCommand("copy") ? words.copied : words.marked);
    }
  }

  /* ---------- opening it */
  function feed(made_by_the_game) {
    data = made_by_the_game;
    note("late").hidden = !words.until || Date.now() <= Date.parse(words.until);
    if (words.from) note("early").hidden = Date.now() >= Date.parse(words.from);
    seats.append(...data.seats.map((known) => made("option", { value: known.id }, known.name)));
    section.classList.add("on");
    drawMap();
    const again = brought?.again;
    follow();
    if (again) return; // whoever comes back is where he was
    (all_choices.length ? firstField() : seats).focus({ preventScroll: true });
    section.closest("section").scrollIntoView();
  }

  /* The personal link's seat; where the link is no good, this is told. */
  function follow() {
    const known = data.seats.some((some) => some.id === mine());
    note("torn").hidden = !link || Boolean(key());
    note("stranger").hidden = !key() || known;
    if (brought) unpack();
    else sit(known ? mine() : "");
  }

  /* ---------- the same page in another language */
  const FARTHEST = 32000; // letters of an address that every browser takes

  /* The seats' drafts, first that of the seat that is looked at. */
  function drafted() {
    if (seat) drafts.set(seat.id, lines);
    return [...drafts].sort(([a], [b]) => (b === seat?.id) - (a === seat?.id)).filter(([, some]) => some.length);
  }

  const packedDrafts = (own) => own.map(([id, some]) => [id, some.map(packed)]);

  /* All that would be lost, as it stands behind the `#`; what is too much is left away from the end, and counted. */
  function pack() {
    if (!data && brought) return brought.coded; // the choices could not be loaded here
    if (!data && !link) return "";
    const bag = { link: link ? `${link.seat}/${link.key}` : "", seat: seat?.id ?? (data ? "" : link.seat), land: chosen, drafts: packedDrafts(drafted()), lost: 0, had };
    let text = packing(bag);
    while (text.length > FARTHEST && bag.drafts.length) {
      const last = bag.drafts[bag.drafts.length - 1][1];
      last.pop();
      if (!last.length) bag.drafts.pop();
      bag.lost += 1;
      text = packing(bag);
    }
    return text;
  }

  /* The same with this visit of the page, whole and without the key. */
  function keep() {
    if (!data || brought) return;
    const own = drafted(), texts = own.map(([, some]) => some.map((entry) => entry.text));
    const draft = packing({ link: "", seat: seat?.id ?? "", land: chosen, drafts: packedDrafts(own), lost: 0, had });
    if (history.state?.draft === draft) return;
    clearTimeout(retry);
    try {
      history.replaceState(seat || own.length ? { draft, round: words.subject, texts } : null, "");
    } catch {
      retry = setTimeout(keep, 5000); // a browser takes only so many in a while
    }
  }

  function unpack() {
    let { lost } = brought;
    const { round, texts } = brought, past = round !== undefined && round !== words.subject;
    const tried = (read) => { try { return read(); } catch { return null; } }; // anybody may write an address
    brought.drafts.forEach((draft, place) => {
      const [id, some] = tried(() => [draft[0], [...draft[1]]]) ?? ["", [null]];
      const of = data.seats.find((known) => known.id === id);
      const known = of ? choices(data, of) : [];
      const same = (one, at) => !past && (!texts || one.text === texts[place]?.[at]);
      const read = some.map((entry, at) => [tried(() => unpacked(known, entry)), at]).filter(([one, at]) => one && same(one, at));
      if (of) drafts.set(id, read.map(([one]) => one).reduce(added, []));
      lost += some.length - read.length;
    });
    const { seat: id, land } = brought;
    brought = seat = null; // so that nothing of before is kept over it
    sit(data.seats.some((known) => known.id === id) ? id : "");
    if (all_choices.length && data.lands.some(([known]) => known === land)) choose(land);
    note("lost").hidden = !lost;
    one("b", note("lost")).textContent = Number.isFinite(lost) ? lost : "?";
  }

  /* From the click on the browser has it; the page's own link has no key for longer than that. */
  function carry(tongue) {
    const plain = tongue.getAttribute("href").split("#")[0], text = pack();
    if (!text) return;
    tongue.setAttribute("href", plain + BROUGHT + text);
    setTimeout(() => tongue.setAttribute("href", plain));
  }

  const firstField = () => (one(".choose .field").hidden ? one("button, input, select", offers) : lands);

  /* Once is enough, however often it is asked for; where it failed it can be tried again. */
  function load() {
    if (data || loading) return;
    loading = made("script", { src: words.src });
    loading.addEventListener("error", () => {
      loading = null;
      one(".failed").textContent = words.failed;
    });
    document.head.append(loading);
  }

  function forget() {
    link = brought = null;
    for (const name of ["torn", "stranger"]) note(name).hidden = true;
    proofs();
    if (seat) letter();
  }

  /* The back button's page, which had not read its choices yet when it was left. */
  function comeBack() {
    if (!data && !link && !brought && remember()) load();
  }

  one(".sheet").addEventListener("click", point);
  document.addEventListener("click", redraw);
  seats.addEventListener("change", () => sit(seats.value));
  lands.addEventListener("change", () => choose(lands.value));
  one('[data-do="open"]').addEventListener("click", load);
  one('[data-do="copy"]').addEventListener("click", copy);
  for (const link of all('a[href="#write"]', document)) link.addEventListener("click", load);
  for (const tongue of all(".tongues a", document)) for (const press of ["click", "auxclick"]) tongue.addEventListener(press, () => carry(tongue));
  section.addEventListener("keydown", onHeld);
  window.addEventListener("hashchange", () => {
    if (!takeKey()) keep(); // another visit of this page, without what the one before has
    else if (data) follow();
    else load();
  });
  window.addEventListener("pageshow", comeBack);
  window.addEventListener("pagehide", forget); // a browser may keep the page for its back button
  one("[data-shown]").textContent = words.subject;
  for (const part of [work, list, ...all("[data-note]:not([data-note=address])")]) part.hidden = true;
  if (isPersonal || isAgain) load();
  return { ...told, feed };
})();
