// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// What the generated pages say about the keys that the reader of scenes reads by code of its own.
#include "keys.h"

#include "scene/language/sections_language.h"
#include "scene/sections_coordinates.h"
#include "scene/sections_structures.h"

#include <string.h>

static const docs_key SCENE_KEYS[] = {
    {.name = "description",
     .type = "a text",
     .doc = "Free text; its first sentence shows in `kairos scenes`.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "step",
     .type = "a number in s, or `auto`",
     .rule = "> 0",
     .initial = "auto",
     .doc = "Time step. auto: a length that follows from sizes, stiffnesses and motions "
            "and divides the run, see [running.md](running.md#the-step).",
     .schema =
         "{\"oneOf\": [{\"type\": [\"number\", \"string\"], \"exclusiveMinimum\": 0}, {\"const\": "
         "\"auto\"}]}"},
    {.name = "include",
     .type = "a file name, or a list of includes",
     .doc = "Scene files that are read first and overridden by this one.",
     .schema =
         "{\"oneOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/include\"}, {\"type\": \"array\", "
         "\"items\": {\"oneOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/include\"}]}}]}"},
    {.name = "integrator",
     .type = "a word, or an object with `type`",
     .initial = "euler",
     .doc = "Method of time integration.",
     .schema = "{\"$ref\": \"#/$defs/integrator\"}"},
    {.name = "solver",
     .type = "a word, or an object with `type`",
     .initial = "auto",
     .rule = "`auto` `direct` `minres` `gmres` `bicgstab` `cg` `psor` `bb` `apgd` `admm`",
     .doc = "How the linear equations of joints and elements and the contact problem are solved.",
     .schema = "{\"$ref\": \"#/$defs/solver\"}"},
    {.name = "contact",
     .type = "a word, or an object with `method`",
     .initial = "none",
     .rule = "`none` `nsc` `smc`",
     .doc =
         "Contact method: complementarity (nsc) or penalty (smc); with none, bodies pass through each other. nsc works under "
         "the integrators euler and euler-implicit, smc under these, hht, newmark and trapezoidal. "
         "See [contact.md](contact.md).",
     .schema = "{\"$ref\": \"#/$defs/contact\"}"},
    {.name = "materials",
     .type = "an object of materials by name",
     .doc = "Materials of surfaces, which shapes refer to.",
     .schema =
         "{\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/$defs/material\"}}"},
    {.name = "material_pairs",
     .type = "a list of material pairs",
     .doc = "Properties of a pair of materials that do not follow from the two materials.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/material_pair\"}}"},
    {.name = "bodies",
     .type = "a list of bodies",
     .doc = "Rigid bodies.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/body\"}}"},
    {.name = "particles",
     .type = "a list of particle groups",
     .doc = "Groups of many equal bodies, from tables or samplers.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/particles\"}}"},
    {.name = "joints",
     .type = "a list of joints",
     .doc = "Constraints between bodies.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/joint\"}}"},
    {.name = "motors",
     .type = "a list of motors",
     .doc = "Actuators and prescribed motion of joints and bodies.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/motor\"}}"},
    {.name = "forces",
     .type = "a list of loads",
     .doc = "Forces, torques, springs and dampers on bodies.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/load\"}}"},
    {.name = "solids",
     .type = "an object of solids by name",
     .doc = "Materials of finite elements.",
     .schema = "{\"type\": \"object\", \"additionalProperties\": {\"$ref\": \"#/$defs/solid\"}}"},
    {.name = "nodes",
     .type = "a list of nodes",
     .doc = "Nodes of finite elements.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/node\"}}"},
    {.name = "elements",
     .type = "a list of elements",
     .doc = "Finite elements, one by one.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/element\"}}"},
    {.name = "structures",
     .type = "a list of structures",
     .doc = "Meshes of finite elements.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/structure\"}}"},
    {.name = "shafts",
     .type = "a list of shafts",
     .doc = "Rotational degrees of freedom of a driveline.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/shaft\"}}"},
    {.name = "driveline",
     .type = "a list of couplings",
     .doc = "Gears, clutches, engines and other couplings of shafts.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/coupling\"}}"},
    {.name = "sensors",
     .type = "a list of sensors",
     .doc = "Instruments on bodies and joints, with rates and noise.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/sensor\"}}"},
    {.name = "outputs",
     .type = "a list of outputs",
     .doc = "Time series that a run writes.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/output\"}}"},
    {.name = "signals",
     .type = "a list of signals",
     .doc = "Numbers that are measured, computed and controlled: see [signals](signals.md).",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/signal\"}}"},
    {.name = "events",
     .type = "a list of events",
     .doc = "What happens when a signal crosses a value: see [events](signals.md#events).",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/event\"}}"},
    {.name = "collision",
     .type = "an object",
     .doc =
         "Detection of contacts in a scene without contact forces. A scene with `contact` detects them without this key.",
     .schema = "{\"$ref\": \"#/$defs/collision\"}"},
    {.name = "sleep",
     .type = "an object",
     .doc = "When bodies at rest fall asleep.",
     .schema = "{\"$ref\": \"#/$defs/sleep\"}"},
    {.name = "checks",
     .type = "an object",
     .doc = "Limits of errors that every step is checked against.",
     .schema = "{\"$ref\": \"#/$defs/checks\"}"},
    {.name = "start",
     .type = "a file name, or an object",
     .doc = "The saved world that the scene begins with.",
     .schema = "{\"oneOf\": [{\"type\": \"string\"}, {\"$ref\": \"#/$defs/start\"}]}"},
    {.name = "stop",
     .type = "a list of conditions",
     .doc = "What ends the run before its end.",
     .schema = "{\"type\": \"array\", \"maxItems\": 16, \"items\": {\"$ref\": \"#/$defs/stop\"}}"},
    {.name = "trajectory",
     .type = "an object",
     .doc = "Frames for replay (trajectory.h5).",
     .schema = "{\"$ref\": \"#/$defs/trajectory\"}"},
    {.name = "view",
     .type = "an object",
     .doc = "The page of the run (index.html).",
     .schema = "{\"$ref\": \"#/$defs/view\"}"},
    {.name = "parameters",
     .type = "an object of parameters by name",
     .doc = "Names for numbers, used in formulas.",
     .schema =
         "{\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"type\": [\"number\", "
         "\"string\"]}, {\"$ref\": \"#/$defs/parameter\"}]}}"},
    {.name = "templates",
     .type = "an object of templates by name",
     .doc = "Parts of scenes that `instances` put in, once or many times.",
     .schema = "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"object\"}}"},
    {.name = "instances",
     .type = "a list of instances",
     .doc = "Templates put into the scene.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/instance\"}}"},
    {.name = "template",
     .type = "an object",
     .doc = "What a template file says of itself.",
     .schema = "{\"$ref\": \"#/$defs/template\"}"},
};

