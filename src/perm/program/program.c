/* Finds the row of a program, has its arguments read as that says, and draws the sum. */
#include "perm/program/table.h"

/* --- what is noted of a call ------------------------------------------------ */

static const char *sentence(struct look *look, struct sv name, const char *why)
{
	return arena_printf(look->arena, "%.*s %s", SV_ARG(name), why).ptr;
}

void look_acts(struct look *look, size_t arg, struct sv name, const char *why)
{
	struct program_use *use = look->use;

	if (!use->escalates) {
		use->escalates = sentence(look, name, why);
		use->escalating = arg;
	} else if (arg != use->escalating &&
		   !(use->also_escalating.n > 0 && *vec_last(&use->also_escalating) == arg)) {
		vec_push(&use->also_escalating, arg);
	}
}

void look_loses(struct look *look, size_t arg, struct sv name, const char *why, bool named)
{
	struct program_use *use = look->use;

	if (use->loses && (use->loses_forced || !named))
		return;
	use->loses = sentence(look, name, why);
	use->loses_forced = named;
	use->losing = arg;
}

static void add_operand(struct look *look, size_t arg, struct sv path, bool known,
			enum operand_use use)
{
	vec_push(&look->use->operands, ((struct operand){ .arg = arg,
							  .path = path,
							  .known = known,
							  .use = use,
							  .recursive = look->recursive,
							  .follows_links = look->follows }));
}

void look_path(struct look *look, size_t arg, struct sv path, enum operand_use use)
{
	add_operand(look, arg, path, look->argv[arg].known, use);
}

static bool is_stream(const struct argument *arg, enum operand_use use)
{
	return arg->known && sv_is(arg->text, "-") &&
	       (use == OPERAND_READ || use == OPERAND_LIST || use == OPERAND_WRITE);
}

void look_operand(struct look *look, size_t arg, enum operand_use use)
{
	if (!is_stream(&look->argv[arg], use))
		look_path(look, arg, look->argv[arg].text, use);
}

struct inner_command *look_inner(struct look *look, size_t from, size_t to)
{
	struct inner_command *inner = vec_add(&look->use->inner);

	inner->from = from;
	inner->to = to;
	return inner;
}

struct inner_command *look_script(struct look *look, struct sv script)
{
	struct inner_command *inner = vec_add(&look->use->inner);

	inner->script = script;
	return inner;
}

void look_aside(struct look *look, struct sv script)
{
	if (script.len)
		vec_add(&look->use->maybe_inner)->script = script;
}

void look_guess(struct look *look, size_t from)
{
	struct inner_command *aside = vec_add(&look->use->maybe_inner);

	aside->from = from;
	aside->to = look->n;
	aside->is_guess = true;
}

bool look_join(struct look *look, size_t from, size_t to, struct sv *out)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = from; i < to; i++) {
		if (!look->argv[i].known)
			return false;
		if (i > from)
			str_addc(&text, ' ');
		str_add(&text, look->argv[i].text);
	}
	*out = arena_dup(look->arena, sv_of(&text));
	return true;
}

const struct seen *look_seen(const struct look *look, int tag)
{
	for (size_t i = 0; i < look->seen.n; i++)
		if (look->seen.at[i].row->tag == tag)
			return &look->seen.at[i];
	return NULL;
}

/* --- operands --------------------------------------------------------------- */

/* The part that operand `i` of `n` plays. False: it is no path. */
static bool operand_use_of(struct look *look, size_t i, size_t n, enum operand_use *out)
{
	bool first = i == 0 && !look->first_given;

	switch (look->row->operands) {
	case OPERANDS_TEXT:
	case OPERANDS_NONE:
	case OPERANDS_OWN: return false;
	case OPERANDS_READ: *out = OPERAND_READ; return true;
	case OPERANDS_LIST: *out = OPERAND_LIST; return true;
	case OPERANDS_WRITE: *out = OPERAND_WRITE; return true;
	case OPERANDS_REMOVE: *out = OPERAND_REMOVE; return true;
	case OPERANDS_ENTER: *out = OPERAND_ENTER; return true;
	case OPERANDS_DEVICE: *out = OPERAND_DEVICE; return true;
	case OPERANDS_TEXT_READ: *out = OPERAND_READ; return !first;
	case OPERANDS_TEXT_LIST: *out = OPERAND_LIST; return !first;
	case OPERANDS_TEXT_WRITE: *out = OPERAND_WRITE; return !first;
	case OPERANDS_READ_WRITE:
		*out = i > 0 && i + 1 == n && !look->first_given ? OPERAND_WRITE : OPERAND_READ;
		return true;
	}
	return false;
}

static bool depends_on_place(enum operand_shape shape)
{
	return shape == OPERANDS_TEXT_READ || shape == OPERANDS_TEXT_LIST ||
	       shape == OPERANDS_TEXT_WRITE || shape == OPERANDS_READ_WRITE;
}

