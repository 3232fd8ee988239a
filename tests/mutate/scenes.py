# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Mutants of scenes: JSON that is changed where the schema of scenes knows what stands there."""

import copy
import json
import math

NUMBERS = [0, -0.0, 1, -1, 0.5, 2, 1e-3, 1e3, 5e-324, 1e-300, 1e-30, 1e-12, 1e12, 1e30, 1e150, 1e300, 1e308,
           1.7976931348623157e308, -1e308, 2**31 - 1, 2**31, -2**31, 2**32, 2**53, 2**63, 2**64, -2**63, 10**40, 255, 65535,
           65536, 1e-9, 3.141592653589793]
COUNTS = [0, 1, 2, 3, 7, -1, 1000, 100000, 2**24, 2**31 - 1, 2**32, 2**53, 1.5, 1e300]
TEXTS = ["", " ", "NaN", "nan", "Infinity", "-inf", "1e999", "0x10", "null", "true", "a" * 5000, "\u0000", "a\nb", "\u202e",
         "é" * 40, "🙂", "%s%n%d", "<script>x()</script>", "../../escape.csv", "CANARY/escape.csv", "/dev/null", "/dev/zero",
         "checkpoint.h5", "run.json", "trajectory.h5", ".", "..", "a/b.csv", "scene.json", "x" * 300 + ".csv", "con\tfile"]
OTHERS = [None, True, False, [], {}, "", 0, [[]], {"": 0}, [None], "x", -1, [1, 2, 3], [[1, 2], [3, 4]], {"a": {}}]
AGAIN = "\u0001again"  # marks a key that stands twice; taken out of the text at the end
DEEPEST = 3


class Schema:
    """docs/scene.schema.json, asked by where one stands in a scene."""

    def __init__(self, path):
        self.root = json.loads(path.read_text())

    def parts(self, nodes, seen=None):
        """The schemas that may describe one value: references followed, choices laid side by side."""
        seen = set() if seen is None else seen
        for node in nodes:
            if not isinstance(node, dict) or id(node) in seen:
                continue
            seen.add(id(node))
            yield node
            if "$ref" in node:
                yield from self.parts([self.root["$defs"][node["$ref"].rsplit("/", 1)[1]]], seen)
            for word in ("allOf", "anyOf", "oneOf"):
                yield from self.parts(node.get(word, []), seen)
            yield from self.parts([node[w] for w in ("then", "else") if w in node], seen)

    def keys(self, nodes):
        """Names and schemas of what an object may hold."""
        found = {}
        for part in self.parts(nodes):
            for key, value in part.get("properties", {}).items():
                found.setdefault(key, []).append(value)
        return found

    def below(self, nodes, key):
        """Schemas of one value of an object or a list."""
        found = []
        for part in self.parts(nodes):
            if isinstance(key, str):
                if key in part.get("properties", {}):
                    found.append(part["properties"][key])
                elif isinstance(part.get("additionalProperties"), dict):
                    found.append(part["additionalProperties"])
            else:
                fixed = part.get("prefixItems") or []
                items = fixed[key] if key < len(fixed) else part.get("items")
                if isinstance(items, dict):
                    found.append(items)
        return found

    def at(self, path):
        nodes = [self.root]
        for key in path:
            nodes = self.below(nodes, key)
        return nodes

    def make(self, nodes, draw, names, depth=0):
        """A value that a schema allows, or nearly."""
        choices = [p for p in self.parts(nodes) if p.keys() & {"type", "enum", "const", "properties", "items"}]
        if not choices or depth > 6:
            return draw.choice(NUMBERS + TEXTS[:3])
        part = draw.choice(choices)
        if "const" in part:
            return part["const"]
        if "enum" in part:
            return draw.choice(part["enum"])
        kind = part.get("type")
        kind = draw.choice(kind) if isinstance(kind, list) else kind
        if kind == "boolean":
            return draw.random() < 0.5
        if kind in ("number", "integer"):
            low = part.get("minimum", part.get("exclusiveMinimum", 0))
            high = part.get("maximum", part.get("exclusiveMaximum", 10))
            near = [low, high, part.get("default", 1), 1, 2, round(draw.uniform(0, 3), 2), 0.01]
            return draw.choice(near if draw.random() < 0.9 else NUMBERS)
        if kind == "string":
            return draw.choice(names) if names and draw.random() < 0.8 else draw.choice(TEXTS)
        if kind == "array" or "items" in part:
            low = part.get("minItems", 1)
            count = draw.choice([low, part.get("maxItems", low + 2), low])
            return [self.make(self.below([part], i), draw, names, depth + 1) for i in range(min(count, 6))]
        known = self.keys([part])
        wanted = set(part.get("required", []))
        wanted |= {k for k in known if draw.random() < (0.3 if depth < DEEPEST else 0.05)}
        return {k: self.make(known[k], draw, names, depth + 1) for k in sorted(wanted) if k in known}


