#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# tools/install-packages on made-up systems: PATH holds stand-ins for dpkg-query, apt-get and apt-cache, so
# nothing is ever installed.

set -uo pipefail

tool=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/tools/install-packages
bash=$(command -v bash)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

cat >"$tmp/list" <<'LIST'
build here        # is installed
build gone|spare  # is not
other strange     # unknown to apt
LIST

# A system is a folder of programs. Installed packages are lines of `installed`, known ones of `known`.
new_system() { # programs that exist there…
    rm -rf "$tmp/bin" "$tmp/state" && mkdir -p "$tmp/bin" "$tmp/state"
    echo here >"$tmp/state/installed"
    printf 'here\nspare\n' >"$tmp/state/known"
    local name
    for name in env grep id cat; do ln -s "$(command -v $name)" "$tmp/bin/$name"; done
    for name in "$@"; do stand_in "$name" >"$tmp/bin/$name" && chmod +x "$tmp/bin/$name"; done
}
stand_in() {
    printf '#!%s\nstate=%s\n' "$bash" "$tmp/state"
    case $1 in
        dpkg-query) echo 'while read -r p; do echo "$p install ok installed"; done <$state/installed' ;;
        apt-cache) echo 'if grep -qx "$2" $state/known; then echo "  Candidate: 1.0"; else echo "  Candidate: (none)"; fi' ;;
        apt-get) echo 'echo "apt-get $*" >>$state/calls
[ -e $state/offline ] && exit 100
for p; do case $p in -* | install) ;; update) exit 0 ;; *) echo "$p" >>$state/installed ;; esac; done' ;;
        sudo) echo 'echo "sudo" >>$state/calls; exec "$@"' ;;
    esac
}
try() { # expected status, expected words in the output (or "" for no output at all), arguments…
    local expected=$1 words=$2 output status
    shift 2
    output=$(env -i PATH="$tmp/bin" KAIROS_PACKAGES="$tmp/list" ${skip:-} "$bash" "$tool" "$@" 2>&1)
    status=$?
    if [ $status -ne "$expected" ] || { [ -z "$words" ] && [ -n "$output" ]; } || [[ $output != *"$words"* ]]; then
        echo "install-packages $*: status $status (expected $expected), expected to read '$words' in:"
        echo "$output"
        failed=$((failed + 1))
    fi
}
expect_calls() { # text that the log of calls must be
    local calls
    calls=$(cat "$tmp/state/calls" 2>/dev/null)
    if [ "$calls" != "$1" ]; then
        printf 'expected these calls:\n%s\nbut got:\n%s\n' "$1" "$calls"
        failed=$((failed + 1))
    fi
}

new_system dpkg-query apt-get apt-cache
echo gone >>"$tmp/state/installed"
try 0 '' build # all there: silent
expect_calls ''

new_system dpkg-query apt-get apt-cache
echo spare >>"$tmp/state/installed"
try 0 '' build # an alternative is there: fine too

new_system dpkg-query
try 1 'apt-get was not found' build
try 1 'gone|spare' build

new_system
try 1 'not a Debian or Ubuntu system' build
skip=KAIROS_SKIP_PACKAGES=1
try 0 '' build
skip=

if [ "$(id -u)" -eq 0 ]; then
    new_system dpkg-query apt-get apt-cache sudo
    try 0 'apt-get install -y --no-install-recommends spare' build # the alternative that apt knows; no sudo as root
    expect_calls 'apt-get -q install -y --no-install-recommends spare'
else
    new_system dpkg-query apt-get apt-cache
    try 1 'needs root' build
    new_system dpkg-query apt-get apt-cache sudo
    try 0 'sudo apt-get install' build
    expect_calls $'sudo\napt-get -q install -y --no-install-recommends spare'
fi

new_system dpkg-query apt-get apt-cache sudo
try 1 'apt knows no package for these' other
try 1 'strange' other

new_system dpkg-query apt-get apt-cache sudo
touch "$tmp/state/offline"
try 1 'is the network there?' build
try 1 'apt-get update failed' other

try 2 'usage:'
try 2 "no group 'nonsense'" nonsense

# The real list: every line has a known group, a package and a reason.
bad=$(grep -vE '^(#|$)' "$(dirname "$tool")/packages.txt" | grep -vE '^(build|test|bench|dev) +[a-z0-9.+|-]+ +# .+')
if [ -n "$bad" ]; then
    echo "packages.txt: lines that are not 'group package # why':"
    echo "$bad"
    failed=$((failed + 1))
fi

echo "install-packages: $failed problems"
[ $failed -eq 0 ]
