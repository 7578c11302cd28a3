/* find's command line is an expression: starting points first, then tests and actions. */
#include "perm/program/table.h"

enum primary_kind {
	PRIMARY_TEST,  /* and the like: changes nothing */
	PRIMARY_FILE,  /* looks at the file that is its argument */
	PRIMARY_WRITE, /* writes the file that is its argument */
	PRIMARY_RUN,   /* a command follows */
	PRIMARY_DELETE,
	PRIMARY_FOLLOW,
	PRIMARY_NAMES, /* takes starting points from a file */
};

struct primary {
	const char *name;
	size_t nargs;
	enum primary_kind kind;
};

static const struct primary primaries[] = {
	{ "!", 0 },
	{ "(", 0 },
	{ ")", 0 },
	{ ",", 0 },
	{ "-a", 0 },
	{ "-and", 0 },
	{ "-amin", 1 },
	{ "-anewer", 1, PRIMARY_FILE },
	{ "-atime", 1 },
	{ "-cmin", 1 },
	{ "-cnewer", 1, PRIMARY_FILE },
	{ "-context", 1 },
	{ "-ctime", 1 },
	{ "-d", 0 },
	{ "-daystart", 0 },
	{ "-delete", 0, PRIMARY_DELETE },
	{ "-depth", 0 },
	{ "-empty", 0 },
	{ "-exec", 0, PRIMARY_RUN },
	{ "-execdir", 0, PRIMARY_RUN },
	{ "-executable", 0 },
	{ "-false", 0 },
	{ "-files0-from", 1, PRIMARY_NAMES },
	{ "-fls", 1, PRIMARY_WRITE },
	{ "-follow", 0, PRIMARY_FOLLOW },
	{ "-fprint", 1, PRIMARY_WRITE },
	{ "-fprint0", 1, PRIMARY_WRITE },
	{ "-fprintf", 2, PRIMARY_WRITE },
	{ "-fstype", 1 },
	{ "-gid", 1 },
	{ "-group", 1 },
	{ "-help", 0 },
	{ "--help", 0 },
	{ "-ignore_readdir_race", 0 },
	{ "-ilname", 1 },
	{ "-iname", 1 },
	{ "-inum", 1 },
	{ "-ipath", 1 },
	{ "-iregex", 1 },
	{ "-iwholename", 1 },
	{ "-links", 1 },
	{ "-lname", 1 },
	{ "-ls", 0 },
	{ "-maxdepth", 1 },
	{ "-mindepth", 1 },
	{ "-mmin", 1 },
	{ "-mount", 0 },
	{ "-mtime", 1 },
	{ "-name", 1 },
	{ "-newer", 1, PRIMARY_FILE },
	{ "-noignore_readdir_race", 0 },
	{ "-nogroup", 0 },
	{ "-noleaf", 0 },
	{ "-not", 0 },
	{ "-nouser", 0 },
	{ "-nowarn", 0 },
	{ "-o", 0 },
	{ "-ok", 0, PRIMARY_RUN },
	{ "-okdir", 0, PRIMARY_RUN },
	{ "-or", 0 },
	{ "-path", 1 },
	{ "-perm", 1 },
	{ "-print", 0 },
	{ "-print0", 0 },
	{ "-printf", 1 },
	{ "-prune", 0 },
	{ "-quit", 0 },
	{ "-readable", 0 },
	{ "-regex", 1 },
	{ "-regextype", 1 },
	{ "-samefile", 1, PRIMARY_FILE },
	{ "-size", 1 },
	{ "-true", 0 },
	{ "-type", 1 },
	{ "-uid", 1 },
	{ "-used", 1 },
	{ "-user", 1 },
	{ "-version", 0 },
	{ "--version", 0 },
	{ "-warn", 0 },
	{ "-wholename", 1 },
	{ "-writable", 0 },
	{ "-xdev", 0 },
	{ "-xtype", 1 },
};

/* -newerXY looks at a file; with "t" for Y at a time. */
static const struct primary newer_file = { "-newer??", 1, PRIMARY_FILE };
static const struct primary newer_time = { "-newer?t", 1, PRIMARY_TEST };

