#!/usr/bin/env python3
"""Build config/europa/geometry.json from the cards (config/europa/countries.toml) and a world TopoJSON file.

    python3 tools/build_europa_geometry.py countries-50m.json [config/europa/geometry.json]

The input is the 1:50m country layer of Natural Earth (public domain) in
TopoJSON form, as found in version 2 of the npm package "world-atlas".
Only the standard library is needed. The output is deterministic.
"""
import json
import os
import sys
import tomllib

from build_atlas import PROJECTION, SOURCE, Atlas, Frame, graticule, path_of

CONFIG = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "config", "europa")
FRAME = Frame(-1910.0, 2560.0, -1915.0, 2225.0)   # km; what KUEL's map shows, and more of Turkey and Russia
MIN_ISLAND, MIN_LAND = 42.0, 10.0   # smallest island of a field, and of a field that is small itself
MIN_ISLAND_BACKGROUND = 120.0
LEFT_OUT = [(-8.5, 71.0)]           # islands not drawn: Jan Mayen

# Which present-day shapes make up a country of the 1998 map.
MEMBERS = {
    "iceland": ["Iceland"], "ireland": ["Ireland"], "great_britain": ["United Kingdom", "Isle of Man"],
    "norway": ["Norway"], "sweden": ["Sweden"], "finland": ["Finland", "Åland"], "denmark": ["Denmark"],
    "netherlands": ["Netherlands"], "belgium": ["Belgium"], "luxembourg": ["Luxembourg"],
    "germany": ["Germany"], "france": ["France", "Monaco"], "switzerland": ["Switzerland", "Liechtenstein"],
    "austria": ["Austria"], "italy": ["Italy", "San Marino", "Vatican"], "spain": ["Spain", "Andorra"],
    "portugal": ["Portugal"], "greece": ["Greece"], "turkey": ["Turkey"], "poland": ["Poland"],
    "czech_republic": ["Czechia"], "slovakia": ["Slovakia"], "hungary": ["Hungary"], "romania": ["Romania"],
    "bulgaria": ["Bulgaria"], "albania": ["Albania"], "yugoslavia": ["Serbia", "Montenegro", "Kosovo"],
    "slovenia": ["Slovenia"], "croatia": ["Croatia"], "bosnia": ["Bosnia and Herz."], "macedonia": ["Macedonia"],
    "estonia": ["Estonia"], "latvia": ["Latvia"], "lithuania": ["Lithuania"], "belarus": ["Belarus"],
    "ukraine": ["Ukraine"], "moldova": ["Moldova"], "russia": ["Russia"],
}
BACKGROUND = ["Malta", "Cyprus", "N. Cyprus", "Morocco", "Algeria", "Tunisia", "Libya", "Egypt", "Syria", "Lebanon",
              "Israel", "Iraq", "Jordan", "Georgia", "Armenia", "Azerbaijan", "Kazakhstan", "Faeroe Is."]

