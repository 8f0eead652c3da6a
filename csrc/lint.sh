#!/bin/sh
# The C sources as compilers see them: no warnings from gcc and clang, and the house's layout.
# A compiler that is not there is named and left out; with CI set it is an error.
set -eu
cd "$(dirname "$0")"
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
for tool in gcc clang clang-format; do
    if ! command -v "$tool" >/dev/null; then
        echo "lint: $tool is not installed" >&2
        [ -z "${CI:-}" ] || exit 1
        continue
    fi
    case $tool in
    clang-format) find . -name '*.[ch]' -exec clang-format --dry-run --Werror {} + ;;
    *)
        for source in $(find . -name '*.c'); do
            "$tool" -std=gnu11 -O2 -fopenmp -I. -Wall -Wextra -Wconversion -Werror -c "$source" -o "$objects/object.o"
        done
        ;;
    esac
    echo "lint: $tool finds nothing"
done
