/* SPDX-License-Identifier: MIT
 * The version of the program. */
#ifndef TABIA_ENGINE_BASE_VERSION_H
#define TABIA_ENGINE_BASE_VERSION_H

#define TABIA_VERSION      "1.0.0"
#define TABIA_VERSION_DATE "November 29, 2026" /* of manual pages */

/* The oldest version whose fits this one repeats, byte for byte, from the same games. Weights
 * headers and networks name it, so that a release that changes no fit changes no weights either. */
#define TABIA_FIT_VERSION "0.1.0"

#endif
