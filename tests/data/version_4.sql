-- SPDX-License-Identifier: MIT
-- A database of schema version 4 with rows: the start of the upgrade test.

PRAGMA application_id = 0x54414249; -- "TABI"
PRAGMA user_version = 4;

CREATE TABLE weights (
    -- Evaluation weights: of players and of fits.
    weights_id INTEGER PRIMARY KEY,                              -- valid in this file only
    sha256     TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64), -- of the canonical text, without comments
    label      TEXT NOT NULL,                                    -- for display: 'zero', 'builtin', 'generation 3'
    header     TEXT NOT NULL,                                    -- the whole eval_weights.h with its provenance comment;
                                                                 -- '' where there is a difference
    parent_id  INTEGER REFERENCES weights (weights_id),          -- weights whose games were used for the fit; or NULL
    created    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')), -- when first stored
    base_id    INTEGER REFERENCES weights (weights_id),          -- similar weights, whose header is whole; or NULL
    difference BLOB CHECK ((difference IS NULL) = (base_id IS NULL)) -- of the header to that of base_id: the header is
                                                                 -- weights_text(header, that header, difference), a
                                                                 -- function of `tabia db sql` and the extension
) STRICT;

CREATE TABLE runs (
    -- A run is a list of games known in advance: game i is a function of (seed, i, config, weights).
    run_id       INTEGER PRIMARY KEY,         -- valid in this file only; uuid is valid everywhere
    uuid         TEXT NOT NULL UNIQUE,        -- from kind, seed, generation, weights and config: equal for equal runs
    kind         TEXT NOT NULL CHECK (kind IN ('selfplay', 'gauntlet', 'import')), -- origin of the games
    label        TEXT NOT NULL,               -- for display; not part of the identity
    weights_a_id INTEGER REFERENCES weights (weights_id), -- of player 0; NULL: an external engine
    weights_b_id INTEGER REFERENCES weights (weights_id), -- of player 1; NULL in self-play too; for more see players
    config       TEXT NOT NULL CHECK (json_valid(config)), -- effective configuration: config ->> '$.name'
    config_hash  TEXT NOT NULL,               -- SHA-256 of config
    seed         INTEGER NOT NULL,            -- of all random choices; 64 bits, stored as a signed number
    generation   INTEGER,                     -- of `tabia learn`; else NULL
    program      TEXT NOT NULL,               -- version that started it
    host         TEXT NOT NULL,               -- machine that started it; not part of the identity
    started      TEXT NOT NULL,               -- first start; after a merge that of the earliest part
    finished     TEXT                         -- NULL: running or interrupted
) STRICT;

CREATE TABLE players (
    -- The players of a run; games.white and games.black refer to player_no. Self-play has one player.
    run_id     INTEGER NOT NULL REFERENCES runs (run_id),
    player_no  INTEGER NOT NULL CHECK (player_no >= 0),
    name       TEXT NOT NULL,                           -- for display; not part of a run's identity
    weights_id INTEGER REFERENCES weights (weights_id), -- NULL: an external engine
    config     TEXT NOT NULL CHECK (json_valid(config)), -- program, its hash, options, limits: as in runs.config
    PRIMARY KEY (run_id, player_no)
) STRICT, WITHOUT ROWID;

CREATE TABLE reasons (
    -- Why games end.
    reason INTEGER PRIMARY KEY, -- as in games.reason; numbers are never reused
    name   TEXT NOT NULL UNIQUE -- in words
) STRICT;

INSERT INTO reasons VALUES
    (1, 'checkmate'), (2, 'stalemate'), (3, 'repetition'), (4, 'fifty moves'),
    (5, 'insufficient material'), (6, 'maximum length'), (7, 'win adjudicated'), (8, 'draw adjudicated'),
    (9, 'time'), (10, 'illegal move'), (11, 'crash'), (12, 'stall'), (13, 'tablebase');

