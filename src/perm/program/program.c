/* Finds the row of a program, has its arguments read by that row, and sums up what the call
 * does. */
#include "perm/program/invocation.h"

/* --- operands ------------------------------------------------------------------------ */

/* Say how operand `i` of `n` is used. Return false when it is not a path. */
static bool program_operand_use(struct invocation *inv, size_t i, size_t n, enum operand_use *out)
{
	bool first = i == 0 && !inv->first_replaced;

	switch (inv->row->operands) {
	case OPERANDS_TEXT:
	case OPERANDS_NONE: return false;
	case OPERANDS_READ: *out = OPERAND_READ; return true;
	case OPERANDS_LIST: *out = OPERAND_LIST; return true;
	case OPERANDS_WRITE: *out = OPERAND_WRITE; return true;
	case OPERANDS_REMOVE: *out = OPERAND_REMOVE; return true;
	case OPERANDS_DEVICE: *out = OPERAND_DEVICE; return true;
	case OPERANDS_TEXT_READ: *out = OPERAND_READ; return !first;
	case OPERANDS_TEXT_LIST: *out = OPERAND_LIST; return !first;
	case OPERANDS_READ_WRITE:
		*out = i > 0 && i + 1 == n && !inv->first_replaced ? OPERAND_WRITE : OPERAND_READ;
		return true;
	}
	return false;
}

static bool program_depends_on_position(enum operand_shape shape)
{
	return shape == OPERANDS_TEXT_READ || shape == OPERANDS_TEXT_LIST ||
	       shape == OPERANDS_READ_WRITE;
}

static void program_note_operands(struct invocation *inv)
{
	const struct program_row *row = inv->row;
	size_t npaths = 0;
	enum operand_use use = OPERAND_READ;

	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		const struct argument *text = &inv->argv[arg];

		if (row->operands == OPERANDS_NONE)
			inv_escalates(inv, arg, text->text,
				      "is an argument that may set something");
		if (program_depends_on_position(row->operands) && !text->known && !text->single)
			inv->unclear = true;
		if (!program_operand_use(inv, i, inv->operands.n, &use))
			continue;
		inv_operand(inv, arg, use);
		npaths++;
	}
	/* "." is used as the first path would be; the name of the program stands for it. */
	if (row_has(row, HERE) && npaths == 0 && program_operand_use(inv, 1, 1, &use) &&
	    (use != OPERAND_READ || inv->recursive)) {
		inv_path(inv, 0, SV("."), use);
		vec_last(&inv->use->operands)->known = true;
	}
}

/* --- the row of a program ------------------------------------------------------------- */

static const struct program_row *program_find_in(const struct program_table *table, struct sv name)
{
	size_t from = 0, to = table->n;

	while (from < to) {
		size_t at = from + (to - from) / 2;
		int order = sv_cmp(name, sv_cstr(table->rows[at].name));

		if (order == 0)
			return &table->rows[at];
		if (order < 0)
			to = at;
		else
			from = at + 1;
	}
	return NULL;
}

/* mkfs has a program for every file system, and every architecture has its own loader. */
static struct sv program_family(struct sv name)
{
	if (sv_starts(name, SV("ld-linux")) || sv_starts(name, SV("ld-musl")))
		return SV("ld.so");
	return sv_starts(name, SV("mkfs.")) ? SV("mkfs") : name;
}

static const struct program_row *program_find(struct sv name)
{
	static const struct program_table *const tables[] = {
		&program_table_text,       &program_table_builtins, &program_table_files,
		&program_table_git,        &program_table_search,   &program_table_filters,
		&program_table_build,      &program_table_checks,   &program_table_languages,
		&program_table_packages,   &program_table_wrappers, &program_table_shells,
		&program_table_archive,    &program_table_network,  &program_table_github,
		&program_table_containers, &program_table_editors,  &program_table_system,
		&program_table_machine,    &program_table_awl,      &program_table_clients,
	};

	for (size_t i = 0; i < countof(tables); i++) {
		const struct program_row *row = program_find_in(tables[i], name);

		if (row && row->alias_of)
			return program_find_in(tables[i], sv_cstr(row->alias_of));
		if (row)
			return row;
	}
	return NULL;
}

/* Whether the call is a known program with a single argument that only asks for its version or
 * its help. */
static bool program_shows_version(const struct argument *argv, size_t n)
{
	if (n != 2 || !argv[1].known)
		return false;
	for (const struct version_row *row = program_versions; *row->name; row++) {
		struct sv rest = sv_cstr(row->arguments), word;

		while (sv_is(argv[0].text, row->name) && sv_cut(&rest, ' ', &word))
			if (sv_eq(word, argv[1].text))
				return true;
	}
	return false;
}

/* --- the sum --------------------------------------------------------------------------- */

static void program_add_traits(struct invocation *inv, const struct program_row *row)
{
	struct program_use *use = inv->use;

	use->is_tool |= row_has(row, TOOL);
	use->is_interpreter |= row_has(row, INTERPRETER);
	use->network |= row_has(row, NETWORK);
	use->is_shell |= row_has(row, SHELL);
	use->is_floor |= row_has(row, FLOOR);
	use->sets_any |= row_has(row, SETS_ANY);
	inv->recursive |= row_has(row, RECURSIVE);
	inv->follows |= row_has(row, FOLLOWS_LINKS);
	inv->unclear |= row_has(row, ANY_FILES);
}

