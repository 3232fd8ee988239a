// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// The pages of the reference of scene files, one function a page. Each adds what follows the title.
#ifndef GENDOCS_PAGES_H
#define GENDOCS_PAGES_H

#include "base/text.h"

void docs_pages_file(kai_text* out);
void docs_pages_formulas(kai_text* out);
void docs_pages_templates(kai_text* out);
void docs_pages_bodies(kai_text* out);
void docs_pages_shapes(kai_text* out);
void docs_pages_materials(kai_text* out);
void docs_pages_particles(kai_text* out);
void docs_pages_joints(kai_text* out);
void docs_pages_motors(kai_text* out);
void docs_pages_forces(kai_text* out);
void docs_pages_driveline(kai_text* out);
void docs_pages_signals(kai_text* out);
void docs_pages_solids(kai_text* out);
void docs_pages_structures(kai_text* out);
void docs_pages_elements(kai_text* out);
void docs_pages_functions(kai_text* out);
void docs_pages_integrators(kai_text* out);
void docs_pages_contact(kai_text* out);
void docs_pages_outputs(kai_text* out);
void docs_pages_sensors(kai_text* out);
void docs_pages_run(kai_text* out);

#endif
