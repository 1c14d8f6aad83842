-- SPDX-License-Identifier: MIT
-- From version 1 to 2: any number of players in a run, clock times and depths of games.

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
