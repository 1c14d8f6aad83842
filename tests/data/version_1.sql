-- SPDX-License-Identifier: MIT
-- A database of schema version 1 with rows: the start of the upgrade test.

--
-- Conventions. Scores and results are always White's. Scores are centipawns. A ply is one move of one
-- side; ply 0 is the first move of a stored game. Times are UTC, ISO 8601. Hashes are lower-case
-- hexadecimal SHA-256.

PRAGMA application_id = 0x54414249; -- "TABI"
PRAGMA user_version = 1;

CREATE TABLE weights (
    -- Evaluation weights: what played, and what was fitted.
    weights_id INTEGER PRIMARY KEY,
    sha256     TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64), -- of the numbers in canonical form, comments left out
    label      TEXT NOT NULL,                                    -- for people: 'zero', 'builtin', 'generation 3'
    header     TEXT NOT NULL,                                    -- the whole eval_weights.h, with its provenance comment
    parent_id  INTEGER REFERENCES weights (weights_id),          -- whose games these were fitted to; NULL: none
    created    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE runs (
    -- A run is a list of games known in advance: game i is a function of (seed, i, config, weights).
    run_id       INTEGER PRIMARY KEY,
    uuid         TEXT NOT NULL UNIQUE,        -- derived from kind, seed, generation, weights and config: equal runs have equal ones
    kind         TEXT NOT NULL CHECK (kind IN ('selfplay', 'gauntlet', 'import')),
    label        TEXT NOT NULL,               -- for people; not part of the identity
    weights_a_id INTEGER REFERENCES weights (weights_id), -- of player 0; NULL: an engine without our weights
    weights_b_id INTEGER REFERENCES weights (weights_id), -- of player 1; NULL also in self-play
    config       TEXT NOT NULL CHECK (json_valid(config)), -- effective configuration: config ->> '$.name'
    config_hash  TEXT NOT NULL,               -- SHA-256 of config
    seed         INTEGER NOT NULL,            -- 64 bits, shown as a signed number
    generation   INTEGER,                     -- of `tabia learn`; NULL outside
    program      TEXT NOT NULL,               -- version that started it
    host         TEXT NOT NULL,               -- machine that started it; not part of the identity
    started      TEXT NOT NULL,
    finished     TEXT                         -- NULL: running, or interrupted
) STRICT;

CREATE TABLE reasons (
    -- Why games end.
    reason INTEGER PRIMARY KEY,
    name   TEXT NOT NULL UNIQUE
) STRICT;

INSERT INTO reasons VALUES
    (1, 'checkmate'), (2, 'stalemate'), (3, 'repetition'), (4, 'fifty moves'),
    (5, 'insufficient material'), (6, 'maximum length'), (7, 'win adjudicated'), (8, 'draw adjudicated'),
    (9, 'time'), (10, 'illegal move'), (11, 'crash'), (12, 'stall'), (13, 'tablebase');

