-- SPDX-License-Identifier: MIT
-- From version 2 to 3: a view that says what is where, and how to fill an empty table of positions. A test compares the
-- result with schema.sql.

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
    UNION ALL SELECT 'weights', 'sets of weights, as the text of their header'
    UNION ALL SELECT 'fits', 'fits of weights: tabia tune'
    UNION ALL SELECT 'gauntlets', 'matches: tabia gauntlet, tabia learn'
    UNION ALL SELECT 'generations', 'generations: tabia learn'
    UNION ALL SELECT 'reasons', 'why games end, for games.reason';
