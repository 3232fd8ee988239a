// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Pages on bodies and what they carry: shapes, materials, particles.
#include "pages.h"
#include "tables.h"

#include "scene/particle_table.h"

static const char FRAMES[] =
    "A body has its *own frame*, in which its shapes, mass centre and inertia are given. `position` is the origin\n"
    "of that frame in the world and `rotation` takes its coordinates to world coordinates. The mass centre is at\n"
    "this origin unless `com`, or density with shapes, puts it elsewhere. `velocity` is that of the origin.\n"
    "`angular_velocity` is in WORLD coordinates.\n\n"
    "Mass comes from one of:\n\n"
    "* `mass` and `inertia` (and `com`);\n"
    "* `mass` and `shapes`: inertia and mass centre follow from the shapes, scaled to that mass;\n"
    "* `density` and `shapes`: replaces mass, inertia and com; overlapping shapes count twice;\n"
    "* `shapes` whose materials all have a `density`;\n"
    "* nothing, for a body that is `fixed`.\n\n";

static const char ROTATIONS[] =
    "A rotation is a unit quaternion `[w, x, y, z]` (its length must be 1 to within 0.001; it is then made\n"
    "exactly 1), or one of two objects.\n\n";

static const char COLORS[] =
    "A color is a text `\"#rrggbb\"`, or three numbers from 0 to 1: red, green, blue.\n\n";

static const char SHAPES[] =
    "`radius_margin` enlarges a shape by a distance in all directions (Minkowski sum with a sphere): a box of size 1 with a\n"
    "margin of 0.1 has a width of 1.2 and round edges. Its mass is that of the shape stretched along its own axes to the\n"
    "bounding box of the rounded one: exact for spheres, right to first order in the margin for others. A body may have any\n"
    "number of shapes. Two shapes may touch when the `mask` of each has the bit of the other's `family`.\n\n"
    "Paths of files are relative to the scene file that names them. Mesh files: `.obj` and `.stl` are read in full\n"
    "precision, `.gltf`, `.glb` and `.dae` through Assimp, when Kairos was built with it (`kairos info`), in a contained\n"
    "process ([importing.md](../importing.md)). Coordinates are taken as they are, without conversion of units or axes. Equal\n"
    "vertices are merged; triangles without area are removed. Fixed bodies, and bodies with mass and inertia of their own,\n"
    "may have open meshes. A body that takes its mass from a mesh needs a closed one whose triangles all face outwards; the\n"
    "error message names the first edge that is wrong.\n\n"
    "With `decompose`, a closed mesh is cut by planes into convex parts until the distance between its surface and the\n"
    "parts is at most `concavity` times its longest side. Parts do not overlap. Curved thin walls are cut further, until the\n"
    "sagitta of a part is at most a fifth of its thickness. The parts are stored beside the mesh, in a file whose name ends in\n"
    "`.kairos-decomposition`, where that can be written, and computed again when the mesh or `concavity` has changed.\n\n";

static const char PAIRS[] =
    "## Material pairs\n\n"
    "Where shapes of two materials touch, friction, restitution, cohesion and adhesion are the smaller of the two values,\n"
    "compliances add up, damping is the larger, and kn kt gn gt are the mean of those given. An entry of the list\n"
    "`material_pairs` overrides this for two materials: keys that it gives are taken, the others follow the rule above.\n\n";

static const char PARTICLES[] =
    "A particle is a full rigid body; the group keeps many equal ones under one name. They lie where a table says, or a\n"
    "sampler.\n\n"
    "## Tables\n\n"
    "The table has a header row that names its columns, in any order, and one row per particle: numbers separated by\n"
    "commas. Blank lines and CRLF are allowed. Columns come in groups that are given completely or not at all:\n\n";

static const char SAMPLERS[] =
    "## Samplers\n\n"
    "A sampler fills a *domain*, the inside of a shape, with particles: a ball around each lies inside of the domain. Its\n"
    "radius is that of a sphere, else half the diagonal of the box around the shape of the particle. The same scene gives the\n"
    "same particles on every machine and with any number of threads.\n\n"
    "```json\n"
    "\"particles\": [{\"name\": \"sand\", \"shape\": {\"type\": \"sphere\", \"radius\": \"2 mm\"}, \"density\": 2600,\n"
    "  \"sampler\": {\"type\": \"hcp\", \"domain\": {\"type\": \"cylinder\", \"radius\": 0.1, \"length\": 0.2, \"at\": [0, 0, 0.1]}}}]\n"
    "```\n\n"
    "Domains are spheres, boxes, cylinders, capsules and cones; shapes of a program's own where their kind has `depth`. A\n"
    "program or a plug-in adds samplers with `kai_sampler_register` ([`kairos/sampler.h`](../../include/kairos/sampler.h));\n"
    "[`examples/user_sampler.c`](../../examples/user_sampler.c) is complete.\n\n";

void docs_pages_bodies(kai_text* out)
{
    const kai_kind *axis = &kai_sections_axis_angle_kind, *euler = &kai_sections_euler_kind;
    docs_table_part(out, &kai_sections_body_part);
    kai_text_add(out, "%s## Rotations\n\n%s", FRAMES, ROTATIONS);
    kai_text_add(out, "%s\n\n", axis->doc);
    docs_table_kind(out, axis);
    kai_text_add(out, "%s\n\n", euler->doc);
    docs_table_kind(out, euler);
}

void docs_pages_shapes(kai_text* out)
{
    docs_table_part(out, &kai_sections_shape_part);
    kai_text_add(out, "%s%s", COLORS, SHAPES);
    docs_table_family(out, docs_shapes, NULL);
}

void docs_pages_materials(kai_text* out)
{
    kai_text_add(out, "%s Given as an object under their names in `materials`.\n\n",
                 kai_material_kind.doc);
    docs_table_kind(out, &kai_material_kind);
    kai_text_add(out, "%s", PAIRS);
    docs_table_kind(out, &kai_material_pair_kind);
}

void docs_pages_particles(kai_text* out)
{
    docs_table_part(out, &kai_sections_particles_part);
    kai_text_add(out, "%s", PARTICLES);
    kai_text_add(out,
                 "| columns | unit | when absent |\n| --- | --- | --- |\n"
                 "| `x y z` | m | *needed* |\n"
                 "| `vx vy vz` | m/s | at rest |\n"
                 "| `qw qx qy qz` | | not turned |\n"
                 "| `wx wy wz` | rad/s, world frame | no spin |\n"
                 "| `radius` | m, spheres only | that of the shape |\n\n%s",
                 SAMPLERS);
    docs_table_part(out, &kai_sections_sampler_part);
    kai_text_add(out, "### Domains\n\n");
    docs_table_part(out, &kai_sections_domain_part);
    docs_table_family(out, docs_samplers, NULL);
}