CREATE TABLE games (
    -- Finished games. All positions and statistics are derived from them.
    game_id    INTEGER PRIMARY KEY,                   -- valid in this file only; (uuid of run, game_no) is valid everywhere
    run_id     INTEGER NOT NULL REFERENCES runs (run_id), -- the run it belongs to
    game_no    INTEGER NOT NULL CHECK (game_no >= 0), -- index within the run, from 0
    opening_no INTEGER NOT NULL,                      -- number of its opening in the run
    start_fen  TEXT NOT NULL,                         -- the position before ply 0; earlier moves are not stored
    result     INTEGER NOT NULL CHECK (result IN (0, 1, 2)), -- White's half points: 0 loss, 1 draw, 2 win
    reason     INTEGER NOT NULL REFERENCES reasons (reason), -- why it ended
    white      INTEGER NOT NULL, -- players.player_no of White
    black      INTEGER NOT NULL, -- players.player_no of Black
    nodes      INTEGER NOT NULL, -- nodes searched by both sides
    ply_count  INTEGER NOT NULL, -- moves of both sides
    moves      BLOB NOT NULL,    -- 4 bytes a ply, little-endian: move (16 bits: from, to << 6, kind << 12), score
                                 -- (signed 16 bits, centipawns, White's view; mate in n plies 32000 - n; 32767 none)
    clock      BLOB CHECK (length(clock) = 9 * ply_count), -- 9 bytes a ply, little-endian: time (32 bits, ms), nodes (32
                                 -- bits, saturating), depth (8 bits); NULL: not recorded
    varied     INTEGER NOT NULL DEFAULT 0, -- bit p: the move of ply p (up to 62) is not the best of its search, but
                                 -- within tabia selfplay --vary-margin of it
    UNIQUE (run_id, game_no),
    CHECK (length(moves) = 4 * ply_count)
) STRICT;

CREATE TABLE positions (
    -- One readable row for each position with a move; a game has all of its rows or none
    -- (`tabia db materialize` makes them). There is no index but the primary key: another one makes writing
    -- six times slower. For a long analysis add one, and scan without it by ORDER BY game_id, ply.
    game_id INTEGER NOT NULL REFERENCES games (game_id), -- has the result and the rest
    ply     INTEGER NOT NULL, -- 0 is the game's start_fen
    fen     TEXT NOT NULL,    -- the position before the move
    score   INTEGER,          -- of the search of this move: centipawns, White's view; mate in n plies
                              -- 32000 - n (flags & 4); NULL: no search
    move    TEXT NOT NULL,    -- the move played, UCI notation
    flags   INTEGER NOT NULL, -- 1 side to move is in check, 2 the move captures or promotes, 4 the score is a
                              -- mate, 8 the move gives check, 16 the move is not the best of its search
    PRIMARY KEY (game_id, ply)
) STRICT, WITHOUT ROWID;

CREATE TABLE fits (
    -- Fits of weights to positions.
    fit_id         INTEGER PRIMARY KEY,                              -- valid in this file only; in order of fitting
    weights_id     INTEGER NOT NULL REFERENCES weights (weights_id), -- the fitted weights
    start_id       INTEGER REFERENCES weights (weights_id),          -- the start weights; NULL: unnamed
    dataset_digest TEXT NOT NULL,                                    -- SHA-256 of the positions used
    json           TEXT NOT NULL CHECK (json_valid(json)),           -- settings and figures
    created        TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE gauntlets (
    -- Results of runs of kind 'gauntlet', from the view of player 0.
    run_id       INTEGER PRIMARY KEY REFERENCES runs (run_id),
    weights_a_id INTEGER REFERENCES weights (weights_id), -- player 0; NULL: an external engine
    weights_b_id INTEGER REFERENCES weights (weights_id), -- player 1
    state        TEXT NOT NULL CHECK (state IN ('running', 'finished', 'interrupted')),
    json         TEXT NOT NULL CHECK (json_valid(json)),  -- counts, Elo with its error, SPRT
    updated      TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE TABLE generations (
    -- Generations of `tabia learn`: the last finished stage of each.
    generation INTEGER PRIMARY KEY,                              -- from 0
    stage      TEXT NOT NULL,                                    -- the last finished stage
    best_id    INTEGER REFERENCES weights (weights_id),          -- the best weights so far
    json       TEXT NOT NULL CHECK (json_valid(json)),           -- figures of its stages
    updated    TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
) STRICT;

CREATE VIEW results AS
    -- Games in words.
    SELECT g.game_id, g.run_id, r.kind, r.label, r.generation, g.game_no, g.opening_no,
           CASE g.result WHEN 2 THEN '1-0' WHEN 1 THEN '1/2-1/2' ELSE '0-1' END AS result,
           g.result / 2.0 AS white_points, -- 0, 0.5 or 1
           e.name AS reason, g.white, g.black, w.name AS white_name, b.name AS black_name, g.ply_count, g.nodes,
           g.start_fen
    FROM games AS g JOIN runs AS r USING (run_id) JOIN reasons AS e USING (reason)
         LEFT JOIN players AS w ON w.run_id = g.run_id AND w.player_no = g.white
         LEFT JOIN players AS b ON b.run_id = g.run_id AND b.player_no = g.black;

CREATE VIEW pairings AS
    -- One row per run, player and opponent: a crosstable, from the player's view.
    SELECT run_id, player, opponent, count(*) AS games, sum(points = 2) AS wins, sum(points = 1) AS draws,
           sum(points = 0) AS losses, sum(points) / 2.0 AS points, sum(points = 0 AND reason BETWEEN 9 AND 12) AS forfeits
    FROM (SELECT run_id, white AS player, black AS opponent, result AS points, reason FROM games
          UNION ALL SELECT run_id, black, white, 2 - result, reason FROM games)
    GROUP BY run_id, player, opponent;

CREATE VIEW standings AS
    -- One row per run and player: its score against all others. For example:
    --   SELECT name, games, points FROM standings WHERE run_id = 1 ORDER BY points DESC;
    SELECT p.run_id, p.player_no, p.name, w.sha256 AS weights, p.config ->> '$.program_sha256' AS program,
           coalesce(sum(g.games), 0) AS games, coalesce(sum(g.wins), 0) AS wins, coalesce(sum(g.draws), 0) AS draws,
           coalesce(sum(g.losses), 0) AS losses, coalesce(sum(g.points), 0) AS points,
           coalesce(sum(g.forfeits), 0) AS forfeits -- games lost by timeout, crash, stall or illegal move
    FROM players AS p LEFT JOIN weights AS w USING (weights_id)
         LEFT JOIN pairings AS g ON g.run_id = p.run_id AND g.player = p.player_no
    GROUP BY p.run_id, p.player_no;

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

CREATE VIEW about AS
    -- What is where: SELECT * FROM about. It says what to do when positions is empty.
    SELECT 'positions' AS name, CASE (
        SELECT count(*) FROM games AS g
        WHERE ply_count > 0 AND NOT EXISTS (SELECT * FROM positions AS p WHERE p.game_id = g.game_id))
    WHEN 0 THEN 'a row for each position in which a move was played'
    ELSE 'rows are missing: games were stored without them; to write them: tabia db materialize FILE'
    END AS contents
    UNION ALL SELECT 'scored_positions', 'positions with a score and the outcome of the game'
    UNION ALL SELECT 'games', 'finished games, in numbers; the moves are binary'
    UNION ALL SELECT 'results', 'games in words'
    UNION ALL SELECT 'runs', 'lists of games: self-play, matches, imports; with their settings'
    UNION ALL SELECT 'run_results', 'games and results of each run'
    UNION ALL SELECT 'players', 'players of each run'
    UNION ALL SELECT 'standings', 'score of each player of a run'
    UNION ALL SELECT 'pairings', 'score of each player against each opponent'
    UNION ALL SELECT 'weights', 'sets of weights, as the text of their header; where it is empty: tabia db sql has it'
    UNION ALL SELECT 'fits', 'fits of weights: tabia tune'
    UNION ALL SELECT 'gauntlets', 'matches: tabia gauntlet, tabia learn'
    UNION ALL SELECT 'generations', 'generations: tabia learn'
    UNION ALL SELECT 'reasons', 'why games end, for games.reason';

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
INSERT INTO players (run_id, player_no, name, weights_id, config)
    VALUES (1, 0, 'generation 1', 1, '{}'), (2, 0, 'new', 2, '{}'), (2, 1, 'old', 1, '{}'), (3, 0, 'new', 2, '{}'),
           (3, 1, 'stockfish', NULL, '{}');