#define NAME_OF(key, what)                                                            \
    {                                                                                 \
        .name = key, .type = "the name of a " what, .doc = "Looks at this " what ".", \
        .schema = "{\"type\": \"string\"}"                                            \
    }

static const docs_key STOP_KEYS[] = {
    {.name = "quantity",
     .type = "a word",
     .doc = "With `value`: what is looked at, as in [outputs](outputs.md).",
     .schema = "{\"type\": \"string\"}"},
    NAME_OF("body", "body"),
    NAME_OF("joint", "joint"),
    NAME_OF("motor", "motor"),
    NAME_OF("force", "load"),
    NAME_OF("shaft", "shaft"),
    NAME_OF("coupling", "coupling"),
    NAME_OF("node", "node"),
    {.name = "system",
     .type = "true",
     .doc = "Looks at the whole world.",
     .schema = "{\"const\": true}"},
};

static const docs_key INCLUDE_KEYS[] = {
    {.name = "file",
     .type = "a file name",
     .doc = "The file, relative to the one that names it.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "set",
     .type = "an object of values by JSON pointer",
     .doc = "Values that override those of the included scene.",
     .schema = "{\"type\": \"object\", \"propertyNames\": {\"pattern\": \"^/\"}}"},
};

static const docs_key BODY_KEYS[] = {
    {.name = "shapes",
     .type = "a list of shapes",
     .doc = "Geometry for mass, contact and pictures.",
     .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/shape\"}}"},
};

