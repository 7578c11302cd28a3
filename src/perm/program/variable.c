/* Variables whose value programs run. */
#include "perm/program/table.h"

/* With a '*' at one end, all that end or begin so. */
static const char *const commands[] = {
	/* editors, pagers, browsers, and what asks for passwords */
	"BROWSER",
	"EDITOR",
	"FCEDIT",
	"LESSCLOSE",
	"LESSEDIT",
	"LESSOPEN",
	"MANOPT",
	"PAGER",
	"TERMINAL",
	"VISUAL",
	"*EDITOR",
	"*PAGER",
	"*_ASKPASS",
	"*_BROWSER",
	"*_OPENER",
	/* ways to other machines */
	"RSYNC_CONNECT_PROG",
	"*_PROXY_COMMAND",
	"*_RSH",
	"*_SSH",
	"*_SSH_COMMAND",
	/* shells: expanded, or read before all else */
	"BASH_ENV",
	"ENV",
	"PROMPT_COMMAND",
	"PS0",
	"PS1",
	"PS2",
	"PS4",
	"SHELL",
	"*_SHELL",
	"*_SHELL_*",
	"npm_config_*",
	/* builds */
	"AR",
	"AS",
	"CC",
	"CPP",
	"CXX",
	"FC",
	"LD",
	"MAKE",
	"MAKEFLAGS",
	"GOFLAGS",
	"RUSTC",
	"RUSTDOC",
	"*_LAUNCHER",
	"*_LINKER",
	"*_RUNNER",
	"*_WRAPPER",
	/* git's settings, options of others */
	"GIT_CONFIG_PARAMETERS",
	"GIT_CONFIG_VALUE_*",
	"GIT_EXTERNAL_DIFF",
	"RSYNC_OPTIONS",
	"TAR_OPTIONS",
	/* whatever says so */
	"*_CMD",
	"*_COMMAND",
	"*_EXEC",
	"*_HOOK",
	"*_PROG",
	"*_PROGRAM",
};

static bool is_like(struct sv name, struct sv row)
{
	bool open_start = sv_starts(row, SV("*")), open_end = sv_ends(row, SV("*"));
	struct sv text = sv_slice(row, open_start, row.len - open_end);

	if (open_start && open_end)
		return sv_find(name, text) != SIZE_MAX;
	return open_start ? sv_ends(name, text)
	       : open_end ? sv_starts(name, text)
			  : sv_eq(name, text);
}

bool program_runs_variable(struct sv name)
{
	for (size_t i = 0; i < countof(commands); i++)
		if (is_like(name, sv_cstr(commands[i])))
			return true;
	return false;
}

/* git's "!curl", less's "||-curl %s". */
static struct sv without_marks(struct sv value)
{
	value = sv_trim(value);
	while (value.len && sv_find_char(SV("!|-"), value.ptr[0]) != SIZE_MAX)
		value = sv_skip(value, 1);
	return value;
}

bool program_hides_commands(struct sv name)
{
	return sv_is(name, "GIT_CONFIG_PARAMETERS");
}

size_t program_commands_in(struct sv value, struct sv out[PROGRAM_COMMANDS])
{
	size_t equals = sv_find_char(value, '='), n = 0;
	struct sv behind =
		equals < sv_find_char(value, ' ') ? sv_skip(value, equals + 1) : SV_EMPTY;
	const struct sv texts[] = { without_marks(value), without_marks(behind) };

	for (size_t i = 0; i < countof(texts); i++)
		if (texts[i].len)
			out[n++] = texts[i];
	return n;
}

void look_commands_in(struct look *look, struct sv value, bool known)
{
	struct sv texts[PROGRAM_COMMANDS];
	size_t n = known ? program_commands_in(value, texts) : 0;

	look->use->runs_unknown |= !known;
	for (size_t i = 0; i < n; i++)
		look_aside(look, texts[i]);
}

void look_variable(struct look *look, size_t arg)
{
	struct sv value = look->argv[arg].text, name;

	if (sv_find_char(value, '=') == SIZE_MAX)
		return;
	sv_cut(&value, '=', &name);
	if (sv_ends(name, SV("+")))
		name.len--;
	if (program_runs_variable(name))
		look_commands_in(look, value,
				 look->argv[arg].known && !program_hides_commands(name));
}
