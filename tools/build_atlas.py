"""What the scripts share that build a game's geometry.json from a world TopoJSON file: projection, simplified arcs, paths.

The input is the 1:50m country layer of Natural Earth (public domain) in
TopoJSON form, as found in version 2 of the npm package "world-atlas".
Only the standard library is needed. The output is deterministic.

Everything is done on the arcs of the topology: an arc is projected,
simplified and rounded once, so two neighbours share their border exactly.
"""
import math

# Lambert azimuthal equal-area around 52N 10E (the centre of EPSG:3035), on a sphere.
LAT0, LON0, R = math.radians(52), math.radians(10), 6371.0
UNIT = 0.5                     # view units per km
MARGIN = 24                    # shapes are cut this far outside the view box
TOLERANCE = 4.0                # Visvalingam: smallest triangle kept, view units squared
PROJECTION = "Lambert azimuthal equal-area, centre 52N 10E, sphere"
SOURCE = "Natural Earth 1:50m (public domain)"


class Frame:
    """The part of the world that is shown, in km from the centre."""

    def __init__(self, x_min, x_max, y_min, y_max):
        self.x_min, self.y_max = x_min, y_max
        self.width, self.height = round((x_max - x_min) * UNIT), round((y_max - y_min) * UNIT)

    def project(self, lon, lat):
        lam, phi = math.radians(lon) - LON0, math.radians(lat)
        c = 1 + math.sin(LAT0) * math.sin(phi) + math.cos(LAT0) * math.cos(phi) * math.cos(lam)
        k = R * math.sqrt(2 / max(c, 1e-9))
        x = k * math.cos(phi) * math.sin(lam)
        y = k * (math.cos(LAT0) * math.sin(phi) - math.sin(LAT0) * math.cos(phi) * math.cos(lam))
        return (x - self.x_min) * UNIT, (self.y_max - y) * UNIT

    def inside(self, p):
        return -MARGIN <= p[0] <= self.width + MARGIN and -MARGIN <= p[1] <= self.height + MARGIN


def simplify(points, tolerance):
    """Visvalingam-Whyatt with the end points kept; a closed arc keeps at least a triangle."""
    pts, n = list(points), len(points)
    floor = 4 if points[0] == points[-1] else 2

    def area(i):
        (ax, ay), (bx, by), (cx, cy) = pts[i - 1], pts[i], pts[i + 1]
        return abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2

    areas = [math.inf] + [area(i) for i in range(1, n - 1)] + [math.inf]
    last = 0.0
    while len(pts) > floor:
        i = min(range(len(areas)), key=areas.__getitem__)
        last = max(last, areas[i])
        if last >= tolerance:
            break
        del pts[i], areas[i]
        for j in (i - 1, i):
            if 0 < j < len(pts) - 1:
                areas[j] = area(j)
    return pts


def ring_area(ring):
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(ring, ring[1:] + ring[:1])) / 2


def clip(ring, lo_x, lo_y, hi_x, hi_y):
    """Sutherland-Hodgman against a rectangle."""
    for axis, bound, sign in ((0, lo_x, 1), (0, hi_x, -1), (1, lo_y, 1), (1, hi_y, -1)):
        out = []
        for a, b in zip(ring[-1:] + ring[:-1], ring):
            a_in, b_in = sign * (a[axis] - bound) >= 0, sign * (b[axis] - bound) >= 0
            if a_in != b_in:
                t = (bound - a[axis]) / (b[axis] - a[axis])
                cut = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])]
                cut[axis] = bound
                out.append((round(cut[0]), round(cut[1])))
            if b_in:
                out.append(b)
        ring = out
        if not ring:
            break
    return ring


def path_of(ring, close=True):
    x, y = ring[0]
    out, mode = [f"M{x} {y}"], "M"
    for px, py in ring[1:]:
        dx, dy = px - x, py - y
        x, y = px, py
        if dx == 0 and dy == 0:
            continue
        step = f"{dx}{dy}" if dy < 0 else f"{dx} {dy}"
        if mode != "l":
            step, mode = "l" + step, "l"
        elif dx >= 0:
            step = " " + step
        out.append(step)
    return "".join(out) + ("Z" if close else "")


class Atlas:
    def __init__(self, topology, frame, left_out=()):
        self.frame, self.left = frame, left_out
        (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
        self.arcs, self.raw = [], []
        for arc in topology["arcs"]:
            x = y = 0
            pts = []
            for dx, dy in arc:
                x, y = x + dx, y + dy
                pts.append((x * sx + tx, y * sy + ty))
            self.raw.append(pts)
            self.arcs.append(None)
        self.shapes = {g["properties"]["name"]: g
                       for g in topology["objects"]["countries"]["geometries"]}

    def arc(self, index):
        i = index if index >= 0 else ~index
        if self.arcs[i] is None:
            pts = [self.frame.project(lon, lat) for lon, lat in self.raw[i]]
            self.arcs[i] = [(round(x), round(y)) for x, y in simplify(pts, TOLERANCE)]
        return self.arcs[i] if index >= 0 else self.arcs[i][::-1]

    def rings(self, name):
        g = self.shapes[name]
        polygons = [g["arcs"]] if g["type"] == "Polygon" else g["arcs"]
        return [ring for polygon in polygons for ring in polygon]

    def merged(self, names):
        """Rings of the union: arcs used from both sides vanish. Also returns those arcs."""
        used = {}
        for name in names:
            for ring in self.rings(name):
                for i in ring:
                    used.setdefault(i if i >= 0 else ~i, []).append((i, name))
        inner = {k: [n for _, n in v] for k, v in used.items() if len(v) > 1}
        outer = [v[0][0] for v in used.values() if len(v) == 1]
        starts = {}
        for i in outer:
            starts.setdefault(self.key(i, 0), []).append(i)
        rings = []
        while starts:
            first = next(iter(starts))
            i = starts[first].pop()
            if not starts[first]:
                del starts[first]
            ring = [i]
            while self.key(ring[-1], -1) != first:
                k = self.key(ring[-1], -1)
                ring.append(starts[k].pop())
                if not starts[k]:
                    del starts[k]
            rings.append(ring)
        return rings, inner

    def key(self, index, end):
        pts = self.raw[index if index >= 0 else ~index]
        return pts[end] if index >= 0 else pts[-1 - end]

    def left_out(self, ring):
        near = [self.frame.project(*place) for place in self.left]
        return any(math.dist(ring[0], p) < 60 for p in near)

    def outline(self, names, smallest):
        rings, inner = self.merged(names)
        out = []
        for ring in rings:
            pts = []
            for i in ring:
                pts += self.arc(i)[1 if pts else 0:]
            pts = clip(pts[:-1], -MARGIN, -MARGIN, self.frame.width + MARGIN, self.frame.height + MARGIN)
            if len(pts) >= 3 and abs(ring_area(pts)) >= smallest and not self.left_out(pts):
                out.append(pts)
        out.sort(key=lambda r: -abs(ring_area(r)))
        return out, inner


def graticule(frame):
    lines = []
    for lon in range(-40, 71, 10):
        lines.append([frame.project(lon, lat) for lat in range(30, 79, 2)])
    for lat in range(30, 79, 10):
        lines.append([frame.project(lon, lat) for lon in range(-44, 73, 4)])
    out = ""
    for line in lines:
        run = []
        for p in line + [(math.inf, math.inf)]:
            if -150 <= p[0] <= frame.width + 150 and -150 <= p[1] <= frame.height + 150:
                run.append((round(p[0]), round(p[1])))
            else:
                if len(run) > 1:
                    out += path_of(run, close=False)
                run = []
    return out
