// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Meshes that cannot be, each from files of Gmsh (2.2 and 4.1) and Abaqus and from tables in C: the
// message names the node or cell by the number that the user gave it, the value and the rule.
#include "scene_helper.h"

#include <kairos/kairos.h>

enum { NODES = 12, CELLS = 3, FIRST_NODE = 101, FIRST_CELL = 501 };

/// A mesh and what is said about it; nodes are written N0, cells C0.
typedef struct bad_mesh {
    const char* name;
    const kai_element_kind* element;
    size_t nodes, cells;
    double at[NODES][3];
    int cell[CELLS][8];
    const char* expected;
} bad_mesh;

// clang-format off
#define CUBE {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}

static const bad_mesh BAD[] = {
    {"hexahedron upside down", &kai_element_hex8, 8, 1, {CUBE}, {{4, 5, 6, 7, 0, 1, 2, 3}},
     "cell C0 of the mesh is inside out at its node N4 at [0, 0, 1]: the scaled Jacobian there is -1; must be >= 0.001, "
     "with nodes in the order of VTK"},
    {"tetrahedron inside out", &kai_element_tet4, 4, 1, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1, 3}},
     "cell C0 of the mesh is inside out at its node N0 at [0, 0, 0]: the scaled Jacobian there is -1; must be >= 0.001, "
     "with nodes in the order of VTK"},
    {"second tetrahedron flat", &kai_element_tet4, 5, 2, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.6, 0.6, -1e-5}},
     {{0, 1, 2, 3}, {1, 0, 2, 4}},
     "cell C1 of the mesh is flat at its node N1 at [1, 0, 0]: the scaled Jacobian there is 9.81e-06; must be >= 0.001"},
    {"hexahedron with a corner pushed in", &kai_element_hex8, 8, 1,
     {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0.3, 0.3, 0.3}, {0, 1, 1}}, {{0, 1, 2, 3, 4, 5, 6, 7}},
     "cell C0 of the mesh is inside out at its node N6 at [0.3, 0.3, 0.3]: the scaled Jacobian there is -0.994; must be >= 0.001, "
     "with nodes in the order of VTK"},
    {"shell with opposite normals", &kai_element_ancf_shell, 6, 2,
     {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {2, 0, 0}, {2, 1, 0}}, {{0, 1, 2, 3}, {1, 2, 5, 4}},
     "cells C0 and C1 of the mesh both go from node N1 to node N2; normals must point to one side"},
    {"shell crossed over", &kai_element_reissner_shell, 4, 1, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 2, 0}}, {{0, 2, 1, 3}},
     "cell C0 of the mesh is inside out at its node N2 at [1, 1, 0]: the scaled Jacobian there is -0.707; must be >= 0.001, "
     "with nodes in the order of VTK"},
    {"shell with three corners in a line", &kai_element_ancf_shell, 4, 1, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}},
     {{0, 1, 2, 3}},
     "cell C0 of the mesh is flat at its node N1 at [1, 0, 0]: the scaled Jacobian there is 0; must be >= 0.001"},
    {"shell with a hanging node", &kai_element_ancf_plate, 8, 3,
     {{0, 0, 0}, {1, 0, 0}, {1, 2, 0}, {0, 2, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {2, 2, 0}},
     {{0, 1, 2, 3}, {1, 4, 5, 6}, {6, 5, 7, 2}},
     "node N6 of the mesh at [1, 1, 0] hangs on the edge from node N1 to node N2 of cell C0; cells must meet in nodes"},
    {"tetrahedra with a hanging node", &kai_element_tet4, 7, 2,
     {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0}, {1, -1, 0}, {1, 0, -1}}, {{0, 1, 2, 3}, {4, 6, 5, 0}},
     "node N4 of the mesh at [1, 0, 0] hangs on the edge from node N0 to node N1 of cell C0; cells must meet in nodes"},
    {"two nodes in one place", &kai_element_reissner_shell, 8, 2,
     {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 1e-12}}, {{0, 1, 2, 3}, {4, 5, 6, 7}},
     "nodes N1 and N4 of the mesh are both at [1, 0, 0]; must be one node"},
    {"a node twice in a cell", &kai_element_hex8, 8, 1, {CUBE}, {{0, 1, 2, 3, 4, 5, 6, 6}},
     "cell C0 of the mesh names node N6 twice; must be different ones"},
    {"a cable that turns back", &kai_element_ancf_cable, 3, 2, {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}}, {{0, 1}, {1, 2}},
     "node N2 of the mesh at [0.5, 0, 0] hangs on the edge from node N0 to node N1 of cell C0; cells must meet in nodes"},
    {"no thickness", &kai_element_ancf_shell, 4, 1, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2, 3}},
     "cell C0 of the mesh, from node N0 at [0, 0, 0]: ancf-shell: its thickness is 0 m; must be > 0"},
};
// clang-format on

