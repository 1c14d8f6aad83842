-- SPDX-License-Identifier: MIT
-- Self-play, an import and fits.

INSERT INTO weights VALUES
(1, '1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759', 'zero', '/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(PAWN_PST, 64)
@64

EVAL_TERM(KNIGHT_PST, 64)
@64

EVAL_TERM(BISHOP_PST, 64)
@64

EVAL_TERM(ROOK_PST, 64)
@64

EVAL_TERM(QUEEN_PST, 64)
@64

EVAL_TERM(KING_PST, 64)
@64
', NULL, '2026-11-27T12:56:07Z'),
(2, '420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7', 'material', '/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S( 100,  100) S( 300,  300) S( 300,  300) S( 500,  500) S( 900,  900)

EVAL_TERM(PAWN_PST, 64)
@64

EVAL_TERM(KNIGHT_PST, 64)
@64

EVAL_TERM(BISHOP_PST, 64)
@64

EVAL_TERM(ROOK_PST, 64)
@64

EVAL_TERM(QUEEN_PST, 64)
@64

EVAL_TERM(KING_PST, 64)
@64
', NULL, '2026-11-27T12:56:08Z'),
(3, '4a39f3043ad77828e041f92c89bef7d882f7c5c51f2f44d99262fbe119fc361e', 'fit2.h', '/* Evaluation weights fitted by tabia tune 0.1.0.
 * source: games.db; from ply 1, scores to 900, with noisy moves
 * dataset: 135 positions of 14 games, sha256 70555ced60f8be821d8d2f83dc933aa7d21572a43b7e2381a4007bccab7838e1
 * start: material, sha256 420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7
 * settings: cross-entropy, lambda 0.5, prior 5 toward zero, 2 folds, seed 1, duplicates to their mean, draws weigh 0.5, mirrored squares tied, terms classical, frozen: KING_PST
 * k: 0.006648 (expected score = 1 / (1 + exp(-k * cp / 400)))
 * train: 129 positions of 14 games, mean squared error 0.002841 -> 0.000395, accuracy 1.0000
 * iterations: 4, best 4, converged */

/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S( 417, -1285) S(-1826,  918) S( -98, -977) S(-1816,   49) S(1852, -1170)

EVAL_TERM(PAWN_PST, 64)
@8
S( 901,  -97) S( 280,  -91) S( 612,   45) S(-1798,   76) S(-1798,   76) S( 612,   45) S( 280,  -91) S( 901,  -97)
S(-269,  115) S(-1221,  -57) S(1483,  -79) S(1483,   18) S(1483,   18) S(1483,  -79) S(-1221,  -57) S(-269,  115)
S(-468,  -75) S(1319,   38) S(-2317,   39) S( 117,   34) S( 117,   34) S(-2317,   39) S(1319,   38) S(-468,  -75)
S(  -7,   15) S(-162,    1) S(-127,   12) S( 170,   15) S( 170,   15) S(-127,   12) S(-162,    1) S(  -7,   15)
S(-138,  -14) S(  21,    2) S(  21,    2) S(  21,    2) S(  21,    2) S(  21,    2) S(  21,    2) S(-138,  -14)
S(  21,    2) S(  21,    2) S(  21,    2) S(  21,    2) S(  21,    2) S(  21,    2) S(  21,    2) S(  21,    2)
@8

EVAL_TERM(KNIGHT_PST, 64)
S( -74,   -1) S(1732,  -72) S( -74,   21) S( -74,  -19) S( -74,  -19) S( -74,   21) S(1732,  -72) S( -74,   -1)
S( -74,  -24) S( -74,   17) S( -74,  -20) S( -74,   -1) S( -74,   -1) S( -74,  -20) S( -74,   17) S( -74,  -24)
S( -74,   13) S( 123,   18) S( -74,   30) S( 123,   18) S( 123,   18) S( -74,   30) S( 123,   18) S( -74,   13)
S( -74,   -1) S( -74,   -1) S(  91,   16) S( -74,   -1) S( -74,   -1) S(  91,   16) S( -74,   -1) S( -74,   -1)
S( -74,   -1) S( -70,   18) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -70,   18) S( -74,   -1)
S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1)
S( -74,    2) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,    2)
S( -74,   -5) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -1) S( -74,   -5)

