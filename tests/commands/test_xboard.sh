#!/bin/bash
# SPDX-License-Identifier: MIT
# tabia xboard: correct and faulty engines of the xboard protocol, as UCI engines and in a gauntlet; no process remains.
#   test_xboard.sh BUILD SOURCE
. "$(dirname "$0")/prelude.sh"
[ "$(uname)" = Linux ] || { echo "ps -s is of Linux" && exit 77; }
fake=$build/fake_xboard

# has FILE PART
has() {
    grep -qF -- "$2" "$1" || fail "no $2 in $(cat "$1")"
}

# await FILE COUNT PART: until COUNT lines have it, five seconds at most: some engines are to give no move.
await() {
    for ((tenths = 0; tenths < 50; tenths++)); do
        [ "$(cat "$1" 2>/dev/null | grep -cF -- "$3")" -ge "$2" ] && return
        sleep 0.1
    done
}

# talk FAULT COMMANDS…: a UCI session; the lines to the engine are in log. A claim is not waited for.
talk() {
    local fault=$1 goes=0
    shift
    rm -f "$tmp/log" "$tmp/out"
    (for command in uci "$@" quit; do
        echo "$command"
        sleep "${pause:-0.05}"
        [[ $command = go* && $fault != draw ]] && await "$tmp/out" $((++goes)) bestmove
    done) |
        timeout 20 "$build/tabia" xboard --log "$tmp/log" "$fake" $fault >"$tmp/out" 2>"$tmp/err" ||
        fail "$fault: exit code $?: $(cat "$tmp/err")"
    sed -n 's/^[^ ]* [^ ]* > //p' "$tmp/log" >"$tmp/said"
}

# said LINE…: these lines were sent, in this order.
said() {
    printf '%s\n' "$@" >"$tmp/want"
    tr '\n' '|' <"$tmp/said" | grep -qF "$(tr '\n' '|' <"$tmp/want")" || fail "not said: $* in $(cat "$tmp/said")"
}

talk '' isready 'setoption name Hash value 16' 'setoption name Threads value 2' 'setoption name Style value Solid' ucinewgame isready \
    'position startpos moves e2e4' 'go wtime 61500 btime 60000 winc 500 binc 500'
has "$tmp/out" "id name Fake, of 'x'"
has "$tmp/out" 'option name Hash type spin'
has "$tmp/out" 'option name Style type combo var Solid var Risky default Risky'
has "$tmp/out" 'option name Depth type spin default 3 min 1 max 9'
has "$tmp/out" 'info depth 3 score cp 17 time 10 nodes 42 pv a7a6'
has "$tmp/out" 'bestmove a7a6'
[ "$(grep -c readyok "$tmp/out")" = 2 ] || fail "not two readyok: $(cat "$tmp/out")"
said 'memory 16' 'cores 2' 'option Style=Solid' new force post easy
said e2e4 'level 0 1 0.5' 'time 6000' 'otim 6150' go
has "$tmp/said" 'accepted memory'
has "$tmp/said" 'rejected colour'

# After go infinite the move waits for stop.
(printf 'uci\nucinewgame\nposition startpos\ngo infinite\n'
    await "$tmp/endless" 1 'info depth 3'
    sleep 0.3
    cp "$tmp/endless" "$tmp/before"
    echo stop
    await "$tmp/endless" 1 bestmove
    echo quit) | timeout 20 "$build/tabia" xboard "$fake" >"$tmp/endless" 2>"$tmp/err" || fail "go infinite: exit code $?"
grep -q 'info depth 3' "$tmp/before" || fail 'go infinite: no search'
! grep -q '^bestmove' "$tmp/before" && [ "$(grep -c '^bestmove' "$tmp/endless")" = 1 ] || fail "go infinite: $(cat "$tmp/endless")"
[ -n "$("$tabia" --complete xboard --)" ] || fail 'no completion after xboard'

# A folder with the name of a program in PATH is not that program.
mkdir "$tmp/programs" "$tmp/here" "$tmp/here/fake_program"
ln -s "$fake" "$tmp/programs/fake_program"
(cd "$tmp/here" && echo quit | PATH=$PATH:$tmp/programs "$build/tabia" xboard fake_program >"$tmp/out" 2>"$tmp/err") ||
    fail "a folder of the program's name: $(cat "$tmp/err")"

# A game continues by moves alone; another position is set up; times a move that are no whole seconds.
talk '' ucinewgame 'position startpos' 'go depth 3' 'position startpos moves a2a3 e7e5' 'go depth 3' \
    'position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' 'go movetime 100'
said 'sd 3' 'time 3600000' 'otim 3600000' go 'time 3600000' 'otim 3600000' e7e5
said 'setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1' 'level 1 0:01 0' 'time 10' 'otim 10' go
[ "$(grep -c bestmove "$tmp/out")" = 3 ] || fail "not three moves: $(cat "$tmp/out")"

talk san ucinewgame 'position startpos moves g1f3' 'go movetime 2000'
said 'usermove Nf3' 'st 2' 'time 200' 'otim 200' go
has "$tmp/out" 'bestmove a7a6'

