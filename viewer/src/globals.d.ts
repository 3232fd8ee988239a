// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
declare module "worker-text" {
    const text: string;
    export default text;
}
