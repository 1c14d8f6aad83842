-- SPDX-License-Identifier: MIT
-- Merging `source` into `main`, first step: weights, runs, players.

-- Weights, oldest first: those with a whole header, then those with a difference, which remains where its base has the
-- same header here; then their parents.
INSERT INTO main.weights (sha256, label, header, created)
    SELECT sha256, label, header, created FROM source.weights WHERE difference IS NULL ORDER BY weights_id
    ON CONFLICT (sha256) DO NOTHING;
INSERT INTO main.weights (sha256, label, header, created, base_id, difference)
    SELECT w.sha256, w.label, iif(m.weights_id, '', weights_text(w.header, b.header, w.difference)), w.created,
           m.weights_id, iif(m.weights_id, w.difference, NULL)
    FROM source.weights AS w JOIN source.weights AS b ON b.weights_id = w.base_id
         LEFT JOIN main.weights AS m ON m.sha256 = b.sha256 AND m.header = b.header
    WHERE w.difference IS NOT NULL ORDER BY w.weights_id
    ON CONFLICT (sha256) DO NOTHING;
UPDATE main.weights AS w SET parent_id =
    (SELECT mine.weights_id FROM source.weights AS theirs
         JOIN source.weights AS parent ON parent.weights_id = theirs.parent_id
         JOIN main.weights AS mine ON mine.sha256 = parent.sha256
     WHERE theirs.sha256 = w.sha256)
    WHERE w.parent_id IS NULL;

-- A run that both have started with its earliest part. It is finished in the last step; one that is finished here goes
-- on if the other part is unfinished and has games that are missing here.
INSERT INTO main.runs (uuid, kind, label, weights_a_id, weights_b_id, config, config_hash, seed, generation, program,
                       host, started)
    SELECT r.uuid, r.kind, r.label, ma.weights_id, mb.weights_id, r.config, r.config_hash, r.seed, r.generation,
           r.program, r.host, r.started
    FROM source.runs AS r
         LEFT JOIN source.weights AS sa ON sa.weights_id = r.weights_a_id
         LEFT JOIN main.weights AS ma ON ma.sha256 = sa.sha256
         LEFT JOIN source.weights AS sb ON sb.weights_id = r.weights_b_id
         LEFT JOIN main.weights AS mb ON mb.sha256 = sb.sha256
    WHERE true ORDER BY r.run_id
    ON CONFLICT (uuid) DO UPDATE SET started = min(started, excluded.started);
UPDATE main.runs AS m SET finished = NULL
    FROM source.runs AS s
    WHERE s.uuid = m.uuid AND s.finished IS NULL AND m.finished IS NOT NULL AND EXISTS (
        SELECT 1 FROM source.games AS t WHERE t.run_id = s.run_id AND NOT EXISTS (
            SELECT 1 FROM main.games AS g WHERE g.run_id = m.run_id AND g.game_no = t.game_no));

INSERT INTO main.players (run_id, player_no, name, weights_id, config)
    SELECT m.run_id, p.player_no, p.name, mw.weights_id, p.config
    FROM source.players AS p
         JOIN source.runs AS s USING (run_id)
         JOIN main.runs AS m USING (uuid)
         LEFT JOIN source.weights AS sw ON sw.weights_id = p.weights_id
         LEFT JOIN main.weights AS mw ON mw.sha256 = sw.sha256
    WHERE true
    ON CONFLICT (run_id, player_no) DO NOTHING;

CREATE TEMP TABLE IF NOT EXISTS chosen (game_id INTEGER PRIMARY KEY); -- a batch of source.games