# Words of go that are unknown, or that the protocol lacks, take no limit away; the clock is that of the side to move.
talk '' ucinewgame 'position startpos' 'go searchmoves e2e4 d2d4 new 7 depth 5'
said 'level 0 600 0' 'sd 5'
has "$tmp/out" "info string go: ignored 'searchmoves'"
talk '' ucinewgame 'position startpos moves e2e4' 'go btime 2000 winc 5'
said 'level 0 0:02 0'

# Tabs are blanks; after a bad position there is no move.
talk '' ucinewgame $'\tposition\tstartpos\tmoves e2e4' 'position fen 8/8/8 w - - 0 1' 'position startpos moves e2e5' \
    $' go\tdepth 2'
has "$tmp/out" 'bestmove 0000'
has "$tmp/out" 'id author'
[ "$(grep -c 'info string error: ' "$tmp/out")" = 2 ] || fail "not two bad positions: $(cat "$tmp/out")"

# Options without case; what the engine does not have is reported.
talk '' 'setoption name  style  value solid ' 'setoption name Depth value abc' 'setoption name Nothing value 1'
said 'option Style=Solid' quit
[ "$(grep -c 'info string error: setoption: no such option or value: \(Depth\|Nothing\)' "$tmp/out")" = 2 ] ||
    fail "not two bad options: $(cat "$tmp/out")"

talk edit ucinewgame 'position fen 4k3/8/8/8/8/8/4P3/4K3 b - - 0 1' 'go depth 2'
said a2a3 edit '#' Ke1 Pe2 c Ke8 .
grep -q 'bestmove e8' "$tmp/out" || fail "edit: $(cat "$tmp/out")"

talk chess960 'setoption name UCI_Chess960 value true' ucinewgame \
    'position fen 1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1 moves e1g1' 'go depth 2'
said new 'variant fischerandom' force
said O-O 'level 0 600 0'
grep -q 'bestmove [a-h]' "$tmp/out" || fail "chess960: $(cat "$tmp/out")"

pause=0.7 talk v1 isready ucinewgame 'position startpos' 'go depth 2'
has "$tmp/out" 'id name '
has "$tmp/out" 'bestmove a2a3'

# Limits that the engine lacks.
talk no-sd ucinewgame 'position startpos' 'go nodes 500'
has "$tmp/out" 'bestmove a2a3'
said '?'

# Moves are sent before the first clock also without limits.
talk '' ucinewgame 'position startpos moves e2e4' 'go nodes 500'
said e2e4 'level 0 600 0' 'time 3600000' 'otim 3600000' go

# A claim is dropped when the next game starts first.
talk draw 'position startpos' 'go depth 2' 'position startpos moves a2a3 a7a6' 'go depth 2' ucinewgame isready isready isready \
    isready isready isready isready isready
grep -qF '(claims' "$tmp/out" && fail "an old claim: $(cat "$tmp/out")"

# Each isready is answered; commands before the end of the input are still run.
rm "$tmp/out"
(printf '%s\n' uci isready isready isready && await "$tmp/out" 3 readyok) | timeout 20 "$build/tabia" xboard "$fake" >"$tmp/out" 2>&1
[ "$(grep -c readyok "$tmp/out")" = 3 ] || fail "not three readyok: $(cat "$tmp/out")"
(yes isready | head -n 20000 && echo uci) | timeout 20 "$build/tabia" xboard "$fake" v1 >"$tmp/out" 2>&1 || fail "end of input: exit code $?"
[ "$(grep -c readyok "$tmp/out")" = 20000 ] || fail "not 20000 readyok but $(grep -c readyok "$tmp/out")"
has "$tmp/out" uciok

# ends_after_claim FAULT ERROR: the game after a claim is refused with that error.
ends_after_claim() {
    rm -f "$tmp/out" "$tmp/err"
    (printf '%s\n' uci ucinewgame 'position startpos' 'go depth 2' && await "$tmp/out" 1 bestmove
        printf '%s\n' 'position startpos moves a2a3 a7a6' 'go depth 2' && await "$tmp/out" 1 '(claims'
        printf '%s\n' ucinewgame 'position startpos' 'go depth 2' && await "$tmp/err" 1 "$2") |
        timeout 20 "$build/tabia" xboard "$fake" "$1" >"$tmp/out" 2>"$tmp/err"
    [ $? = 5 ] || fail "$1: a second game: exit code not 5: $(cat "$tmp/out" "$tmp/err")"
    has "$tmp/out" '(claims 1/2-1/2'
    has "$tmp/err" "$2"
    [ "$(grep -c bestmove "$tmp/out")" = 2 ] || fail "$1: a move in the second game: $(cat "$tmp/out")"
}

# The engine plays one game only, whether or not that was finished. Without ping, the moves of two games cannot be distinguished.
ends_after_claim once 'plays one game only'
ends_after_claim late-move 'no feature ping; a late move'