EVAL_TERM(BISHOP_PST, 64)
S( -88,  -24) S( 286,   -3) S(-436,   10) S( 501,    8) S( 501,    8) S(-436,   10) S( 286,   -3) S( -88,  -24)
S(   0,    1) S(  14,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(  14,    1) S(   0,    1)
S(   0,    1) S(   0,    1) S( 228,   -9) S(   0,    1) S(   0,    1) S( 228,   -9) S(   0,    1) S(   0,    1)
S( 236,   49) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S( 236,   49)
S(   0,    1) S(-211,  -38) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(-211,  -38) S(   0,    1)
S( -92,   -7) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S( -92,   -7)
S(  18,    2) S(-410,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(-410,    1) S(  18,    2)
S( -53,   -3) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S(   0,    1) S( -53,   -3)

EVAL_TERM(ROOK_PST, 64)
S(2144,  -70) S( -66,  -38) S( -84,  -19) S(  20,   19) S(  20,   19) S( -84,  -19) S( -66,  -38) S(2144,  -70)
S( -84,  115) S( -84,  -43) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,  -43) S( -84,  115)
S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0)
S( -84,   14) S( -84,   -2) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,   -2) S( -84,   14)
S( -84,    0) S( -84,   14) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,   14) S( -84,    0)
S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0)
S( 247,   22) S( -84,   -9) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,   -9) S( 247,   22)
S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0) S( -84,    0)

EVAL_TERM(QUEEN_PST, 64)
S(  48,   15) S(  48,   26) S(  48,    1) S(-1369,   16) S(-1369,   16) S(  48,    1) S(  48,   26) S(  48,   15)
S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1)
S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1)
S(  48,    5) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    5)
S( -86,  -69) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S( -86,  -69)
S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1)
S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1)
S(  48,    1) S(  48,  -23) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,    1) S(  48,  -23) S(  48,    1)

EVAL_TERM(KING_PST, 64)
@64

EVAL_TERM(KNIGHT_MOBILITY, 9)
S(-645,  -35) S(1417,   63) S( 326,  -55) S(1219,  -62) S(-856,  121) S(-855,   39) S(-674,  -42) S(   0,    0)
S(   0,    0)

EVAL_TERM(BISHOP_MOBILITY, 14)
S(-647,    4) S(-468,  -25) S(  -5,   52) S(-308,   -8) S(1250,   79) S( 204, -105) S( 431,   -8) S( -50,  -19)
S(-410,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(ROOK_MOBILITY, 15)
S(   0,    0) S(-1167, -124) S(-1515,  -13) S(-180,  -71) S(1439,  -33) S(-332,   94) S( 712,   73) S( 456,   24)
S(-163,    4) S( 675,   32) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   1,   14)

EVAL_TERM(QUEEN_MOBILITY, 28)
S(   0,    0) S( 520,   24) S(-1272,   34) S(-365,   -7) S(-338,   -5) S(  16,   20) S( 540,   27) S(-191,    8)
S(1191,    2) S( -11,    7) S(-317,  -75) S(   0,    0) S(-1025,  -72) S( 747,    0) S(1301,    0) S(   0,    0)
S(   0,    0) S(   0,    0) S(   0,    0) S(-709,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)
S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(BISHOP_PAIR, 1)
S( 116,   -9)

EVAL_TERM(BISHOP_PAWNS, 9)
S(   0,    0) S(-160,  -63) S(-531,  183) S( 439, -107) S(1477, -108) S(-1229,   64) S(   0,    0) S(   0,    0)
S(   0,    0)

EVAL_TERM(OUTPOST, 2)
S(   0,    0) S(   0,    0)

EVAL_TERM(MINOR_BEHIND_PAWN, 1)
S(-304, -115)

EVAL_TERM(ROOK_OPEN_FILE, 1)
S( 232,   68)

