-- SPDX-License-Identifier: MIT
-- Matches of all kinds.

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
', NULL, '2026-11-27T13:04:18Z'),
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
', NULL, '2026-11-27T13:04:18Z');
INSERT INTO runs VALUES
(1, '78f4238d-cb52-84f8-a409-8055866e8641', 'gauntlet', 'zero vs material', 1, 2, '{"players":[{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}],"seeds":1,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', 'd1f2f8e7d73f63821c0a949a72d0f00fd915d6fc821783a66385ee41f2c0c552', 1, NULL, '0.1.0', '', '2026-11-27T13:04:18Z', '2026-11-27T13:04:18Z'),
(2, '1c4d8d1f-e970-8edc-a2b7-3d9a26aa6c40', 'gauntlet', 'one vs two', 1, 2, '{"players":[{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","rfp_margin":100,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152},{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":2,"nodes_soft":0,"nodes_hard":0,"hash_bytes":8388608}],"seeds":1,"book":"book.epd","book_sha256":"2c53c5a124812bc98a1cb9874faf9d7a2cfc9e0cfc301ad0131d00279e4780db","book_start":0,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8}', '6578c01843d744b9f5acb78f9f1fb38a1191632cc2082588f358c88724cdcd26', 2, NULL, '0.1.0', '', '2026-11-27T13:04:18Z', '2026-11-27T13:04:18Z'),
(3, '9bce96d3-92be-8ccb-898d-95e590ed5408', 'gauntlet', 'Tabia 0.1.0 vs zero', NULL, 1, '{"players":[{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","arg_1":"-q","option_1":"Hash=2","depth":0,"nodes_soft":20,"nodes_hard":160,"hash_bytes":0},{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}],"seeds":1,"random_plies":3,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', '3dbeee6cd98a8dd60d5c20432f66e5bd23f867c1d99168a09fbe4a2f57707b63', 3, NULL, '0.1.0', '', '2026-11-27T13:04:18Z', '2026-11-27T13:04:18Z'),
(4, 'f4ef0ef5-33f3-8288-a343-8c21c9f18b5b', 'gauntlet', 'zero and 2 others', 1, 2, '{"players":[{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":1,"nodes_soft":0,"nodes_hard":0,"hash_bytes":8388608}],"seeds":2,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', 'a0bbaead806411c58734a7a7f560c2fe50a2a23e540ed10806f8283f34a8d29d', 4, NULL, '0.1.0', '', '2026-11-27T13:04:19Z', '2026-11-27T13:04:19Z'),
(5, '8ea68ca6-894a-8fbe-afaa-ba26ca755617', 'gauntlet', 'zero and 2 others', 1, 2, '{"players":[{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":1,"nodes_soft":0,"nodes_hard":0,"hash_bytes":8388608}],"seeds":2,"own_openings":1,"single_openings":1,"base":"chess960","random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', '625c0a1f665f41dd56c4b9a9cfa35c6a0df71b1c6e077b98354ab88e8d58e148', 5, NULL, '0.1.0', '', '2026-11-27T13:04:19Z', '2026-11-27T13:04:19Z'),
(6, 'cf0ae1a0-4bf9-8d3a-a62b-b3c3b0320f58', 'gauntlet', 'zero vs material', 1, 2, '{"players":[{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":0,"nodes_hard":0,"time_ms":2000,"increment_ms":10,"session_moves":4,"hash_bytes":8388608},{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":0,"nodes_soft":0,"nodes_hard":0,"time_ms":2000,"increment_ms":10,"session_moves":4,"hash_bytes":8388608}],"seeds":1,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', '4d485317a392382280c225ed70ce9fa548eecb6bb7d171283680e88530bac2a9', 6, NULL, '0.1.0', '', '2026-11-27T13:04:19Z', '2026-11-27T13:04:26Z'),
(7, '4b3b2410-1ffa-8c12-b602-755f8e19455d', 'gauntlet', 'zero vs fast', 1, 1, '{"players":[{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":0,"nodes_hard":0,"movetime_ms":20,"hash_bytes":8388608,"margin_ms":1000},{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","threads":2,"search":10750270,"depth":0,"nodes_soft":0,"nodes_hard":0,"time_ms":1000,"increment_ms":10,"hash_bytes":8388608}],"seeds":1,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', '33b074e662e4df7aca89c106079ac7772739a54d2a3c475e9d835f0c004040b4', 7, NULL, '0.1.0', '', '2026-11-27T13:04:26Z', '2026-11-27T13:04:26Z');
INSERT INTO players VALUES
(1, 0, 'zero', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(1, 1, 'material', 2, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(2, 0, 'one', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","rfp_margin":100,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152}'),
(2, 1, 'two', 2, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":2,"nodes_soft":0,"nodes_hard":0,"hash_bytes":8388608}'),
(3, 0, 'Tabia 0.1.0', NULL, '{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","arg_1":"-q","option_1":"Hash=2","depth":0,"nodes_soft":20,"nodes_hard":160,"hash_bytes":0,"id_name":"Tabia 0.1.0"}'),
(3, 1, 'zero', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(4, 0, 'zero', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(4, 1, 'm', 2, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(4, 2, 'deep', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":1,"nodes_soft":0,"nodes_hard":0,"hash_bytes":8388608}'),
(5, 0, 'zero', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(5, 1, 'm', 2, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(5, 2, 'deep', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":1,"nodes_soft":0,"nodes_hard":0,"hash_bytes":8388608}'),
(6, 0, 'zero', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":0,"nodes_hard":0,"time_ms":2000,"increment_ms":10,"session_moves":4,"hash_bytes":8388608}'),
(6, 1, 'material', 2, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","search":10750270,"depth":0,"nodes_soft":0,"nodes_hard":0,"time_ms":2000,"increment_ms":10,"session_moves":4,"hash_bytes":8388608}'),
(7, 0, 'zero', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","search":10750270,"depth":0,"nodes_soft":0,"nodes_hard":0,"movetime_ms":20,"hash_bytes":8388608,"margin_ms":1000}'),
(7, 1, 'fast', 1, '{"weights":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","threads":2,"search":10750270,"depth":0,"nodes_soft":0,"nodes_hard":0,"time_ms":1000,"increment_ms":10,"hash_bytes":8388608}');
INSERT INTO games VALUES
(1, 1, 0, 0, 'rnbqkbnr/2pppppp/1p6/p7/3P1PP1/2B5/PPP1P2P/RN1QKBNR b KQkq - 1 5', 1, 6, 0, 1, 196, 8, x'20060000c4020000690800008b000000b20a0000c2020000f30a00008b000000', x'000000001600000001000000001800000001000000001900000001000000001700000001000000001a00000001000000001800000001000000001c00000001000000001800000001', 0),
(2, 1, 1, 0, 'rnbqkbnr/2pppppp/1p6/p7/3P1PP1/2B5/PPP1P2P/RN1QKBNR b KQkq - 1 5', 1, 6, 1, 0, 186, 8, x'20060000c40200001804000009446400384400000144f4016908000050485802', x'000000001600000001000000001800000001000000001900000001000000001700000001000000001900000001000000001500000001000000001400000001000000001a00000001', 0),
(3, 2, 0, 0, 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1', 1, 6, 0, 1, 398, 8, x'154900002a4938ff040300003c0d38ff0c010000f40a38ff04030000ab0a38ff', x'000000001c00000001000000004700000002000000001b00000001000000004b00000002000000001400000001000000004300000002000000001b00000001000000005300000002', 0),
(4, 2, 1, 0, 'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1', 1, 6, 1, 0, 374, 8, x'040300003c0d00000c010000f40a000004030000ab0800000c01000062060000', x'000000004100000002000000002100000001000000003a00000002000000001800000001000000004200000002000000001e00000001000000004300000002000000001f00000001', 0),
(5, 3, 0, 0, 'rnb1kbnr/pppp1ppp/4pq2/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 1 3', 1, 6, 0, 1, 195, 8, x'cb162b00ed460000c346df033c0d00000c171404f40e0000180822043b0d0000', x'000000001400000001000000002700000001000000001400000001000000001c00000001000000001400000001000000001500000001000000001400000001000000001b00000001', 0),
(6, 3, 1, 0, 'rnb1kbnr/pppp1ppp/4pq2/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 1 3', 1, 6, 1, 0, 164, 8, x'490400002d4068fe8a04000040405efdcb04000030185cfdc4020000b20a24fd', x'000000001600000001000000001400000001000000001500000001000000001400000001000000001200000001000000001400000001000000001700000001000000001400000001', 0),
(7, 4, 0, 0, 'rnbqkb1r/1ppppp2/p5pn/7Q/4PB2/3P4/PPP2PPP/RN2KBNR w KQkq - 0 5', 1, 6, 0, 1, 222, 8, x'dd4b0000ee490cfe6f4f00007c4f0cfec4000000bd0d0cfe83000000760b0cfe', x'000000003200000001000000001600000001000000002100000001000000001300000001000000001800000001000000001500000001000000001900000001000000001c00000001', 0),
(8, 4, 1, 0, 'rnbqkb1r/1ppppp2/p5pn/7Q/4PB2/3P4/PPP2PPP/RN2KBNR w KQkq - 0 5', 1, 6, 1, 0, 246, 8, x'9d4c9cffee490000f24e9cfffc4e0000c4009cffbb0c000083009cff720a0000', x'000000005000000001000000001600000001000000002200000001000000001300000001000000001800000001000000001400000001000000001900000001000000001600000001', 0),
(9, 4, 2, 0, 'rnbqkb1r/1ppppp2/p5pn/7Q/4PB2/3P4/PPP2PPP/RN2KBNR w KQkq - 0 5', 1, 6, 0, 2, 221, 8, x'dd4b0000ee4900006f4f00007c4f0000c4000000bd0d000083000000760b0000', x'000000003200000001000000001500000001000000002100000001000000001300000001000000001800000001000000001500000001000000001900000001000000001c00000001', 0),
(10, 4, 3, 0, 'rnbqkb1r/1ppppp2/p5pn/7Q/4PB2/3P4/PPP2PPP/RN2KBNR w KQkq - 0 5', 1, 6, 2, 0, 221, 8, x'dd4b0000ee4900006f4f00007c4f0000c4000000bd0d000083000000760b0000', x'000000003200000001000000001500000001000000002100000001000000001300000001000000001800000001000000001500000001000000001900000001000000001c00000001', 0),
(11, 4, 4, 0, 'rnbqkb1r/1ppppp2/p5pn/7Q/4PB2/3P4/PPP2PPP/RN2KBNR w KQkq - 0 5', 1, 6, 1, 2, 246, 8, x'9d4c9cffee490000f24e9cfffc4e0000c4009cffbb0c000083009cff720a0000', x'000000005000000001000000001600000001000000002200000001000000001300000001000000001800000001000000001400000001000000001900000001000000001600000001', 0),
(12, 4, 5, 0, 'rnbqkb1r/1ppppp2/p5pn/7Q/4PB2/3P4/PPP2PPP/RN2KBNR w KQkq - 0 5', 1, 6, 2, 1, 222, 8, x'dd4b0000ee490cfe6f4f00007c4f0cfec4000000bd0d0cfe83000000760b0cfe', x'000000003200000001000000001600000001000000002100000001000000001300000001000000001800000001000000001500000001000000001900000001000000001c00000001', 0),
(13, 5, 0, 0, 'rnqk1bbr/p1p1pp1p/5np1/1p1p2P1/3PP3/8/PPP1BP1P/RNQKN1BR b HAha - 1 5', 1, 6, 0, 1, 252, 8, x'2d4700004c480000300a0000214a0000394a38ff03030000ba07d4fe4c010000', x'000000002300000001000000001a00000001000000002c00000001000000002000000001000000002a00000001000000001400000001000000002e00000001000000000700000001', 0),
(14, 5, 1, 1, 'r1krbqnb/pp1pppp1/2p5/n6p/P1P1B1P1/8/1P1PPPQP/RNKRB1N1 b DAda - 1 5', 1, 6, 1, 0, 253, 8, x'a74700008e479cffa04600009c4a0000b14a00009e4600007a0c000082020000', x'000000001b00000001000000002900000001040000001400000001000000002b00000001000000001900000001000000002500000001000000001100000001000000002b00000001', 0),
(15, 5, 2, 2, 'rnbqnbkr/1ppp2pp/8/1P2pp2/p4P2/6P1/P1PPP2P/RNBQNBKR w HAha - 0 5', 1, 6, 0, 2, 230, 8, x'1d4900007e0d000046030000350b00008d0100002c49000046030000e4060000', x'000000001700000001000000001d00000001000000001800000001000000002100000001000000001a00000001000000002200000001000000001a00000001000000002300000001', 0),
(16, 5, 3, 3, 'q1rbnk1r/pppppppb/8/7p/1nPP4/1N6/PP2PPPP/Q1RBNKBR w HChc - 3 5', 1, 6, 2, 0, 229, 8, x'08040000bd0f0000504600007e0f0000004c0000384c00000c050000f0460000', x'000000001700000001000000002400000001000000001800000001000000001a00000001000000001d00000001000000001b00000001000000001700000001000000002900000001', 0),
(17, 5, 4, 4, 'qbbrknnr/ppppp1p1/7p/5p2/2P3P1/P3P3/QP1P1P1P/1BBRKNNR b HDhd - 1 5', 1, 6, 1, 2, 195, 8, x'a547000004039cff7c0d00000c019cff350b000004039cff2c0900000c019cff', x'000000001500000001000000001900000001000000001400000001000000001b00000001000000001700000001000000001a00000001000000001500000001000000002000000001', 0),
(18, 5, 5, 5, 'rqkbbnn1/1ppppppr/p7/7p/6P1/2P2N2/PPQPPP1P/R1KBBN1R w HAa - 2 5', 1, 6, 2, 1, 257, 8, x'de490000f7490000420000002808000081000000200600000a4600003846d4fe', x'000000002000000001000000001600000001000000001d00000001000000002400000001000000001c00000001000000002400000001000000001d00000001000000002d00000001', 0),
(19, 6, 0, 0, 'rnbqkb1r/1ppppp1p/B7/p4npQ/4P2P/8/PPPP1PP1/RNB1K1NR b KQkq - 0 5', 1, 6, 0, 1, 1721453, 8, x'a50d2cff9f490000f649dbfcc7490000394adcfcc4000000f3187cfcdc480000', x'3f0100000b5201000c01020000741e0300120b010000647b01000e300100009af20100131b020000936303000d970100007fa8060016cd010000fa0906001166010000e44f020012', 0),
(20, 6, 1, 0, 'rnbqkb1r/1ppppp1p/B7/p4npQ/4P2P/8/PPPP1PP1/RNB1K1NR b KQkq - 0 5', 1, 6, 1, 0, 1752507, 8, x'314a00005c490900e647000046056300b20a0000950958027b0a0000664d5902', x'3801000024720200130201000053d001000e110200009041040015a50100000f6a04000f7f0100009cb002001243010000e01902000fa6010000297903001358030000008c050010', 0),
(21, 7, 0, 0, 'r1bqkbnr/p1pppp2/np4p1/7p/3P3Q/2P4N/PP2PPPP/RNB1KB1R b KQkq - 1 5', 1, 6, 0, 1, 148876, 8, x'690800001f4d00003e4d0000c400000061060000524600006846000003010000', x'20000000c54e00000d11000000001400000b2f000000a58d0000100f000000001800000c260000008d7500001012000000003400000d24000000956b0000100d000000002800000d', 0),
(22, 7, 1, 0, 'r1bqkbnr/p1pppp2/np4p1/7p/3P3Q/2P4N/PP2PPPP/RNB1KB1R b KQkq - 1 5', 1, 6, 1, 0, 189188, 8, x'690800001f4d00003e4d0000c400000061060000524600006846000003010000', x'09000000e10b00000a290000007c7600000f0e000000002400000d1c00000047a70000100a000000e72e00000e2200000013bc0000110c000000002800000d190000006682000010', 0);
INSERT INTO gauntlets VALUES
(1, 1, 2, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":-0.0002152017233,"sprt":"continue","sprt_elo0":0,"sprt_elo1":5,"sprt_alpha":0.05,"sprt_beta":0.05,"sprt_model":"normalized"}', '2026-11-27T13:04:18Z'),
(2, 1, 2, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:18Z'),
(3, NULL, 1, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:18Z'),
(4, 1, 2, 'finished', '{"games":4,"wins":0,"draws":4,"losses":0,"ptnml":[0,0,2,0,0],"score":0.5,"elo":0,"elo95":426.517108,"elo_low":-426.517108,"elo_high":426.517108,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:19Z'),
(5, 1, 2, 'finished', '{"games":4,"wins":0,"draws":4,"losses":0,"ptnml":[0,0,2,0,0],"score":0.5,"elo":0,"elo95":426.517108,"elo_low":-426.517108,"elo_high":426.517108,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:19Z'),
(6, 1, 2, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:26Z'),
(7, 1, 1, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:26Z');