CREATE TABLE games (
    -- Finished games: the truth from which everything else can be made again.
    game_id    INTEGER PRIMARY KEY,
    run_id     INTEGER NOT NULL REFERENCES runs (run_id),
    game_no    INTEGER NOT NULL CHECK (game_no >= 0), -- index within the run, from 0
    opening_no INTEGER NOT NULL,                      -- which opening of the run it was played from
    start_fen  TEXT NOT NULL,                         -- the position before ply 0
    result     INTEGER NOT NULL CHECK (result IN (0, 1, 2)), -- White's half points: 0 lost, 1 draw, 2 won
    reason     INTEGER NOT NULL REFERENCES reasons (reason),
    white      INTEGER NOT NULL, -- who had White: 0 the run's weights a, 1 its weights b
    black      INTEGER NOT NULL, -- who had Black
    nodes      INTEGER NOT NULL, -- searched by both sides
    ply_count  INTEGER NOT NULL,
    moves      BLOB NOT NULL,    -- 4 bytes a ply, little-endian: move (16 bits: from, to << 6, kind << 12), score
                                 -- (signed 16 bits, centipawns, White's view; mate in n plies 32000 - n; 32767 none)
    UNIQUE (run_id, game_no),
    CHECK (length(moves) = 4 * ply_count)
) STRICT;

CREATE TABLE positions (
    -- The games again, one readable row for each position that was moved from; all rows of a game or none
    -- (`tabia db materialize` makes them). Clustered by game: no other index, which would make writing
    -- six times slower; add one for a long analysis, and ORDER BY game_id, ply to scan past it.
    game_id INTEGER NOT NULL REFERENCES games (game_id),
    ply     INTEGER NOT NULL, -- 0 is the game's start_fen
    fen     TEXT NOT NULL,    -- the position before the move
    score   INTEGER,          -- of the search that chose the move: centipawns, White's view; mate in n plies
                              -- 32000 - n (flags & 4); NULL when there was no search
    move    TEXT NOT NULL,    -- what was played, UCI notation
    flags   INTEGER NOT NULL, -- 1 side to move is in check, 2 the move captures or promotes, 4 the score is a
                              -- mate, 8 the move gives check
    PRIMARY KEY (game_id, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE fits (
    -- Tunings: weights fitted to positions.
    fit_id         INTEGER PRIMARY KEY,
    weights_id     INTEGER NOT NULL REFERENCES weights (weights_id), -- the product
    start_id       INTEGER REFERENCES weights (weights_id),          -- where it started; NULL: nowhere named
    dataset_digest TEXT NOT NULL,                                    -- SHA-256 of the positions it saw
    json           TEXT NOT NULL CHECK (json_valid(json)),           -- settings and figures
    created        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE gauntlets (
    -- Matches: the outcome of a run of kind 'gauntlet', player 0's view.
    run_id       INTEGER PRIMARY KEY REFERENCES runs (run_id),
    weights_a_id INTEGER REFERENCES weights (weights_id), -- player 0; NULL: an engine without our weights
    weights_b_id INTEGER REFERENCES weights (weights_id), -- player 1
    state        TEXT NOT NULL CHECK (state IN ('running', 'finished', 'interrupted')),
    json         TEXT NOT NULL CHECK (json_valid(json)),  -- counts, Elo with its error, SPRT
    updated      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE generations (
    -- The diary of `tabia learn`: each generation goes through stages, written when they are done.
    generation INTEGER PRIMARY KEY,
    stage      TEXT NOT NULL,                                    -- the last stage that is done
    best_id    INTEGER REFERENCES weights (weights_id),          -- the best weights so far
    json       TEXT NOT NULL CHECK (json_valid(json)),           -- the figures of its stages
    updated    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE VIEW results AS
    -- Games in words.
    SELECT g.game_id, g.run_id, r.kind, r.label, r.generation, g.game_no, g.opening_no,
           CASE g.result WHEN 2 THEN '1-0' WHEN 1 THEN '1/2-1/2' ELSE '0-1' END AS result,
           g.result / 2.0 AS white_points, -- 0, 0.5 or 1
           e.name AS reason, g.white, g.black, g.ply_count, g.nodes, g.start_fen
    FROM games AS g JOIN runs AS r USING (run_id) JOIN reasons AS e USING (reason);

CREATE VIEW run_results AS
    -- One row a run: how many games, how they ended for White and for player 0.
    SELECT r.run_id, r.kind, r.label, r.generation, count(g.game_id) AS games,
           coalesce(sum(g.result = 2), 0) AS white_wins, coalesce(sum(g.result = 1), 0) AS draws,
           coalesce(sum(g.result = 0), 0) AS black_wins,
           avg(CASE WHEN g.white = 0 THEN g.result ELSE 2 - g.result END) / 2 AS score_a, -- meaningless in self-play
           coalesce(sum(g.ply_count), 0) AS plies, coalesce(sum(g.nodes), 0) AS nodes, r.started, r.finished
    FROM runs AS r LEFT JOIN games AS g USING (run_id) GROUP BY r.run_id;

CREATE VIEW scored_positions AS
    -- Positions with the outcome of their game, without mates and unknown scores: averages make sense.
    -- For example the score, ply by ply, of the games that White lost:
    --   SELECT ply, avg(score), count(*) FROM scored_positions WHERE result = '0-1' GROUP BY ply;
    SELECT p.game_id, p.ply, p.fen, p.score, p.move, p.flags, g.run_id,
           CASE g.result WHEN 2 THEN '1-0' WHEN 1 THEN '1/2-1/2' ELSE '0-1' END AS result,
           g.result / 2.0 AS white_points, g.ply_count
    FROM positions AS p JOIN games AS g USING (game_id)
    WHERE p.score IS NOT NULL AND p.flags & 4 = 0;

INSERT INTO weights (weights_id, sha256, label, header) VALUES
    (1, '1111111111111111111111111111111111111111111111111111111111111111', 'old', 'rows'),
    (2, '2222222222222222222222222222222222222222222222222222222222222222', 'new', 'more rows');
INSERT INTO runs (run_id, uuid, kind, label, weights_a_id, weights_b_id, config, config_hash, seed, program, host, started)
    VALUES (1, 'u1', 'selfplay', 'generation 1', 1, NULL, '{}', '', 7, '0.1.0', '', '2026-01-01T00:00:00Z'),
           (2, 'u2', 'gauntlet', 'new vs old', 2, 1, '{}', '', 7, '0.1.0', '', '2026-01-01T00:00:00Z'),
           (3, 'u3', 'gauntlet', 'new vs stockfish', 2, NULL, '{}', '', 7, '0.1.0', '', '2026-01-01T00:00:00Z');
INSERT INTO games (run_id, game_no, opening_no, start_fen, result, reason, white, black, nodes, ply_count, moves)
    VALUES (1, 0, 0, 'a fen', 1, 3, 0, 0, 10, 2, x'0102030405060708'),
           (2, 0, 0, 'a fen', 2, 1, 0, 1, 10, 1, x'01020304'),
           (2, 1, 0, 'a fen', 2, 9, 1, 0, 10, 0, x''),
           (3, 0, 0, 'a fen', 0, 1, 0, 1, 10, 1, x'01020304');
