/* find. Its command line is an expression: options, starting points, then tests and actions.
 *
 * Every primary that GNU find knows is in a table (programs/find.c) with the number of its
 * arguments, so that this code always knows which word is a primary and which is an argument
 * ("-name -exec" is only a name). Tests and printing change nothing. -exec and its relatives give
 * a command inside, -delete makes the starting points removed files, -fprint writes.
 *
 * A primary that is not in the table escalates. A word that is not known before the command
 * runs makes the whole call unclear, unless it certainly is a starting point. */
#include "perm/program/special.h"

/* -newerXY compares with a file, or with a time when Y is "t". */
static const struct find_primary newer_file = { "-newer??", 1, FIND_FILE };
static const struct find_primary newer_time = { "-newer?t", 1, FIND_TEST };

static const struct find_primary *find_lookup(struct sv name)
{
	for (const struct find_primary *primary = find_primaries; *primary->name; primary++)
		if (sv_is(name, primary->name))
			return primary;
	if (sv_starts(name, SV("-newer")) && name.len == 8)
		return name.ptr[7] == 't' ? &newer_time : &newer_file;
	return NULL;
}

/* Note the command after "-exec" at `at`, up to ";" or "{} +". Return the last argument of it. */
static size_t find_take_command(struct invocation *inv, size_t at)
{
	struct inner_command *inner;
	size_t end = at + 1;
	bool uses_names = false;

	for (; end < inv->n; end++) {
		struct sv text = inv->argv[end].text;

		if (sv_is(text, ";") || (sv_is(text, "+") && sv_is(inv->argv[end - 1].text, "{}")))
			break;
		uses_names |= sv_find(text, SV("{}")) != SIZE_MAX;
	}
	if (end > at + 1) {
		inner = inv_runs(inv, at + 1, end);
		inner->more_args = uses_names;
	}
	return end;
}

/* Read one primary. Return its last argument; set `*start_use` when it changes how the starting
 * points are used. */
static size_t find_take_primary(struct invocation *inv, size_t at,
				const struct find_primary *primary, enum operand_use *start_use)
{
	struct sv name = inv->argv[at].text;

	for (size_t i = at + 1; i <= at + primary->nargs && i < inv->n; i++)
		inv->unclear |= !inv->argv[i].known && !inv->argv[i].single;
	switch (primary->kind) {
	case FIND_TEST: break;
	case FIND_FILE:
		if (at + 1 < inv->n)
			inv_operand(inv, at + 1, OPERAND_LIST);
		break;
	case FIND_WRITE:
		if (at + 1 < inv->n)
			inv_operand(inv, at + 1, OPERAND_WRITE);
		inv_escalates(inv, at, name, "writes a file");
		break;
	case FIND_RUN:
		inv_escalates(inv, at, name, "runs a command");
		return find_take_command(inv, at);
	case FIND_DELETE:
		inv_escalates(inv, at, name, "removes files");
		*start_use = OPERAND_REMOVE;
		break;
	case FIND_FOLLOW: inv->follows = true; break;
	case FIND_NAMES: inv_escalates(inv, at, name, "takes paths from a file"); break;
	}
	return at + primary->nargs;
}

/* Read the options before the starting points. Return the first argument after them. */
static size_t find_take_options(struct invocation *inv)
{
	size_t at = 1;

	for (; at < inv->n && inv->argv[at].known; at++) {
		struct sv text = inv->argv[at].text;

		if (sv_is(text, "-L"))
			inv->follows = true;
		else if (sv_is(text, "-D"))
			at++;
		else if (sv_is(text, "--"))
			return at + 1;
		else if (!sv_is(text, "-H") && !sv_is(text, "-P") && !sv_starts(text, SV("-O")))
			break;
	}
	return min_of(at, inv->n);
}

static bool find_begins_expression(const struct argument *arg)
{
	return (sv_starts(arg->text, SV("-")) && arg->text.len > 1) || sv_is(arg->text, "!") ||
	       sv_is(arg->text, "(") || sv_is(arg->text, ",") || sv_is(arg->text, ")");
}

static void find_take_starts(struct invocation *inv, size_t from, size_t to, enum operand_use use)
{
	inv->recursive = true;
	for (size_t i = from; i < to; i++)
		inv_operand(inv, i, use);
	if (from == to)
		inv_path(inv, 0, SV("."), use);
}

void find_arguments(struct invocation *inv)
{
	size_t from = find_take_options(inv), to = from;
	enum operand_use start_use = OPERAND_LIST;

	for (; to < inv->n && !find_begins_expression(&inv->argv[to]); to++) {
		const struct argument *arg = &inv->argv[to];

		inv->unclear |=
			!arg->known && (arg->text.len == 0 || !(arg->single || arg->is_glob));
	}
	for (size_t at = to; at < inv->n; at++) {
		const struct find_primary *primary = find_lookup(inv->argv[at].text);

		inv->unclear |= !inv->argv[at].known;
		if (primary)
			at = find_take_primary(inv, at, primary, &start_use);
		else
			inv_escalates(inv, at, inv->argv[at].text, "is not known to be harmless");
	}
	find_take_starts(inv, from, to, start_use);
}