static const struct primary *find_primary(struct sv name)
{
	for (size_t i = 0; i < countof(primaries); i++)
		if (sv_is(name, primaries[i].name))
			return &primaries[i];
	if (sv_starts(name, SV("-newer")) && name.len == 8)
		return name.ptr[7] == 't' ? &newer_time : &newer_file;
	return NULL;
}

/* The arguments after "-exec" at `at`, up to ";" or "{} +"; gives the last of them. */
static size_t find_command(struct look *look, size_t at)
{
	struct inner_command *inner;
	size_t end = at + 1;
	bool uses_names = false;

	for (; end < look->n; end++) {
		struct sv text = look->argv[end].text;

		if (sv_is(text, ";") || (sv_is(text, "+") && sv_is(look->argv[end - 1].text, "{}")))
			break;
		uses_names |= sv_find(text, SV("{}")) != SIZE_MAX;
	}
	if (end > at + 1) {
		inner = look_inner(look, at + 1, end);
		inner->more_args = uses_names;
	}
	return end;
}

/* Gives the last argument that belongs to it; changes what becomes of the starting points. */
static size_t take_primary(struct look *look, size_t at, const struct primary *primary,
			   enum operand_use *start_use)
{
	struct sv name = look->argv[at].text;

	for (size_t i = at + 1; i <= at + primary->nargs && i < look->n; i++)
		look->unclear |= !look->argv[i].known && !look->argv[i].single;
	switch (primary->kind) {
	case PRIMARY_TEST: break;
	case PRIMARY_FILE:
		if (at + 1 < look->n)
			look_operand(look, at + 1, OPERAND_LIST);
		break;
	case PRIMARY_WRITE:
		if (at + 1 < look->n)
			look_operand(look, at + 1, OPERAND_WRITE);
		look_acts(look, at, name, "writes a file");
		break;
	case PRIMARY_RUN:
		look_acts(look, at, name, "runs a command");
		return find_command(look, at);
	case PRIMARY_DELETE:
		look_acts(look, at, name, "removes files");
		*start_use = OPERAND_REMOVE;
		break;
	case PRIMARY_FOLLOW: look->follows = true; break;
	case PRIMARY_NAMES: look_acts(look, at, name, "takes paths from a file"); break;
	}
	return at + primary->nargs;
}

/* The options before the starting points; gives the first argument after them. */
static size_t take_options(struct look *look)
{
	size_t at = 1;

	for (; at < look->n && look->argv[at].known; at++) {
		struct sv text = look->argv[at].text;

		if (sv_is(text, "-L"))
			look->follows = true;
		else if (sv_is(text, "-D"))
			at++;
		else if (sv_is(text, "--"))
			return at + 1;
		else if (!sv_is(text, "-H") && !sv_is(text, "-P") && !sv_starts(text, SV("-O")))
			break;
	}
	return min_of(at, look->n);
}

static bool begins_expression(const struct argument *arg)
{
	return (sv_starts(arg->text, SV("-")) && arg->text.len > 1) || sv_is(arg->text, "!") ||
	       sv_is(arg->text, "(") || sv_is(arg->text, ",") || sv_is(arg->text, ")");
}

static void take_starts(struct look *look, size_t from, size_t to, enum operand_use use)
{
	look->recursive = true;
	for (size_t i = from; i < to; i++)
		look_operand(look, i, use);
	if (from == to)
		look_path(look, 0, SV("."), use);
}

static void take_expression(struct look *look)
{
	size_t from = take_options(look), to = from;
	enum operand_use start_use = OPERAND_LIST;

	for (; to < look->n && !begins_expression(&look->argv[to]); to++) {
		const struct argument *arg = &look->argv[to];

		look->unclear |=
			!arg->known && (arg->text.len == 0 || !(arg->single || arg->is_glob));
	}
	for (size_t at = to; at < look->n; at++) {
		const struct primary *primary = find_primary(look->argv[at].text);

		look->unclear |= !look->argv[at].known;
		if (primary)
			at = take_primary(look, at, primary, &start_use);
		else
			look_acts(look, at, look->argv[at].text, "is not known to be harmless");
	}
	take_starts(look, from, to, start_use);
}

static const struct program_row rows[] = {
	{ "find", .read_only = true, .is_tool = true, .any_text = true, .operands = OPERANDS_OWN,
	  .special = take_expression },
};

const struct program_table program_table_find = { rows, countof(rows) };
