# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
"""Writes api_calls.inc for test_api_misuse.c: calls of every public function with one argument that is wrong.

    api_calls.py HEADERS_FOLDER OUTPUT

Functions are read from the public headers, so that a new one is covered by being declared. A parameter of a
type that is not known here, or an opaque one, stops the build with a message that says what to add.
"""

import re
import sys
from pathlib import Path

IDS = ("body shape material material_pair contact_law load joint shaft state node solid element structure function "
       "particles sensor signal event").split()
IDS = ["kai_" + name for name in IDS]
# Pointers that may be NULL, beside every `err`, every `name` of a create function and every `set`.
OPTIONAL = {
    "kai_body_create_many": {"out"},
    "kai_shape_get": {"kind", "params", "def", "body"},
    "kai_joint_get": {"kind", "params"},
    "kai_load_get": {"kind", "params"},
    "kai_sensor_get": {"kind", "params"},
    "kai_signal_get": {"kind", "instance"},
    "kai_sensor_values": {"samples"},
    "kai_world_take": {"taken"},
    "kai_contact_law_create": {"params"},
    "kai_contact_stable_step": {"text"},
    "kai_node_set_motion": {"coordinates", "velocities"},
    "kai_coordinate_add": {"parts"},
    "kai_integrator_set": {"params"},
    "kai_bulk_copy_bodies": {"bodies"},
    "kai_bulk_set_bodies": {"bodies", "positions", "rotations", "velocities", "angular_velocities"},
    "kai_world_set_stop": {"stop"},
    "kai_run_execute": {"json"},
    "kai_structure_mesh_node": {"out"},
}
# Ids that may be null (but not stale or foreign).
NULL_IDS = {("kai_node_set_contact", "material"), ("kai_structure_contact", "material"),
            ("kai_structure_contact_surface", "material")}
# Numbers that may be anything: the answer is as the number is.
ANY_NUMBER = {"kai_function_at"}
OPAQUE = {"kai_section_results", "kai_shape_surface", "kai_system", "kai_view_live", "kai_structure_mesh", "kai_function_set",
          "kai_sensor_view", "kai_sampler_points", "kai_sampler_view", "kai_results", "kai_results_tell_fn",
          "kai_problem"}  # no sample: only NULL is given
PLAIN = {
    "bool": "true", "int": "1", "int64_t": "1", "size_t": "1", "uint32_t": "1", "uint64_t": "1",
    "double": "1.0",
}
ENUMS = {"kai_bulk_body", "kai_bulk_node", "kai_bulk_shaft", "kai_param_type", "kai_result", "kai_output_target", "kai_joint_coordinate",
         "kai_structure_contact_type", "kai_judge_type"}
NUMBERS = {"double": ["(double)NAN", "HUGE_VAL"],
           "kai_vec3": ["BAD_VEC3"], "kai_frame": ["BAD_FRAME"], "kai_value": ["BAD_VALUE"],
           "kai_value3": ["BAD_VALUE3"]}


def strip(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.S)


class Parameter:
    def __init__(self, text):
        m = re.fullmatch(r"(.*?)(\w+)\s*(\[[^\]]*\])?", text.strip(), re.S)
        self.type, self.name = m.group(1).strip(), m.group(2)
        if m.group(3):
            self.type += "*"
        self.type = re.sub(r"\s+", " ", self.type).replace(" *", "*")
        self.pointer = self.type.endswith("*")
        self.base = re.sub(r"\bconst\b|\bvolatile\b|[\s*]", "", self.type)


class Function:
    def __init__(self, text):
        m = re.fullmatch(r"(.*?)\b(kai_\w+)\((.*)\)", " ".join(text.split()))
        self.returns, self.name = m.group(1).strip(), m.group(2)
        self.parameters = [] if m.group(3) == "void" else [Parameter(p) for p in m.group(3).split(",")]

    def is_optional(self, p):
        return (p.name == "err" or p.name in OPTIONAL.get(self.name, ()) or
                (p.name == "name" and self.name.endswith("_create")) or
                (p.name == "set" and not self.name.startswith("kai_structure_mesh")))

    def call(self, wrong=None, value=None):
        return f"{self.name}({', '.join(value if p is wrong else sample(p) for p in self.parameters)})"


def functions(folder):
    found = []
    for header in sorted(Path(folder).glob("*.h")):
        for m in re.finditer(r"KAI_API\s+(?!extern\b)([^;{]*?);", strip(header.read_text())):
            found.append(Function(m.group(1)))
    return found


