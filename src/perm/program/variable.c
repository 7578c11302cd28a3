/* Variables and settings whose value programs run: PAGER, GIT_SSH_COMMAND, core.pager. */
#include "perm/program/invocation.h"

static bool variable_matches(struct sv name, struct sv row)
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
	struct sv rest = sv_cstr(program_variables), row;

	while (sv_cut(&rest, ' ', &row))
		if (variable_matches(name, row))
			return true;
	return false;
}

bool program_variable_is_inert(struct sv name)
{
	static const char names[][24] = {
		"CARGO_TERM_COLOR",
		"CGO_ENABLED",
		"CI",
		"CLICOLOR",
		"CLICOLOR_FORCE",
		"COLORTERM",
		"COLUMNS",
		"FORCE_COLOR",
		"GIT_TERMINAL_PROMPT",
		"GO111MODULE",
		"GOARCH",
		"GOOS",
		"LANG",
		"LINES",
		"NODE_ENV",
		"NO_COLOR",
		"PYTHONDONTWRITEBYTECODE",
		"PYTHONUNBUFFERED",
		"RUST_BACKTRACE",
		"RUST_LOG",
		"TERM",
		"TZ",
	};

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(name, names[i]))
			return true;
	return sv_starts(name, SV("LC_"));
}

/* Remove what marks a command: git's "!curl", less's "||-curl %s". */
static struct sv variable_strip_marks(struct sv value)
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
	const struct sv texts[] = { variable_strip_marks(value), variable_strip_marks(behind) };

	for (size_t i = 0; i < countof(texts); i++)
		if (texts[i].len)
			out[n++] = texts[i];
	return n;
}

void inv_may_run_value(struct invocation *inv, struct sv value, bool known)
{
	struct sv texts[PROGRAM_COMMANDS];
	size_t n = known ? program_commands_in(value, texts) : 0;

	inv->use->runs_unknown |= !known;
	for (size_t i = 0; i < n; i++)
		inv_may_run(inv, texts[i]);
}

void inv_sets(struct invocation *inv, size_t arg, struct sv name, bool known)
{
	struct sv base = sv_slice(name, 0, sv_find_char(name, '['));

	if (sv_ends(base, SV("+"))) /* "x+=1" */
		base.len--;
	if (known)
		vec_push(&inv->use->sets, ((struct variable_set){ base, arg }));
	else
		inv->use->sets_any = true;
}

void inv_sets_variable(struct invocation *inv, size_t arg)
{
	struct sv value = inv->argv[arg].text, name;

	if (sv_find_char(value, '=') == SIZE_MAX)
		return;
	sv_cut(&value, '=', &name);
	if (sv_ends(name, SV("+")))
		name.len--;
	if (program_runs_variable(name))
		inv_may_run_value(inv, value,
				  inv->argv[arg].known && !program_hides_commands(name));
}