// Files ------------------------------------------------------------------------------------------

typedef struct writer {
    char text[8192];
    size_t size;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer* w, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    w->size += (size_t)vsnprintf(w->text + w->size, sizeof w->text - w->size, format, list);
    va_end(list);
    assert_true(w->size < sizeof w->text);
}

static int gmsh_type(const kai_element_kind* element)
{
    static const int TYPES[] = {0, 1, 2, 3, 4, 5};
    return TYPES[kai_structure_cell_of(element)];
}

static void put_nodes(writer* w, const bad_mesh* m, const char* separator)
{
    // Numbers stand in any order in a file.
    for (size_t i = m->nodes; i-- > 0;)
        put(w, "%zu%s%.17g%s%.17g%s%.17g\n", FIRST_NODE + i, separator, m->at[i][0], separator,
            m->at[i][1], separator, m->at[i][2]);
}

static void put_cell(writer* w, const bad_mesh* m, size_t i, const char* separator, int tags)
{
    put(w, "%zu", FIRST_CELL + i);
    if (tags)
        put(w, "%s%d%s2%s0%s1", separator, gmsh_type(m->element), separator, separator, separator);
    for (int k = 0; k < m->element->nodes; k++)
        put(w, "%s%d", separator, FIRST_NODE + m->cell[i][k]);
    put(w, "\n");
}