# Where things are written, in view units. at: the country's middle, where moves begin and end; label: its name, with
# anchor and size (l, m, s or xs); badge: the number of its election; marker: the icons of what lies on it; pawns: the
# first of its parties, and how many stand in a row there (0: no room, their sum is written beside the number).
LAYOUT = {
    "iceland": dict(at=(330, 250), label=(330, 296, "middle", "m"), badge=(330, 226), marker=(250, 240), pawns=(262, 330, 3)),
    "ireland": dict(at=(340, 960), label=(336, 996, "middle", "m"), badge=(336, 950), marker=(340, 1030), pawns=(72, 884, 3)),
    "great_britain": dict(at=(560, 1010), label=(592, 716, "start", "m"), badge=(560, 1010), marker=(500, 760), pawns=(584, 750, 3)),
    "norway": dict(at=(906, 640), label=(912, 590, "middle", "m"), badge=(890, 640), marker=(946, 640), pawns=(556, 510, 3)),
    "sweden": dict(at=(1088, 620), label=(1088, 560, "middle", "m"), badge=(1088, 600), marker=(1088, 660), pawns=(1056, 710, 2)),
    "finland": dict(at=(1370, 520), label=(1370, 500, "middle", "m"), badge=(1370, 540), marker=(1370, 440), pawns=(1316, 590, 2)),
    "denmark": dict(at=(924, 876), label=(870, 866, "end", "m"), badge=(924, 884), marker=(906, 836), pawns=(650, 904, 3)),
    "netherlands": dict(at=(824, 1078), label=(848, 1034, "middle", "s"), badge=(834, 1062), marker=(816, 1110), pawns=(834, 1062, 0)),
    "belgium": dict(at=(780, 1180), label=(794, 1148, "middle", "s"), badge=(784, 1176), marker=(730, 1164), pawns=(784, 1176, 0)),
    "luxembourg": dict(at=(838, 1232), label=(838, 1270, "middle", "xs"), badge=(838, 1232), marker=(838, 1284), pawns=(838, 1232, 0)),
    "germany": dict(at=(962, 1160), label=(982, 1126, "middle", "l"), badge=(982, 1166), marker=(1020, 1050), pawns=(920, 1216, 3)),
    "france": dict(at=(680, 1400), label=(680, 1370, "middle", "l"), badge=(680, 1410), marker=(740, 1300), pawns=(620, 1460, 3)),
    "switzerland": dict(at=(892, 1400), label=(892, 1434, "middle", "s"), badge=(906, 1396), marker=(850, 1400), pawns=(906, 1396, 0)),
    "austria": dict(at=(1116, 1358), label=(1116, 1352, "middle", "m"), badge=(1030, 1384), marker=(1150, 1384), pawns=(1030, 1384, 0)),
    "italy": dict(at=(1030, 1590), label=(930, 1494, "middle", "m"), badge=(940, 1528), marker=(1086, 1640), pawns=(850, 1580, 3)),
    "spain": dict(at=(400, 1660), label=(400, 1636, "middle", "l"), badge=(400, 1676), marker=(480, 1726), pawns=(330, 1780, 3)),
    "portugal": dict(at=(196, 1690), label=(150, 1650, "end", "m"), badge=(206, 1650), marker=(190, 1750), pawns=(20, 1700, 2)),
    "greece": dict(at=(1452, 1776), label=(1400, 1962, "middle", "m"), badge=(1452, 1766), marker=(1457, 1842), pawns=(1220, 1880, 3)),
    "turkey": dict(at=(1900, 1800), label=(1900, 1780, "middle", "l"), badge=(1900, 1822), marker=(1780, 1800), pawns=(1980, 1822, 3)),
    "poland": dict(at=(1290, 1070), label=(1290, 1040, "middle", "l"), badge=(1290, 1080), marker=(1200, 1080), pawns=(1230, 1140, 3)),
    "czech_republic": dict(at=(1130, 1240), label=(1140, 1258, "middle", "s"), badge=(1190, 1216), marker=(1090, 1210), pawns=(1190, 1216, 0)),
    "slovakia": dict(at=(1310, 1280), label=(1310, 1294, "middle", "s"), badge=(1330, 1260), marker=(1270, 1262), pawns=(1330, 1260, 0)),
    "hungary": dict(at=(1300, 1370), label=(1300, 1410, "middle", "m"), badge=(1320, 1368), marker=(1252, 1372), pawns=(1320, 1368, 0)),
    "romania": dict(at=(1530, 1420), label=(1540, 1400, "middle", "l"), badge=(1540, 1440), marker=(1470, 1440), pawns=(1580, 1440, 2)),
    "bulgaria": dict(at=(1590, 1590), label=(1590, 1582, "middle", "m"), badge=(1590, 1616), marker=(1530, 1616), pawns=(1640, 1616, 0)),
    "albania": dict(at=(1372, 1690), label=(1350, 1716, "end", "s"), badge=(1376, 1690), marker=(1376, 1740), pawns=(1376, 1690, 0)),
    "yugoslavia": dict(at=(1380, 1540), label=(1402, 1570, "middle", "s"), badge=(1386, 1530), marker=(1386, 1606), pawns=(1386, 1530, 0)),
    "slovenia": dict(at=(1120, 1440), label=(1130, 1469, "middle", "xs"), badge=(1126, 1440), marker=(1080, 1440), pawns=(1126, 1440, 0)),
    "croatia": dict(at=(1200, 1476), label=(1262, 1466, "middle", "s"), badge=(1176, 1496), marker=(1206, 1560), pawns=(1176, 1496, 0)),
    "bosnia": dict(at=(1266, 1540), label=(1300, 1532, "middle", "s"), badge=(1238, 1556), marker=(1262, 1600), pawns=(1238, 1556, 0)),
    "macedonia": dict(at=(1446, 1660), label=(1458, 1694, "start", "xs"), badge=(1446, 1660), marker=(1500, 1664), pawns=(1446, 1660, 0)),
    "estonia": dict(at=(1420, 760), label=(1440, 778, "middle", "s"), badge=(1440, 728), marker=(1390, 740), pawns=(1440, 728, 0)),
    "latvia": dict(at=(1420, 840), label=(1440, 874, "middle", "s"), badge=(1440, 826), marker=(1380, 840), pawns=(1440, 826, 0)),
    "lithuania": dict(at=(1400, 920), label=(1404, 962, "middle", "s"), badge=(1410, 912), marker=(1350, 920), pawns=(1410, 912, 0)),
    "belarus": dict(at=(1580, 1000), label=(1580, 990, "middle", "m"), badge=(1580, 1026), marker=(1520, 1030), pawns=(1620, 1026, 2)),
    "ukraine": dict(at=(1740, 1220), label=(1740, 1200, "middle", "l"), badge=(1740, 1240), marker=(1640, 1240), pawns=(1790, 1240, 3)),
    "moldova": dict(at=(1660, 1340), label=(1690, 1370, "middle", "xs"), badge=(1668, 1340), marker=(1620, 1320), pawns=(1668, 1340, 0)),
    "russia": dict(at=(1800, 780), label=(1850, 760, "middle", "l"), badge=(1850, 800), marker=(1760, 800), pawns=(1900, 800, 3)),
}
# What a country is called where its name is too long for its shape.
SHORT = {"bosnia": {"de": "Bosnien", "en": "Bosnia", "nl": "Bosnië"}}

