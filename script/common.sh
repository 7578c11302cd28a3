# Shared by the scripts here; sourced from the root of the tree.

# setup DIR [meson options]: a build directory that was made with other options,
# or whose making was interrupted, is made anew.
setup() {
  local dir=$1 options="${CC:-cc} ${*:2}"
  [ -f "$dir/options" ] && [ "$(cat "$dir/options")" = "$options" ] && return 0
  rm -rf "$dir"
  meson setup "$dir" -Dpkg_config_path="$PWD/.deps/prefix/lib/pkgconfig" "${@:2}" || return 1
  echo "$options" >"$dir/options"
}

# build NAME [meson options]: brings build/NAME up to date, or of it only what $targets
# names. With V=1 everything is shown, otherwise only what goes wrong.
build() {
  local dir=build/$1 log
  log=$(mktemp)
  if ! setup "$dir" "${@:2}" >"$log" 2>&1 || ! ninja -C "$dir" ${targets:-} >>"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "script: building $dir failed" >&2
    return 1
  fi
  if [ -n "${V:-}" ]; then cat "$log" >&2; fi
  rm -f "$log"
}
