# Shared by the scripts here; sourced from the root of the tree.

# build NAME [meson options]: sets up build/NAME when it is new, then builds it.
# With V=1 everything is shown, otherwise only what goes wrong.
build() {
  local dir=build/$1 log
  shift
  log=$(mktemp)
  if ! { [ -f "$dir/build.ninja" ] || meson setup "$dir" \
    -Dpkg_config_path="$PWD/.deps/prefix/lib/pkgconfig" "$@"; } >"$log" 2>&1 ||
    ! ninja -C "$dir" >>"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "script: building $dir failed" >&2
    return 1
  fi
  if [ -n "${V:-}" ]; then cat "$log" >&2; fi
  rm -f "$log"
}
