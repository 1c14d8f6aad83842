-- SPDX-License-Identifier: MIT
-- Queries for a database of games: in the sqlite3 shell, Python's sqlite3, or `tabia db sql FILE`.
--
--     sqlite3 -readonly games.db < docs/queries.sql
--     tabia db sql games.db --format table < docs/queries.sql
--
-- DuckDB reads the file with its `sqlite` extension (INSTALL sqlite; ATTACH 'games.db' (TYPE sqlite)), which it downloads
-- from its own server. Without it, use CSV, which works for compact databases too:
--
--     tabia db sql games.db --format csv "SELECT game_id, ply, score, flags, result
--                                         FROM games JOIN tabia_positions USING (game_id)" > positions.csv
--     duckdb -c "SELECT ply, avg(score), count(*) FROM 'positions.csv'
--                WHERE result = 0 AND abs(score) < 30000 GROUP BY ply ORDER BY ply"
--
-- `.schema` explains every table and column. Scores are centipawns, White's view; results are White's half points. The
-- table `positions` is empty in compact databases: use tabia_positions (queries_extension.sql) or `tabia db materialize`.

-- Average score by ply of the games that White lost.
SELECT ply, round(avg(score), 1) AS score, count(*) AS games
FROM scored_positions WHERE result = '0-1' GROUP BY ply ORDER BY ply LIMIT 20;

-- Results by the reason of the end.
SELECT reason, result, count(*) AS games FROM results GROUP BY reason, result ORDER BY games DESC;

-- White's points by score, in bins of 100 centipawns, plies 16 to 60: how well the score predicts the result.
SELECT round(score / 100.0) * 100 AS around, round(avg(white_points), 3) AS points, count(*) AS positions
FROM scored_positions WHERE ply BETWEEN 16 AND 60 GROUP BY around HAVING abs(around) <= 800 ORDER BY around;

-- First moves and White's points.
SELECT p.move, count(*) AS games, round(avg(g.result) / 2, 3) AS white_points
FROM positions AS p JOIN games AS g USING (game_id) WHERE p.ply = 0 GROUP BY p.move ORDER BY games DESC LIMIT 10;

-- Openings played more than once.
SELECT start_fen, count(*) AS games FROM games GROUP BY start_fen HAVING games > 1 ORDER BY games DESC LIMIT 10;

-- Nodes per ply and node limit of each run.
SELECT run_id, rr.label, config ->> '$.nodes_soft' AS nodes_soft, plies, nodes / max(plies, 1) AS nodes_a_ply
FROM run_results AS rr JOIN runs USING (run_id);

-- Generations of tabia learn: losses of the fit, and the match against the best weights before.
SELECT generation, games, positions, round(train_loss, 5) AS training, round(validation_loss, 5) AS held_out,
       wins, draws, losses, accepted
FROM learning ORDER BY generation DESC LIMIT 20;