static bool program_changes_files(const struct program_use *use)
{
	for (size_t i = 0; i < use->operands.n; i++)
		switch (use->operands.at[i].use) {
		case OPERAND_READ:
		case OPERAND_LIST:
		case OPERAND_ENTER: break;
		case OPERAND_WRITE:
		case OPERAND_REMOVE:
		case OPERAND_DEVICE: return true;
		}
	return false;
}

/* Note what no argument can make the program do. */
static void program_note_nevers(struct invocation *inv)
{
	const struct program_row *row = inv->row;
	bool plain = row_has(row, READ_ONLY) && inv->nouter == 0 && !row->special && !row->nsubs &&
		     row->wraps == WRAPS_NOTHING && row->operands != OPERANDS_READ_WRITE;
	bool lists = row->operands == OPERANDS_LIST || row->operands == OPERANDS_TEXT;

	for (size_t i = 0; i < row->noptions; i++)
		switch (row->options[i].effect) {
		case EFFECT_NONE:
		case EFFECT_LISTS:
		case EFFECT_RECURSES:
		case EFFECT_FOLLOWS:
		case EFFECT_RECURSES_FOLLOWING: break;
		case EFFECT_SELECTS:
		case EFFECT_READS: lists = false; break;
		case EFFECT_CHANGES:
		case EFFECT_TARGET:
		case EFFECT_WRITES:
		case EFFECT_ENTERS:
		case EFFECT_LEADS:
		case EFFECT_ESCALATES:
		case EFFECT_LOADS:
		case EFFECT_LOSES:
		case EFFECT_LOSES_NAMED:
		case EFFECT_SCRIPT:
		case EFFECT_RUNS:
		case EFFECT_RUNS_UNKNOWN: plain = false;
		}
	inv->use->never_writes = plain || row_has(row, NO_FILES);
	inv->use->never_reads = (plain && lists) || row_has(row, NO_FILES);
}

/* Note what every call of the row does. */
static void program_note_row(struct invocation *inv)
{
	const struct program_row *row = inv->row;
	bool named = row_has(row, NAMED);
	struct sv name = inv->nouter > 0 ? sv_cstr(row->name) : inv->argv[0].text;

	if (row->escalates)
		inv_escalates(inv, named ? inv->first - 1 : min_of(inv->first, inv->n - 1), name,
			      row->escalates);
	if (row->loses)
		inv_loses(inv, named ? inv->first - 1 : 0, name, row->loses, named);
}

static void program_analyse_row(struct invocation *inv)
{
	const struct program_row *row;
	struct program_use *use = inv->use;

	inv_read_options(inv, 1);
	for (size_t i = 0; i < inv->nouter; i++)
		program_add_traits(inv, inv->outer[i]);
	row = inv->row;
	program_add_traits(inv, row);
	if (row->nsubs > 0 && inv->operands.n > 0)
		use->verb = inv->operands.at[0];
	else if (inv->nouter > 0)
		use->verb = inv->first - 1;
	program_note_row(inv);
	use->unpacks = row_has(row, UNPACKS);
	if (row->special)
		row->special(inv);
	if (row->wraps != WRAPS_NOTHING)
		inv_wraps(inv, row->skips, row->wraps == WRAPS_TRANSPARENT);
	else
		program_note_operands(inv);
	for (size_t i = 0; i < use->inner.n; i++)
		use->inner.at[i].is_same_shell = row_has(row, SAME_SHELL);
	use->known = !inv->unclear;
	program_note_nevers(inv);
	use->read_only = row_has(row, READ_ONLY) && use->known && !inv->changes &&
			 !use->escalates && !use->loses && !use->network && !use->is_floor &&
			 !program_changes_files(use);
}

/* Nothing is known of the program: it may run another one. */
static void program_guess_commands(struct invocation *inv)
{
	for (size_t i = 1; i < inv->n && i < INV_MAX_STARTS; i++)
		if (inv->argv[i].known && !sv_starts(inv->argv[i].text, SV("-")))
			inv_may_run_from(inv, i);
}

void program_analyse(struct program_use *out, const struct argument *argv, size_t n,
		     struct arena *arena)
{
	struct invocation inv = { .use = out, .argv = argv, .n = n, .arena = arena };

	*out = (struct program_use){ .known = false };
	if (program_shows_version(argv, n)) {
		out->known = out->read_only = out->is_tool = out->is_version = true;
		return;
	}
	inv.row = program_find(program_family(argv[0].text));
	if (!inv.row) {
		program_guess_commands(&inv);
		return;
	}
	program_analyse_row(&inv);
	vec_clear(&inv.options);
	vec_clear(&inv.operands);
}

void program_use_clear(struct program_use *use)
{
	vec_clear(&use->also_escalating);
	vec_clear(&use->leads);
	vec_clear(&use->sets);
	vec_clear(&use->operands);
	vec_clear(&use->inner);
	vec_clear(&use->maybe_inner);
}
