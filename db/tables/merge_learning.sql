-- SPDX-License-Identifier: MIT
-- Merging, last step: which runs are finished, gauntlets, fits and generations.

-- A run is finished with the latest of its parts. One that is unfinished here is finished if the other part is, and both
-- have the same games: another process may have added some to the other part meanwhile.
UPDATE main.runs AS m SET finished = max(coalesce(m.finished, s.finished), s.finished)
    FROM source.runs AS s
    WHERE s.uuid = m.uuid AND s.finished IS NOT NULL AND (m.finished IS NOT NULL OR NOT EXISTS (
        SELECT 1 FROM main.games AS g WHERE g.run_id = m.run_id AND NOT EXISTS (
            SELECT 1 FROM source.games AS t WHERE t.run_id = s.run_id AND t.game_no = g.game_no))
        AND NOT EXISTS (
        SELECT 1 FROM source.games AS t WHERE t.run_id = s.run_id AND NOT EXISTS (
            SELECT 1 FROM main.games AS g WHERE g.run_id = m.run_id AND g.game_no = t.game_no)));

INSERT INTO main.gauntlets (run_id, weights_a_id, weights_b_id, state, json, updated)
    SELECT m.run_id, m.weights_a_id, m.weights_b_id, t.state, t.json, t.updated
    FROM source.gauntlets AS t
         JOIN source.runs AS s ON s.run_id = t.run_id
         JOIN main.runs AS m ON m.uuid = s.uuid
    WHERE true
    ON CONFLICT (run_id) DO UPDATE SET -- the one with more games: a match that was continued elsewhere
        state = excluded.state, json = excluded.json, updated = excluded.updated
        WHERE (coalesce(excluded.json ->> 'games', 0), excluded.updated) > (coalesce(json ->> 'games', 0), updated);

INSERT INTO main.fits (weights_id, start_id, dataset_digest, json, created)
    SELECT mw.weights_id, ms.weights_id, f.dataset_digest, f.json, f.created
    FROM source.fits AS f
         JOIN source.weights AS sw ON sw.weights_id = f.weights_id
         JOIN main.weights AS mw ON mw.sha256 = sw.sha256
         LEFT JOIN source.weights AS ss ON ss.weights_id = f.start_id
         LEFT JOIN main.weights AS ms ON ms.sha256 = ss.sha256
    WHERE NOT EXISTS (SELECT 1 FROM main.fits AS h
                      WHERE h.weights_id = mw.weights_id AND h.start_id IS ms.weights_id
                        AND h.dataset_digest = f.dataset_digest AND h.json = f.json);

-- Generations are of one `tabia learn`, whose settings row 0 has: those of another are left out, and those of a copy that
-- went another way. Of each, the later stage counts: instr() gives their order.
INSERT INTO main.generations (generation, stage, best_id, json, updated)
    SELECT g.generation, g.stage, mw.weights_id, g.json, g.updated
    FROM source.generations AS g
         LEFT JOIN source.weights AS sw ON sw.weights_id = g.best_id
         LEFT JOIN main.weights AS mw ON mw.sha256 = sw.sha256
    WHERE NOT EXISTS (SELECT 1 FROM main.generations)
       OR EXISTS (SELECT 1 FROM source.generations AS theirs JOIN main.generations AS ours USING (generation)
                  WHERE generation = 0 AND theirs.json = ours.json)
      AND NOT EXISTS (SELECT 1 FROM source.generations AS theirs JOIN main.generations AS ours USING (generation)
                      WHERE theirs.json ->> 'weights' <> ours.json ->> 'weights')
    ON CONFLICT (generation) DO UPDATE SET
        stage = excluded.stage, best_id = excluded.best_id, json = excluded.json, updated = excluded.updated
        WHERE (instr('started played fitted proved', excluded.stage), excluded.updated) >
              (instr('started played fitted proved', stage), updated);
