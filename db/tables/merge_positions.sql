-- SPDX-License-Identifier: MIT
-- Merging, third step: the positions of temp.chosen, also for games that were here without positions.
INSERT INTO main.positions (game_id, ply, fen, score, move, flags)
    SELECT mg.game_id, p.ply, p.fen, p.score, p.move, p.flags
    FROM temp.chosen AS c
         CROSS JOIN source.games AS g ON g.game_id = c.game_id
         CROSS JOIN source.runs AS s ON s.run_id = g.run_id
         CROSS JOIN main.runs AS m ON m.uuid = s.uuid
         CROSS JOIN main.games AS mg ON mg.run_id = m.run_id AND mg.game_no = g.game_no
         CROSS JOIN source.positions AS p ON p.game_id = g.game_id
    WHERE true
    ON CONFLICT (game_id, ply) DO NOTHING;
