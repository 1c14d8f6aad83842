#!/bin/bash
# SPDX-License-Identifier: MIT
# Each system call of commands that write fails, one at a time: once, or from there on. A command that reports success has
# the result of an undisturbed run. One that fails ends with a documented exit code and one line of error, and leaves
# whole files as they were, sound databases and no temporary files. The same command then succeeds with the undisturbed
# result. strace makes the calls fail, those inside libraries too. Instead of an error some calls kill the process. Sleeps
# between tries of a refused lock take no time.
#   test_failing_calls.sh BUILD SOURCE [PLACES [COMMAND...]]
# PLACES: of each call in each command (all: every place); without it two calls of each command. COMMANDs: as below.
. "$(dirname "$0")/prelude.sh"
places=${3:-few}
only=("${@:4}")
strace -o /dev/null true 2>/dev/null || { echo "skipped: no strace"; exit 77; }
[ "$places" != few ] || ! sanitized || { echo "skipped: too slow with sanitizers"; exit 77; }
cd "$tmp" || exit 1
. "$source/tests/commands/writers.sh"
RANDOM=7

# Calls and the error that each gets. Those of memory that do not fail here are in test_memory.sh: the C library takes
# every answer of brk for an address.
calls="openat=EMFILE openat=EACCES read=EIO pread64=EIO write=ENOSPC pwrite64=ENOSPC pwrite64=EIO fsync=EIO fdatasync=EIO
    ftruncate=EIO rename=EIO link=EIO unlink=EACCES mkdir=ENOSPC fcntl=ENOLCK newfstatat=EACCES getdents64=EIO lseek=EIO
    close=EIO mmap=ENOMEM mremap=ENOMEM clone3=EAGAIN clone=EAGAIN vfork=EAGAIN pipe2=EMFILE prctl=EINVAL dup2=EMFILE
    execve=ENOENT openat=KILL write=KILL pwrite64=KILL fsync=KILL fdatasync=KILL ftruncate=KILL rename=KILL link=KILL
    unlink=KILL"

names=$(tr -s ' \n' , <<<"$calls" | sed -E 's/=[A-Z]+//g; s/,$//') # as strace takes them

# traced COMMAND...: ../trace lists its calls, on all its threads; with follow="" those of the processes it starts not.
traced() { strace $follow -qq -e "trace=$names" -e signal=none -o ../trace "$tabia" "$@" >/dev/null 2>&1; }

# number CALL: how often it is in ../trace
number() { grep -c "^[0-9]* *$1(" ../trace; }

# try NAME CALL=ERROR WHEN
try() {
    local name=$1 call=${2%=*} error=${2#*=} when=$3 code what fault
    what="$name: $call $when $error"
    fault=error=$error:when=$when
    [ $error != KILL ] || fault=signal=KILL:when=${when%+}
    fresh
    # The sanitizer's search for leaks does not work under strace.
    # shellcheck disable=SC2086
    {
        ASAN_OPTIONS=detect_leaks=0 timeout 60 strace $follow -qq -e "trace=$call,clock_nanosleep" -e signal=none -e "inject=$call:$fault" \
            -e inject=clock_nanosleep:retval=0 -o ../trace "$tabia" ${args[$name]} --quiet >../out 2>../err
        code=$?
    } 2>/dev/null # what the shell says of killed processes
    grep -q "$call\((\| resumed\).*INJECTED\|killed by SIGKILL" ../trace || return
    injected=$((injected + 1))
    case $code in
    0)
        result >../got 2>&1
        [ "$name" = engines ] || cmp -s ../got "../$name.whole" || fail "$what: success, with another result: $(diff ../got "../$name.whole" | head -n 4)"
        ;;
    1 | 2 | 3 | 4 | 5)
        failed=$((failed + 1))
        [ "$(grep -c . ../err)" = 1 ] || [ "$call $when" = "write ${when%+}+" ] ||
            fail "$what: exit code $code, not one line of error: $(head -c 600 ../err)"
        result >../got 2>&1
        for file in old.*; do
            # A file that is whole may be followed by standard output that is not, and by one that gets no name.
            cmp -s $file ../base/$file || [ "$name" = pgn ] || [ "$name,$call" = spsa,rename ] || { [ "$call" = write ] && cmp -s ../got "../$name.whole"; } ||
                fail "$what: exit code $code, but $file changed"
        done
        ;;
    137) [ $error = KILL ] || fail "$what: killed" ;;
    *) fail "$what: exit code $code: $(head -c 300 ../err)" ;;
    esac
    [ "$call" = unlink ] || [ $error = KILL ] || ! compgen -G '*.new-*' >../out || fail "$what: temporary files are left: $(cat ../out)"
    for file in *.db; do
        [ $file = v1.db ] || untouched $file || "$tabia" db check $file --quiet >../out 2>&1 || grep -q 'an empty file' ../out ||
            fail "$what: exit code $code; $file: $(cat ../out)"
    done
    # What is added without a database is added again; an engine's lost game stays lost.
    case $name in
    pgn) [ "$(head -n 1 old.pgn)" = "; old" ] || fail "$what: the old games are lost"; return ;;
    engines) ! pgrep -f "^$engine_path" >../out || fail "$what: engines are left: $(cat ../out)"; return ;;
    split | sample | dedup) # they refuse an old file
        [ $code != 0 ] || return
        result >../got 2>&1
        ! cmp -s ../got "../$name.whole" || return
        ;;
    esac
    # shellcheck disable=SC2086
    timeout 60 "$tabia" ${args[$name]} --quiet >../out 2>../again || fail "$what: exit code $code, $(head -c 300 ../err); again: exit code $?: $(cat ../again)"
    result >../got 2>&1
    cmp -s ../got "../$name.whole" || fail "$what: exit code $code, $(head -c 300 ../err); again: another result: $(diff ../got "../$name.whole" | head -n 4)"
    ! compgen -G '*.new-*' >../out || fail "$what: temporary files are left after a repetition: $(cat ../out)"
}

