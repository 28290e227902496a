#!/bin/sh
# Renders every icon from its SVG source. Needs rsvg-convert and, for app icons, the window's npm packages.
set -eu
cd "$(dirname "$0")"

for state in idle waiting paused offline error; do
  for panel in light dark; do
    for size in 32 64; do
      suffix=""
      [ "$size" = 64 ] && suffix="@2x"
      sed "s/class=\"idle light\"/class=\"$state $panel\"/" src/tray.svg |
        rsvg-convert -w "$size" -h "$size" -o "tray/$state-$panel$suffix.png"
    done
  done
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
rsvg-convert -w 1024 -h 1024 -o "$scratch/app.png" src/app.svg
../ui/node_modules/.bin/tauri icon "$scratch/app.png" -o "$scratch/out" >"$scratch/log" 2>&1 || {
  cat "$scratch/log" >&2
  exit 1
}
for file in 128x128.png 128x128@2x.png icon.png icon.ico icon.icns; do
  cp "$scratch/out/$file" "$file"
done
# The smallest one has its own drawing: fine details would only blur.
rsvg-convert -w 32 -h 32 -o 32x32.png src/app-small.svg
