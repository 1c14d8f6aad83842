-- SPDX-License-Identifier: MIT
-- Tunings by matches.

INSERT INTO weights VALUES
(1, '6a03581bd95f33af7a3e0d50efb2aedf7e6eb288dc3de60d02fd93ee71eb8992', 'plus', '/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S( 100,  100) S( 281,  300) S( 281,  300) S( 468,  500) S( 842,  900)

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
', NULL, '2026-11-27T13:04:26Z'),
(2, '892a48422ccb0b1c3e810e6eafdd2ee53a646c291166fe08322ce9e95ab2f729', 'minus', '/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S( 100,  100) S( 319,  300) S( 319,  300) S( 532,  500) S( 958,  900)

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
', NULL, '2026-11-27T13:04:26Z'),
(3, '2c4d3c8cc77493688c5760e537cdde859c4b55839ec2db5a87450867b362ae3a', 'plus', '/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S( 100,  100) S( 282,  300) S( 282,  300) S( 470,  500) S( 846,  900)

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
', NULL, '2026-11-27T13:04:27Z'),
(4, 'cd969e3a20618bc3c307eb41722745bb72723cb8d6a7af2111c0dd2b2affd896', 'minus', '/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S( 100,  100) S( 318,  300) S( 318,  300) S( 530,  500) S( 954,  900)

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
', NULL, '2026-11-27T13:04:27Z'),
(5, '420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7', 'plus', '/* clang-format off */

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
', NULL, '2026-11-27T13:04:27Z');
INSERT INTO runs VALUES
(1, '8a0c9c62-3e57-8bc2-ac3f-8c3ef25dd99f', 'gauntlet', 'plus vs minus', 1, 2, '{"players":[{"weights":"6a03581bd95f33af7a3e0d50efb2aedf7e6eb288dc3de60d02fd93ee71eb8992","rfp_margin":140,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"892a48422ccb0b1c3e810e6eafdd2ee53a646c291166fe08322ce9e95ab2f729","rfp_margin":120,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}],"seeds":1,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', '8d7cb5c1129ba948fc7bb0354b4bc2dd83fd81b9def8d0797245c849f1edc5ac', -7995527694508729151, 1, '0.1.0', '', '2026-11-27T13:04:26Z', '2026-11-27T13:04:27Z'),
(2, '0e433542-65f2-8afa-9958-cf3d892a7015', 'gauntlet', 'plus vs minus', 3, 4, '{"players":[{"weights":"2c4d3c8cc77493688c5760e537cdde859c4b55839ec2db5a87450867b362ae3a","rfp_margin":121,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"cd969e3a20618bc3c307eb41722745bb72723cb8d6a7af2111c0dd2b2affd896","rfp_margin":139,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}],"seeds":1,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', '7f5e3246416ab89b4c70923693f3c99cda5ef6d7ad531ce6266c4b0c3fc8f76e', -4689498862643123097, 2, '0.1.0', '', '2026-11-27T13:04:27Z', '2026-11-27T13:04:27Z'),
(3, '4b248ddb-193d-853c-be24-6cf3ec3cbf2f', 'gauntlet', 'plus vs minus', 5, 5, '{"players":[{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","rfp_margin":120,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","rfp_margin":140,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}],"seeds":1,"book":"book.epd","book_sha256":"2c53c5a124812bc98a1cb9874faf9d7a2cfc9e0cfc301ad0131d00279e4780db","book_start":1,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8}', '10fc39933ad10e59ae5b311abfb40242255140afb46278966f1544b3a8ac5bfd', -7541218347953203506, 1, '0.1.0', '', '2026-11-27T13:04:27Z', '2026-11-27T13:04:27Z'),
(4, '473c1de4-16e6-8085-b29b-66f374f69ee5', 'gauntlet', 'plus vs minus', 5, 5, '{"players":[{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","rfp_margin":139,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608},{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","rfp_margin":121,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}],"seeds":1,"book":"book.epd","book_sha256":"2c53c5a124812bc98a1cb9874faf9d7a2cfc9e0cfc301ad0131d00279e4780db","book_start":2,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8}', '8d33f2bd72ceb9ac372a94cbb28cc0fafb58b94cbc2f78aa6f072d7442ae6387', -4627371582388691390, 2, '0.1.0', '', '2026-11-27T13:04:27Z', '2026-11-27T13:04:27Z'),
(5, '3127c072-37ac-8b2d-9226-b901205e2700', 'gauntlet', 'plus vs minus', NULL, NULL, '{"players":[{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","option_1":"UCI_LimitStrength=true","option_2":"UCI_Elo=1150","depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":0},{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","option_1":"UCI_LimitStrength=true","option_2":"UCI_Elo=1622","depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":0}],"seeds":1,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', '1538ac6a624620309110239ab876b97f9b7c2cdca8bee13cea80d6af655bfee7', 2092789425003139053, 1, '0.1.0', '', '2026-11-27T13:04:27Z', '2026-11-27T13:04:28Z'),
(6, 'a572b3a0-cae4-8e63-981f-9bb5ba62583d', 'gauntlet', 'plus vs minus', NULL, NULL, '{"players":[{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","option_1":"UCI_LimitStrength=true","option_2":"UCI_Elo=1600","depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":0},{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","option_1":"UCI_LimitStrength=true","option_2":"UCI_Elo=1150","depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":0}],"seeds":1,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":1000,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"draw_resets":1,"max_plies":8,"search":10750270}', '981bbce934170f221b7b609f7b017b4a049bfdc7fb8bf54ff930d46834055c1c', -5528608851982440055, 2, '0.1.0', '', '2026-11-27T13:04:28Z', '2026-11-27T13:04:28Z');
INSERT INTO players VALUES
(1, 0, 'plus', 1, '{"weights":"6a03581bd95f33af7a3e0d50efb2aedf7e6eb288dc3de60d02fd93ee71eb8992","rfp_margin":140,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(1, 1, 'minus', 2, '{"weights":"892a48422ccb0b1c3e810e6eafdd2ee53a646c291166fe08322ce9e95ab2f729","rfp_margin":120,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(2, 0, 'plus', 3, '{"weights":"2c4d3c8cc77493688c5760e537cdde859c4b55839ec2db5a87450867b362ae3a","rfp_margin":121,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(2, 1, 'minus', 4, '{"weights":"cd969e3a20618bc3c307eb41722745bb72723cb8d6a7af2111c0dd2b2affd896","rfp_margin":139,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(3, 0, 'plus', 5, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","rfp_margin":120,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(3, 1, 'minus', 5, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","rfp_margin":140,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(4, 0, 'plus', 5, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","rfp_margin":139,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(4, 1, 'minus', 5, '{"weights":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","rfp_margin":121,"search":10750270,"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":8388608}'),
(5, 0, 'plus', NULL, '{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","option_1":"UCI_LimitStrength=true","option_2":"UCI_Elo=1150","depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":0}'),
(5, 1, 'minus', NULL, '{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","option_1":"UCI_LimitStrength=true","option_2":"UCI_Elo=1622","depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":0}'),
(6, 0, 'plus', NULL, '{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","option_1":"UCI_LimitStrength=true","option_2":"UCI_Elo=1600","depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":0}'),
(6, 1, 'minus', NULL, '{"program":"./engine","program_sha256":"1b1a0eb94c8e4c4594988b9026e7a82f93b2b0da889f547138fc83f5d8a83e54","option_1":"UCI_LimitStrength=true","option_2":"UCI_Elo=1150","depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":0}');
INSERT INTO games VALUES
(1, 1, 0, 0, 'rn1qkbnr/pbpppp2/6p1/1P5p/8/1P3P2/P2PP1PP/RNBQKBNR w KQkq - 1 5', 1, 6, 0, 1, 220, 8, x'44036400e70764000d016400ae09640044036400300a6400214a6400394a6400', x'000000001400000001000000001f00000001000000001500000001000000002300000001000000001300000001000000002900000001000000001900000001000000001c00000001', 0),
(2, 1, 1, 0, 'rn1qkbnr/pbpppp2/6p1/1P5p/8/1P3P2/P2PP1PP/RNBQKBNR w KQkq - 1 5', 1, 6, 1, 0, 220, 8, x'44036400e70764000d016400ae09640044036400300a6400214a6400394a6400', x'000000001400000001000000001f00000001000000001500000001000000002300000001000000001300000001000000002900000001000000001900000001000000001c00000001', 0),
(3, 2, 0, 0, 'rnb1kbnr/p1pp1ppp/4p2q/1p6/1P1PP3/5P2/P1P3PP/RNBQKBNR w KQkq - 1 5', 1, 6, 0, 1, 234, 8, x'c24bd7017d4610028a04f302f64b48035246f702300a4803c402f7023c0d4803', x'000000002900000001000000002100000001000000001900000001000000002500000001000000001c00000001000000001800000001000000001d00000001000000001100000001', 0),
(4, 2, 1, 0, 'rnb1kbnr/p1pp1ppp/4p2q/1p6/1P1PP3/5P2/P1P3PP/RNBQKBNR w KQkq - 1 5', 1, 6, 1, 0, 290, 8, x'c24b10027d46d7018a044803f64bf70252464803300af702c40248033c0df702', x'000000002900000001000000002100000001000000002600000001000000005000000001000000001c00000001000000001800000001000000001d00000001000000001100000001', 0),
(5, 3, 0, 0, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 1, 6, 0, 1, 160, 8, x'08040000300a000049040000280800008a040000710a0000cb04000069080000', x'000000001400000001000000001400000001000000001300000001000000001300000001000000001300000001000000001600000001000000001200000001000000001700000001', 0),
(6, 3, 1, 0, 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', 1, 6, 1, 0, 160, 8, x'08040000300a000049040000280800008a040000710a0000cb04000069080000', x'000000001400000001000000001400000001000000001300000001000000001300000001000000001300000001000000001600000001000000001200000001000000001700000001', 0),
(7, 4, 0, 0, '8/5k2/8/8/8/8/2K5/6R1 w - - 0 1', 1, 6, 0, 1, 109, 8, x'4a00f401350bf4010100f401ec08f4014000f401a306f4010100f4015a04f401', x'000000001800000001000000000500000001000000001300000001000000000800000001000000001200000001000000000800000001000000001300000001000000000800000001', 0),
(8, 4, 1, 0, '8/5k2/8/8/8/8/2K5/6R1 w - - 0 1', 1, 6, 1, 0, 109, 8, x'4a00f401350bf4010100f401ec08f4014000f401a306f4010100f4015a04f401', x'000000001800000001000000000500000001000000001300000001000000000800000001000000001200000001000000000800000001000000001300000001000000000800000001', 0),
(9, 5, 0, 0, 'r1bqkbnr/pp1pp2p/n1p2pp1/8/4P3/5P2/PPPPN1PP/RNBQKB1R w KQkq - 0 5', 1, 6, 0, 1, 80, 8, x'8a041b00340b0e0008041a002c091000cb041c00aa081d008e052400710a2100', x'000000000a00000001030000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001', 0),
(10, 5, 1, 0, 'r1bqkbnr/pp1pp2p/n1p2pp1/8/4P3/5P2/PPPPN1PP/RNBQKB1R w KQkq - 0 5', 1, 6, 1, 0, 80, 8, x'8a041b00340b0e0008041a002c091000cb041c00aa081d008e052400710a2100', x'000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001', 0),
(11, 6, 0, 0, 'r2qkbnr/ppp2ppp/n5N1/3ppb2/8/N7/PPPPPPPP/R1BQKB1R w KQkq - 4 5', 1, 6, 0, 1, 80, 8, x'ee4f26012407170149041a013c0d47018a045401340f26017f4da8007c4da800', x'000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001', 0),
(12, 6, 1, 0, 'r2qkbnr/ppp2ppp/n5N1/3ppb2/8/N7/PPPPPPPP/R1BQKB1R w KQkq - 4 5', 1, 6, 1, 0, 80, 8, x'ee4f26012407170149041a013c0d47018a045401340f26017f4da8007c4da800', x'000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001000000000a00000001', 0);
INSERT INTO gauntlets VALUES
(1, 1, 2, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:26Z'),
(2, 3, 4, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:27Z'),
(3, 5, 5, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:27Z'),
(4, 5, 5, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:27Z'),
(5, NULL, NULL, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:28Z'),
(6, NULL, NULL, 'finished', '{"games":2,"wins":0,"draws":2,"losses":0,"ptnml":[0,0,1,0,0],"score":0.5,"elo":0,"elo95":759.0508365,"elo_low":-759.0508365,"elo_high":759.0508365,"nelo":null,"nelo95":null,"los":null,"llr":0,"sprt":"none"}', '2026-11-27T13:04:28Z');
