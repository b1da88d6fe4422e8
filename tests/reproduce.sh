#!/bin/sh
# Two builds of the release in two folders, compared byte for byte: install tree, .deb and .tar.gz. `sh tests/reproduce.sh`, some minutes.
set -eu
cd "$(dirname "$0")/.."
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT INT TERM
: "${SOURCE_DATE_EPOCH:=1700000000}"
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1  # a cache would compare one object with itself
for folder in one a/longer/name; do
    mkdir -p "$top/$folder/source"
    git ls-files -z | xargs -0 cp --parents -t "$top/$folder/source"
    {
        cmake -S "$top/$folder/source" -B "$top/$folder/build" -DCMAKE_BUILD_TYPE=Release -DGPUADVISE_TESTS=OFF
        cmake --build "$top/$folder/build" -j "$(nproc)"
        DESTDIR=$top/$folder/tree cmake --install "$top/$folder/build" --prefix /usr
        (cd "$top/$folder/build" && cpack)
    } >"$top/log" 2>&1 || { tail -n 30 "$top/log" >&2; exit 1; }
done
same=0 differing=0
for file in $(cd "$top/one/tree" && find . -type f | sort) $(cd "$top/one/build" && ls gpuadvise*.deb gpuadvise*.tar.gz); do
    folder=build
    [ -f "$top/one/tree/$file" ] && folder=tree
    if cmp -s "$top/one/$folder/$file" "$top/a/longer/name/$folder/$file"; then
        same=$((same + 1))
    else
        differing=$((differing + 1))
        echo "differs: $file"
    fi
done
echo "$same files the same, $differing differ"
sha256sum "$top"/one/build/gpuadvise*.deb "$top"/one/build/gpuadvise*.tar.gz "$top/one/tree/usr/bin/gpuadvise" | sed "s|$top/one/||"
[ "$differing" = 0 ]
