// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Mesh files, height files and kept decompositions: what they give, and that no damaged one does
// harm.
#include "base/hash.h"
#include "geometry/meshes.h"
#include "scene/decomposition.h"
#include "scene/height_file.h"
#include "scene/mesh_parse.h"
#include "scene_helper.h"

#include <inttypes.h>
#include <kairos/mesh_file.h>
#include <zlib.h>

static kai_memory memory;

// Reads a text as a file of that name and builds the mesh; its volume.
static double volume_of(const char* name, const char* bytes, size_t size, bool* closed)
{
    kai_mesh_file file;
    kai_error err = {0};
    if (kai_mesh_parse(bytes, size, name, ".", &file, &err) != KAI_OK)
        fail_msg("%s: %s", name, err.message);
    soup s = soup_make(file.vertices.rows, file.triangles.rows);
    for (uint32_t i = 0; i < file.vertices.rows; i++) {
        const double* x = file.vertices.data + 3 * i;
        soup_point(&s, x[0], x[1], x[2]);
    }
    for (uint32_t i = 0; i < file.triangles.rows; i++) {
        const double* t = file.triangles.data + 3 * i;
        soup_triangle(&s, (uint32_t)t[0], (uint32_t)t[1], (uint32_t)t[2]);
    }
    kai_mesh mesh = soup_build(&s, &memory);
    const double volume = mesh.report.volume;
    *closed = mesh.closed;
    kai_mesh_free(&mesh, &memory);
    soup_free(&s);
    kai_mesh_file_free(&file);
    return volume;
}

static void check_solid(const char* name, const char* bytes, size_t size, double volume,
                        double tolerance)
{
    bool closed;
    check_relative(volume_of(name, bytes, size, &closed), volume, tolerance, name);
    assert_true(closed);
}

// A cube of 0.1 m in double precision; corners of every form, quads, a comment, CRLF.
static const char CUBE[] =
    "# cube\r\nmtllib none.mtl\nv 0 0 0 \nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\n"
    "v 0 0 0.1 1.0\nv 1e-1 0 0.1\nv 0.1 .1 0.1\nv 0 0.1 +0.1\nvt 0 0\n"
    "f 4 3 2 1 # bottom\nf 5/1 6/1 7/1 8/1\r\nf 1//1 2//1 6//1 5//1\n"
    "f -7 -6 -2 -3\nf 3/1/1 4/1/1 8/1/1 7/1/1\nf 4 1 5 8";

static void test_obj(void** state)
{
    check_solid("cube.OBJ", CUBE, sizeof CUBE - 1, 1e-3, 1e-15);
    // An L as one polygon of six corners, top and bottom: its notch must not be filled.
    static const char l[] = "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
                            "v 0 0 1\nv 3 0 1\nv 3 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                            "f 6 5 4 3 2 1\nf 10 11 12 7 8 9\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\n"
                            "f 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
    check_solid("l.obj", l, sizeof l - 1, 4.0, 1e-15);
    kai_mesh_file file;
    check_ok(kai_mesh_parse(l, sizeof l - 1, "l.obj", NULL, &file, NULL));
    double area = 0.0; // all top triangles face up: their areas add up without one taking away
    for (uint32_t i = 0; i < file.triangles.rows; i++) {
        kai_vec3 c[3];
        for (int k = 0; k < 3; k++) {
            const double* x =
                file.vertices.data + 3 * (int)file.triangles.data[3 * i + (uint32_t)k];
            c[k] = kai_vec3_make(x[0], x[1], x[2]);
        }
        const kai_vec3 n = kai_vec3_cross(kai_vec3_sub(c[1], c[0]), kai_vec3_sub(c[2], c[0]));
        if (c[0].z == 1.0 && c[1].z == 1.0 && c[2].z == 1.0) {
            assert_true(n.z > 0.0);
            area += 0.5 * n.z;
        }
    }
    check_near(area, 4.0, 1e-15, "four squares");
    kai_mesh_file_free(&file);
}

static void refuse(const char* name, const char* text, kai_result code, const char* message)
{
    kai_mesh_file file;
    kai_error err = {0};
    check_error(kai_mesh_parse(text, strlen(text), name, NULL, &file, &err), code);
    if (!strstr(err.message, message)) fail_msg("%s: not in: %s", message, err.message);
    assert_null(file.vertices.data);
}