EVAL_TERM(ROOK_HALF_OPEN_FILE, 1)
S( 267,   58)

EVAL_TERM(ISOLATED_PAWN, 6)
S(-715,   20) S( 456,   53) S( 301,   15) S( 479,   28) S(-174,  -16) S(   0,    0)

EVAL_TERM(DOUBLED_PAWN, 6)
S(-547,   18) S( 367,   15) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(BACKWARD_PAWN, 6)
S(-562,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(PHALANX_PAWN, 6)
S(-1050, -108) S(-1739,  113) S(-390,  -59) S(-296,   21) S(   0,    0) S(   0,    0)

EVAL_TERM(DEFENDED_PAWN, 6)
S(   0,    0) S(1900, -129) S(-1900,  -54) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(WEAK_PAWN_EXPOSED, 1)
S(  39,   87)

EVAL_TERM(PASSED_PAWN, 6)
S(-595,  -79) S(   0,    0) S(   0,    0) S(  51,   25) S(   0,    0) S(   0,    0)

EVAL_TERM(PASSED_BLOCKED, 6)
S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(PASSED_FREE_STEP, 6)
S(   8,  -12) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(PASSED_FREE_WAY, 6)
S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(PASSED_OWN_KING, 8)
S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(  51,   25) S(   0,    0) S(   0,    0)

EVAL_TERM(PASSED_ENEMY_KING, 8)
S(   0,    0) S(  51,   25) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(SHELTER, 28)
S( -86,   -1) S(   0,    0) S(   0,    0) S( 567,   39) S(   0,    0) S(   0,    0) S(   0,    0) S(-179, -103)
S( 350,    8) S( 332,  -21) S(-179,  -26) S(   0,    0) S(   0,    0) S(   0,    0) S( 399,  -69) S(-479,   89)
S(-371,   -6) S( 451,  -14) S(   0,    0) S(   0,    0) S(   0,    0) S(-794, -129) S(-1900,  194) S(1838,   -8)
S( -64,   32) S( 149,   14) S(   0,    0) S(   0,    0)

EVAL_TERM(STORM, 28)
S(   1,   11) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S( 479,   27) S( 188,   19)
S(   0,    0) S(   0,    0) S( -64,  -30) S(-286,  -41) S( 389,  -16) S(  97,  -75) S(-372,  -25) S(   0,    0)
S(   0,    0) S( 148,  -10) S(-523,    6) S( 299,  118) S( 448,  -89) S( 695,  112) S(   0,    0) S(   0,    0)
S(-149,  -14) S( -47,  -16) S(-1900,   39) S( 905,  -17)

EVAL_TERM(STORM_BLOCKED, 5)
S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(KING_ATTACKERS, 5)
S( 257,  -64) S( -36,   49) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(KING_DANGER, 15)
S(-769,  -52) S(  69,   61) S(-1099,  -57) S( -92,    0) S(-252,    0) S(1900,    0) S(   0,    0) S(   0,    0)
S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0)

EVAL_TERM(KING_WEAK_SQUARE, 1)
S( 346,    9)

EVAL_TERM(SAFE_CHECK, 4)
S(  28,   65) S(-150,  -51) S( 206,   82) S(-176,  -41)

EVAL_TERM(PAWN_THREAT, 5)
S(   0,    0) S(-903,  -64) S( 142,    0) S(   0,    0) S( 469,    0)

EVAL_TERM(MINOR_THREAT, 5)
S(-322,   15) S(1900,    0) S( 157,    2) S(-115,    2) S(  89,    0)

EVAL_TERM(ROOK_THREAT, 5)
S(1097,   52) S(  34,   -3) S( 391,    0) S(   0,    0) S(-502,   59)

EVAL_TERM(KING_THREAT, 1)
S(-175,    8)

EVAL_TERM(HANGING, 5)
S(-117,   71) S(-1080,  -66) S( 237,  -26) S( 645,  -57) S( -32,   59)

EVAL_TERM(PUSH_THREAT, 1)
S(-1569,   95)