def member(p):
    """The member of `things` for what a parameter points to or is: answers have places of their own."""
    out = p.pointer and "const" not in p.type
    return ("out_" if out else "in_") + p.base


def sample(p):
    """An expression that is right for a parameter."""
    if p.name == "set":
        return "NULL"  # all of a structure
    if p.type.endswith("**"):
        return f"({p.type})(void*)t->pointers"
    if p.type.endswith("const*"):  # a list ended by NULL
        return "NULL"
    if p.pointer:
        if p.base in ("kai_world", "kai_scene"):
            return "t->" + p.base[4:]
        if p.base in OPAQUE:
            return "NULL"
        if p.base == "char":
            return "t->text"
        if p.base == "void":
            return "t->bytes"
        if p.base.endswith("_kind"):
            return "SAMPLE_" + p.base
        return "t->" + member(p)
    if p.type in PLAIN:
        return PLAIN[p.type]
    if p.type in ENUMS:
        return f"({p.type})0"
    if p.type in IDS or p.type in NUMBERS:
        return f"t->{member(p)}[0]"
    sys.exit(f"api_calls.py: type '{p.type}' of parameter '{p.name}' is new: say what a sample of it is")


def members(all_functions):
    """A member of `things` for every type that is passed."""
    types = {(p.base, member(p)) for f in all_functions for p in f.parameters
             if sample(p).startswith("t->in_") or sample(p).startswith("t->out_")}
    return "\n".join(f"    {base} {name}[8];" for base, name in sorted(types))


def statement(f, call, rule):
    """A call whose answer is held against a rule, where it has a result."""
    if f.returns == "kai_result":
        return f"    EXPECT_{rule}({call});"
    if f.returns == "const char*" and f.name.endswith("_name") and f.name != "kai_structure_set_name":
        return f"    EXPECT_TEXT({call});"
    return f"    (void){call};"


def write(all_functions):
    nulls, ids, numbers, enums, busy = [], [], [], [], []
    for f in all_functions:
        opaque = any(p.base in OPAQUE for p in f.parameters)
        for p in f.parameters:
            if p.pointer and not (opaque and p.base not in OPAQUE):
                nulls.append(statement(f, f.call(p, "NULL"), "ANY" if f.is_optional(p) else "ARGUMENT"))
            elif p.type in IDS:
                # Ids that lead nowhere: null, of another generation, of another world.
                for k, bad in enumerate((f"({p.type}){{0}}", f"STALE({p.type})", f"FOREIGN({p.type})")):
                    rule = "ANY" if k == 0 and (f.name, p.name) in NULL_IDS else "FAILURE"
                    ids.append(statement(f, f.call(p, bad), rule))
            elif p.type in NUMBERS and f.returns == "kai_result" and f.name not in ANY_NUMBER and not opaque:
                for bad in NUMBERS[p.type]:
                    numbers.append(statement(f, f.call(p, bad), "FAILURE"))
            elif p.type in ENUMS:
                for bad in (-1, 1000):
                    enums.append(statement(f, f.call(p, f"({p.type})({bad})"), "FAILURE"))
        if any(p.type == "kai_world*" for p in f.parameters):
            busy.append(statement(f, f.call(), "BUSY"))
    parts = [f"enum {{ FUNCTIONS = {len(all_functions)} }};",
             "typedef struct things {", "    kai_world* world;", "    kai_scene* scene;", "    char text[64];",
             "    _Alignas(64) char bytes[4096];", "    void* pointers[4];", members(all_functions),
             "} things;"]
    for name, lines in (("nulls", nulls), ("ids", ids), ("numbers", numbers), ("enums", enums),
                        ("busy", busy)):
        # Functions of some hundred lines each: compilers take long over one of thousands.
        pieces = [lines[i:i + 100] for i in range(0, len(lines), 100)]
        for k, piece in enumerate(pieces):
            parts += [f"static void call_{name}_{k}(things* t)", "{"] + piece + ["}"]
        parts += [f"static void call_{name}(things* t)", "{"]
        parts += [f"    call_{name}_{k}(t);" for k in range(len(pieces))] + ["}"]
    return "// Made by api_calls.py.\n" + "\n".join(parts) + "\n"


if __name__ == "__main__":
    found = functions(sys.argv[1])
    if len(found) < 200:
        sys.exit(f"api_calls.py: only {len(found)} functions in {sys.argv[1]}")
    Path(sys.argv[2]).write_text(write(found), encoding="utf-8")
