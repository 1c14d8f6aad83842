-- SPDX-License-Identifier: MIT
-- tabia learn: a generation with default settings.

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
', NULL, '2026-11-27T13:04:28Z'),
(2, 'f343f6d0ae2c22e33576a17113f2bdf8a0e66685d5f16034b5f3a7e2ae0047cf', 'gen-001', '/* Evaluation weights fitted by tabia tune 0.1.0.
 * source: self-play of generations 1 to 1, tabia learn --from zero --seed 3
 * dataset: 4 positions of 2 games, sha256 77c6088743f5d786e002133a5f68cee3a247abb1e0f10a9ce67ead3599193507
 * start: gen-000, sha256 1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759
 * settings: squared error, lambda 0.5, prior 1000, validation 0, seed 12918135221727111561, mirrored squares tied
 * k: 2.000000 (expected score = 1 / (1 + exp(-k * cp / 400)))
 * train: 4 positions of 2 games, mean squared error 0.062500 -> 0.054015, accuracy 1.0000
 * iterations: 2, best 2, converged */

/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S(  -1,  -12) S(   0,    0) S(   0,    0) S(   0,    0) S(   7,    4)

EVAL_TERM(PAWN_PST, 64)
@8
S(   1,    0) S(   0,    0) S(   0,   -1) S(   0,   -1) S(   0,   -1) S(   0,   -1) S(   0,    0) S(   1,    0)
S(   0,    0) S(   2,    0) S(   0,   -1) S(   1,    0) S(   1,    0) S(   0,   -1) S(   2,    0) S(   0,    0)
S(   0,    0) S(   0,    0) S(   0,    0) S(   1,    0) S(   1,    0) S(   0,    0) S(   0,    0) S(   0,    0)
S(   0,    0) S(   0,    0) S(   0,    0) S(   1,    0) S(   1,    0) S(   0,    0) S(   0,    0) S(   0,    0)
@8
@8
@8

EVAL_TERM(KNIGHT_PST, 64)
@64

EVAL_TERM(BISHOP_PST, 64)
@8
S(   0,    0) S(  -1,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(  -1,    0) S(   0,    0)
@8
@8
@8
@8
@8
@8

EVAL_TERM(ROOK_PST, 64)
@64

EVAL_TERM(QUEEN_PST, 64)
@8
S(   0,    0) S(   0,    0) S(   0,    0) S(   1,    0) S(   1,    0) S(   0,    0) S(   0,    0) S(   0,    0)
@8
@8
S(   1,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   0,    0) S(   1,    0)
@8
S(   0,    0) S(   0,    0) S(   1,    0) S(   0,    0) S(   0,    0) S(   1,    0) S(   0,    0) S(   0,    0)
@8

EVAL_TERM(KING_PST, 64)
@64
', 1, '2026-11-27T13:04:28Z');
INSERT INTO runs VALUES
(1, 'e91af0c4-6d0a-8009-b766-a84ad2361b87', 'selfplay', 'gen-000', 1, NULL, '{"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":500,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":0,"draw_from_ply":70,"max_plies":40,"random_move":0.6,"random_until_ply":400,"search":10750270}', '49bdd643019c02dbfdffcc80c0277644a67665e971620b4133e04fb17d2cbd77', 9058503432725982842, 1, '0.1.0', '', '2026-11-27T13:04:28Z', '2026-11-27T13:04:28Z');
INSERT INTO players VALUES
(1, 0, 'gen-000', 1, '{}');
INSERT INTO games VALUES
(1, 1, 0, 0, 'rn1qkb1r/p1p1pppp/p4n2/3p4/3PP3/2N4b/PPP2PPP/R1BQK1NR w KQkq - 0 5', 2, 1, 0, 0, 350, 31, x'd248ff7f2d470000630bff7f764b00004904ff7f5c4300004443000097430000c302ff7fb20aff7f4000ff7f4e05ff7f8a04ff7f2808ff7f4d450000f70bff7f0804ff7ffb460000d2460000fc0c00000b480000bd0dff7fa00cff7f330bff7f5507ff7fec080000724e0000ef09ff7f394c00007f0eff7ff00cff7f', NULL, 0),
(2, 1, 1, 1, 'r1bqkbnr/2p1pppp/2n5/pp1p4/8/1P2P1PN/P1PP1P1P/RNBQKB1R w KQkq - 1 5', 2, 1, 0, 0, 212, 15, x'9701ff7f7519ff7f45480000fc0c00008a16ff7f7a0cff7fda480000f30a0000c309ff7feb4800002106ff7f230700004d05ff7fdc04ff7f6749ff7c', NULL, 0),
(3, 1, 2, 2, 'rnbqkbr1/ppppppBp/6p1/7n/3P4/2P5/PPQ1PPPP/RN2KBNR b KQq - 3 5', 1, 6, 0, 0, 275, 40, x'a74dff7f8a4b0000b74b00004d17ff7fae090000cf05ff7fb218ff7f8e17ff7ff30aff7f9b48000066470000c102ff7fab480000c4000000fe0fff7f4916ff7fa206ff7f8302ff7fbb0cff7f0804ff7ff609ff7fde4900007a09ff7f8a000000f20eff7fd707ff7fa507ff7f8503ff7ffb0aff7f4b00ff7f1e4300008e0aff7fab4aff7f8202ff7f2a07ff7f4a02ff7f1c09ff7fe70bff7fff0dff7f06430000', NULL, 0),
(4, 1, 3, 3, 'rnbqkbnr/1p1p1ppp/4pB2/p1p5/2PP4/2N5/PP2PPPP/R2QKBNR b KQkq - 1 5', 1, 6, 0, 0, 434, 40, x'2006ff7f9b480000b90aff7f1246ff7f2c09ff7fed4eff7ffc4e0000c34c0000fa4cff7fc000ff7fbd480000c34cff7fbb0eff7f984800003808ff7f624c0000200aff7ff30aff7f6a06ff7f4d05ff7f7a4c00009a08ff7f194200002b4a00007519ff7f28420000710eff7f080cff7f394c0000c4000000300a00008300ff7f6808ff7f8202ff7fa14800008a04ff7fe208ff7f92020000a3060000cf05ff7f', NULL, 0),
(5, 1, 4, 4, '1nbqk1nr/rpppppbp/p7/5Pp1/P7/2N1P3/1PPP2PP/R1BQKBNR b KQk - 0 5', 1, 6, 0, 0, 530, 40, x'340bff7f0303ff7f6c4900000c4a00007b0bff7f684cff7fad4400001407ff7f254700007108ff7f3a0aff7f8b4400006848000058480000b644ff7fc400ff7f1209ff7f82490000644200000002ff7f490bff7fcf05ff7f3006ff7f0846ff7fed0eff7f8e17ff7fb20aff7f610aff7fbb4900000303ff7f3c0d00000c01ff7ff40a00001808ff7f2b0b0000a0490000ec0aff7fa64f0000bf4f00008a16ff7f', NULL, 0),
(6, 1, 5, 5, 'rnbqk1nr/p1pppp1p/1p5b/6p1/5P2/3BP3/PPPPN1PP/R1BQK1NR b KQkq - 1 5', 1, 6, 0, 0, 429, 40, x'f318ff7fd34dff7fe306ff7f0804ff7ffb0cff7fd4460000f346ff7f8e17ff7f5b42ff7f4403ff7f7a09ff7f9d49ff7f6f0fff7f0301ff7f0902ff7f4605ff7f2507ff7f0d05ff7ffe0bff7f14470000af470000cb16ff7f4802ff7f424200006908ff7fdc040000de430000d5430000ff4d00004401ff7ff7430000454d0000fc0cff7f350fff7f334f0000c7430000b20aff7f4f03ff7fbd0dff7f8c05ff7f', NULL, 0),
(7, 1, 6, 6, 'rn1qk1nr/pbpppp1p/6pb/1p6/1P1PNP2/8/P1P1P1PP/R1BQKBNR b KQkq - 2 5', 1, 6, 0, 0, 350, 40, x'6f4700009c05ff7fb90aff7f4403ff7f6a4600004247000019420000c304ff7fb1430000934bff7f340bff7f8d430000b74b00001607ff7ffb07ff7fdd0bff7ff318ff7fdc02ff7fb218ff7f6f0fff7fae09ff7f9b48ff7f5f03ff7f4e43ff7f3e0dff7f3d4d0000ff05ff7f8000ff7f9705ff7ff40aff7f9604ff7fcf05ff7f884000000d010000fc0eff7f2b0dff7f3b4d0000d707ff7ff80fff7f9f490000', NULL, 0),
(8, 1, 7, 7, 'rn1qkbnr/1pp1ppp1/3p4/p6p/5P2/2NPB2b/PPP1P1PP/R2QKBNR w KQkq - 2 5', 1, 6, 0, 0, 434, 40, x'ce450000fc0c00000816ff7f7519ff7f5200ff7fff0bff7fc4020000b30eff7f8b000000f90cff7f8503ff7f7a0e0000d406ff7fb90e00004e4c00007a4c00009b04ff7fef0fff7fd707ff7f310a00001248ff7fbb0eff7fc102ff7f284800004605ff7f600600000c05ff7f384600008a04ff7f1908000003460000600aff7f1509ff7f2b4900001807ff7f340bff7f5c06ff7f7d460000000cff7f294c0000', NULL, 0);
INSERT INTO fits VALUES
(1, 2, 1, '77c6088743f5d786e002133a5f68cee3a247abb1e0f10a9ce67ead3599193507', '{"parent": "1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759", "games": 8, "plies": 286, "weights": "f343f6d0ae2c22e33576a17113f2bdf8a0e66685d5f16034b5f3a7e2ae0047cf", "dataset_digest": "77c6088743f5d786e002133a5f68cee3a247abb1e0f10a9ce67ead3599193507", "window_games": 2, "positions": 4, "k": 2, "train_loss": 0.05401467520071232, "validation_loss": null, "iterations": 2, "held_out": 0, "shared": 0, "duplicate_games": 0, "seconds_selfplay": 0.224285064, "seconds_tune": 0.138346939, "seconds_gauntlet": 0, "cpu_selfplay": 0.036140126, "cpu_tune": 0.040858321, "cpu_gauntlet": 0}', '2026-11-27T13:04:28Z');
INSERT INTO generations VALUES
(0, 'proved', 1, '{"from":"1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759","seed":"3","games":8,"window":5,"depth":0,"nodes_soft":10,"nodes_hard":0,"hash_bytes":2097152,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":500,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"max_plies":40,"random_move":0.05,"random_until_ply":200,"random_decay":0.9,"nodes_growth":1.03,"nodes_max":2000,"mirror_until":12,"late_from":8,"late_lambda":0.2,"first_random_move":0.6,"first_random_until_ply":400,"min_ply":4,"max_ply":0,"max_score":2000,"keep_checks":0,"keep_noisy":0,"keep_unscored":0,"drop_drawn":1,"require_quiet":0,"lambda":0.5,"k":0,"army":3900,"validation":0.1,"max_iterations":100,"patience":0,"prior":1000,"gauntlet_depth":0,"gauntlet_nodes_soft":1000,"gauntlet_nodes_hard":0,"gauntlet_hash_bytes":2097152,"gauntlet_games":0,"final_games":0,"search":10750270}', '2026-11-27T13:04:28Z'),
(1, 'proved', 2, '{"parent": "1aec2f05f3da88e1be7f0a1585bd828d06d8c22ec1bc78b7842921560336d759", "games": 8, "plies": 286, "weights": "f343f6d0ae2c22e33576a17113f2bdf8a0e66685d5f16034b5f3a7e2ae0047cf", "dataset_digest": "77c6088743f5d786e002133a5f68cee3a247abb1e0f10a9ce67ead3599193507", "window_games": 2, "positions": 4, "k": 2, "train_loss": 0.05401467520071232, "validation_loss": null, "iterations": 2, "held_out": 0, "shared": 0, "duplicate_games": 0, "accepted": true, "wins": 0, "draws": 0, "losses": 0, "ptnml": [0, 0, 0, 0, 0], "seconds_selfplay": 0.224285064, "seconds_tune": 0.138346939, "seconds_gauntlet": 0.021191767, "cpu_selfplay": 0.036140126, "cpu_tune": 0.040858321, "cpu_gauntlet": 0.001511963}', '2026-11-27T13:04:28Z');