# Places of a scene ---------------------------------------------------------------------------------

def places(value, path=()):
    """Every (path, value) below a scene."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield path + (key,), below
        yield from places(below, path + (key,))


def holder(scene, path):
    for key in path[:-1]:
        scene = scene[key]
    return scene


def put(scene, path, value):
    holder(scene, path)[path[-1]] = value


def pick(scene, draw, wanted=lambda path, value: True):
    """A place that is wanted; sections first, so that a long list does not hide the others."""
    sections = [k for k in scene if not k.endswith(AGAIN)]
    for _ in range(6):
        if not sections:
            break
        top = draw.choice(sections)
        found = [(p, v) for p, v in [((top,), scene[top]), *places(scene[top], (top,))] if wanted(p, v)]
        if found:
            return draw.choice(found)
    return None, None


def is_number(_, value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def names_of(scene):
    """Names that things of a scene have, and words that it uses."""
    found = {v for p, v in places(scene) if p[-1] in ("name", "body", "joint", "file", "material", "solid", "type")
             and isinstance(v, str)}
    for section in ("materials", "solids"):
        if isinstance(scene.get(section), dict):
            found |= set(scene[section])
    return sorted(found)


# Changes -------------------------------------------------------------------------------------------

class Mutator:
    """Changes scenes; `others` are scenes that sections are taken from."""

    def __init__(self, schema, others):
        self.schema, self.others = schema, others
        self.changes = [(6, self.number), (3, self.count), (4, self.text), (3, self.kind), (3, self.remove), (1, self.rename),
                        (1, self.again), (5, self.add), (4, self.remake), (4, self.repeat), (1, self.nest), (2, self.units),
                        (3, self.merge), (2, self.swap), (1, self.whole_list)]

    def mutate(self, scene, draw):
        """The text of a mutant."""
        scene = copy.deepcopy(scene)
        for _ in range(draw.choice([1, 1, 1, 2, 2, 3, 5])):
            change = draw.choices([c for _, c in self.changes], [w for w, _ in self.changes])[0]
            try:
                change(scene, draw)
            except (KeyError, IndexError, TypeError, AttributeError, OverflowError):
                pass  # an earlier change took away what this one stands on
        text = json.dumps(scene).replace("\\u0001again", "")
        return self.spoil(text, draw) if draw.random() < 0.05 else text

    def number(self, scene, draw):
        path, value = pick(scene, draw, is_number)
        if path is None:
            return
        put(scene, path, draw.choice([
            draw.choice(NUMBERS), -value, value * 10.0 ** draw.choice([-12, -6, -3, -1, 1, 3, 6, 12]),
            math.nextafter(value, math.inf), value * draw.uniform(0.5, 2.0), int(value), value + 1]))

    def count(self, scene, draw):
        def whole(path, value):
            return isinstance(value, int) and not isinstance(value, bool) and \
                any(p.get("type") == "integer" for p in self.schema.parts(self.schema.at(path)))
        path, value = pick(scene, draw, whole)
        if path is not None:
            put(scene, path, draw.choice([*COUNTS, 2 * value, 10 * value, value + 1]))

    def text(self, scene, draw):
        path, _ = pick(scene, draw, lambda _, v: isinstance(v, str))
        if path is None:
            return
        words = [w for part in self.schema.parts(self.schema.at(path)) for w in part.get("enum", [])]
        names = names_of(scene)
        put(scene, path, draw.choice(draw.choice([words or TEXTS, names or TEXTS, TEXTS])))

    def kind(self, scene, draw):
        path, _ = pick(scene, draw)
        put(scene, path, copy.deepcopy(draw.choice(OTHERS)))

    def remove(self, scene, draw):
        path, _ = pick(scene, draw)
        del holder(scene, path)[path[-1]]

    def rename(self, scene, draw):
        path, value = pick(scene, draw, lambda p, _: isinstance(p[-1], str))
        of = holder(scene, path)
        del of[path[-1]]
        key = path[-1]
        of[draw.choice([key + "s", key[:-1], key.upper(), "", "kairos", "type", "include", key[::-1]])] = value

    def again(self, scene, draw):
        path, value = pick(scene, draw, lambda p, _: isinstance(p[-1], str))
        holder(scene, path)[path[-1] + AGAIN] = copy.deepcopy(draw.choice([value, draw.choice(OTHERS)]))

    def add(self, scene, draw):
        """A key that the schema knows and the object lacks."""
        path, value = pick(scene, draw, lambda _, v: isinstance(v, dict))
        path, value = ((), scene) if path is None or draw.random() < 0.35 else (path, value)
        known = self.schema.keys(self.schema.at(path))
        free = [k for k in known if k not in value and k != "include"]
        key = draw.choice(free)
        value[key] = self.schema.make(known[key], draw, names_of(scene))

    def remake(self, scene, draw):
        path, _ = pick(scene, draw)
        put(scene, path, self.schema.make(self.schema.at(path), draw, names_of(scene)))

    def repeat(self, scene, draw):
        path, value = pick(scene, draw, lambda _, v: isinstance(v, list) and v)
        item = draw.choice(value)
        many = 300 if path[0] != "structures" else 4 if len(path) == 1 else 60  # a structure has many nodes already
        value.extend(copy.deepcopy(item) for _ in range(draw.choice([1, 1, 2, min(10, many), many])))
        if draw.random() < 0.6 and len(path) == 1:  # each with a name of its own, so that more than the names is seen
            for i, one in enumerate(value):
                if isinstance(one, dict) and "name" in one:
                    one["name"] = f"{one['name']}-{i}"

    def whole_list(self, scene, draw):
        path, value = pick(scene, draw, lambda _, v: isinstance(v, list) and v)
        put(scene, path, draw.choice([[], value[::-1], value[:-1], [value], value + [draw.choice(value)] * 2, value[1:]]))

    def nest(self, scene, draw):
        path, value = pick(scene, draw, is_number)
        for _ in range(draw.choice([1, 3, 60, 200, 800]) if draw.random() < 0.5 else 2):
            value = draw.choice([{"sum": [value, 1]}, {"product": [value]}, {"repeat": {"function": value, "period": 1}}])
        put(scene, path, value)

    def units(self, scene, draw):
        """All numbers of a section in another unit."""
        path, value = pick(scene, draw, lambda p, _: len(p) <= 2)
        factor = 10.0 ** draw.choice([-9, -6, -3, -2, 2, 3, 6, 9])
        if is_number(path, value):
            put(scene, path, value * factor)
        for below, number in list(places(value)):
            if isinstance(number, float) and math.isfinite(number):
                put(value, below, number * factor)

    def merge(self, scene, draw):
        """A section of another scene, in place of or behind one's own."""
        other = draw.choice(self.others)
        key = draw.choice([k for k in other if k not in ("kairos", "name", "description")])
        mine, theirs = scene.get(key), copy.deepcopy(other[key])
        if isinstance(mine, list) and isinstance(theirs, list) and draw.random() < 0.5:
            mine.extend(theirs[:20])
        elif isinstance(mine, dict) and isinstance(theirs, dict) and draw.random() < 0.5:
            mine.update(theirs)
        else:
            scene[key] = theirs

    def swap(self, scene, draw):
        one, a = pick(scene, draw)
        other, b = pick(scene, draw)
        put(scene, one, copy.deepcopy(b))
        put(scene, other, copy.deepcopy(a))

    @staticmethod
    def spoil(text, draw):
        """Text that is hardly JSON."""
        at = draw.randrange(len(text))
        return draw.choice([
            text[:at], "\ufeff" + text, text + text, text.replace(",", ",,", 1), text.replace("0", "NaN", 1), "[" * 100000,
            text.replace("1", "1e999", 1), text.replace("1", "01", 1), text[:at] + "\u0000" + text[at:], "/*c*/" + text,
            text.replace('"', "'", 2), text[:at] + text[at // 2:], '{"kairos":1,"x":' * 5000, text.replace("0.", ".", 1)])
