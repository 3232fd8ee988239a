// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// Kairos: a multi-physics dynamics engine. This header brings in all the others.
#ifndef KAIROS_KAIROS_H
#define KAIROS_KAIROS_H

#include <kairos/body.h>
#include <kairos/bulk.h>
#include <kairos/collision.h>
#include <kairos/contact.h>
#include <kairos/contact_law.h>
#include <kairos/coordinate.h>
#include <kairos/driveline.h>
#include <kairos/element.h>
#include <kairos/element_kinds.h>
#include <kairos/event.h>
#include <kairos/function.h>
#include <kairos/hook.h>
#include <kairos/id.h>
#include <kairos/import.h>
#include <kairos/info.h>
#include <kairos/integrator.h>
#include <kairos/joint.h>
#include <kairos/joint_nodes.h>
#include <kairos/judge.h>
#include <kairos/kind.h>
#include <kairos/load.h>
#include <kairos/log.h>
#include <kairos/material.h>
#include <kairos/math.h>
#include <kairos/memory.h>
#include <kairos/mesh_file.h>
#include <kairos/node.h>
#include <kairos/output.h>
#include <kairos/particles.h>
#include <kairos/plugin.h>
#include <kairos/problem.h>
#include <kairos/random.h>
#include <kairos/result.h>
#include <kairos/results.h>
#include <kairos/run.h>
#include <kairos/sampler.h>
#include <kairos/scene.h>
#include <kairos/section.h>
#include <kairos/sensor.h>
#include <kairos/shaft.h>
#include <kairos/shape.h>
#include <kairos/signal.h>
#include <kairos/sleep.h>
#include <kairos/solid.h>
#include <kairos/solver.h>
#include <kairos/state.h>
#include <kairos/structure.h>
#include <kairos/structure_file.h>
#include <kairos/version.h>
#include <kairos/view.h>
#include <kairos/world.h>

#endif