# Nor of a game that a new one cuts off while the engine thinks: that search ends without a move.
rm -f "$tmp/out" "$tmp/err"
(printf '%s\n' uci 'position startpos' 'go depth 2' && await "$tmp/out" 1 bestmove
    printf '%s\n' 'position startpos moves a2a3 a7a6' 'go depth 2' ucinewgame && await "$tmp/err" 1 'a late move') |
    timeout 20 "$build/tabia" xboard "$fake" late-move >"$tmp/out" 2>"$tmp/err"
[ $? = 5 ] || fail "a new game while the engine thinks: exit code not 5: $(cat "$tmp/out" "$tmp/err")"
has "$tmp/out" 'bestmove 0000'

# in_session ARGS…: tabia gauntlet in a session of its own, its number in a file; at most 60 s.
in_session() {
    setsid --wait sh -c 'echo $$ >"$0"; exec timeout 60 "$@"' "$tmp/session" \
        "$build/tabia" gauntlet --json --quiet --threads 2 "$@" >"$tmp/out" 2>"$tmp/err"
}

nobody_left() {
    local left
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        left=$(ps -s "$(cat "$tmp/session")" -o ppid=,stat=,pid=,args= | grep -v '^ *1 Z') || return
        sleep 0.1
    done
    fail "$1: left behind: $left"
}

# ends FAULT REASON: the reason of all four games against that engine; exit code 5 for forfeits.
ends() {
    rm -f "$tmp/x.pgn"
    in_session --engine weights=zero,nodes=20 --games 4 --max-plies 20 --pgn "$tmp/x.pgn" \
        --engine "cmd=$fake,args=$1,proto=xboard,stall=500ms,depth=2"
    local rc=$? expected=5
    [[ $2 = adjudication* ]] && expected=0
    [ $rc = $expected ] || fail "$1: exit code $rc: $(cat "$tmp/err")"
    [ "$(grep -c "^\[Termination \"\($2\)\"" "$tmp/x.pgn")" = 4 ] || fail "$1: $(grep Termination "$tmp/x.pgn")"
    nobody_left "$1"
}

for fault in '' san late-draw no-sd no-quit; do ends "$fault" 'adjudication\|normal'; done
has "$tmp/x.pgn" "\"Fake, of 'x'\""
ends resign adjudication
ends lost adjudication
grep -qF '"wins": 4,' "$tmp/out" || fail "lost: $(cat "$tmp/out")"
for fault in draw won illegal nonsense refuse late-move; do ends $fault 'rules infraction'; done
[ "$(grep -c '(claims 1/2-1/2 ' "$tmp/x.pgn")" = 4 ] || fail "late-move: a game ended by another one's move: $(cat "$tmp/x.pgn")"
for fault in crash hang; do ends $fault abandoned; done

# Whose scores they are is part of the player: another match begins, and each is resumed.
for pov in '' ,whitepov=on '' ,whitepov=on; do
    "$tabia" gauntlet --quiet --engine weights=zero,nodes=20 --engine "cmd=$fake,proto=xboard,depth=2$pov" --games 2 \
        --max-plies 8 --db "$tmp/pov.db" >/dev/null 2>"$tmp/err" || fail "whitepov: $(cat "$tmp/err")"
done
[ "$("$tabia" db sql "$tmp/pov.db" "SELECT group_concat(coalesce(config ->> '$.players[1].white_scores', 0)) || ' ' ||
    (SELECT count(*) FROM games) FROM runs")" = '0,1 4' ] || fail "whitepov is not part of the player"

# Twenty hanging engines in turn: their processes do not accumulate in the runner.
"$tabia" gauntlet --quiet --engine weights=zero,nodes=20 --games 20 --threads 2 \
    --engine "cmd=$fake,args=hang,proto=xboard,stall=100ms,depth=2" >"$tmp/out" 2>"$tmp/err" &
zombies=0
while kill -0 $! 2>/dev/null; do
    n=$(ps --ppid $! -o stat= | grep -c Z)
    ((n > zombies)) && zombies=$n
    sleep 0.05
done
wait $!
[ $? = 5 ] || fail "twenty that hang: not exit code 5"
((zombies < 6)) || fail "$zombies zombies at once"

# The adapter is killed while its engine hangs.
: >"$tmp/session"
in_session --engine weights=zero,nodes=20 --games 4 --engine "cmd=$fake,args=hang,proto=xboard,depth=2" 2>/dev/null &
for _ in $(seq 100); do
    sleep 0.1
    session=$(cat "$tmp/session")
    [ -n "$session" ] && [ "$(ps -s "$session" -o args= | grep -c '[f]ake_xboard hang')" -ge 2 ] && break
done
sleep 0.5
kill -KILL "$(ps -s "$session" -o pid=,args= | awk '/[t]abia gauntlet/ && !/timeout/ {print $1}')"
wait $!
nobody_left KILL

"$build/tabia" xboard "$tmp/no-such-program" </dev/null >"$tmp/out" 2>"$tmp/err"
[ $? = 5 ] || fail "no program: $(cat "$tmp/err")"
"$build/tabia" xboard </dev/null >"$tmp/out" 2>"$tmp/err"
[ $? = 2 ] || fail "nothing: $(cat "$tmp/err")"

finish
