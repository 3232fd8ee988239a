// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// FCL, double precision: its own GJK with EPA, and libccd behind its front.
#include "peers/narrow.h"

#include <cmath>
#include <fcl/fcl.h>
#include <memory>
#include <vector>

namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct Scene {
    const narrow_task* task = nullptr;
    std::vector<Geometry> shapes;
    Geometry mesh;
    std::vector<fcl::CollisionObjectd> objects; // two a pair
    fcl::CollisionRequestd request;
};

Geometry make_shape(narrow_kind kind, const narrow_shape& s)
{
    if (kind == NARROW_BOX)
        return std::make_shared<fcl::Boxd>(2 * s.size[0], 2 * s.size[1], 2 * s.size[2]);
    if (kind == NARROW_ELLIPSOID)
        return std::make_shared<fcl::Ellipsoidd>(s.size[0], s.size[1], s.size[2]);
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    for (int i = 0; i < s.vertex_count; i++)
        vertices->emplace_back(s.vertices[3 * i], s.vertices[3 * i + 1], s.vertices[3 * i + 2]);
    auto faces = std::make_shared<std::vector<int>>(s.faces, s.faces + s.face_ints);
    return std::make_shared<fcl::Convexd>(vertices, s.face_count, faces);
}

Geometry make_mesh(const narrow_task& t)
{
    auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int i = 0; i < t.vertex_count; i++)
        vertices.emplace_back(t.vertices[3 * i], t.vertices[3 * i + 1], t.vertices[3 * i + 2]);
    for (int i = 0; i < t.triangle_count; i++)
        triangles.emplace_back(static_cast<std::size_t>(t.triangles[3 * i]),
                               static_cast<std::size_t>(t.triangles[3 * i + 1]),
                               static_cast<std::size_t>(t.triangles[3 * i + 2]));
    mesh->beginModel();
    mesh->addSubModel(vertices, triangles);
    mesh->endModel();
    return mesh;
}

fcl::CollisionObjectd make_object(const Geometry& g, const narrow_pose& p)
{
    fcl::Transform3d t = fcl::Transform3d::Identity();
    t.linear() =
        fcl::Quaterniond(p.rotation[0], p.rotation[1], p.rotation[2], p.rotation[3]).matrix();
    t.translation() = fcl::Vector3d(p.position[0], p.position[1], p.position[2]);
    return fcl::CollisionObjectd(g, t);
}

void* create_with(const narrow_task* task, fcl::GJKSolverType solver)
{
    auto* s = new Scene;
    s->task = task;
    for (int i = 0; i < task->shape_count; i++)
        s->shapes.push_back(make_shape(task->kind == NARROW_MESH ? NARROW_HULL : task->kind,
                                       task->shapes[i]));
    if (task->kind == NARROW_MESH) s->mesh = make_mesh(*task);
    for (int i = 0; i < task->pair_count; i++) {
        const narrow_pair& p = task->pairs[i];
        s->objects.push_back(make_object(s->shapes[static_cast<std::size_t>(p.a)], p.pose_a));
        s->objects.push_back(make_object(
            s->mesh ? s->mesh : s->shapes[static_cast<std::size_t>(p.b)], p.pose_b));
    }
    s->request.enable_contact = true;
    s->request.num_max_contacts = task->kind == NARROW_MESH ? 1000 : 8;
    s->request.gjk_solver_type = solver;
    return s;
}

void* create(const narrow_task* task) { return create_with(task, fcl::GST_LIBCCD); }
void* create_indep(const narrow_task* task) { return create_with(task, fcl::GST_INDEP); }

void run(void* scene, double* gap)
{
    auto* s = static_cast<Scene*>(scene);
    for (int i = 0; i < s->task->pair_count; i++) {
        fcl::CollisionResultd result;
        fcl::collide(&s->objects[static_cast<std::size_t>(2 * i)],
                     &s->objects[static_cast<std::size_t>(2 * i + 1)], s->request, result);
        gap[i] = HUGE_VAL;
        for (std::size_t k = 0; k < result.numContacts(); k++)
            gap[i] = std::fmin(gap[i], -result.getContact(k).penetration_depth);
    }
}

void destroy(void* scene) { delete static_cast<Scene*>(scene); }

bool can(narrow_kind) { return true; }

} // namespace

extern "C" const narrow_peer narrow_fcl = {"FCL", "libccd solver", can, create, run, destroy};
extern "C" const narrow_peer narrow_fcl_indep = {"FCL", "own solver", can,
                                                 create_indep, run, destroy};