static void write_msh2(const bad_mesh* m, writer* w)
{
    put(w, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n%zu\n", m->nodes);
    put_nodes(w, m, " ");
    put(w, "$EndNodes\n$Elements\n%zu\n", m->cells);
    for (size_t i = 0; i < m->cells; i++) put_cell(w, m, i, " ", 1);
    put(w, "$EndElements\n");
}

static void write_msh4(const bad_mesh* m, writer* w)
{
    put(w, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 %zu 1 1000\n2 1 0 %zu\n", m->nodes,
        m->nodes);
    for (size_t i = 0; i < m->nodes; i++) put(w, "%zu\n", FIRST_NODE + i);
    for (size_t i = 0; i < m->nodes; i++)
        put(w, "%.17g %.17g %.17g\n", m->at[i][0], m->at[i][1], m->at[i][2]);
    put(w, "$EndNodes\n$Elements\n1 %zu 1 1000\n2 1 %d %zu\n", m->cells, gmsh_type(m->element),
        m->cells);
    for (size_t i = 0; i < m->cells; i++) put_cell(w, m, i, " ", 0);
    put(w, "$EndElements\n");
}

static void write_inp(const bad_mesh* m, writer* w)
{
    static const char* const TYPES[] = {"", "B31", "S3", "S4R", "C3D4", "C3D8"};
    put(w, "*Node\n");
    put_nodes(w, m, ", ");
    put(w, "*Element, type=%s\n", TYPES[kai_structure_cell_of(m->element)]);
    for (size_t i = 0; i < m->cells; i++) put_cell(w, m, i, ", ", 0);
}

// What is said -----------------------------------------------------------------------------------

/// The expected message with numbers in place.
static const char* numbered(const char* text, int node, int cell)
{
    static char out[1024];
    size_t n = 0;
    for (; *text; text++) {
        const bool is_node = text[0] == 'N' && text[1] >= '0' && text[1] <= '9',
                   is_cell = text[0] == 'C' && text[1] >= '0' && text[1] <= '9';
        if (is_node || is_cell)
            n += (size_t)snprintf(out + n, sizeof out - n, "%d",
                                  *++text - '0' + (is_node ? node : cell));
        else
            out[n++] = *text;
    }
    out[n] = '\0';
    return out;
}

/// Makes the structure in a world of its own; "" when it could be made.
static const char* attempt(const bad_mesh* m, const kai_structure_file_params* p)
{
    static char message[1024];
    kai_world_def def = kai_world_def_default();
    kai_world* world;
    kai_error err = {0};
    check_ok(kai_world_create(&def, &world, &err));
    kai_solid_elastic_params steel;
    kai_solid solid;
    kai_kind_defaults(&kai_solid_elastic.kind, &steel);
    steel.young = steel.base.density = 1.0;
    check_ok(kai_solid_create(world, &kai_solid_elastic, &steel, NULL, &solid));
    _Alignas(16) char element[4096];
    assert_true(m->element->kind.size <= sizeof element);
    kai_kind_defaults(&m->element->kind, element);
    if (m->element == &kai_element_ancf_shell) {
        // Nothing but a mesh that is right gets as far as the thickness.
        ((kai_element_ancf_shell_params*)(void*)element)->layers.solid = solid;
        ((kai_element_ancf_shell_params*)(void*)element)->layers.thickness = 0.0;
    }
    kai_structure made;
    const kai_result r =
        kai_structure_create(world, &kai_structure_file, p, m->element, element, NULL, &made);
    snprintf(message, sizeof message, "%s", r == KAI_OK ? "" : kai_world_error(world)->message);
    if (r != KAI_OK) assert_int_equal(r, KAI_ERROR_ARGUMENT);
    assert_int_equal(kai_node_count(world) + kai_body_count(world), 0);
    kai_world_destroy(world);
    return message;
}

static void check_file(const bad_mesh* m, const char* path, const writer* w)
{
    write_file(path, w->text);
    kai_structure_file_params p;
    kai_error err = {0};
    kai_kind_defaults(&kai_structure_file.kind, &p);
    if (kai_structure_file_read(path, m->element, 0.0, &p, &err) != KAI_OK)
        fail_msg("%s: %s", m->name, err.message);
    char expected[1100];
    snprintf(expected, sizeof expected, "kai_structure_create: %s",
             numbered(m->expected, FIRST_NODE, FIRST_CELL));
    assert_string_equal(attempt(m, &p), expected);
    kai_structure_file_free(&p);
}

static void check_table(const bad_mesh* m)
{
    double cells[CELLS * 8];
    const size_t n = (size_t)m->element->nodes;
    for (size_t i = 0; i < m->cells; i++)
        for (size_t k = 0; k < n; k++) cells[n * i + k] = m->cell[i][k];
    kai_structure_file_params p;
    kai_kind_defaults(&kai_structure_file.kind, &p);
    p.points = (kai_table){&m->at[0][0], (uint32_t)m->nodes, 3};
    p.cells = (kai_table){cells, (uint32_t)m->cells, (uint32_t)n};
    char expected[1100];
    snprintf(expected, sizeof expected, "kai_structure_create: %s", numbered(m->expected, 0, 0));
    assert_string_equal(attempt(m, &p), expected);
}

static void every_bad_mesh_says_what_is_wrong(void** state)
{
    for (size_t i = 0; i < KAI_COUNT(BAD); i++) {
        writer w = {.size = 0};
        write_msh2(&BAD[i], &w);
        check_file(&BAD[i], "a.msh", &w);
        w.size = 0;
        write_msh4(&BAD[i], &w);
        check_file(&BAD[i], "b.msh", &w);
        w.size = 0;
        write_inp(&BAD[i], &w);
        check_file(&BAD[i], "c.inp", &w);
        check_table(&BAD[i]);
    }
}

// Files that do not get as far as a mesh ---------------------------------------------------------

static void check_read(const char* path, const char* text, const kai_element_kind* element,
                       const char* expected)
{
    kai_structure_file_params p;
    kai_error err = {0};
    kai_kind_defaults(&kai_structure_file.kind, &p);
    if (text) write_file(path, text);
    assert_true(kai_structure_file_read(path, element, 0.0, &p, &err) != KAI_OK);
    assert_string_equal(err.message, expected);
}

#define MSH2  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define MSH4  "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define FOUR  "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
#define FOUR4 "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n"
#define NODE4 "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n"

static void every_bad_file_says_what_is_wrong(void** state)
{
    const kai_element_kind *shell = &kai_element_ancf_shell, *bar = &kai_element_bar;
    check_read("none.msh", NULL, bar, "none.msh: cannot be opened: No such file or directory");
    check_read("none.inp", NULL, bar, "none.inp: cannot be opened: No such file or directory");
    // Wrong node counts.
    check_read("a.msh", MSH2 FOUR "$Elements\n1\n17 3 2 0 1 1 2 3\n$EndElements\n", shell,
               "a.msh: line 13: cell 17 has 3 nodes; one of type 3 must have 4");
    check_read("a.msh", MSH4 FOUR4 "$Elements\n1 1 1 1\n2 1 3 1\n17 1 2 3 4 1\n$EndElements\n",
               shell, "a.msh: line 19: cell 17 has 5 nodes; one of type 3 must have 4");
    check_read("a.inp", NODE4 "*ELEMENT, TYPE=S4R\n17, 1, 2, 3\n*STEP\n", shell,
               "a.inp: line 8: cell 17 has 3 nodes; one of type S4 must have 4");
    check_read("a.inp", NODE4 "*ELEMENT, TYPE=S4R\n17, 1, 2, 3, 4, 1\n", shell,
               "a.inp: line 7: cell 17 has 5 nodes; one of type S4 must have 4");
    // Cells for another kind of element.
    check_read("a.msh", MSH2 FOUR "$Elements\n1\n17 2 2 0 1 1 2 3\n$EndElements\n", shell,
               "a.msh: it has no quadrangles of 4 nodes for ancf-shell; it has 1 triangles of 3 "
               "nodes");
    check_read("a.inp", NODE4 "*ELEMENT, TYPE=S3\n17, 1, 2, 3\n", shell,
               "a.inp: it has no quadrangles of 4 nodes for ancf-shell; it has 1 triangles of 3 "
               "nodes");
    // Nodes that are missing, and given twice.
    check_read("a.msh", MSH2 FOUR "$Elements\n1\n17 3 2 0 1 1 2 3 9\n$EndElements\n", shell,
               "a.msh: cell 17 names node 9, which is not there");
    check_read("a.inp", NODE4 "*ELEMENT, TYPE=S4\n17, 1, 2, 3, 9\n", shell,
               "a.inp: cell 17 names node 9, which is not there");
    check_read("a.msh",
               MSH2 "$Nodes\n2\n3 0 0 0\n3 1 0 0\n$EndNodes\n$Elements\n1\n1 1 0 3 3\n$End\n", bar,
               "a.msh: node 3 is given twice");
    check_read("a.inp", NODE4 "3, 1, 0, 0\n*ELEMENT, TYPE=B31\n1, 1, 2\n", bar,
               "a.inp: node 3 is given twice");
    // Numbers that are none.
    check_read("a.msh", MSH2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", bar,
               "a.msh: line 6: a number is expected");
    check_read("a.inp", "*NODE\n1, 0, 1e999, 0\n", bar, "a.inp: line 2: a number is expected");
}

// Tables of C that no file can give.
static void every_bad_table_says_what_is_wrong(void** state)
{
    double at[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const double cells[4] = {0, 1, 2, 3}, beyond[4] = {0, 1, 2, 4};
    const bad_mesh m = {.element = &kai_element_ancf_shell};
    kai_structure_file_params p;
    kai_kind_defaults(&kai_structure_file.kind, &p);
    assert_string_equal(attempt(&m, &p), "kai_structure_create: the mesh has 0 points and 0 cells; "
                                         "must have both");
    p.points = (kai_table){&at[0][0], 4, 3};
    p.cells = (kai_table){cells, 1, 3};
    assert_string_equal(attempt(&m, &p), "kai_structure_create: cells have 3 nodes; ancf-shell "
                                         "must have 4");
    p.cells = (kai_table){beyond, 1, 4};
    assert_string_equal(attempt(&m, &p), "kai_structure_create: cells: row 0 names node 4; there "
                                         "are nodes 0 to 3");
    p.cells = (kai_table){cells, 1, 4};
    at[3][1] = (double)NAN;
    assert_string_equal(attempt(&m, &p),
                        "kai_structure_create: file: points is nan m; must be finite");
    at[3][1] = 1.0;
    p.points.rows = 3;
    assert_string_equal(attempt(&m, &p), "kai_structure_create: cells: row 0 names node 3; there "
                                         "are nodes 0 to 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_bad_mesh_says_what_is_wrong, enter_folder,
                                        leave_folder),
        cmocka_unit_test_setup_teardown(every_bad_file_says_what_is_wrong, enter_folder,
                                        leave_folder),
        cmocka_unit_test(every_bad_table_says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
