// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pages on what scenes are written in: parameters, formulas and units; templates and instances.
#include "pages.h"
#include "tables.h"

#include "math/expression.h"
#include "scene/language/sections_language.h"

static const char PARAMETERS[] =
    "`parameters` gives names to numbers. A parameter is a number, a formula over other parameters in any order, or an\n"
    "object with unit, range and description:\n\n"
    "```json\n"
    "\"parameters\": {\n"
    "  \"wheelbase\": \"2.4 m\",\n"
    "  \"track\": {\"value\": 1820, \"unit\": \"mm\", \"min\": 1000, \"max\": 2500, \"doc\": \"Distance of the wheels of an axle.\"},\n"
    "  \"half_track\": \"track / 2\",\n"
    "  \"paint\": {\"text\": \"#c04020\"}\n"
    "}\n"
    "```\n\n"
    "`--set track=1900` on the command line changes one by its name; the value is a number (in the unit of the parameter) or a\n"
    "formula with a unit, such as `--set 'track=190 cm'`.\n\n";

static const char FORMULAS[] =
    "A text in place of a number is a formula, wherever a number is allowed:\n\n"
    "```json\n"
    "\"position\": [0, \"half_track - 5 cm\", \"radius\"], \"angle\": \"90 deg\", \"mass\": \"density * pi * radius^2 * width\"\n"
    "```\n\n"
    "| what | how it is written |\n| --- | --- |\n"
    "| numbers | `12`, `0.5`, `1e-3` |\n"
    "| numbers with a unit | `55 mm`, `3 bar`, `72 km/h`, `9.81 m/s^2` |\n"
    "| parameters | `track`, `front.left`, `'a name'`: a name with other characters than letters, digits, `_` and points stands in quotes |\n"
    "| constants | `pi`, and `deg`, which is pi/180 |\n"
    "| arithmetic | `+ - * /` and `^`, which binds from the right and before a sign: `-2^2` is -4 |\n"
    "| comparisons | `< <= > >= == !=` give 1 or 0 |\n"
    "| logic | `&&`, `\\|\\|`, `!`: 0 is false, all else true |\n"
    "| choice | `a ? b : c`, `if(a, b, c)`: b where a is true, else c |\n"
    "| functions | ";

static const char UNITS[] =
    "### Units\n\n"
    "Values are SI inside. A unit stands right behind its number and reaches as far as its words do: `10 m/s` is a speed, `10 m/track`\n"
    "a length divided by a parameter; parentheses end a unit: `(10 m)/s` divides by a parameter `s`. Decimal prefixes are exact: `55 mm` is the same number\n"
    "as `0.055`. A number without unit may be added to anything and counts as SI. What has a unit is checked: sums and\n"
    "comparisons need equal units, and the result must have that of the key (`mass: \"12 s\"` is an error). Angles are checked where\n"
    "nothing else is there to check. Known words:\n\n"
    "| quantity | units |\n| --- | --- |\n"
    "| length | m km dm cm mm um µm nm in ft yd mi |\n"
    "| mass | kg g mg t lb |\n"
    "| time, frequency | s ms us µs min h, Hz kHz |\n"
    "| angle, speed of rotation | rad mrad deg ° rev, rpm |\n"
    "| force | N mN kN MN kgf lbf |\n"
    "| pressure | Pa hPa kPa MPa GPa bar mbar atm psi |\n"
    "| energy, power | J mJ kJ MJ kWh, W mW kW MW hp |\n"
    "| volume | l L ml |\n"
    "| other | A, K |\n\n"
    "They combine with spaces or `*` or `·`, `/`, and exponents `^2`, `^-1`, `²`, `³`: `N m/rad`, `kg/m³`.\n\n";

static const char TEXTS[] =
    "## Formulas in texts\n\n"
    "Braces in a text hold a formula, or the name of a parameter that is a text: `\"name\": \"box {i + 1}\"`, `\"color\": \"{paint}\"`.\n"
    "A brace itself is written twice: `{{`. A formula in place of `true` or `false` is true unless it gives 0.\n\n"
    "## Comments\n\n"
    "`//` begins a comment that ends with the line; `/*` one that ends at `*/`.\n\n"
    "## Errors\n\n"
    "What is wrong in a formula is told with the file, line and column of the place in it: unknown names (with the one that was probably meant), units that do\n"
    "not fit, a division by zero, a parameter that leads back to itself. `kairos check SCENE --spelled` prints the scene with all formulas worked out.\n";

