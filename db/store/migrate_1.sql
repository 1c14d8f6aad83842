-- SPDX-License-Identifier: MIT
-- From version 1 to 2: any number of players in a run, clock times and depths of games. A test compares
-- the result with schema.sql.

CREATE TABLE players (
    -- The players of a run; games.white and games.black refer to player_no. Self-play has one player.
    run_id     INTEGER NOT NULL REFERENCES runs (run_id),
    player_no  INTEGER NOT NULL CHECK (player_no >= 0),
    name       TEXT NOT NULL,                           -- for display; not part of a run's identity
    weights_id INTEGER REFERENCES weights (weights_id), -- NULL: an external engine
    config     TEXT NOT NULL CHECK (json_valid(config)), -- program, its hash, options, limits: as in runs.config
    PRIMARY KEY (run_id, player_no)
) STRICT, WITHOUT ROWID;

INSERT INTO players (run_id, player_no, name, weights_id, config)
    SELECT run_id, 0, CASE WHEN instr(label, ' vs ') > 0 THEN substr(label, 1, instr(label, ' vs ') - 1) ELSE label END,
           weights_a_id, '{}' FROM runs;
INSERT INTO players (run_id, player_no, name, weights_id, config)
    SELECT run_id, 1, CASE WHEN instr(label, ' vs ') > 0 THEN substr(label, instr(label, ' vs ') + 4) ELSE label END,
           weights_b_id, '{}' FROM runs WHERE kind = 'gauntlet';

ALTER TABLE games ADD COLUMN clock BLOB CHECK (length(clock) = 9 * ply_count);
    -- 9 bytes a ply, little-endian: time (32 bits, ms), nodes (32 bits), depth (8 bits)
ALTER TABLE games ADD COLUMN varied INTEGER NOT NULL DEFAULT 0;
    -- bit p: the move of ply p (up to 62) is not the best of its search

DROP VIEW results;
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
