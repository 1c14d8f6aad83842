// SPDX-License-Identifier: MIT
// The games of a PGN file as chessops (npm) reads them: a line for each ply, FEN|score, White's view, "none" without.
//   node chessops_games.mjs FILE     in the folder of the node_modules that has it
import { readFileSync } from 'node:fs';
import { makeFen } from 'chessops/fen';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';

for (const game of parsePgn(readFileSync(process.argv[2], 'utf8'))) {
    const pos = startingPosition(game.headers).unwrap();
    for (const node of game.moves.mainline()) {
        const said = (node.comments?.[0] ?? '').match(/^([-+])(M?)([\d.]+)/);
        const size = said && (said[2] ? 32000 - said[3] : Math.round(100 * said[3]));
        const white = said && ((said[1] === '-') === (pos.turn === 'white') ? -size : size) + 0;
        const fen = makeFen(pos.toSetup());
        console.log(`${fen}|${said ? white : 'none'}`);
        const move = parseSan(pos, node.san);
        if (!move) throw new Error(`${node.san} is not legal in ${fen}`);
        pos.play(move);
    }
}