static const char TEMPLATES[] =
    "A template is a part of a scene with parameters of its own. `instances` puts templates into a scene, as often as wanted,\n"
    "moved, turned and mirrored:\n\n"
    "```json\n"
    "{\n"
    "  \"kairos\": 1, \"end\": 2,\n"
    "  \"parameters\": {\"track\": \"1.2 m\"},\n"
    "  \"templates\": {\n"
    "    \"wheel\": {\n"
    "      \"parameters\": {\"radius\": \"30 cm\"},\n"
    "      \"bodies\": [{\"name\": \"rim\", \"density\": 400, \"shapes\": [\n"
    "        {\"type\": \"cylinder\", \"radius\": \"radius\", \"length\": 0.1, \"rotation\": {\"axis\": [1, 0, 0], \"angle\": \"90 deg\"}}]}],\n"
    "      \"joints\": [{\"name\": \"hub\", \"type\": \"revolute\", \"bodies\": [\"chassis\", \"rim\"], \"at\": [0, 0, 0], \"axis\": [0, 1, 0]}]\n"
    "    }\n"
    "  },\n"
    "  \"bodies\": [{\"name\": \"frame\", \"density\": 300, \"shapes\": [{\"type\": \"box\", \"size\": [2, 1, 0.2]}]}],\n"
    "  \"instances\": [\n"
    "    {\"template\": \"wheel\", \"name\": \"left\", \"at\": [0.8, \"track/2\", 0], \"connect\": {\"chassis\": \"frame\"}},\n"
    "    {\"template\": \"wheel\", \"name\": \"right\", \"at\": [0.8, \"-track/2\", 0], \"mirror\": \"y\", \"connect\": {\"chassis\": \"frame\"}}\n"
    "  ]\n"
    "}\n"
    "```\n\n"
    "The bodies are then `frame`, `left.rim` and `right.rim`, the joints `left.hub` and `right.hub`; everything else in the scene\n"
    "refers to them by these names. `--set right.radius=0.4` changes one instance.\n\n";

static const char TEMPLATE_RULES[] =
    "## What an instance does\n\n"
    "* **Names** of the template's items get the name of the instance before them; within the template they refer to each other by their own\n"
    "  names. A name that `connect` lists leads to the item it says, and with what follows a point: of `{\"axle\": \"rear\"}`, `axle.hub` is\n"
    "  `rear.hub`. Materials, and materials of elements, that the template does not have are looked for outside of it. Files of outputs get the name of the instance, too.\n"
    "* **Places** are those of the template's frame: points are mirrored (`mirror`), turned (`rotation`) and moved (`at`), velocities, forces\n"
    "  and axes turn along. What is given in a body's own frame (shapes, `com`, `inertia`, `frame_a`) stays there.\n"
    "* **Mirrored** instances are the mirror image of the template: a body's own frame stays right-handed, shapes, mass centre and products\n"
    "  of inertia change sides in it, a hinge turns by the same angle, a screw has the other hand. Meshes and hulls are mirrored as well. Structures of\n"
    "  finite elements, particles and height fields cannot be.\n"
    "* **Parameters** of the template have the values that the instance gives them, worked out where the instance stands, or their own. A template in the scene\n"
    "  sees the parameters of the scene as well; a template in a file sees its own only.\n"
    "* **Arrays**: `\"count\": [4, 3]` makes twelve, with `i` and `j` in the formulas of the instance: `\"at\": [\"0.5*i\", \"0.3*j\", 0]`,\n"
    "  `\"rotation\": {\"axis\": [0, 0, 1], \"angle\": \"i * 60 deg\"}`, `\"connect\": {\"below\": \"storey.{i-1}.top\"}`, `\"when\": \"i > 0\"`.\n"
    "* **Within templates** there may be instances again, up to 16 deep.\n"
    "* **Limits** of a whole scene: 100,000 instances, with those that `when` leaves out; what is copied for them has at most 10 million values and\n"
    "  50 MB of texts; they name at most 1,000 files.\n\n"
    "A template holds any section of a scene but what belongs to the whole: gravity, step, end, integrator, solver, contact, analysis,\n"
    "collision, checks, trajectory and view.\n\n"
    "`kairos check SCENE --spelled` prints the scene spelled out, with one list for each section; it is the same scene: same state, bit for bit.\n\n";

static const char TEMPLATE_FILES[] =
    "## Template files\n\n"
    "A template in a file of its own says what it is, what it must be connected to, and what it needs to be looked at by itself: `kairos run\n"
    "wheel.json` runs the template with its `preview` before it.\n\n"
    "```json\n"
    "{\n"
    "  \"kairos\": 1,\n"
    "  \"template\": {\n"
    "    \"doc\": \"A wheel on a hub.\",\n"
    "    \"connect\": {\"chassis\": \"the body that carries the hub\"},\n"
    "    \"preview\": {\"end\": 1, \"bodies\": [{\"name\": \"chassis\", \"fixed\": true}]}\n"
    "  },\n"
    "  \"parameters\": {\"radius\": {\"value\": 0.3, \"unit\": \"m\", \"min\": 0.1, \"doc\": \"Radius of the wheel.\"}},\n"
    "  \"bodies\": []\n"
    "}\n"
    "```\n\n"
    "Its path is relative to the file that names it, and must stay inside the folder of the main scene unless `--allow-outside` is given.\n\n";

void docs_pages_formulas(kai_text* out)
{
    kai_text_add(out, "## Parameters\n\n%s", PARAMETERS);
    docs_table_part(out, &kai_sections_language_parameter_part);
    kai_text_add(out, "## Formulas\n\n%s", FORMULAS);
#define NAME(name, fewest, most) "`" #name "` "
    kai_text_add(out, "%s", KAI_EXPRESSION_FUNCTIONS(NAME));
#undef NAME
    kai_text_add(
        out,
        "|\n\nAngles of `sin`, `cos` and `tan` are radians or have a unit; `log` is the natural logarithm, `mod` has the sign of its second "
        "argument.\n\n%s%s",
        UNITS, TEXTS);
}

void docs_pages_templates(kai_text* out)
{
    kai_text_add(out, "%s", TEMPLATES);
    docs_table_part(out, &kai_sections_language_instance_part);
    kai_text_add(out, "%s%s", TEMPLATE_RULES, TEMPLATE_FILES);
    docs_table_part(out, &kai_sections_language_template_part);
}
