// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bullet: sequential impulses, single precision in Debian's build. It is made for things of 0.05 to
// 10 m: all lengths are times 100.
#include "peers/bed.h"

#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>
#include <vector>

namespace {

constexpr double SCALE = 100.0;

struct Bed {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // walls first
    double step;

    void add(double mass, const btVector3& inertia, btCollisionShape* shape, const btVector3& at,
             double friction)
    {
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(at);
        info.m_friction = btScalar(std::sqrt(friction)); // that of a pair is the product
        info.m_linearSleepingThreshold = info.m_angularSleepingThreshold = 0;
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
    }

    explicit Bed(const bed_scene& scene) : step(scene.step)
    {
        const btScalar side = btScalar(SCALE * scene.side);
        const btVector3 normals[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
        world.setGravity(btVector3(0, 0, btScalar(-SCALE * scene.gravity)));
        world.getSolverInfo().m_numIterations = scene.iterations;
        for (int k = 0; k < 5; k++) {
            shapes.push_back(
                std::make_unique<btStaticPlaneShape>(normals[k], k % 2 || !k ? 0 : -side));
            add(0, btVector3(0, 0, 0), shapes.back().get(), btVector3(0, 0, 0), scene.friction);
        }
        shapes.push_back(std::make_unique<btSphereShape>(btScalar(SCALE * scene.radius)));
        const double mass = scene.density * 4.0 / 3.0 * M_PI * std::pow(scene.radius, 3);
        btVector3 inertia;
        shapes.back()->calculateLocalInertia(btScalar(mass), inertia);
        for (size_t i = 0; i < scene.count; i++)
            add(mass, inertia, shapes.back().get(),
                btVector3(btScalar(SCALE * scene.x[i]), btScalar(SCALE * scene.y[i]),
                          btScalar(SCALE * scene.z[i])),
                scene.friction);
    }

    ~Bed()
    {
        for (auto& body : bodies) world.removeRigidBody(body.get());
    }
};

void* create(const bed_scene* scene) { return new Bed(*scene); }

void step(void* bed)
{
    Bed& b = *static_cast<Bed*>(bed);
    b.world.stepSimulation(btScalar(b.step), 0);
}

size_t contacts(void* bed)
{
    btCollisionDispatcher& dispatcher = static_cast<Bed*>(bed)->dispatcher;
    size_t sum = 0;
    for (int i = 0; i < dispatcher.getNumManifolds(); i++)
        sum += size_t(dispatcher.getManifoldByIndexInternal(i)->getNumContacts());
    return sum;
}

double height(void* bed)
{
    const Bed& b = *static_cast<Bed*>(bed);
    double sum = 0.0;
    for (size_t i = 5; i < b.bodies.size(); i++)
        sum += b.bodies[i]->getWorldTransform().getOrigin().z();
    return sum / SCALE / double(b.bodies.size() - 5);
}

void destroy(void* bed) { delete static_cast<Bed*>(bed); }

} // namespace

extern "C" const bed_peer bed_bullet = {
    "Bullet", "sequential impulses, float", create, step, contacts, height, destroy};
