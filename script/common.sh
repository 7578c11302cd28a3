# Functions that the other scripts share. They source this file from the root of the tree.

# setup DIR [MESON_OPTION...]: configure the build directory DIR. Start from scratch
# if the options changed or an earlier configuration was interrupted.
setup() {
  local dir=$1 options="${CC:-cc} ${*:2}"
  [ -f "$dir/options" ] && [ "$(cat "$dir/options")" = "$options" ] && return 0
  rm -rf "$dir"
  meson setup "$dir" -Dpkg_config_path="$PWD/.deps/prefix/lib/pkgconfig" "${@:2}" || return 1
  echo "$options" >"$dir/options"
}

# build NAME [MESON_OPTION...]: bring build/NAME up to date, or only the targets named
# in $targets. Shows the compiler's output on failure, and always with V=1.
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

# debian_archives: print the address and the suite of each Debian archive that apt uses.
debian_archives() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Origin: Debian' | sort -u
}

# debian_mirrors: print the addresses of the Debian archives that apt uses, one a line,
# without the security archive. debian_mirrors security: print only the security archive.
debian_mirrors() {
  local how=-v
  [ "${1:-}" = security ] && how=-e
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' |
    sort -u | grep $how security
}
