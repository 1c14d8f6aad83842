/* SPDX-License-Identifier: MIT
 * The version of the program. */
#ifndef TABIA_ENGINE_BASE_VERSION_H
#define TABIA_ENGINE_BASE_VERSION_H

#define TABIA_VERSION      "0.1.0"
#define TABIA_VERSION_DATE "November 23, 2026" /* of manual pages */

#endif