# anywhere NAME CALL=ERROR: at a random one of the calls between the loader's and the last
anywhere() {
    local call=${2%=*} plus=
    [ $((RANDOM % 2)) = 0 ] || plus=+
    try "$1" "$2" $((loading[$call] + 1 + RANDOM % (count[$call] - loading[$call])))$plus
}

injected=0 failed=0 follow=-f
declare -A loading count
fresh
traced --version
for pair in $calls; do loading[${pair%=*}]=$(number "${pair%=*}"); done
[ ${#only[@]} -gt 0 ] || read -ra only <<<"${commands//$'\n'/ }"
for name in "${only[@]}"; do
    follow=-f
    [ "$name" != engines ] || follow= # our calls, not those of the engines
    fresh
    # shellcheck disable=SC2086
    "$tabia" ${args[$name]} --quiet >../out 2>../err || fail "$name: $(cat ../err)"
    result >"../$name.whole" 2>&1
    fresh
    # shellcheck disable=SC2086
    traced ${args[$name]} --quiet
    pairs=()
    for pair in $calls; do
        count[${pair%=*}]=$(number "${pair%=*}")
        [ "${count[${pair%=*}]}" -le "${loading[${pair%=*}]}" ] || pairs+=("$pair")
    done
    case $places in
    few) for _ in 1 2; do anywhere "$name" "${pairs[RANDOM % ${#pairs[@]}]}"; done ;;
    all)
        for pair in "${pairs[@]}"; do
            for n in $(seq $((loading[${pair%=*}] + 1)) "${count[${pair%=*}]}"); do
                try "$name" "$pair" "$n"
                try "$name" "$pair" "$n+"
            done
        done
        ;;
    *) for pair in "${pairs[@]}"; do for _ in $(seq "$places"); do anywhere "$name" "$pair"; done; done ;;
    esac
    echo "$name: $injected failed calls, $failed failed commands so far"
done

[ $injected -ge ${#only[@]} ] || fail "only $injected calls failed"

# Where no lock is to be had from some call on, a command waits 30 seconds once, not at each step, and says so. Here its
# sleeps take no time, and their sum is compared.
follow=-f
for name in selfplay learn import merge sample; do
    [[ " ${only[*]} " == *" $name "* ]] || continue
    fresh
    # shellcheck disable=SC2086
    traced ${args[$name]} --quiet
    last=$(number fcntl)
    for part in 2 3 4 5; do
        when=$((last * part / 6))
        fresh
        # shellcheck disable=SC2086
        timeout 60 strace -f -qq -e trace=fcntl,clock_nanosleep -e signal=none -e "inject=fcntl:error=ENOLCK:when=$when+" \
            -e inject=clock_nanosleep:retval=0 -o ../trace "$tabia" ${args[$name]} --quiet >../out 2>../err
        code=$?
        slept=$(sed -nE 's/.*tv_sec=([0-9]+), tv_nsec=([0-9]+).*/\1 \2/p' ../trace | awk '{ms += 1000 * $1 + $2 / 1e6} END {print int(ms)}')
        [ "$slept" -le 35000 ] || fail "$name: locks refused from call $when on: $slept ms of sleep"
        case $code in
        0) ;;
        4) grep -qE 'file system refuses locks|No locks available|disk I/O error' ../err && [ "$(grep -c . ../err)" = 1 ] || fail "$name, locks refused: $(cat ../err)" ;;
        *) fail "$name: locks refused from call $when on: exit code $code: $(head -c 300 ../err)" ;;
        esac
    done
done
finish
