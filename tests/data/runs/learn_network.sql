-- SPDX-License-Identifier: MIT
-- tabia learn: before the first generation that trains a network.

INSERT INTO weights VALUES
(1, '420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7', 'material', '/* clang-format off */

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
', NULL, '2026-11-27T13:04:35Z'),
(2, '9bd511b1a128570d7b74176d2d1f2b0b258ae326773c7d40902de2f22167b12e', 'gen-001', '/* Evaluation weights fitted by tabia tune 0.1.0.
 * source: self-play of generations 1 to 1, tabia learn --from material --seed 3
 * dataset: 3 positions of 2 games, sha256 50dfad77f69c8785a51762b81b0e2a255a55cefe43ec7d70b6f3a13616291010
 * start: gen-000, sha256 420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7
 * settings: squared error, lambda 0.5, prior 1000, validation 0, seed 12918135221727111561, mirrored squares tied
 * k: 2.029968 (expected score = 1 / (1 + exp(-k * cp / 400)))
 * train: 3 positions of 2 games, mean squared error 0.027670 -> 0.021460, accuracy 1.0000
 * iterations: 3, best 3, converged */

/* clang-format off */

EVAL_TERM(MATERIAL, 5)
S( 113,   99) S( 296,  296) S( 296,  296) S( 493,  493) S( 887,  887)

EVAL_TERM(PAWN_PST, 64)
@64

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
@64

EVAL_TERM(KING_PST, 64)
@64
', 1, '2026-11-27T13:04:35Z');
INSERT INTO runs VALUES
(1, 'f891c33b-3266-8d49-aac8-124139554226', 'selfplay', 'gen-000', 1, NULL, '{"depth":0,"nodes_soft":10,"nodes_hard":80,"hash_bytes":2097152,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":500,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":0,"draw_from_ply":70,"max_plies":40,"random_move":0.6,"random_until_ply":400,"search":10750270}', '49bdd643019c02dbfdffcc80c0277644a67665e971620b4133e04fb17d2cbd77', 9058503432725982842, 1, '0.1.0', '', '2026-11-27T13:04:35Z', '2026-11-27T13:04:35Z');
INSERT INTO players VALUES
(1, 0, 'gen-000', 1, '{}');
INSERT INTO games VALUES
(1, 1, 0, 0, 'rn1qkb1r/p1p1pppp/p4n2/3p4/3PP3/2N4b/PPP2PPP/R1BQK1NR w KQkq - 0 5', 1, 6, 0, 0, 520, 40, x'd248ff7f2d47d4fe630bff7f764bd4fe4904ff7f974344fd4d0518fcce4118fc8209ff7f6d09ff7fcf05ff7ff90cff7f2605ff7f9c08ff7f9b487cfc730aff7f0816ff7ffb407cfcc4407cfce9087cfcc3027cfc6306ff7f8a16ff7ff70bff7f0b03ff7ffc0c7cfccc007cfc780eff7f83007cfc330bff7f0603ff7f390eff7f55077cfcd908ff7f4202ff7fbd0d50fbd406ff7f7f0eff7f0902ff7f630bff7f', NULL, 0),
(2, 1, 1, 1, 'r1bqkbnr/2p1pppp/2n5/pp1p4/8/1P2P1PN/P1PP1P1P/RNBQKB1R w KQkq - 1 5', 2, 1, 0, 0, 265, 15, x'9701ff7f7519ff7f45486400fc0c64008a16ff7f7a0cff7fda48c800f30a9001c309ff7feb48c8002106ff7f230764004d05ff7fdc04ff7f6749ff7c', NULL, 0),
(3, 1, 2, 2, 'rnbqkbr1/ppppppBp/6p1/7n/3P4/2P5/PPQ1PPPP/RN2KBNR b KQq - 3 5', 1, 6, 0, 0, 273, 40, x'a74dff7fc400d4fe300ad4fe0104ff7f2808d4fe0301ff7f7118ff7f0a06ff7f3a0aff7f504838ff684838ff4904ff7f2146b4fb1146b4fb360bff7fcf05ff7ff30aff7fc703ff7fbb0eff7f4d17ff7fec46ff7fd2467cfc3a0aff7fc4007cfc340bff7f8e05ff7fa80eff7f8300ff7fb20aff7f4202ff7ffc0c7cfc8000ff7fb30cff7f9607ff7f3a0fff7f4605ff7ffc0cff7fcf01ff7f2c09ff7f1d49e0fc', NULL, 0),
(4, 1, 3, 3, 'rnbqkbnr/1p1p1ppp/4pB2/p1p5/2PP4/2N5/PP2PPPP/R2QKBNR b KQkq - 1 5', 1, 6, 0, 0, 736, 40, x'2006ff7fed4ebc02b619ff7f4304ff7f5844ff7f8e17ff7ffc4ed4fe9b48d4fe3804ff7fc402ff7f100838ffa20aff7fbd08ff7f6a4c38ff1142ff7fb1fe00003b0dff7f4d05ff7f390aff7f0b01ff7fa2418403c400ff7f4603bc021242bc022042ff7f00428403740bff7f3a0fff7f68068403fc0ee803ad0b84033b08ff7f8d01ff7f2009ff7f194284030c17ff7f8608ff7fe44f84037e0b84035507ff7f', NULL, 0),
(5, 1, 4, 4, '1nbqk1nr/rpppppbp/p7/5Pp1/P7/2N1P3/1PPP2PP/R1BQKBNR b KQk - 0 5', 1, 6, 0, 0, 725, 40, x'340bff7f0303ff7f6c499cffc4009cfff606ff7f8c06ff7f9b449cff1407ff7f524238ff9a08ff7f3b0dff7f224c38ff094038ff704e38ff6507ff7f0204ff7ffe0bff7f104df4013c4df401054aff7f8004ff7f2803ff7f6f09ff7f390cff7f340fff7f8c06ff7fd206ff7f4605ff7f1b4c9cff5a04ff7fa607d4fed108ff7f5e4570fecb16ff7f9543e0fc07017cfcf719ff7f5c490cfefc0e0cfe230bff7f', NULL, 0),
(6, 1, 5, 5, 'rnbqk1nr/p1pppp1p/1p5b/6p1/5P2/3BP3/PPPPN1PP/R1BQK1NR b KQkq - 1 5', 1, 6, 0, 0, 819, 40, x'f318ff7fd34dff7fe306ff7f0804ff7ffb0cff7f9d4964007a0cff7fcf17ff7ff108ff7fb70bff7f7e0bff7f1407ff7f330bff7fc703ff7fec0aff7f4605ff7fdb04ff7f1c09ff7f3018ff7fe44a000093424c04df09ff7ff90cff7f664b00006908ff7fab4c9001caf09001c4409001b54b9001cb16ff7fee492c01b2bec8007c0dff7fcf01ff7f734b84033a4ef4012006ff7f380aff7fad0fff7f8c01ff7f', NULL, 0),
(7, 1, 6, 6, 'rn1qk1nr/pbpppp1p/6pb/1p6/1P1PNP2/8/P1P1P1PP/R1BQKBNR b KQkq - 2 5', 0, 1, 0, 0, 171, 9, x'3147d4fedb08ff7f3419ff7fcf05ff7f644770fe440370fefb0703838e05ff7f9f450183', NULL, 0),
(8, 1, 7, 7, 'rn1qkbnr/1pp1ppp1/3p4/p6p/5P2/2NPB2b/PPP1P1PP/R2QKBNR w KQkq - 2 5', 1, 6, 0, 0, 524, 40, x'ce452c01fc0c2c010816ff7f7519ff7f5200ff7fff0bff7fc4022c01b30eff7f8b002c01f90cff7f8503ff7f7a0e2c01d406ff7fb90e2c01c2022c017a0e2c010c05ff7f3309ff7fc349ff7fef4938ff8e0aff7f640dff7f6a08ff7fb90e0cfe1407ff7f25470cfe210aff7f314ae0fc0b01ff7fdc447cfcca447cfceb08ff7f9b4dff7fbd4db4fb4916ff7f380cff7f5d09ff7f3640c0f95908ff7f68485cf9', NULL, 0);
INSERT INTO fits VALUES
(1, 2, 1, '50dfad77f69c8785a51762b81b0e2a255a55cefe43ec7d70b6f3a13616291010', '{"parent": "420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7", "games": 8, "plies": 264, "weights": "9bd511b1a128570d7b74176d2d1f2b0b258ae326773c7d40902de2f22167b12e", "dataset_digest": "50dfad77f69c8785a51762b81b0e2a255a55cefe43ec7d70b6f3a13616291010", "window_games": 2, "positions": 3, "k": 2.0299681121790623, "train_loss": 0.021460047845624285, "validation_loss": null, "iterations": 3, "held_out": 0, "shared": 0, "duplicate_games": 0, "seconds_selfplay": 0.203967726, "seconds_tune": 0.116108599, "seconds_gauntlet": 0, "cpu_selfplay": 0.038413277, "cpu_tune": 0.04191944, "cpu_gauntlet": 0}', '2026-11-27T13:04:35Z');
INSERT INTO generations VALUES
(0, 'proved', 1, '{"from":"420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7","seed":"3","games":8,"window":5,"depth":0,"nodes_soft":10,"nodes_hard":0,"hash_bytes":2097152,"random_plies":8,"random_plies_extra":1,"verify_depth":10,"verify_nodes":500,"opening_max_score":600,"win_score":2000,"win_plies":5,"draw_score":10,"draw_plies":12,"draw_from_ply":70,"max_plies":40,"random_move":0.05,"random_until_ply":200,"random_decay":0.9,"nodes_growth":1.03,"nodes_max":2000,"mirror_until":12,"late_from":8,"late_lambda":0.2,"first_random_move":0.6,"first_random_until_ply":400,"min_ply":4,"max_ply":0,"max_score":2000,"keep_checks":0,"keep_noisy":0,"keep_unscored":0,"drop_drawn":1,"require_quiet":0,"lambda":0.5,"k":0,"army":3900,"validation":0.1,"max_iterations":100,"patience":0,"prior":1000,"network":16,"network_from":2,"network_window":2,"network_games":6,"network_nodes":12,"network_epochs":1,"network_lambda":0.2,"gauntlet_depth":0,"gauntlet_nodes_soft":1000,"gauntlet_nodes_hard":0,"gauntlet_hash_bytes":2097152,"gauntlet_games":0,"final_games":0,"search":10750270}', '2026-11-27T13:04:35Z'),
(1, 'proved', 2, '{"parent": "420b5fb0ef30896ec476149a099caaff5210f4a98ca5dcc257320381900363b7", "games": 8, "plies": 264, "weights": "9bd511b1a128570d7b74176d2d1f2b0b258ae326773c7d40902de2f22167b12e", "dataset_digest": "50dfad77f69c8785a51762b81b0e2a255a55cefe43ec7d70b6f3a13616291010", "window_games": 2, "positions": 3, "k": 2.0299681121790623, "train_loss": 0.021460047845624285, "validation_loss": null, "iterations": 3, "held_out": 0, "shared": 0, "duplicate_games": 0, "accepted": true, "wins": 0, "draws": 0, "losses": 0, "ptnml": [0, 0, 0, 0, 0], "seconds_selfplay": 0.203967726, "seconds_tune": 0.116108599, "seconds_gauntlet": 0.010117272, "cpu_selfplay": 0.038413277, "cpu_tune": 0.04191944, "cpu_gauntlet": 0.001432697}', '2026-11-27T13:04:35Z');
