/* Programs that tell their version, or what their options are, and nothing else, when that is
 * all they are asked. Not listed: those that first read what the project says of which program
 * is to answer (yarn, pnpm, mvn, gradle, dotnet), or code of the project (pytest, eslint). */
#include "perm/program/table.h"

struct version_row {
	const char *name;
	const char *asks; /* blank-separated */
};

static const struct version_row versions[] = {
	{ "bash", "--help --version" },
	{ "bun", "--help --version -v" },
	{ "c++", "--help --version -v" },
	{ "cargo", "--help --version -V" },
	{ "cc", "--help --version -v" },
	{ "clang", "--help --version -v" },
	{ "clang++", "--help --version -v" },
	{ "clang-format", "--help --version" },
	{ "clang-tidy", "--version" },
	{ "cmake", "--help --version -version" },
	{ "curl", "--help --version -V" },
	{ "deno", "--help --version -V" },
	{ "docker", "--help --version -v" },
	{ "emacs", "--version" },
	{ "ffmpeg", "-version" },
	{ "g++", "--help --version -v -dumpversion -dumpmachine" },
	{ "gcc", "--help --version -v -dumpversion -dumpmachine" },
	{ "gdb", "--version" },
	{ "gem", "--version -v" },
	{ "gh", "--help --version" },
	{ "go", "version" },
	{ "java", "--help -version --version" },
	{ "javac", "--help -version --version" },
	{ "julia", "--help --version -v" },
	{ "ld", "--version -v" },
	{ "less", "--help --version -V" },
	{ "lua", "-v" },
	{ "luajit", "-v" },
	{ "make", "--help --version -v" },
	{ "meson", "--help --version" },
	{ "mysql", "--version" },
	{ "ninja", "--version" },
	{ "node", "--help --version -v" },
	{ "npm", "--help --version -v" },
	{ "npx", "--help --version -v" },
	{ "openssl", "version" },
	{ "perl", "--help --version -v" },
	{ "php", "--help --version -v" },
	{ "pip", "--help --version -V" },
	{ "pip3", "--help --version -V" },
	{ "podman", "--help --version -v" },
	{ "psql", "--help --version -V" },
	{ "python", "--help --version -V" },
	{ "python2", "--help --version -V" },
	{ "python3", "--help --version -V" },
	{ "redis-cli", "--version" },
	{ "ruby", "--help --version -v" },
	{ "rustc", "--help --version -V -vV" },
	{ "rustup", "--help --version -V" },
	{ "shellcheck", "--version -V" },
	{ "sqlite3", "--version -version" },
	{ "ssh", "-V" },
	{ "swift", "--version" },
	{ "tmux", "-V" },
	{ "uv", "--help --version -V" },
	{ "vim", "--version" },
	{ "wget", "--help --version -V" },
	{ "zsh", "--version" },
};

static bool is_asked(const char *asks, struct sv argument)
{
	struct sv rest = sv_cstr(asks), ask;

	while (sv_cut(&rest, ' ', &ask))
		if (sv_eq(ask, argument))
			return true;
	return false;
}

bool program_tells_version(const struct argument *argv, size_t n)
{
	if (n != 2 || !argv[1].known)
		return false;
	for (size_t i = 0; i < countof(versions); i++)
		if (sv_is(argv[0].text, versions[i].name))
			return is_asked(versions[i].asks, argv[1].text);
	return false;
}
