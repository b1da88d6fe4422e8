#!/bin/sh
# Target `uninstall`: takes away what the last `cmake --install` of this build put there, as its manifest lists it, and the folders that are
# empty then. The prefix, and what lies in it directly (bin, share), stay.
set -eu
manifest=$1
if ! [ -f "$manifest" ]; then
    echo "nothing was installed from this build: there is no $manifest" >&2
    exit 1
fi

prefix=  # the folder that all files share
while IFS= read -r file || [ -n "$file" ]; do
    : "${prefix:=${file%/*}}"
    while [ "${file#"$prefix"/}" = "$file" ]; do prefix=${prefix%/*}; done
done <"$manifest"

while IFS= read -r file || [ -n "$file" ]; do
    rm -f -- "${DESTDIR:-}$file"
    folder=${file%/*}
    below=${folder#"$prefix"/}
    while [ "${below%/*}" != "$below" ] && rmdir -- "${DESTDIR:-}$prefix/$below" 2>/dev/null; do below=${below%/*}; done
done <"$manifest"
rm -f -- "$manifest"
echo "removed from $prefix; what the program keeps itself stays: its database in \${XDG_DATA_HOME:-~/.local/share}/gpuadvise, settings in \${XDG_CONFIG_HOME:-~/.config}/gpuadvise"