static void test_refused(void** state)
{
    refuse("x.obj", "", KAI_ERROR_FORMAT, "it holds no triangle (0 vertices)");
    refuse("x.obj", "v 0 0\n", KAI_ERROR_FORMAT, "line 1: \"\" must be a number");
    refuse("x.obj", "\nv 0 zero 0\n", KAI_ERROR_FORMAT, "line 2: \"zero\" must be a number");
    refuse("x.obj", "v 0 0 nan\n", KAI_ERROR_FORMAT, "line 1: \"nan\" must be a number");
    refuse("x.obj", "v 0 0 0\nf 1 2 3\n", KAI_ERROR_FORMAT, "line 2: vertex 2 does not exist");
    refuse("x.obj", "v 0 0 0\nf -2 1 1\n", KAI_ERROR_FORMAT, "line 2: vertex -2 does not exist");
    refuse("x.obj", "v 0 0 0\nf 0 1 1\n", KAI_ERROR_FORMAT, "\"0\" must be the number of a vertex");
    refuse("x.obj", "v 0 0 0\nf 1 99999999999999999999 1\n", KAI_ERROR_FORMAT, "line 2");
    refuse("x.obj", "v 0 0 0\nf 1 1\n", KAI_ERROR_FORMAT, "a face has 2 corners");
    refuse("x.stl", "facet\n", KAI_ERROR_FORMAT, "neither text");
    refuse("x.stl", "solid\nvertex 0 0 0\n", KAI_ERROR_FORMAT, "line 2: a vertex outside a facet");
    refuse("x.stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n", KAI_ERROR_FORMAT, "with 1 vertices");
    refuse("x.stl", "solid\nfacet\nvertex 0 0 0\n", KAI_ERROR_FORMAT, "of line 2 has no end");
    refuse("x.ply", "ply\n", KAI_ERROR_UNSUPPORTED, "must end in .obj, .stl");
    refuse("obj", "v 0 0 0\n", KAI_ERROR_UNSUPPORTED, "must end in .obj, .stl");
    kai_mesh_file file;
    kai_error err = {0};
    check_error(kai_mesh_file_read("not-there.obj", &file, &err), KAI_ERROR_FILE);
    assert_non_null(strstr(err.message, "not-there.obj: cannot be opened"));
}

// The cube as facets, text and binary.
static size_t make_stl(char* out, bool binary)
{
    kai_mesh_file file;
    check_ok(kai_mesh_parse(CUBE, sizeof CUBE - 1, "cube.obj", NULL, &file, NULL));
    size_t n = binary ? 84 : (size_t)sprintf(out, "solid cube\n");
    if (binary) {
        memset(out, ' ', 80);
        memcpy(out, "solid", 5); // as some programs write
        memcpy(out + 80, &file.triangles.rows, 4);
    }
    for (uint32_t i = 0; i < file.triangles.rows; i++) {
        if (binary)
            memset(out + n, 0, 50);
        else
            n += (size_t)sprintf(out + n, "facet normal 0 0 0\n outer loop\n");
        for (uint32_t k = 0; k < 3; k++) {
            const double* x = file.vertices.data + 3 * (int)file.triangles.data[3 * i + k];
            const float f[3] = {(float)x[0], (float)x[1], (float)x[2]};
            if (binary)
                memcpy(out + n + 12 + 12 * k, f, 12);
            else
                n += (size_t)sprintf(out + n, "  vertex %.17g %.17g %.17g\n", x[0], x[1], x[2]);
        }
        n += binary ? 50 : (size_t)sprintf(out + n, " endloop\nendfacet\n");
    }
    if (!binary) n += (size_t)sprintf(out + n, "endsolid cube\n");
    kai_mesh_file_free(&file);
    return n;
}

static void test_stl(void** state)
{
    char text[8192];
    size_t n = make_stl(text, false);
    check_solid("cube.stl", text, n, 1e-3, 1e-15);
    n = make_stl(text, true);
    check_solid("cube.stl", text, n, 1e-3, 1e-7); // float32
}

// A tetrahedron of volume 1/6 with its buffer in the text, and a Collada one, if Assimp is there.
static const char GLTF[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"mesh\":0,\"scale\":[2,2,2]}],"
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,1,1]},{\"bufferView\":1,\"componentType\":5123,\"count\":12,"
    "\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},"
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],\"buffers\":[{\"byteLength\":72,"
    "\"uri\":\"%s\"}]}";