# Curves of the dashed links: from, control point, to.
LINKS = {
    ("great_britain", "france"): ((520, 1160), (520, 1185), (546, 1222)),
    ("great_britain", "netherlands"): ((676, 1066), (714, 1060), (752, 1088)),
    ("great_britain", "iceland"): ((540, 690), (560, 440), (412, 300)),
    ("iceland", "norway"): ((430, 240), (640, 330), (800, 560)),
    ("denmark", "sweden"): ((966, 830), (990, 810), (1012, 812)),
    ("denmark", "norway"): ((940, 820), (920, 790), (890, 780)),
    ("finland", "estonia"): ((1400, 650), (1410, 670), (1416, 700)),
    ("italy", "greece"): ((1310, 1740), (1350, 1790), (1404, 1790)),
    ("italy", "albania"): ((1300, 1690), (1326, 1690), (1350, 1690)),
}

INSET = [700, 1004, 1050, 986]      # drawn again, larger: from Belgium to Moldova, from Poland to Greece


# Column and row of each country where the map is shown as tiles of one size.
TILES = {
    "iceland": (1, 1), "norway": (4, 1), "sweden": (5, 1), "finland": (6, 1), "estonia": (7, 1), "russia": (8, 1),
    "ireland": (1, 2), "great_britain": (2, 2), "denmark": (4, 2), "lithuania": (6, 2), "latvia": (7, 2),
    "belarus": (8, 2), "belgium": (2, 3), "netherlands": (3, 3), "germany": (4, 3), "czech_republic": (5, 3),
    "poland": (6, 3), "ukraine": (7, 3), "france": (2, 4), "luxembourg": (3, 4), "switzerland": (4, 4), "austria": (5, 4),
    "slovakia": (6, 4), "hungary": (7, 4), "moldova": (8, 4), "portugal": (1, 5), "spain": (2, 5), "italy": (4, 5),
    "slovenia": (5, 5), "croatia": (6, 5), "yugoslavia": (7, 5), "romania": (8, 5), "bosnia": (6, 6), "macedonia": (7, 6),
    "bulgaria": (8, 6), "albania": (6, 7), "greece": (7, 7), "turkey": (8, 7),
}


# Nobody owns a country. Colour is never the only sign: what is not yet open, a member, tense or at war has a pattern
# or an icon of its own. Parties are called by their colours, so the Union's is one that none of them has.
STYLE = {
    "unowned": "#f6f1e4", "off_board": "#cfcbc2", "owned": False,
    "owners": [
        {"fill": "#5b86c9", "symbol": "circle"}, {"fill": "#5aa469", "symbol": "square"},
        {"fill": "#d9534f", "symbol": "triangle"}, {"fill": "#ebc233", "symbol": "diamond"},
        {"fill": "#8e5aa8", "symbol": "star"}, {"fill": "#fffdf8", "symbol": "cross"},
    ],
    "markers": {
        "hidden": {"pattern": "stripes", "colour": "#a39c8c", "fill": "#8f8879"},
        "member": {"colour": "#2b2118", "icon": "star", "fill": "#d293b7"},
        "tension": {"pattern": "dots", "colour": "#a65a00", "icon": "bolt"},
        "war": {"pattern": "crosshatch", "colour": "#9b1c1c", "icon": "crossed swords"},
        "refused": {"colour": "#4a4335", "icon": "bar"},
    },
}