static const docs_key TYPE_KEYS[] = {
    {.name = "type", .type = "a word", .doc = "Kind.", .schema = "{\"type\": \"string\"}"},
};

static const docs_key PARTICLES_KEYS[] = {
    {.name = "shape",
     .type = "a shape",
     .doc = "Shape of each particle.",
     .schema = "{\"$ref\": \"#/$defs/shape\"}"},
    {.name = "sampler",
     .type = "a sampler",
     .doc = "What lays the particles out, in place of a table; see Samplers.",
     .schema = "{\"$ref\": \"#/$defs/sampler\"}"},
};

static const docs_key SAMPLER_KEYS[] = {
    {.name = "type", .type = "a word", .doc = "Kind.", .schema = "{\"type\": \"string\"}"},
    {.name = "domain",
     .type = "a domain",
     .doc = "What it fills: the inside of a shape; see Domains.",
     .schema = "{\"$ref\": \"#/$defs/domain\"}"},
};

#define MEASURED(name_, of_, doc_)                                \
    {                                                             \
        .name = name_, .type = "the name of a " of_, .doc = doc_, \
        .schema = "{\"type\": \"string\"}"                        \
    }

static const docs_key MEASURE_KEYS[] = {
    {.name = "type", .type = "a word", .doc = "measure.", .schema = "{\"type\": \"string\"}"},
    MEASURED("body", "body", "Measures this body."),
    MEASURED("joint", "joint", "Measures this joint."),
    MEASURED("motor", "motor", "Measures this motor."),
    MEASURED("force", "load", "Measures this load of `forces`."),
    MEASURED("shaft", "shaft", "Measures this shaft."),
    MEASURED("coupling", "coupling", "Measures this coupling of `driveline`."),
    MEASURED("node", "node", "Measures this node of finite elements."),
    {.name = "element",
     .type = "an element",
     .doc = "Measures this finite element; see Elements in outputs.",
     .schema = "{\"$ref\": \"#/$defs/output_element\"}"},
    {.name = "structure",
     .type = "the name of a structure, or an object",
     .doc = "Measures this structure; see Elements in outputs.",
     .schema = "{\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": "
               "\"#/$defs/output_structure\"}]}"},
    {.name = "ray",
     .type = "a ray",
     .doc = "Measures what this ray meets; see Rays.",
     .schema = "{\"$ref\": \"#/$defs/ray\"}"},
    {.name = "nearest",
     .type = "a point",
     .doc = "Measures the surface nearest to this point; see Nearest surfaces.",
     .schema = "{\"$ref\": \"#/$defs/nearest\"}"},
    MEASURED("overlap", "body", "Measures who touches the shapes of this body."),
    MEASURED("sensor", "sensor",
             "Reads the last sample that this sensor had taken when the step began."),
    {.name = "system",
     .type = "true",
     .doc = "Measures the whole world.",
     .schema = "{\"const\": true}"},
};

