-- SPDX-License-Identifier: MIT
-- Queries with chess functions, for `tabia db sql FILE` and for any SQLite after
--
--     sqlite3 games.db            .load build/release/tabia_sqlite
--     Python                      connection.enable_load_extension(True)
--                                 connection.load_extension("build/release/tabia_sqlite")

-- Average score by ply of the games that White lost, from compact games.
SELECT ply, round(avg(score), 1) AS score, count(*) AS games
FROM games JOIN tabia_positions USING (game_id)
WHERE result = 0 AND abs(score) < 30000 GROUP BY ply ORDER BY ply LIMIT 20;

-- The moves of a game with scores.
SELECT ply, san(fen, move) AS move, score, eval(fen) AS static FROM tabia_positions WHERE game_id = 1 LIMIT 20;

-- Mean difference between the search's score and the evaluation, with the run's weights and with material alone.
SELECT run_id, round(avg(abs(score - eval(fen, weights_a_id)))) AS own,
       round(avg(abs(score - eval(fen, 'material')))) AS material
FROM runs JOIN games USING (run_id) JOIN tabia_positions USING (game_id)
WHERE game_id <= 200 AND flags & 7 = 0 AND weights_a_id IS NOT NULL GROUP BY run_id;

-- Depth, nodes and time of a move by game phase, of matches and self-play with clocks.
SELECT phase, count(*) AS moves, round(avg(depth), 1) AS depth, round(avg(p.nodes)) AS nodes,
       round(avg(time), 1) AS ms
FROM games JOIN tabia_positions AS p USING (game_id)
WHERE game_id <= 200 AND depth > 0 GROUP BY phase ORDER BY phase DESC;

-- White's points in games in which both sides have castled short, the queens on the board or not.
SELECT queens, count(*) AS games, round(avg(result) / 2, 3) AS white_points
FROM games JOIN (SELECT game_id, max(fen GLOB '*[Qq]*') AS queens FROM tabia_find('*rk?/*/*/*/*/*/*/*RK?') GROUP BY game_id)
     USING (game_id) GROUP BY queens;

-- The opening tree: the moves in the position that most games begin with.
SELECT san, games, white_wins, draws, black_wins, round(white_points, 3) AS white_points, elo, round(score) AS score
FROM tabia_tree((SELECT start_fen FROM games GROUP BY start_fen ORDER BY count(*) DESC, start_fen LIMIT 1)) LIMIT 10;

-- Positions that occurred in more than one game.
SELECT count(*) AS positions, sum(games > 1) AS in_several, max(games) AS most
FROM (SELECT count(DISTINCT game_id) AS games FROM tabia_positions GROUP BY position_key(fen));