def crimea(ring, atlas):
    points = [p for i in ring for p in atlas.raw[i if i >= 0 else ~i]]
    lon, lat = (sum(p[axis] for p in points) / len(points) for axis in (0, 1))
    return lat < 46.6 and 32 < lon < 36.7


def give_back(atlas):
    """The input draws the Crimea with Russia; on the map of 1998 it is Ukraine's."""
    russia, ukraine = atlas.shapes["Russia"], atlas.shapes["Ukraine"]
    parts = [ukraine["arcs"]] if ukraine["type"] == "Polygon" else ukraine["arcs"]
    moved = [polygon for polygon in russia["arcs"] if crimea(polygon[0], atlas)]
    russia["arcs"] = [polygon for polygon in russia["arcs"] if polygon not in moved]
    atlas.shapes["Ukraine"] = dict(ukraine, type="MultiPolygon", arcs=[*parts, *moved])
    if len(moved) != 1:
        sys.exit("the Crimea is not where it was")


def build(topology, cards, links):
    atlas = Atlas(topology, FRAME, LEFT_OUT)
    give_back(atlas)
    ids = [card["id"] for card in cards if card["playable"]]
    for name, table in (("MEMBERS", MEMBERS), ("LAYOUT", LAYOUT), ("TILES", TILES)):
        if set(ids) != set(table):
            sys.exit(f"countries.toml and {name} do not name the same countries")
    dashed = {frozenset((link["a"], link["b"])) for link in links if link["kind"] != "border"}
    if dashed != {frozenset(pair) for pair in LINKS}:
        sys.exit("borders.toml and LINKS do not name the same dashed links")
    out = {
        "viewBox": [0, 0, FRAME.width, FRAME.height], "inset": INSET, "projection": PROJECTION, "source": SOURCE,
        "fields": {}, "background": {}, "graticule": graticule(FRAME), "sea_links": [],
    }
    for country in ids:
        rings, _ = atlas.outline(MEMBERS[country], MIN_LAND if country == "luxembourg" else MIN_ISLAND)
        at, pawns = LAYOUT[country], LAYOUT[country]["pawns"]
        out["fields"][country] = {
            "path": "".join(path_of(r) for r in rings), "capital_xy": at["at"],
            "label_xy": at["label"][:2], "label_anchor": at["label"][2], "label_size": at["label"][3],
            "capital_label_xy": None, "capital_label_anchor": None,
            "badge_xy": at["badge"], "marker_xy": at["marker"], "pieces_xy": pawns[:2], "pieces_row": pawns[2],
        }
    near = {country: set() for country in ids}
    for link in links:
        near[link["a"]].add(link["b"])
        near[link["b"]].add(link["a"])
    out["board"] = {"style": STYLE, "field": [
        {"number": number, "id": card["id"], "code": card["code"],
         "name": {lang: card["name"][lang] for lang in ("de", "en", "nl")},
         **({"short": SHORT[card["id"]]} if card["id"] in SHORT else {}),
         "neighbours": [{"id": other} for other in ids if other in near[card["id"]]],
         "tile": dict(zip(("col", "row"), TILES[card["id"]]))}
        for number, card in enumerate((card for card in cards if card["playable"]), 1)
    ]}
    for name in BACKGROUND:
        rings, _ = atlas.outline([name], 20.0 if name in ("Malta", "Faeroe Is.") else MIN_ISLAND_BACKGROUND)
        if rings:
            key = name.lower().rstrip(".").replace(". ", "_").replace(" ", "_")
            out["background"][key] = "".join(path_of(r) for r in rings)
    for pair, ((x0, y0), (cx, cy), (x1, y1)) in LINKS.items():
        out["sea_links"].append({"between": pair, "path": f"M{x0} {y0}Q{cx} {cy} {x1} {y1}"})
    return out


def table(name):
    with open(os.path.join(CONFIG, name), "rb") as f:
        return tomllib.load(f)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    target = sys.argv[2] if len(sys.argv) == 3 else os.path.join(CONFIG, "geometry.json")
    with open(sys.argv[1], encoding="utf-8") as f:
        topology = json.load(f)
    made = build(topology, table("countries.toml")["country"], table("borders.toml")["link"])
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    text = text.replace('},"', '},\n"').replace('"fields":{', '"fields":{\n')
    with open(target, "w", encoding="utf-8") as f:
        f.write(text + "\n")


if __name__ == "__main__":
    main()
