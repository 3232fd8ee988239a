// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bullet, single precision in Debian's build: separating axes for boxes, GJK with EPA for the rest.
// Margins are zero where they would change the shape.
#include "peers/narrow.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <btBulletCollisionCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace {

/// Bullet has no ellipsoid; its users write a support function.
class Ellipsoid : public btConvexInternalShape {
public:
    explicit Ellipsoid(const btVector3& size) : half(size)
    {
        m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
        m_collisionMargin = 0;
    }
    btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override
    {
        const btVector3 e = half * d;
        const btScalar n = e.length();
        return n > 0 ? half * e / n : btVector3(half.x(), 0, 0);
    }
    btVector3 localGetSupportingVertex(const btVector3& d) const override
    {
        return localGetSupportingVertexWithoutMargin(d);
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* d, btVector3* out,
                                                           int count) const override
    {
        for (int i = 0; i < count; i++) out[i] = localGetSupportingVertexWithoutMargin(d[i]);
    }
    void getAabb(const btTransform& t, btVector3& low, btVector3& high) const override
    {
        const btVector3 h(half.length(), half.length(), half.length());
        low = t.getOrigin() - h;
        high = t.getOrigin() + h;
    }
    void calculateLocalInertia(btScalar, btVector3& inertia) const override
    {
        inertia.setValue(1, 1, 1);
    }
    const char* getName() const override { return "Ellipsoid"; }
    void setMargin(btScalar) override {}
    btScalar getMargin() const override { return 0; }

private:
    btVector3 half;
};

struct Scene {
    const narrow_task* task = nullptr;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDispatcherInfo info;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::unique_ptr<btTriangleMesh> triangles;
    std::unique_ptr<btCollisionShape> mesh;
    std::vector<std::unique_ptr<btCollisionObject>> objects; // two a pair
    btCollisionAlgorithm* algorithm = nullptr;
    btPersistentManifold* manifold = nullptr;
    btManifoldArray manifolds;
};

std::unique_ptr<btCollisionShape> make_shape(narrow_kind kind, const narrow_shape& s)
{
    const btVector3 half(btScalar(s.size[0]), btScalar(s.size[1]), btScalar(s.size[2]));
    if (kind == NARROW_BOX) return std::make_unique<btBoxShape>(half);
    if (kind == NARROW_ELLIPSOID) return std::make_unique<Ellipsoid>(half);
    auto hull = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < s.vertex_count; i++)
        hull->addPoint(btVector3(btScalar(s.vertices[3 * i]), btScalar(s.vertices[3 * i + 1]),
                                 btScalar(s.vertices[3 * i + 2])),
                       false);
    hull->recalcLocalAabb();
    hull->setMargin(0);
    return hull;
}

btVector3 corner(const narrow_task& t, int i)
{
    const double* v = t.vertices + 3 * t.triangles[i];
    return btVector3(btScalar(v[0]), btScalar(v[1]), btScalar(v[2]));
}

std::unique_ptr<btCollisionObject> make_object(btCollisionShape* shape, const narrow_pose& p)
{
    auto o = std::make_unique<btCollisionObject>();
    o->setCollisionShape(shape);
    const btQuaternion q(btScalar(p.rotation[1]), btScalar(p.rotation[2]), btScalar(p.rotation[3]),
                         btScalar(p.rotation[0]));
    const btVector3 x(btScalar(p.position[0]), btScalar(p.position[1]), btScalar(p.position[2]));
    o->setWorldTransform(btTransform(q, x));
    return o;
}

void* create(const narrow_task* task)
{
    auto* s = new Scene;
    s->task = task;
    for (int i = 0; i < task->shape_count; i++)
        s->shapes.push_back(make_shape(task->kind, task->shapes[i]));
    if (task->kind == NARROW_MESH) {
        s->triangles = std::make_unique<btTriangleMesh>();
        for (int i = 0; i < task->triangle_count; i++)
            s->triangles->addTriangle(corner(*task, 3 * i), corner(*task, 3 * i + 1),
                                      corner(*task, 3 * i + 2));
        s->mesh = std::make_unique<btBvhTriangleMeshShape>(s->triangles.get(), true);
        s->mesh->setMargin(0);
    }
    for (int i = 0; i < task->pair_count; i++) {
        const narrow_pair& p = task->pairs[i];
        s->objects.push_back(make_object(s->shapes[std::size_t(p.a)].get(), p.pose_a));
        s->objects.push_back(
            make_object(s->mesh ? s->mesh.get() : s->shapes[std::size_t(p.b)].get(), p.pose_b));
    }
    return s;
}

/// Takes the deepest contact.
struct Deepest : public btManifoldResult {
    double gap = HUGE_VAL;
    Deepest(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b)
        : btManifoldResult(a, b)
    {
    }
    void addContactPoint(const btVector3& n, const btVector3& x, btScalar depth) override
    {
        gap = std::fmin(gap, double(depth));
        btManifoldResult::addContactPoint(n, x, depth);
    }
};

void run(void* scene, double* gap)
{
    auto* s = static_cast<Scene*>(scene);
    for (int i = 0; i < s->task->pair_count; i++) {
        btCollisionObject* a = s->objects[std::size_t(2 * i)].get();
        btCollisionObject* b = s->objects[std::size_t(2 * i + 1)].get();
        const btCollisionObjectWrapper wa(nullptr, a->getCollisionShape(), a,
                                          a->getWorldTransform(), -1, -1);
        const btCollisionObjectWrapper wb(nullptr, b->getCollisionShape(), b,
                                          b->getWorldTransform(), -1, -1);
        // One algorithm and manifold serve all pairs of a task: making them is no part of a
        // collision. Contacts of the pair before are cleared.
        if (!s->algorithm) {
            s->manifold = s->dispatcher.getNewManifold(a, b);
            s->algorithm =
                s->dispatcher.findAlgorithm(&wa, &wb, s->manifold, BT_CONTACT_POINT_ALGORITHMS);
            s->algorithm->getAllContactManifolds(s->manifolds);
        }
        for (int k = 0; k < s->manifolds.size(); k++) s->manifolds[k]->clearManifold();
        s->manifold->clearManifold();
        s->manifold->setBodies(a, b);
        Deepest result(&wa, &wb);
        result.setPersistentManifold(s->manifold);
        s->algorithm->processCollision(&wa, &wb, s->info, &result);
        gap[i] = result.gap < 0 ? result.gap : HUGE_VAL;
    }
}

void destroy(void* scene)
{
    auto* s = static_cast<Scene*>(scene);
    if (s->algorithm) {
        s->algorithm->~btCollisionAlgorithm();
        s->dispatcher.freeCollisionAlgorithm(s->algorithm);
        s->dispatcher.releaseManifold(s->manifold);
    }
    delete s;
}

bool can(narrow_kind) { return true; }

} // namespace

extern "C" const narrow_peer narrow_bullet = {"Bullet", "float", can, create, run, destroy};