EVAL_TERM(SPACE, 1)
S(-1084,  273)

EVAL_TERM(TEMPO, 1)
S(-289,   85)
', 2, '2026-11-27T12:56:12Z');
INSERT INTO runs VALUES
(1, '744532b8-a34c-8213-b552-2285ac52bac7', 'selfplay', 'zero', 1, NULL, '{"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"max_plies":12,"random_move":0,"random_until_ply":0,"search":10750270}', 'e9d120780ff4dafff3574d2df674d430220155e803631de14c062de7c8f15f7e', 1, NULL, '0.1.0', '', '2026-11-27T12:56:07Z', '2026-11-27T12:56:07Z'),
(2, '16e275e4-0dce-8822-9a6f-4953d3c452d6', 'selfplay', 'zero', 1, NULL, '{"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152,"random_plies":2,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"book":"book.epd","book_sha256":"84a4c9d4ae9417f76e96469ed639fb1f627224209cab4b2605bc160234fdfafa","book_start":1,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"max_plies":12,"random_move":0,"random_until_ply":0,"search":10750270}', 'f4262218e00addb6cfbad02f557c80b5f0bf18cbf3ecc9a9e93cd56e1be85269', 2, NULL, '0.1.0', '', '2026-11-27T12:56:07Z', '2026-11-27T12:56:07Z'),
(3, '633b6ef7-0ff2-8017-8c6b-0ebc3a0afe25', 'selfplay', 'zero', 1, NULL, '{"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"max_plies":12,"random_move":0.2,"random_until_ply":6,"vary_margin":30,"vary_until_ply":8,"pool_1":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","pool_2":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270}', '32c980531230ee344c0501a9795842d15d2f88ad8c4d3bf925dbdad3de34cd8f', 3, NULL, '0.1.0', '', '2026-11-27T12:56:08Z', '2026-11-27T12:56:08Z'),
(4, 'e58a8d89-9879-8140-acb0-91b606b08753', 'selfplay', 'zero', 1, NULL, '{"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152,"base":"chess960","random_plies":0,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"max_plies":12,"random_move":0,"random_until_ply":0,"search":10750270}', 'd10f6672d46969c2a7177114928fa59560e3c4e686e6d7b6274281b5e68ca008', 4, NULL, '0.1.0', '', '2026-11-27T12:56:08Z', '2026-11-27T12:56:08Z'),
(5, '41b1c803-5c90-8d08-ac1c-e5caf6a44c4e', 'selfplay', 'zero', 1, NULL, '{"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152,"base":"double chess960","random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":500,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"max_plies":12,"random_move":0,"random_until_ply":0,"search":10750270}', 'cb7b5f4406f55356340061a9a345bec793fa4be2f8bb8176ce4efe39de858932', 5, NULL, '0.1.0', '', '2026-11-27T12:56:08Z', '2026-11-27T12:56:08Z'),
(6, 'c0691638-30e3-88f6-8111-95c29aa36be4', 'selfplay', 'zero', 1, NULL, '{"depth":2,"nodes_soft":10,"nodes_hard":80,"hash_bytes":1048576,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":900,"win_plies":3,"win_one_sided":1,"draw_score":5,"draw_plies":4,"draw_from_ply":8,"draw_resets":1,"max_plies":12,"random_move":0,"random_until_ply":0,"search":10750270}', 'cce028e8be2ad3bce1f3e6d4fb1b53a007149adc8ff5f21097f8472b1049bd9e', 6, NULL, '0.1.0', '', '2026-11-27T12:56:08Z', '2026-11-27T12:56:09Z'),
(7, '8a394b0b-badf-8225-8d61-43e549ab2b46', 'selfplay', 'material', 2, NULL, '{"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":0,"draw_score":10,"draw_plies":0,"draw_from_ply":70,"max_plies":12,"random_move":0,"random_until_ply":0,"search":10750270}', '42eda06da5cb4690d7be3d1b6058b842f9ff0feb128697ed2e2d409e57df2d7a', 7, NULL, '0.1.0', '', '2026-11-27T12:56:09Z', '2026-11-27T12:56:09Z'),
(8, '14ba9252-b06f-83f0-824e-431c3cb72403', 'import', 'games.pgn', NULL, NULL, '{"format":"pgn","sha256":"68f15cbd3a5c89da23e0eeaa6c707e43454bed2637522d9181091dbf0339a6b1"}', 'c5f73066a64887b76582fe4ec6bfb7a25525f0cab041dadb13ab35e66051127c', 0, NULL, '0.1.0', '', '2026-11-27T12:56:09Z', '2026-11-27T12:56:09Z');
INSERT INTO players VALUES
(1, 0, 'zero', 1, '{}'),
(2, 0, 'zero', 1, '{}'),
(3, 0, 'zero', 1, '{}'),
(3, 2, 'material', 2, '{}'),
(4, 0, 'zero', 1, '{}'),
(5, 0, 'zero', 1, '{}'),
(6, 0, 'zero', 1, '{}'),
(7, 0, 'material', 2, '{}'),
(8, 0, 'one', NULL, '{}'),
(8, 1, 'two', NULL, '{}');
INSERT INTO games VALUES
(1, 1, 0, 0, 'rnbqkbnr/2pppppp/1p6/p7/3P1PP1/2B5/PPP1P2P/RN1QKBNR b KQkq - 1 5', 1, 6, 0, 0, 281, 12, x'20060000c4020000180400000944000038440000014400006908000050480000b20a00008b0000006a48000042000000', NULL, 0),
(2, 1, 1, 1, 'rnbqkbnr/pp1pppp1/2p5/7p/6P1/2N1P3/PPPP1P1P/R1BQKBNR b KQq - 0 5', 1, 6, 0, 0, 355, 12, x'a747000083470000ff430000de4c0000fc4c0000c7430000f30a0000c4000000ab08000003010000fb420000c4420000', NULL, 0),
(3, 2, 0, 1, '1rbqkbnr/pppp1ppp/2n5/4p3/1P2P2P/5N2/P1PP1PP1/RNBQKB1R b KQk - 0 2', 1, 6, 0, 0, 411, 12, x'6a4600001549000019420000e44c0000fc4c000000420000fb470000c7470000b30a0000084c0000aa080000df4d0000', NULL, 0),
(4, 2, 1, 2, '8/8/4k3/6R1/8/8/2K5/8 w - - 2 2', 1, 6, 0, 0, 162, 12, x'4a000000ec0a000001000000ab0a0000400000006a0a000001000000290a000040000000680a000001000000290a0000', NULL, 0),
(5, 3, 0, 0, 'rnb1kbnr/p1pp1ppp/1p2p3/8/P1P2q2/N7/RP1PPPPP/2BQKBNR b Kkq - 0 5', 0, 1, 0, 0, 320, 5, x'f719ff7f49040000dd4300004d0500008f050183', NULL, 12),
(6, 3, 1, 1, 'rnbqkbnr/ppp1pp1p/6p1/3p4/3P2P1/7N/PPP1PP1P/RNBQKB1R b kq - 1 5', 1, 6, 2, 0, 764, 12, x'fc0c0000c4020000330f00004d050000ae09000097496400fc0c0000664dc800b30a0000f54e4c046a08000081041405', NULL, 93),
(7, 4, 0, 0, 'bqrknrnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKNRNB w FCfc - 0 1', 1, 6, 0, 0, 286, 12, x'08040000300a00004904000028080000804d0000bc4d00008a0400003b0f0000c14d0000fc0e0000b74f0000bd4f0000', NULL, 0),
(8, 4, 1, 1, 'bbrqknrn/pppppppp/8/8/8/8/PPPPPPPP/BBRQKNRN w GCgc - 0 1', 1, 6, 0, 0, 249, 12, x'08040000300a00004904000028080000804d0000be4d00008a040000b6430000c14d0000fd4d0000864300007c0f0000', NULL, 0),
(9, 5, 0, 0, 'n1bnkbrq/1rpppp1p/pp4p1/4P3/2P2P2/6P1/PP1P3P/QRBBNKRN b GBg - 0 5', 1, 6, 0, 0, 289, 12, x'3f4900001d49000028080000050300002006000003460000690800005a4800007148000058480000ae090000e14c0000', NULL, 0),
(10, 5, 1, 1, 'qb1rb1k1/ppppppp1/3n2nr/7p/PP6/2PP4/2N1PPPP/1RBBKRNQ b FBd - 2 5', 1, 6, 0, 0, 332, 12, x'fe0d0000c24b0000f74b0000c4020000af0900008b00000066070000420200009d070000090000005e07000000020000', NULL, 0),
(11, 6, 0, 0, 'rnbqkb1r/1ppppp1p/B7/p4npQ/4P2P/8/PPPP1PP1/RNB1K1NR b KQkq - 0 5', 1, 6, 0, 0, 307, 12, x'314a00009f490000200600005c490000180400000944000028080000674d00007c4d0000c74d0000ff4d0000c4000000', NULL, 0),
(12, 6, 1, 1, 'rnbq1bnr/2pppkpp/pp6/5p2/8/P1N3PP/1PPPPPB1/R1BQK1NR b KQ - 1 5', 1, 8, 0, 0, 311, 12, x'350b00000e4e00002c09000044010000e4060000050100009b06000044010000da060000050100009b06000044010000', NULL, 0),
(13, 7, 0, 0, 'r1bqkbnr/p1pppp2/np4p1/7p/3P3Q/2P4N/PP2PPPP/RNB1KB1R b KQkq - 1 5', 1, 6, 0, 0, 355, 12, x'69080000c40000006106000052460000684600000301000099020cfec4000cfe0a400cfe03010cfe300a0cfec4000cfe', NULL, 0),
(14, 7, 1, 1, 'rnbqkbnr/pppp1ppp/8/8/P1P1p3/3P2P1/1P2PP1P/RNBQKBNR w KQkq - 0 5', 1, 6, 0, 0, 373, 12, x'134764003c0d64008209e803750b6400a6006400340b6400c40264002c096400cb046400e40a640093026400ab086400', NULL, 0),
(15, 8, 0, 0, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 2, 1, 0, 1, 0, 7, x'0c17ff7f3419ff7fc309ff7fb90aff7f8506ff7f7e0bff7f674dff7f', NULL, 0);
INSERT INTO fits VALUES
(1, 1, 1, 'c7fa090bcf6ea0b1b61b82006804f6b32ab0da70b4375ded53a772d4297a4abd', '{"source": "games.db; from ply 4, scores to 2000", "digest": "c7fa090bcf6ea0b1b61b82006804f6b32ab0da70b4375ded53a772d4297a4abd", "start": "zero", "start_hash": "1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759", "settings": {"terms": "material-pst", "lambda": 1, "loss": "mse", "optimiser": "newton", "k": 0, "army": 3900, "prior": 20, "prior_toward": "start", "validation": 0.1, "folds": 0, "duplicates": "keep", "draw_weight": 1, "decay": 1, "mirror": "free", "freeze": null, "iterations": 100, "patience": 8, "seed": 1}}', '2026-11-27T12:56:09Z'),
(2, 3, 2, '70555ced60f8be821d8d2f83dc933aa7d21572a43b7e2381a4007bccab7838e1', '{"source": "games.db; from ply 1, scores to 900, with noisy moves", "digest": "70555ced60f8be821d8d2f83dc933aa7d21572a43b7e2381a4007bccab7838e1", "start": "material", "start_hash": "420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7", "settings": {"terms": "classical", "lambda": 0.5, "loss": "cross-entropy", "optimiser": "newton", "k": 0, "army": 3900, "prior": 5, "prior_toward": "zero", "validation": 0.1, "folds": 2, "duplicates": "mean", "draw_weight": 0.5, "decay": 1, "mirror": "tied", "freeze": "KING_PST", "iterations": 100, "patience": 8, "seed": 1}}', '2026-11-27T12:56:12Z');
