// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Bullet: reduced coordinates (Featherstone), single precision in Debian's build.
#include "peers/chain.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

namespace {

struct Scene {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btMultiBody chain;

    explicit Scene(int links) : chain(links, 0, btVector3(0, 0, 0), true, false)
    {
        const btVector3 half(CHAIN_LENGTH / 2, CHAIN_WIDTH / 2, CHAIN_WIDTH / 2);
        const btVector3 out(CHAIN_LENGTH / 2, 0, 0);
        btVector3 inertia;
        btBoxShape(half).calculateLocalInertia(btScalar(CHAIN_MASS), inertia);
        for (int i = 0; i < links; i++)
            chain.setupRevolute(i, btScalar(CHAIN_MASS), inertia, i - 1, btQuaternion(0, 0, 0, 1),
                                btVector3(0, 0, 1), i ? out : btVector3(0, 0, 0), out, true);
        chain.finalizeMultiDof();
        chain.setLinearDamping(0);
        chain.setAngularDamping(0);
        world.setGravity(btVector3(0, btScalar(CHAIN_GRAVITY), 0));
        world.addMultiBody(&chain);
    }

    ~Scene() { world.removeMultiBody(&chain); }
};

void* create(int links) { return new Scene(links); }

void step(void* scene, int count)
{
    for (int i = 0; i < count; i++)
        static_cast<Scene*>(scene)->world.stepSimulation(btScalar(CHAIN_STEP), 0);
}

double tip(void* scene)
{
    const btMultiBody& chain = static_cast<Scene*>(scene)->chain;
    return chain.localPosToWorld(chain.getNumLinks() - 1, btVector3(0, 0, 0)).y();
}

void destroy(void* scene) { delete static_cast<Scene*>(scene); }

} // namespace

extern "C" const chain_peer chain_bullet = {
    "Bullet", "Featherstone, float", 10000, create, step, tip, nullptr, destroy};
