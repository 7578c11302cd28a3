/* Adds to the result of an analysis what was found out about a call. */
#include "perm/program/invocation.h"

/* --- what a rule must spell -------------------------------------------------------- */

static const char *inv_sentence(struct invocation *inv, struct sv name, const char *why)
{
	return arena_printf(inv->arena, "%.*s %s", SV_ARG(name), why).ptr;
}

void inv_escalates(struct invocation *inv, size_t arg, struct sv name, const char *why)
{
	struct program_use *use = inv->use;

	if (!use->escalates) {
		use->escalates = inv_sentence(inv, name, why);
		use->escalating = arg;
	} else if (arg != use->escalating &&
		   !(use->also_escalating.n > 0 && *vec_last(&use->also_escalating) == arg)) {
		vec_push(&use->also_escalating, arg);
	}
}

void inv_loses(struct invocation *inv, size_t arg, struct sv name, const char *why, bool named)
{
	struct program_use *use = inv->use;

	if (use->loses && (use->loses_named || !named))
		return;
	use->loses = inv_sentence(inv, name, why);
	use->loses_named = named;
	use->losing = arg;
}

/* --- paths --------------------------------------------------------------------------- */

void inv_path(struct invocation *inv, size_t arg, struct sv path, enum operand_use use)
{
	vec_push(&inv->use->operands, ((struct operand){ .arg = arg,
							 .path = path,
							 .known = inv->argv[arg].known,
							 .use = use,
							 .recursive = inv->recursive,
							 .follows_links = inv->follows }));
}

static bool inv_is_stream(const struct argument *arg, enum operand_use use)
{
	return arg->known && sv_is(arg->text, "-") &&
	       (use == OPERAND_READ || use == OPERAND_LIST || use == OPERAND_WRITE);
}

void inv_operand(struct invocation *inv, size_t arg, enum operand_use use)
{
	if (!inv_is_stream(&inv->argv[arg], use))
		inv_path(inv, arg, inv->argv[arg].text, use);
}

void inv_option_path(struct invocation *inv, const struct given_option *option,
		     enum operand_use use)
{
	if (!option->has_value || (option->known && sv_is(option->value, "-")))
		return;
	vec_push(&inv->use->operands, ((struct operand){ .arg = option->value_arg,
							 .path = option->value,
							 .known = option->known,
							 .use = use }));
}

void inv_operands(struct invocation *inv, size_t from, size_t to, enum operand_use use)
{
	for (size_t i = from; i < to; i++)
		inv_operand(inv, inv->operands.at[i], use);
}

void inv_all_operands(struct invocation *inv, enum operand_use use)
{
	inv_operands(inv, 0, inv->operands.n, use);
}

struct sv inv_operand_text(const struct invocation *inv, size_t i)
{
	return inv->argv[inv->operands.at[i]].text;
}

bool inv_operand_is(const struct invocation *inv, size_t i, const char *word)
{
	return i < inv->operands.n && sv_is(inv_operand_text(inv, i), word);
}

void inv_require_single_words(struct invocation *inv)
{
	for (size_t i = 0; i < inv->operands.n; i++) {
		const struct argument *arg = &inv->argv[inv->operands.at[i]];

		inv->unclear |= !arg->known && !arg->single;
	}
}

/* --- commands inside ------------------------------------------------------------------ */

struct inner_command *inv_runs(struct invocation *inv, size_t from, size_t to)
{
	struct inner_command *inner = vec_add(&inv->use->inner);

	inner->from = from;
	inner->to = to;
	return inner;
}

struct inner_command *inv_runs_script(struct invocation *inv, struct sv script)
{
	struct inner_command *inner = vec_add(&inv->use->inner);

	inner->script = script;
	return inner;
}

void inv_may_run(struct invocation *inv, struct sv script)
{
	if (script.len)
		vec_add(&inv->use->maybe_inner)->script = script;
}

void inv_may_run_from(struct invocation *inv, size_t from)
{
	struct inner_command *guess = vec_add(&inv->use->maybe_inner);

	guess->from = from;
	guess->to = inv->n;
	guess->is_guess = true;
}

void inv_wraps(struct invocation *inv, size_t skips, bool is_transparent)
{
	bool guesses = inv->has_unlisted || inv->unclear;
	size_t n = inv->operands.n;

	for (size_t i = 0; i < skips && i < n; i++) {
		const struct argument *arg = &inv->argv[inv->operands.at[i]];

		inv->unclear |= !arg->known && !arg->single;
	}
	for (size_t i = skips; i < n && (i == skips || (guesses && i < INV_MAX_STARTS)); i++) {
		struct inner_command *inner = inv_runs(inv, inv->operands.at[i], inv->n);

		inner->is_transparent = is_transparent && !inv->use->escalates && !inv->unclear;
	}
}

bool inv_join(struct invocation *inv, size_t from, size_t to, struct sv *out)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = from; i < to; i++) {
		if (!inv->argv[i].known)
			return false;
		if (i > from)
			str_addc(&text, ' ');
		str_add(&text, inv->argv[i].text);
	}
	*out = arena_dup(inv->arena, sv_of(&text));
	return true;
}

void inv_runs_words(struct invocation *inv, size_t i)
{
	struct sv script;

	if (i < inv->operands.n && inv_join(inv, inv->operands.at[i], inv->n, &script))
		inv_runs_script(inv, script);
}

/* --- options -------------------------------------------------------------------------- */

const struct given_option *inv_option(const struct invocation *inv, int tag)
{
	for (size_t i = 0; i < inv->options.n; i++)
		if (inv->options.at[i].row->tag == tag)
			return &inv->options.at[i];
	return NULL;
}