static const docs_key OUTPUT_KEYS[] = {
    {.name = "body",
     .type = "the name of a body",
     .doc = "Writes quantities of this body.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "joint",
     .type = "the name of a joint",
     .doc = "Writes quantities of this joint.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "motor",
     .type = "the name of a motor",
     .doc = "Writes quantities of this motor.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "force",
     .type = "the name of a load",
     .doc = "Writes quantities of this load of `forces`.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "shaft",
     .type = "the name of a shaft",
     .doc = "Writes quantities of this shaft.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "signal",
     .type = "the name of a signal",
     .doc = "Writes the value of this signal.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "coupling",
     .type = "the name of a coupling",
     .doc = "Writes quantities of this coupling of `driveline`.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "node",
     .type = "the name of a node",
     .doc = "Writes quantities of this node of finite elements.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "element",
     .type = "an element",
     .doc = "Writes quantities of this finite element; see Elements in outputs.",
     .schema = "{\"$ref\": \"#/$defs/output_element\"}"},
    {.name = "elements",
     .type = "elements of a structure",
     .doc =
         "Writes snapshots of these elements, one numbered file per sample; see Elements in outputs.",
     .schema = "{\"$ref\": \"#/$defs/output_elements\"}"},
    {.name = "structure",
     .type = "the name of a structure, or an object",
     .doc = "Writes quantities of this structure; see Elements in outputs.",
     .schema = "{\"anyOf\": [{\"type\": \"string\"}, {\"$ref\": "
               "\"#/$defs/output_structure\"}]}"},
    {.name = "particles",
     .type = "the name of a particle group",
     .doc = "Writes snapshots of this group, one numbered file per sample.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "ray",
     .type = "a ray",
     .doc = "Writes what this ray hits; see Rays.",
     .schema = "{\"$ref\": \"#/$defs/ray\"}"},
    {.name = "nearest",
     .type = "a point",
     .doc = "Writes the distance to the surface nearest to this point; see Nearest surfaces.",
     .schema = "{\"$ref\": \"#/$defs/nearest\"}"},
    {.name = "overlap",
     .type = "the name of a body",
     .doc =
         "Writes which bodies overlap the shapes of this body, whether these collide or not: a body whose shapes have `\"collide\": false` is a trigger zone.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "sensor",
     .type = "the name of a sensor",
     .doc =
         "Writes the last sample of this sensor of `sensors`, which it keeps until the next one.",
     .schema = "{\"type\": \"string\"}"},
    {.name = "system",
     .type = "true",
     .doc = "Writes quantities of the whole world.",
     .schema = "{\"const\": true}"},
    {.name = "contacts",
     .type = "true",
     .doc =
         "Writes snapshots of all contacts of the last step and their forces, one numbered file per sample.",
     .schema = "{\"const\": true}"},
    {.name = "events",
     .type = "true",
     .doc = "Writes a row for each action of each event when it happens. Without this output, a "
            "scene with events writes them to events.csv.",
     .schema = "{\"const\": true}"},
    {.name = "quantities",
     .type = "a list of words",
     .initial =
         "for particles position, velocity, rotation and angular_velocity, for elements what they have of number, position, stress, von_mises, axial_force and bending_moment, for contacts all but torque; else needed",
     .doc = "Quantities that are written; see the tables below.",
     .schema =
         "{\"type\": \"array\", \"minItems\": 1, \"maxItems\": 32, \"uniqueItems\": true, \"items\": "
         "{\"type\": \"string\"}}"},
};

// A value, or values by coordinate.
#define EITHER(value)                                                                        \
    "{\"anyOf\": [" value ", {\"type\": \"object\", \"minProperties\": 1, \"properties\": {" \
    "\"angle\": " value ", \"travel\": " value "}, \"additionalProperties\": false}]}"