static const char DAE[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\">"
    "<mesh><source id=\"p\"><float_array id=\"a\" count=\"12\">0 0 0 1 0 0 0 1 0 0 0 1</float_array>"
    "<technique_common><accessor source=\"#a\" count=\"4\" stride=\"3\"><param name=\"X\" "
    "type=\"float\"/><param name=\"Y\" type=\"float\"/><param name=\"Z\" type=\"float\"/></accessor>"
    "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/>"
    "</vertices><triangles count=\"4\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
    "<p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries>"
    "<library_visual_scenes><visual_scene id=\"s\"><node><instance_geometry url=\"#g\"/></node>"
    "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#s\"/></scene>"
    "</COLLADA>";

static void test_assimp(void** state)
{
#ifdef KAIROS_HAVE_ASSIMP
    const float x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const uint16_t t[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    char text[4096];
    FILE* file = fopen("tetra.bin", "wb");
    fwrite(x, sizeof x, 1, file);
    fwrite(t, sizeof t, 1, file);
    fclose(file);
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    const size_t n = (size_t)snprintf(text, sizeof text, GLTF, "tetra.bin");
    write_file("tetra.gltf", text);
    kai_mesh_file mesh;
    kai_error err = {0};
    if (kai_mesh_file_read("tetra.gltf", &mesh, &err) != KAI_OK) fail_msg("%s", err.message);
    assert_int_equal(mesh.triangles.rows, 4);
    check_near(mesh.vertices.data[3], 2.0, 1e-6, "scaled by its node");
    kai_mesh_file_free(&mesh);
    check_solid("tetra.dae", DAE, sizeof DAE - 1, 1.0 / 6.0, 1e-6);
    // A buffer outside the file's folder is not read, nor is it waited for.
    assert_int_equal(mkdir("below", 0777), 0);
    const size_t m = (size_t)snprintf(text, sizeof text, GLTF, "../tetra.bin");
    char below[8192];
    snprintf(below, sizeof below, "%s/below", here);
    check_error(kai_mesh_parse(text, m, "x.gltf", below, &mesh, &err), KAI_ERROR_FORMAT);
    // Files that are cut short.
    const char* names[] = {"x.gltf", "x.dae", "x.glb"};
    for (int k = 0; k < 3; k++)
        for (size_t cut = 0; cut < (k == 1 ? sizeof DAE - 1 : n); cut += 37) {
            snprintf(text, sizeof text, GLTF, "tetra.bin");
            const char* source = k == 1 ? DAE : text;
            if (kai_mesh_parse(source, cut, names[k], here, &mesh, &err) == KAI_OK)
                kai_mesh_file_free(&mesh);
        }
#else
    refuse("x.dae", DAE, KAI_ERROR_UNSUPPORTED, "a .dae file needs Assimp");
#endif
}

// Every cut and many changed bytes of a good file: an error or a mesh, never harm.
static void test_damaged(void** state)
{
    char text[8192];
    for (int kind = 0; kind < 3; kind++) {
        const size_t n = kind == 0 ? sizeof CUBE - 1 : make_stl(text, kind == 2);
        const char *source = kind == 0 ? CUBE : text, *name = kind == 0 ? "x.obj" : "x.stl";
        for (size_t i = 0; i < n; i++) {
            kai_mesh_file file;
            char* copy = malloc(n);
            memcpy(copy, source, n);
            if (kai_mesh_parse(copy, i, name, NULL, &file, NULL) == KAI_OK)
                kai_mesh_file_free(&file);
            copy[i] = (char)(copy[i] ^ (1 << i % 8));
            if (kai_mesh_parse(copy, n, name, NULL, &file, NULL) == KAI_OK)
                kai_mesh_file_free(&file);
            free(copy);
        }
    }
}

// Heights ----------------------------------------------------------------------------------------

static void test_csv_heights(void** state)
{
    static const char text[] = "# a hill\n 0, 1 ,2\r\n\n3,4.5,5";
    kai_table t;
    kai_error err = {0};
    check_ok(kai_height_file_parse(text, sizeof text - 1, "h.csv", SIZE_MAX, &t, &err));
    assert_int_equal(t.rows, 2);
    assert_int_equal(t.columns, 3);
    check_near(t.data[4], 4.5, 0.0, "row 1, column 1");
    free((void*)(uintptr_t)t.data);
    static const char* const bad[][2] = {
        {"", "it holds no numbers"},
        {"1,2\n3\n", "line 2: 1 numbers; the rows before have 2"},
        {"1,2\n3,x\n", "line 2: cell 2 is not a number"},
        {"1,,2\n", "line 1: cell 2 is not a number"},
        {"1,inf\n", "line 1: cell 2 is not a number"},
    };
    for (size_t i = 0; i < KAI_COUNT(bad); i++) {
        check_error(
            kai_height_file_parse(bad[i][0], strlen(bad[i][0]), "h.csv", SIZE_MAX, &t, &err),
            KAI_ERROR_FORMAT);
        assert_string_equal(err.message, bad[i][1]);
    }
    check_error(kai_height_file_parse("", 0, "h.tif", SIZE_MAX, &t, &err), KAI_ERROR_UNSUPPORTED);
}

static size_t put_chunk(char* out, const char* type, const void* data, uint32_t size)
{
    const uint8_t length[4] = {(uint8_t)(size >> 24), (uint8_t)(size >> 16), (uint8_t)(size >> 8),
                               (uint8_t)size};
    memcpy(out, length, 4);
    memcpy(out + 4, type, 4);
    if (size) memcpy(out + 8, data, size);
    const uint32_t sum = (uint32_t)crc32(0, (const Bytef*)out + 4, size + 4);
    const uint8_t check[4] = {(uint8_t)(sum >> 24), (uint8_t)(sum >> 16), (uint8_t)(sum >> 8),
                              (uint8_t)sum};
    memcpy(out + 8 + size, check, 4);
    return size + 12;
}

// A picture of 16 bit, 4 by 5, whose five rows use the five filters.
static size_t make_png(char* out)
{
    uint8_t raw[5 * 9], packed[256];
    uint16_t pixel[5][4];
    for (uint32_t y = 0; y < 5; y++)
        for (uint32_t x = 0; x < 4; x++) pixel[y][x] = (uint16_t)(12345 * y + 7919 * x * x);
    for (uint32_t y = 0; y < 5; y++) {
        raw[9 * y] = (uint8_t)y;
        for (uint32_t i = 0; i < 8; i++) {
#define BYTE(row, k) ((int)(k) < 0 ? 0 : (uint8_t)(pixel[row][(k) / 2] >> ((k) % 2 ? 0 : 8)))
            const int now = BYTE(y, i), left = i >= 2 ? BYTE(y, i - 2) : 0,
                      up = y > 0 ? BYTE(y - 1, i) : 0,
                      corner = y > 0 && i >= 2 ? BYTE(y - 1, i - 2) : 0;
            const int p = left + up - corner, a = abs(p - left), b = abs(p - up),
                      c = abs(p - corner);
            const int guess[5] = {0, left, up, (left + up) / 2,
                                  a <= b && a <= c ? left
                                  : b <= c         ? up
                                                   : corner};
            raw[9 * y + 1 + i] = (uint8_t)(now - guess[y]);
        }
    }
    uLongf length = sizeof packed;
    assert_int_equal(compress(packed, &length, raw, sizeof raw), Z_OK);
    static const uint8_t head[13] = {0, 0, 0, 4, 0, 0, 0, 5, 16, 0, 0, 0, 0};
    memcpy(out, "\x89PNG\r\n\x1a\n", 8);
    size_t n = 8;
    n += put_chunk(out + n, "IHDR", head, 13);
    n += put_chunk(out + n, "IDAT", packed, 10); // in two pieces
    n += put_chunk(out + n, "IDAT", packed + 10, (uint32_t)length - 10);
    return n + put_chunk(out + n, "IEND", NULL, 0);
}

static void test_png_heights(void** state)
{
    char png[1024];
    const size_t n = make_png(png);
    kai_table t;
    kai_error err = {0};
    if (kai_height_file_parse(png, n, "h.png", SIZE_MAX, &t, &err) != KAI_OK)
        fail_msg("%s", err.message);
    assert_int_equal(t.rows, 5);
    assert_int_equal(t.columns, 4);
    for (uint32_t y = 0; y < 5; y++)
        for (uint32_t x = 0; x < 4; x++)
            check_near(t.data[4 * (4 - y) + x], (uint16_t)(12345 * y + 7919 * x * x) / 65535.0, 0.0,
                       "the top row is the last");
    free((void*)(uintptr_t)t.data);
    for (size_t i = 0; i < n; i++) {
        char* copy = malloc(n);
        memcpy(copy, png, n);
        check_error(kai_height_file_parse(copy, i, "h.png", SIZE_MAX, &t, &err), KAI_ERROR_FORMAT);
        copy[i] = (char)(copy[i] ^ 0x10); // a checksum, or the signature, or a length
        check_error(kai_height_file_parse(copy, n, "h.png", SIZE_MAX, &t, &err), KAI_ERROR_FORMAT);
        free(copy);
    }
}

// Kept decompositions ----------------------------------------------------------------------------

static void read_l(kai_mesh_file* out)
{
    static const char l[] = "v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"
                            "v 0 0 1\nv 3 0 1\nv 3 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\n"
                            "f 6 5 4 3 2 1\nf 10 11 12 7 8 9\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\n"
                            "f 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n";
    check_ok(kai_mesh_parse(l, sizeof l - 1, "l.obj", NULL, out, NULL));
}

static void check_find(const kai_mesh_file* l, double concavity, bool cached)
{
    kai_decomposition d;
    kai_error err = {0};
    if (kai_decomposition_find(l, 0.0, concavity, "l.obj", &d, &err) != KAI_OK)
        fail_msg("%s", err.message);
    assert_int_equal(d.count, 2);
    assert_int_equal(d.parts.rows, 16);
    assert_int_equal(d.cached, cached);
    check_near(d.volume_error, 0.0, 1e-9, "two boxes");
    kai_decomposition_free(&d);
}

static void test_decomposition_is_kept(void** state)
{
#ifndef KAIROS_HAVE_QHULL
    skip();
#endif
    static const char name[] = "l.obj" KAI_DECOMPOSITION_SUFFIX;
    kai_mesh_file l;
    read_l(&l);
    check_find(&l, 0.02, false);
    check_find(&l, 0.02, true);
    check_find(&l, 0.01, false); // another bound
    check_find(&l, 0.01, true);
    // Another mesh.
    ((double*)(uintptr_t)l.vertices.data)[5] += 0.0;
    ((double*)(uintptr_t)l.vertices.data)[3] = 2.999;
    check_find(&l, 0.01, false);
    // Damage: found anew, and mended.
    char text[8192];
    FILE* file = fopen(name, "rb");
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    for (size_t cut = 0; cut < size; cut += size / 5) {
        file = fopen(name, "wb");
        fwrite(text, 1, cut, file);
        fclose(file);
        check_find(&l, 0.01, false);
        check_find(&l, 0.01, true);
    }
    // Where it cannot be written it is not: a folder has its name.
    assert_int_equal(unlink(name), 0);
    assert_int_equal(mkdir(name, 0777), 0);
    check_find(&l, 0.01, false);
    check_find(&l, 0.01, false);
    kai_mesh_file_free(&l);
}

// Writes a kept decomposition with a checksum that is right.
static void keep_text(const char* name, const char* text)
{
    FILE* file = fopen(name, "wb");
    assert_non_null(file);
    fprintf(file, "%schecksum %016" PRIx64 "\n", text,
            kai_hash_bytes(KAI_HASH_START, text, strlen(text)));
    fclose(file);
}

// Parts that are whole and well written, but not of the mesh, are not believed.
static void test_forged_decomposition(void** state)
{
#ifndef KAIROS_HAVE_QHULL
    skip();
#endif
    static const char name[] = "l.obj" KAI_DECOMPOSITION_SUFFIX;
    static const char* const FORGED[][2] = {
        {" 3 1 1\n", " 4 1 1\n"},     // a corner outside
        {" 3 1 1\n", " 2.5 1 1\n"},   // a vertex left out
        {" 3 1 1\n", " 3 1 1e300\n"}, //
        {"16 ", "8 "},                // a part less
        {"\n1 ", "\n0 "},             // a corner of another part: overlap
    };
    kai_mesh_file l;
    char good[8192] = "", text[8192];
    read_l(&l);
    (void)remove(name);
    rmdir(name);
    check_find(&l, 0.02, false);
    FILE* file = fopen(name, "rb");
    good[fread(good, 1, sizeof good - 1, file)] = '\0';
    fclose(file);
    *strstr(good, "checksum ") = '\0';
    keep_text(name, good);
    check_find(&l, 0.02, true);
    for (size_t i = 0; i < KAI_COUNT(FORGED); i++) {
        const char* at = strstr(good, FORGED[i][0]);
        if (!at) fail_msg("%s is not in %s", FORGED[i][0], good);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, FORGED[i][1],
                 at + strlen(FORGED[i][0]));
        keep_text(name, text);
        kai_decomposition d;
        check_ok(kai_decomposition_find(&l, 0.0, 0.02, "l.obj", &d, NULL));
        assert_false(d.cached);
        assert_true(d.distrusted);
        kai_decomposition_free(&d);
        check_find(&l, 0.02, true); // mended
    }
    // Of the same corners, one hull around all: right as a hull, wrong as parts.
    char* to = text + sprintf(text, "%.40s8 0.02 %.17g\n", good, 9.0 / 4.0 - 1.0);
    for (double x = 0; x <= 3; x += 3)
        for (double y = 0; y <= 2; y += 2)
            for (double z = 0; z <= 1; z++) to += sprintf(to, "0 %g %g %g\n", x, y, z);
    keep_text(name, text);
    check_find(&l, 0.02, false);
    // A link is neither read nor written through.
    assert_int_equal(rename(name, "elsewhere"), 0);
    assert_int_equal(symlink("elsewhere", name), 0);
    check_find(&l, 0.02, false);
    struct stat status;
    assert_int_equal(lstat(name, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    check_find(&l, 0.02, true);
    kai_mesh_file_free(&l);
}

// Decompositions that Kairos made are believed, whatever the shape, its size and the bound.
static void test_made_decompositions_are_believed(void** state)
{
#ifndef KAIROS_HAVE_QHULL
    skip();
#endif
    static const double SIZES[] = {1e-4, 1.0, 1e5}, BOUNDS[] = {0.1, 0.03};
    for (int i = 0; i < 6; i++) {
        const double size = SIZES[i % 3], bound = BOUNDS[i / 3];
        soup s[3] = {soup_torus(size, 0.3 * size, 12), soup_sphere(size, 10),
                     soup_cup(size, 1.3 * size, 0.1 * size, 16)};
        for (int k = 0; k < 3; k++) {
            double* t = malloc(3 * s[k].triangle_count * sizeof *t);
            for (size_t n = 0; n < 3 * s[k].triangle_count; n++)
                t[n] = s[k].triangles[n / 3][n % 3];
            const kai_mesh_file mesh = {{&s[k].points[0].x, (uint32_t)s[k].point_count, 3},
                                        {t, (uint32_t)s[k].triangle_count, 3}};
            for (int again = 0; again < 2; again++) {
                kai_decomposition d;
                kai_error err = {0};
                if (kai_decomposition_find(&mesh, 0.0, bound, "some.obj", &d, &err) != KAI_OK)
                    fail_msg("shape %d: %s", k, err.message);
                if (d.cached != again || d.distrusted)
                    fail_msg("shape %d of size %g, bound %g: not believed", k, size, bound);
                kai_decomposition_free(&d);
            }
            free(t);
            soup_free(&s[k]);
        }
    }
}

static void test_hostile_decomposition(void** state)
{
    static const char head[] = "kairos decomposition 3\n0000000000000000\n";
    static const char* const bad[] = {
        "",
        "4 0 0",
        "1e9 0 0\n0 0 0 0\n",
        "-4 0 0\n0 0 0 0\n",
        "4.5 0 0\n0 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n",
        "4 0 0\n0 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 nan\n",
        "4 0 0\n1 0 0 0\n1 1 0 0\n1 0 1 0\n1 0 0 1\n",
        "4 0 0\n0 0 0 0\n1 1 0 0\n1 0 1 0\n1 0 0 1\n",
        "4 0 0\n0 0 0 0\n0 1 0 0\n0 0 1 0\n1 0 0 1\n",
        "4 0 0\n0 0 0 0\n0 1 0 0\n0 0 1 0\n-1 0 0 1\n",
    };
    char text[512];
    kai_decomposition d;
    for (size_t i = 0; i < KAI_COUNT(bad); i++) {
        const int n = snprintf(text, sizeof text, "%s%s", head, bad[i]);
        check_error(kai_decomposition_parse(text, (size_t)n, 0, &d), KAI_ERROR_FORMAT);
        assert_null(d.parts.data);
    }
    const int n =
        snprintf(text, sizeof text, "%s4 0 0\n0 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n", head);
    check_error(kai_decomposition_parse(text, (size_t)n, 1, &d), KAI_ERROR_FORMAT); // other hash
    check_ok(kai_decomposition_parse(text, (size_t)n, 0, &d));
    assert_int_equal(d.count, 1);
    kai_decomposition_free(&d);
}

static int start(void** state)
{
    kai_memory_init(&memory, NULL);
    return enter_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_stl),
        cmocka_unit_test(test_assimp),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_csv_heights),
        cmocka_unit_test(test_png_heights),
        cmocka_unit_test(test_decomposition_is_kept),
        cmocka_unit_test(test_forged_decomposition),
        cmocka_unit_test(test_made_decompositions_are_believed),
        cmocka_unit_test(test_hostile_decomposition),
    };
    return cmocka_run_group_tests(tests, start, leave_folder);
}
