#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-FileCopyrightText: 2026 Kairos contributors
#
# Installs the build into a scratch prefix and builds a consumer against that copy in four ways: CMake and
# pkg-config, shared and static. The prefix is moved first: nothing may depend on where it was.
#
#   run.sh CMAKE BUILD_DIR C_COMPILER LIBDIR VERSION
#
# ctest-timeout: 300

set -euo pipefail

cmake=$1 build=$2 cc=$3 libdir=$4 version=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() {
    echo "install: $*" >&2
    exit 1
}
expect_version() { # program…
    local printed
    printed=$("$@") || fail "$* failed"
    [ "$printed" = "$version" ] || fail "$* printed '$printed' instead of '$version'"
}

env -u DESTDIR "$cmake" --install "$build" --prefix "$tmp/first" >"$tmp/log" || {
    cat "$tmp/log"
    fail "cmake --install failed"
}
prefix=$tmp/moved
mv "$tmp/first" "$prefix"

for file in include/kairos/kairos.h include/kairos/version.h "$libdir/libkairos.so" \
    "$libdir/libkairos.a" "$libdir/pkgconfig/kairos.pc" "$libdir/cmake/kairos/kairos-config.cmake"; do
    [ -e "$prefix/$file" ] || fail "$file was not installed"
done
if grep -rIl "$build" "$prefix" --include='*.cmake' --include='*.pc' --include='*.h'; then
    fail "the files above name the build tree"
fi
if [ -x "$build/bin/kairos" ]; then
    [ -x "$prefix/bin/kairos" ] || fail "bin/kairos was not installed"
    grep -q "libkairos.*=> $prefix/" <<<"$(env -u LD_LIBRARY_PATH ldd "$prefix/bin/kairos")" ||
        fail "the installed bin/kairos does not use the installed library"
    for file in man/man1/kairos.1 bash-completion/completions/kairos zsh/site-functions/_kairos \
        fish/vendor_completions.d/kairos.fish; do
        [ -s "$prefix/share/$file" ] || fail "share/$file was not installed"
    done
    info=$("$prefix/bin/kairos" info) || fail "the installed bin/kairos does not run"
    grep -q "^importer  seccomp" <<<"$info" || fail "the installed importer was not found: $info"
fi

echo "install: CMake package"
"$cmake" -G Ninja -S "$here" -B "$tmp/consumer" -DCMAKE_C_COMPILER="$cc" -DWANTED_VERSION="$version" \
    -DCMAKE_PREFIX_PATH="$prefix" >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail "find_package failed"; }
"$cmake" --build "$tmp/consumer" >"$tmp/log" 2>&1 || { cat "$tmp/log"; fail "the consumer did not build"; }
expect_version "$tmp/consumer/consumer_shared"
expect_version "$tmp/consumer/consumer_static"
grep -q "libkairos.*=> $prefix/" <<<"$(ldd "$tmp/consumer/consumer_shared")" || fail "not the installed library"
! grep -q libkairos <<<"$(ldd "$tmp/consumer/consumer_static")" || fail "consumer_static is not static"

# The importer is the installed one, for programs of users, too.
importer=$(find "$prefix" -name kairos-import)
[ -x "$importer" ] || fail "kairos-import was not installed"
"$tmp/consumer/consumer_shared" importer || fail "the consumer finds no importer"
printf '#!/bin/sh\nexit 9\n' >"$importer.new" && chmod 755 "$importer.new"
mv "$importer" "$importer.kept" && mv "$importer.new" "$importer"
! "$tmp/consumer/consumer_shared" importer 2>/dev/null || fail "the consumer uses another importer"
mv "$importer.kept" "$importer"

# A version that is not compatible is refused.
if "$cmake" -G Ninja -S "$here" -B "$tmp/other" -DCMAKE_C_COMPILER="$cc" -DWANTED_VERSION=99.0 \
    -DCMAKE_PREFIX_PATH="$prefix" >"$tmp/log" 2>&1; then
    fail "find_package(kairos 99.0) was accepted"
fi

echo "install: pkg-config"
export PKG_CONFIG_PATH="$prefix/$libdir/pkgconfig"
[ "$(pkg-config --modversion kairos)" = "$version" ] || fail "kairos.pc has another version"
# shellcheck disable=SC2046
"$cc" "$here/consumer.c" -o "$tmp/shared" $(pkg-config --cflags --libs kairos) -Wl,-rpath,"$prefix/$libdir"
expect_version "$tmp/shared"
# shellcheck disable=SC2046
"$cc" "$here/consumer.c" -o "$tmp/static" $(pkg-config --cflags kairos) \
    $(pkg-config --static --libs kairos | sed "s|-lkairos|$prefix/$libdir/libkairos.a|")
expect_version "$tmp/static"
! grep -q libkairos <<<"$(ldd "$tmp/static")" || fail "the static consumer is not static"
echo "install: all four consumers print $version"
