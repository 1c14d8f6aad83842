-- SPDX-License-Identifier: MIT
-- Merging, second step, batch by batch: the games of temp.chosen.
INSERT INTO main.games (run_id, game_no, opening_no, start_fen, result, reason, white, black, nodes, ply_count, moves,
                        clock, varied)
    SELECT m.run_id, g.game_no, g.opening_no, g.start_fen, g.result, g.reason, g.white, g.black, g.nodes, g.ply_count,
           g.moves, g.clock, g.varied
    FROM temp.chosen AS c
         CROSS JOIN source.games AS g ON g.game_id = c.game_id
         CROSS JOIN source.runs AS s ON s.run_id = g.run_id
         CROSS JOIN main.runs AS m ON m.uuid = s.uuid
    WHERE true ORDER BY c.game_id
    ON CONFLICT (run_id, game_no) DO NOTHING;