static void take_operands(struct look *look)
{
	const struct program_row *row = look->row;
	size_t npaths = 0;
	enum operand_use use = OPERAND_READ;

	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		const struct argument *text = &look->argv[arg];

		if (row->operands == OPERANDS_NONE)
			look_acts(look, arg, text->text, "is an argument that may set something");
		if (depends_on_place(row->operands) && !text->known && !text->single)
			look->unclear = true;
		if (!operand_use_of(look, i, look->operands.n, &use))
			continue;
		look_operand(look, arg, use);
		npaths++;
	}
	/* The part that the first path would have played. */
	if (row->here && npaths == 0 && operand_use_of(look, 1, 1, &use) &&
	    (use != OPERAND_READ || look->recursive))
		add_operand(look, 0, SV("."), true, use);
}

/* --- a command inside ------------------------------------------------------- */

enum { MOST_STARTS = 16 };

void look_wrapped(struct look *look, size_t skips, bool peeled)
{
	bool guesses = look->strange || look->unclear;
	size_t n = look->operands.n;

	for (size_t i = 0; i < skips && i < n; i++) {
		const struct argument *arg = &look->argv[look->operands.at[i]];

		look->unclear |= !arg->known && !arg->single;
	}
	for (size_t i = skips; i < n && (i == skips || (guesses && i < MOST_STARTS)); i++) {
		struct inner_command *inner = look_inner(look, look->operands.at[i], look->n);

		inner->is_transparent = peeled && !look->use->escalates && !look->unclear;
	}
}

/* --- the row of a program ---------------------------------------------------- */

static const struct program_row *find_in(const struct program_table *table, struct sv name)
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

/* mkfs has a program of its own for every file system, and every machine its own loader. */
static struct sv family_name(struct sv name)
{
	if (sv_starts(name, SV("ld-linux")) || sv_starts(name, SV("ld-musl")))
		return SV("ld.so");
	return sv_starts(name, SV("mkfs.")) ? SV("mkfs") : name;
}

static const struct program_row *find_program(struct sv name)
{
	static const struct program_table *const tables[] = {
		&program_table_text,    &program_table_builtin, &program_table_files,
		&program_table_archive, &program_table_wraps,   &program_table_shell,
		&program_table_search,  &program_table_find,    &program_table_sed,
		&program_table_awk,     &program_table_jq,      &program_table_net,
		&program_table_git,     &program_table_dev,     &program_table_awl,
	};

	for (size_t i = 0; i < countof(tables); i++) {
		const struct program_row *row = find_in(tables[i], name);

		if (row)
			return row->as ? find_in(tables[i], sv_cstr(row->as)) : row;
	}
	return NULL;
}

/* --- the sum ----------------------------------------------------------------- */

static void take_row(struct look *look, const struct program_row *row)
{
	struct program_use *use = look->use;

	use->is_tool |= row->is_tool;
	use->is_interpreter |= row->is_interpreter;
	use->network |= row->network;
	use->is_shell |= row->is_shell;
	use->is_floor |= row->is_floor;
	look->recursive |= row->recursive;
	look->follows |= row->follows;
}

static bool changes_files(const struct program_use *use)
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

static void look_at(struct look *look)
{
	const struct program_row *row;
	struct program_use *use = look->use;
	struct sv name;

	look_read(look, 1);
	for (size_t i = 0; i < look->nouter; i++)
		take_row(look, look->outer[i]);
	row = look->row;
	take_row(look, row);
	if (row->nsubs > 0 && look->operands.n > 0)
		use->verb = look->operands.at[0];
	else if (look->nouter > 0)
		use->verb = look->first - 1;
	name = look->nouter > 0 ? sv_cstr(row->name) : look->argv[0].text;
	if (row->acts)
		look_acts(look, min_of(look->first, look->n - 1), name, row->acts);
	if (row->loses)
		look_loses(look, 0, name, row->loses, false);
	if (row->special)
		row->special(look);
	if (row->wraps != WRAPS_NOTHING)
		look_wrapped(look, row->skips, row->wraps == WRAPS_PEELED);
	else
		take_operands(look);
	use->known = !look->unclear;
	use->read_only = row->read_only && use->known && !look->changes && !use->escalates &&
			 !use->loses && !use->network && !use->is_floor && !changes_files(use);
}

/* Nothing is known of the program: it may run another one. */
static void guess_commands(struct look *look)
{
	for (size_t i = 1; i < look->n && i < MOST_STARTS; i++)
		if (look->argv[i].known && !sv_starts(look->argv[i].text, SV("-")))
			look_guess(look, i);
}

void program_analyse(struct program_use *out, const struct argument *argv, size_t n,
		     struct arena *arena)
{
	struct look look = { .use = out, .argv = argv, .n = n, .arena = arena };

	*out = (struct program_use){ .known = false };
	if (program_tells_version(argv, n)) {
		out->known = out->read_only = out->is_tool = out->is_version = true;
		return;
	}
	look.row = find_program(family_name(argv[0].text));
	if (!look.row) {
		guess_commands(&look);
		return;
	}
	look_at(&look);
	vec_clear(&look.seen);
	vec_clear(&look.operands);
}

void program_use_clear(struct program_use *use)
{
	vec_clear(&use->also_escalating);
	vec_clear(&use->operands);
	vec_clear(&use->inner);
	vec_clear(&use->maybe_inner);
}
