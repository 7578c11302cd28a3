/* Clients of databases: their languages have commands that run programs, and their arguments name
 * hosts in more ways than options. */
#include "base/ascii.h"
#include "perm/program/special.h"

static void database_runs(struct invocation *inv, size_t arg)
{
	inv_escalates(inv, arg, SV("its text"), "may run a program or use other files");
}

/* Whether all statements are for the server. A client of MySQL does something by itself at some words
 * that begin a statement or a line, at a backslash, which begins other spellings of the same, and when
 * it sends a local file. */
static bool database_mysql_only_shows(struct sv text)
{
	static const char *const words[] = { "system",  "source", "tee",      "pager",
					     "connect", "edit",   "delimiter" };
	bool at_start = true;

	for (size_t i = 0; i < text.len; i++) {
		struct sv rest = sv_skip(text, i);

		if (text.ptr[i] == '\\')
			return false;
		for (size_t w = 0; w < countof(words) && at_start; w++) {
			size_t n = strlen(words[w]);

			if (sv_eq_nocase(sv_slice(rest, 0, min_of(n, rest.len)), sv_cstr(words[w])))
				return false;
		}
		at_start = text.ptr[i] == ';' || text.ptr[i] == '\n' ||
			   (at_start && ascii_is_space(text.ptr[i]));
	}
	return sv_find_nocase(text, SV("infile")) == SIZE_MAX ||
	       sv_find_nocase(text, SV("local")) == SIZE_MAX;
}

void database_mysql(struct invocation *inv)
{
	if (!inv_option(inv, DATABASE_TEXT))
		inv->use->input_only_shows = database_mysql_only_shows;
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag == DATABASE_TEXT &&
		    (!option->known || !database_mysql_only_shows(option->value)))
			database_runs(inv, option->value_arg);
	}
}

/* Whether each backslash begins a command that only lists: \d, \l, \timing, \x. */
static bool database_psql_only_lists(struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		struct sv rest = sv_skip(text, i + 1);

		if (text.ptr[i] == '\\' && (sv_starts(rest, SV("lo_")) || !rest.len ||
					    !ascii_is_one_of(rest.ptr[0], "dlztx?h")))
			return false;
	}
	return true;
}

/* "postgresql://host/db", "host=x dbname=y". */
static void database_note_address(struct invocation *inv, size_t arg, struct sv text, bool known)
{
	if (!known || sv_find(text, SV("://")) != SIZE_MAX || sv_find_char(text, '=') != SIZE_MAX)
		vec_push(&inv->use->leads, arg);
}

void database_psql(struct invocation *inv)
{
	if (!inv_option(inv, DATABASE_TEXT))
		inv->use->input_only_shows = database_psql_only_lists;
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag == DATABASE_NAME)
			database_note_address(inv, option->value_arg, option->value, option->known);
		else if (!option->known || !database_psql_only_lists(option->value))
			database_runs(inv, option->value_arg);
	}
	for (size_t i = 0; i < inv->operands.n; i++)
		database_note_address(inv, inv->operands.at[i], inv_operand_text(inv, i),
				      inv->argv[inv->operands.at[i]].known);
}

/* Whether the text contains a function of SQLite that uses files or loads code. */
static bool database_has_file_function(struct sv text)
{
	static const char *const names[] = { "load_extension", "readfile", "writefile", "edit",
					     "fsdir",          "attach",   "vacuum",    "zipfile" };

	for (size_t i = 0; i < countof(names); i++)
		for (size_t at = 0; at < text.len; at++) {
			struct sv name = sv_cstr(names[i]);

			if (sv_eq_nocase(sv_slice(text, at, min_of(at + name.len, text.len)), name))
				return true;
		}
	return false;
}

/* Whether the text is SQL without such functions, or a command that only shows something. */
static bool database_sqlite_only_shows(struct sv text)
{
	static const char shows[][12] = { ".dump",      ".databases", ".fullschema", ".headers",
					  ".help",      ".indexes",   ".indices",    ".mode",
					  ".quit",      ".schema",    ".separator",  ".show",
					  ".stats",     ".tables",    ".timer",      ".width",
					  ".nullvalue", ".bail",      ".echo",       ".exit",
					  ".print" };
	struct sv rest = text, line, word;

	while (rest.len && sv_cut(&rest, '\n', &line)) {
		line = sv_trim(line);
		if (!sv_starts(line, SV(".")))
			continue;
		if (!sv_cut(&line, ' ', &word) || !sv_is_among(word, shows))
			return false;
	}
	return !database_has_file_function(text);
}

/* "x.db", "file:x.db?mode=ro". */
static void database_note_file(struct invocation *inv, size_t arg)
{
	struct sv path = inv->argv[arg].text;

	if (sv_starts(path, SV("file:")))
		path = sv_slice(path, 5, min_of(sv_find_char(path, '?'), path.len));
	if (!path.len || sv_starts(path, SV(":")))
		return;
	inv_path(inv, arg, path, OPERAND_READ);
}

void database_sqlite(struct invocation *inv)
{
	if (inv->operands.n > 0)
		database_note_file(inv, inv->operands.at[0]);
	if (inv->operands.n < 2)
		inv->use->input_only_shows = database_sqlite_only_shows;
	for (size_t i = 1; i < inv->n; i++)
		if (sv_starts(inv->argv[i].text, SV("-A")) ||
		    sv_starts(inv->argv[i].text, SV("--A")))
			inv_escalates(inv, i, SV("-A"), "packs or unpacks an archive");
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (!option->known || !database_sqlite_only_shows(option->value))
			database_runs(inv, option->value_arg);
	}
	for (size_t i = 1; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];

		if (!inv->argv[arg].known || !database_sqlite_only_shows(inv->argv[arg].text))
			database_runs(inv, arg);
	}
}