#define ROWS                                                                   \
    "{\"type\": \"array\", \"minItems\": 2, \"items\": {\"type\": \"array\", " \
    "\"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": [\"number\", \"string\"]}}}"
#define CURVE "{\"type\": [\"number\", \"string\"]}, " ROWS
#define PAIR                                                   \
    "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, " \
    "\"items\": {\"type\": [\"number\", \"null\"]}}"
#define LAW "{\"anyOf\": [{\"type\": [\"number\", \"string\"]}, {\"$ref\": \"#/$defs/function\"}]}"
#define SPRING                                                                                  \
    "{\"anyOf\": [" CURVE ", {\"type\": \"object\", \"properties\": {"                          \
    "\"stiffness\": {\"anyOf\": [" CURVE "]}, \"rest\": {\"type\": [\"number\", \"string\"]}, " \
    "\"preload\": {\"type\": [\"number\", \"string\"]}, \"law\": " LAW                          \
    "}, \"additionalProperties\": false}]}"
#define DAMPING "{\"anyOf\": [{\"type\": [\"number\", \"string\"], \"minimum\": 0}, " ROWS "]}"
#define FRICTION \
    "{\"anyOf\": [{\"type\": [\"number\", \"string\"], \"minimum\": 0}, {\"$ref\": \"#/$defs/function\"}]}"

static const docs_key COORDINATE_KEYS[] = {
    {.name = "type", .type = "a word", .doc = "Kind.", .schema = "{\"type\": \"string\"}"},
    {.name = "limits",
     .type = "[low, high], each a number or null",
     .rule = "low ≤ high",
     .doc = "Minimum and maximum of the coordinate, rad or m; null: no limit on that side.",
     .schema = EITHER(PAIR)},
    {.name = "spring",
     .type = "a number, rows [x, y], or an object",
     .doc =
         "Stiffness (N m/rad, N/m) with rest position 0, or rows [deflection, resisting torque or force], or an object as below.",
     .schema = EITHER(SPRING)},
    {.name = "damping",
     .type = "a number or rows [x, y]",
     .rule = "≥ 0",
     .doc = "Damping coefficient (N m s/rad, N s/m), or rows [rate, resisting torque or force].",
     .schema = EITHER(DAMPING)},
    {.name = "friction",
     .type = "a number or a function of time",
     .rule = "≥ 0",
     .doc = "Maximum dry friction torque (N m) or force (N).",
     .schema = EITHER(FRICTION)},
};

#define LIST_KEY(name_, doc_)                                                                     \
    {                                                                                             \
        .name = name_, .type = "a list", .doc = doc_,                                             \
        .schema = "{\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/structure_" name_ "\"}}" \
    }

static const docs_key STRUCTURE_KEYS[] = {
    {.name = "type", .type = "a word", .doc = "Kind.", .schema = "{\"type\": \"string\"}"},
    {.name = "element",
     .type = "an object with `type`",
     .doc = "Kind of element and its properties, without nodes.",
     .schema = "{\"$ref\": \"#/$defs/structure_element\"}"},
    LIST_KEY("fixed", "Supports: sets of nodes that cannot move."),
    LIST_KEY("forces", "Forces on sets of nodes."),
    LIST_KEY("pressures", "Pressures on faces."),
    LIST_KEY("motions", "Prescribed motions of sets of nodes."),
    LIST_KEY("links", "Sets of nodes that are attached to bodies."),
    LIST_KEY("contacts", "Sets of nodes that can be in contact."),
};

// Parameters, instances, templates ---------------------------------------------------------------

static const docs_key PARAMETER_KEYS[] = {
    {.name = "value",
     .type = "a number or a formula",
     .doc = "Its value; plain numbers are in `unit`.",
     .schema = "{\"type\": [\"number\", \"string\"]}"},
};

static const docs_key INSTANCE_KEYS[] = {
    {.name = "template",
     .type = "a name, a file name or an object",
     .doc = "The template: one of `templates`, a file whose name ends in .json, or the template "
            "itself.",
     .schema = "{\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"object\"}]}"},
    {.name = "count",
     .type = "a number, or a list of up to three",
     .doc =
         "Number of instances: an array or a grid of them. Formulas of the instance can use the indices `i`, `j` and `k`, counted from 0, and names end with them: `bolt.0`, `brick.2.1`.",
     .schema = "{\"anyOf\": [{\"type\": [\"integer\", \"string\"], \"minimum\": 0}, {\"type\": "
               "\"array\", \"minItems\": 1, \"maxItems\": 3, \"items\": {\"type\": [\"integer\", "
               "\"string\"], \"minimum\": 0}}]}"},
    {.name = "parameters",
     .type = "an object of values by name",
     .doc = "Values of the template's parameters: numbers, formulas over the parameters around the "
            "instance, or texts.",
     .schema = "{\"type\": \"object\", \"additionalProperties\": {\"type\": [\"number\", "
               "\"string\"]}}"},
    {.name = "connect",
     .type = "an object of names by name",
     .doc = "What names of the template lead to outside: `{\"chassis\": \"car.chassis\"}`.",
     .schema = "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}"},
    {.name = "set",
     .type = "an object of values by JSON pointer",
     .doc = "Values of the template that are different in this instance.",
     .schema = "{\"type\": \"object\"}"},
};

static const docs_key TEMPLATE_KEYS[] = {
    {.name = "connect",
     .type = "an object of texts by name",
     .doc = "Names that instances must connect, each with what it stands for.",
     .schema = "{\"type\": \"object\", \"additionalProperties\": {\"type\": \"string\"}}"},
    {.name = "preview",
     .type = "an object",
     .doc =
         "What a scene needs in addition when the template is checked or run by itself: step, end, gravity, the bodies it connects to.",
     .schema = "{\"type\": \"object\"}"},
};

// By part ----------------------------------------------------------------------------------------

typedef struct part_docs {
    const kai_sections_part* part;
    const char* doc;
    const docs_key* keys;
    size_t key_count;
} part_docs;

#define PART(part_, doc_, keys_)                             \
    {                                                        \
        &kai_sections_##part_, doc_, keys_, KAI_COUNT(keys_) \
    }

static const part_docs PARTS[] = {
    PART(scene_part, "The keys of the whole file.", SCENE_KEYS),
    PART(stop_part, "One condition of the list `stop`.", STOP_KEYS),
    PART(include_part, "An included file.", INCLUDE_KEYS),
    PART(language_parameter_part, "A parameter given as an object.", PARAMETER_KEYS),
    PART(language_instance_part, "One instance of the list `instances`.", INSTANCE_KEYS),
    PART(language_template_part, "The object `template` of a template file.", TEMPLATE_KEYS),
    PART(body_part, "One body of the list `bodies`.", BODY_KEYS),
    PART(shape_part, "Keys of every shape.", TYPE_KEYS),
    PART(particles_part, "One group of the list `particles`.", PARTICLES_KEYS),
    PART(sampler_part, "Keys of every sampler.", SAMPLER_KEYS),
    PART(domain_part, "Keys of every domain.", TYPE_KEYS),
    PART(load_part, "Keys of every load.", TYPE_KEYS),
    PART(integrator_part, "Keys of every integrator.", TYPE_KEYS),
    PART(law_part, "Keys of every contact law.", TYPE_KEYS),
    PART(joint_part, "One joint of the list `joints`.", TYPE_KEYS),
    PART(motor_part, "One motor of the list `motors`.", TYPE_KEYS),
    PART(coupling_part, "One coupling of the list `driveline`.", TYPE_KEYS),
    PART(sensor_part, "One sensor of the list `sensors`.", TYPE_KEYS),
    PART(signal_part, "One signal of the list `signals`.", TYPE_KEYS),
    PART(measure_part, "A signal that measures: exactly one of the things below.", MEASURE_KEYS),
    PART(
        output_part,
        "One output of the list `outputs`: exactly one of body, joint, motor, force, shaft, signal, coupling, node, element, elements, structure, particles, ray, nearest, overlap, sensor, system, contacts and events, and what to write.",
        OUTPUT_KEYS),
    PART(coordinates_part, "One joint with an angle or a travel.", COORDINATE_KEYS),
    PART(structures_solid, "One material of elements, in the object `solids`.", TYPE_KEYS),
    PART(structures_element, "One element of the list `elements`.", TYPE_KEYS),
    PART(structures_part, "One structure of the list `structures`.", STRUCTURE_KEYS),
};

static const part_docs* find(const kai_sections_part* part)
{
    for (size_t i = 0; i < KAI_COUNT(PARTS); i++)
        if (PARTS[i].part == part) return &PARTS[i];
    return NULL;
}

const char* docs_part_text(const kai_sections_part* part)
{
    const part_docs* docs = find(part);
    return docs ? docs->doc : NULL;
}

const docs_key* docs_key_of(const kai_sections_part* part, const char* name)
{
    const part_docs* docs = find(part);
    for (size_t i = 0; docs && i < docs->key_count; i++)
        if (strcmp(docs->keys[i].name, name) == 0) return &docs->keys[i];
    return NULL;
}
