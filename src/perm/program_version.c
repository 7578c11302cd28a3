/* Programs that tell their version, and nothing else, when that is all they are asked. Not
 * listed: those that first read what the project says of which program is to answer (yarn,
 * pnpm, mvn, gradle, dotnet), or code of the project (pytest, eslint). */
#include "perm/program_table.h"

struct version_row {
	const char *name;
	const char *asks; /* blank-separated */
};

static const struct version_row versions[] = {
	{ "bash", "--version" },
	{ "bun", "--version -v" },
	{ "c++", "--version -v" },
	{ "cargo", "--version -V" },
	{ "cc", "--version -v" },
	{ "clang", "--version -v" },
	{ "clang++", "--version -v" },
	{ "clang-format", "--version" },
	{ "clang-tidy", "--version" },
	{ "cmake", "--version -version" },
	{ "curl", "--version -V" },
	{ "deno", "--version -V" },
	{ "docker", "--version -v" },
	{ "emacs", "--version" },
	{ "ffmpeg", "-version" },
	{ "g++", "--version -v -dumpversion -dumpmachine" },
	{ "gcc", "--version -v -dumpversion -dumpmachine" },
	{ "gdb", "--version" },
	{ "gem", "--version -v" },
	{ "gh", "--version" },
	{ "go", "version" },
	{ "java", "-version --version" },
	{ "javac", "-version --version" },
	{ "julia", "--version -v" },
	{ "ld", "--version -v" },
	{ "less", "--version -V" },
	{ "lua", "-v" },
	{ "luajit", "-v" },
	{ "make", "--version -v" },
	{ "meson", "--version" },
	{ "mysql", "--version" },
	{ "ninja", "--version" },
	{ "node", "--version -v" },
	{ "npm", "--version -v" },
	{ "npx", "--version -v" },
	{ "openssl", "version" },
	{ "perl", "--version -v" },
	{ "php", "--version -v" },
	{ "pip", "--version -V" },
	{ "pip3", "--version -V" },
	{ "podman", "--version -v" },
	{ "psql", "--version -V" },
	{ "python", "--version -V" },
	{ "python2", "--version -V" },
	{ "python3", "--version -V" },
	{ "redis-cli", "--version" },
	{ "ruby", "--version -v" },
	{ "rustc", "--version -V -vV" },
	{ "rustup", "--version -V" },
	{ "shellcheck", "--version -V" },
	{ "sqlite3", "--version -version" },
	{ "ssh", "-V" },
	{ "swift", "--version" },
	{ "tmux", "-V" },
	{ "uv", "--version -V" },
	{ "vim", "--version" },
	{ "wget", "--version -V" },
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
