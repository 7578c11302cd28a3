/* Reads the options of a call as the program's own parser would.
 *
 * The problem: "tar xf a -C b" and "sort -no out" only give away what they do to a reader who
 * knows which letters take a value and where options end. A reader that gets this wrong takes an
 * option for a value, and an attacker needs only one such case. So this code copies
 * getopt_long(): clusters ("-abc"), attached values ("-ovalue", "--output=value"),
 * abbreviations ("--outp") unless they are ambiguous, "--", operands between options, and the
 * variations that traits describe (table.h). What the program itself would reject does not
 * matter: then it does nothing.
 *
 * Each argument is one of four things: an option, the value of one, a subcommand, or an operand.
 * A subcommand changes the row: from there on its options apply, and those of the outer rows
 * that are marked `anywhere`. The effects of an option are noted at once; options with a tag and
 * all operands are also kept for the code that follows (program.c, special.h).
 *
 * Arguments that are not known before the command runs are the other half of the work. One that
 * could be an option, or several words, makes the call unclear: no operand can be trusted then,
 * and the call is neither known nor read-only. Exceptions keep everyday commands free of
 * questions: a quoted value, a path that begins with known text, and an argument that is a number
 * or missing (`head -n $n`). The last may shift what follows, see `gap`.
 *
 * An option that the table does not list escalates when the row is CLOSED. In an open row it is
 * only remembered, because it may take the next argument as its value: a command inside may
 * then begin later than it seems, see inv_wraps(). */
#include "base/ascii.h"
#include "perm/path/secret_name.h"
#include "perm/program/special.h"

/* --- spellings ----------------------------------------------------------------------------- */

/* One spelling of an option in a table. */
struct spelling {
	const struct option_row *row;
	struct sv name; /* "--output", "-o" */
	enum option_value value;
};

/* Take the next spelling off `*rest`: "-ab=" gives "-ab" with VALUE_NEEDED. */
static bool options_next_spelling(struct sv *rest, struct spelling *out)
{
	struct sv word;

	if (rest->len == 0)
		return false;
	word = sv_slice(*rest, 0, min_of(sv_find_char(*rest, ' '), rest->len));
	*rest = sv_skip(*rest, word.len + 1);
	out->value = VALUE_NONE;
	if (word.len > 2 && word.ptr[word.len - 2] == '=' && word.ptr[word.len - 1] == '?') {
		out->value = VALUE_ATTACHED;
		word.len -= 2;
	} else if (word.len > 2 && word.ptr[word.len - 1] == '=') {
		out->value = VALUE_NEEDED;
		word.len -= 1;
	}
	out->name = word;
	return true;
}

/* What a search for an option found so far. */
struct search {
	struct spelling best;
	bool found, exact, ambiguous;
};

static void options_offer(struct search *search, const struct spelling *one, bool exact)
{
	struct spelling *best = &search->best;

	if (exact || !search->found)
		*best = *one;
	else if (best->row != one->row || best->value != one->value)
		search->ambiguous = true;
	search->exact = exact;
	search->found = true;
}

/* Compare a long option with one spelling; "--[no-]x" is two. */
static void options_offer_long(struct search *search, const struct spelling *one, struct sv given)
{
	struct sv both = SV("--[no-]"), no = SV("--no-"), name = one->name, tail;

	if (!sv_starts(name, both)) {
		if (sv_starts(name, given))
			options_offer(search, one, name.len == given.len);
		return;
	}
	name = sv_skip(name, both.len);
	tail = sv_skip(given, 2);
	if (sv_starts(name, tail))
		options_offer(search, one, name.len == tail.len);
	tail = sv_skip(given, no.len);
	if (!search->exact && (sv_starts(no, given) || sv_starts(given, no)) &&
	    sv_starts(name, tail))
		options_offer(search, one, name.len == tail.len);
}

/* Remove the dashes: "-name" and "--name" are the same to some programs. */
static struct sv options_undashed(struct sv name)
{
	return sv_skip(name, sv_starts(name, SV("--")) ? 2 : 1);
}

static void options_offer_one(struct search *search, const struct spelling *one, struct sv given,
			      bool one_dash_long)
{
	bool is_long = sv_starts(one->name, SV("--"));

	if (one_dash_long) {
		if (sv_eq(options_undashed(one->name), options_undashed(given)))
			options_offer(search, one, true);
	} else if (sv_starts(given, SV("--"))) {
		if (is_long)
			options_offer_long(search, one, given);
	} else if (!is_long && sv_find_char(sv_skip(one->name, 1), given.ptr[1]) != SIZE_MAX) {
		options_offer(search, one, true);
	}
}

/* Whether the next spelling can match at all, judging by its first characters. */
static bool options_may_fit(struct sv rest, struct sv given)
{
	bool is_long = rest.len > 2 && rest.ptr[1] == '-';

	if (!sv_starts(given, SV("--")))
		return !is_long;
	return is_long && (given.len == 2 || rest.ptr[2] == given.ptr[2] || rest.ptr[2] == '[');
}

static void options_search_row(struct search *search, const struct program_row *row,
			       struct sv given, bool anywhere_only)
{
	for (size_t i = 0; i < row->noptions && !search->exact; i++) {
		struct spelling one = { .row = &row->options[i] };
		struct sv rest = sv_cstr(row->options[i].names);

		if (anywhere_only && !row->options[i].anywhere)
			continue;
		while (!search->exact && rest.len > 0)
			if (!row_has(row, ONE_DASH_LONG) && !options_may_fit(rest, given))
				rest = sv_skip(rest,
					       min_of(sv_find_char(rest, ' '), rest.len - 1) + 1);
			else if (options_next_spelling(&rest, &one))
				options_offer_one(search, &one, given, row_has(row, ONE_DASH_LONG));
	}
}

/* Find the option "--outp" or "-o". An exact match in an outer command wins over an
 * abbreviation. */
static struct search options_find(struct invocation *inv, struct sv given)
{
	struct search search = { .found = false };

	options_search_row(&search, inv->row, given, false);
	for (size_t i = inv->nouter; i-- > 0 && !search.exact;)
		options_search_row(&search, inv->outer[i], given, true);
	return search;
}

/* Return how to call the option in messages: abbreviations in full. */
static struct sv options_full_name(const struct search *search, struct sv given)
{
	struct sv name = search->best.name;

	return sv_starts(name, SV("--")) && sv_find_char(name, '[') == SIZE_MAX ? name : given;
}

/* --- effects ------------------------------------------------------------------------------- */

static void options_take_script(struct invocation *inv, const struct given_option *option,
				struct sv name)
{
	if (option->has_value && option->known)
		inv_runs_script(inv, option->value);
	inv_escalates(inv, option->arg, name,
		      option->row->why ? option->row->why : "runs a command");
}

/* Whether the value is a setting of git that runs nothing: "user.name=x". */
static bool options_is_harmless(struct sv value)
{
	size_t equals = sv_find_char(value, '=');

	return equals != SIZE_MAX && git_is_harmless_setting(sv_slice(value, 0, equals));
}

/* "alias.x=push" makes "x" mean "git push". */
static void options_take_alias(struct invocation *inv, struct sv value)
{
	size_t equals = sv_find_char(value, '=');

	if (sv_starts(value, SV("alias.")) && equals != SIZE_MAX)
		inv_may_run(inv, arena_printf(inv->arena, "git %.*s",
					      SV_ARG(sv_skip(value, equals + 1))));
}

static void options_take_command(struct invocation *inv, const struct given_option *option,
				 struct sv name)
{
	bool known = option->known && option->row->effect != EFFECT_RUNS_UNKNOWN;

	if (option->has_value && options_is_harmless(option->value)) {
		if (!known)
			inv_escalates(inv, option->arg, name, "is known only when it runs");
		return;
	}
	if (option->has_value)
		inv_may_run_value(inv, option->value, known);
	if (option->has_value && known)
		options_take_alias(inv, option->value);
	inv_escalates(inv, option->arg, name,
		      option->row->why ? option->row->why : "runs a program");
}

static bool options_is_tool(const struct invocation *inv)
{
	return row_has(inv->row, TOOL) || (inv->nouter > 0 && row_has(inv->outer[0], TOOL));
}

static void options_take_output(struct invocation *inv, const struct given_option *option,
				struct sv name)
{
	if (option->known && sv_is(option->value, "/dev/null"))
		return;
	inv_option_path(inv, option, OPERAND_WRITE);
	if (options_is_tool(inv))
		inv_escalates(inv, option->arg, name,
			      option->row->why ? option->row->why : "writes a file");
}

/* "--include=.env", "--type-add=x:.env". */
static void options_take_glob(struct invocation *inv, const struct given_option *option,
			      struct sv name)
{
	struct sv glob = sv_skip(option->value, sv_rfind_char(option->value, ':') + 1);

	if (!option->known)
		inv_escalates(inv, option->arg, name, "may choose secrets");
	else if (secret_is_glob(glob))
		inv_escalates(inv, option->arg, name, "chooses files that look like secrets");
}

static void options_apply(struct invocation *inv, const struct given_option *option, struct sv name)
{
	const struct option_row *row = option->row;

	switch (row->effect) {
	case EFFECT_NONE: break;
	case EFFECT_CHANGES: inv->changes = true; break;
	case EFFECT_READS: inv_option_path(inv, option, OPERAND_READ); break;
	case EFFECT_LISTS: inv_option_path(inv, option, OPERAND_LIST); break;
	case EFFECT_SELECTS: options_take_glob(inv, option, name); break;
	case EFFECT_TARGET: inv_option_path(inv, option, OPERAND_WRITE); break;
	case EFFECT_WRITES: options_take_output(inv, option, name); break;
	case EFFECT_ENTERS:
		inv_option_path(inv, option, OPERAND_ENTER);
		if (options_is_tool(inv))
			inv_escalates(inv, option->arg, name,
				      row->why ? row->why : "changes the directory");
		break;
	case EFFECT_LEADS:
		vec_push(&inv->use->leads, option->arg);
		if (option->has_value && option->value_arg != option->arg)
			vec_push(&inv->use->leads, option->value_arg);
		break;
	case EFFECT_ESCALATES: inv_escalates(inv, option->arg, name, row->why); break;
	case EFFECT_LOADS:
		inv_option_path(inv, option, OPERAND_READ);
		inv_escalates(inv, option->arg, name, row->why);
		break;
	case EFFECT_LOSES: inv_loses(inv, option->arg, name, row->why, false); break;
	case EFFECT_LOSES_NAMED: inv_loses(inv, option->arg, name, row->why, true); break;
	case EFFECT_RECURSES: inv->recursive = true; break;
	case EFFECT_FOLLOWS: inv->follows = true; break;
	case EFFECT_RECURSES_FOLLOWING: inv->recursive = inv->follows = true; break;
	case EFFECT_SCRIPT: options_take_script(inv, option, name); break;
	case EFFECT_RUNS:
	case EFFECT_RUNS_UNKNOWN: options_take_command(inv, option, name); break;
	}
	inv->first_replaced |= row->replaces_operand;
	if (row->tag)
		vec_push(&inv->options, *option);
}

/* --- one argument -------------------------------------------------------------------------- */

/* Argument `arg` may turn out to be nothing: the option then takes the next one as its value. */
static void options_note_gap(struct invocation *inv, size_t arg)
{
	inv->gap = arg;
	inv->changes = true;
}

static void options_note_value(struct invocation *inv, size_t at)
{
	const struct argument *arg = &inv->argv[at];

	if (arg->is_tame && !arg->single)
		options_note_gap(inv, at);
	else
		inv->unclear |= !arg->known && !arg->single;
}

/* Apply an option whose value is the next argument. Return the last argument read. */
static size_t options_apply_with_next(struct invocation *inv, struct given_option option,
				      struct sv name)
{
	size_t at = option.arg + 1;

	if (at < inv->n) {
		const struct argument *arg = &inv->argv[at];

		options_note_value(inv, at);
		option.has_value = true;
		option.value = arg->text;
		option.known = arg->known;
		option.value_arg = at;
	}
	options_apply(inv, &option, name);
	return min_of(at, inv->n);
}

static void options_unknown(struct invocation *inv, size_t arg, struct sv name)
{
	inv->has_unlisted = true;
	if (row_has(inv->row, CLOSED))
		inv_escalates(inv, arg, name, "is not known to be harmless");
}

/* Read "--name" or "--name=value". Return the last argument read. */
static size_t options_read_long(struct invocation *inv, size_t at)
{
	const struct argument *arg = &inv->argv[at];
	size_t equals = sv_find_char(arg->text, '=');
	struct sv given = sv_slice(arg->text, 0, min_of(equals, arg->text.len));
	struct search search = options_find(inv, given);
	struct given_option option = { .row = search.best.row,
				       .arg = at,
				       .has_value = equals != SIZE_MAX,
				       .known = arg->known,
				       .value_arg = at };

	if (!arg->known && (equals == SIZE_MAX || !arg->single))
		inv->unclear = true;
	if (search.ambiguous && !search.exact) {
		inv_escalates(inv, at, given, "could mean several options");
		return at;
	}
	if (!search.found) {
		options_unknown(inv, at, given);
		return at;
	}
	if (!option.has_value && search.best.value == VALUE_NEEDED)
		return options_apply_with_next(inv, option, options_full_name(&search, given));
	option.value = sv_skip(arg->text, option.has_value ? equals + 1 : arg->text.len);
	options_apply(inv, &option, options_full_name(&search, given));
	return at;
}

enum { OPTIONS_MAX_CLUSTER = 64 };

/* Nobody writes such a cluster, and each letter of it would cost a search. */
static bool options_is_too_long(struct invocation *inv, size_t arg, size_t letter)
{
	if (letter < OPTIONS_MAX_CLUSTER)
		return false;
	inv->has_unlisted = true;
	inv_escalates(inv, arg, sv_slice(inv->argv[arg].text, 0, 8), "... is too long");
	return true;
}

/* Whether the text is digits to its end: "-5", but not "-5c". */
static bool options_is_number(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!ascii_is_digit(text.ptr[i]))
			return false;
	return text.len > 0;
}

/* Read "-abc" or "-ovalue". Return the last argument read. */
static size_t options_read_cluster(struct invocation *inv, size_t at)
{
	const struct argument *arg = &inv->argv[at];
	bool lost = false; /* a letter that the table does not list may take a value */

	for (size_t i = 1; i < arg->text.len && !options_is_too_long(inv, at, i); i++) {
		char letter[2] = { '-', arg->text.ptr[i] };
		struct sv name = sv_from(letter, 2);
		struct search search = options_find(inv, name);
		struct given_option option = { .row = search.best.row, .arg = at, .value_arg = at };
		bool last = i + 1 == arg->text.len;

		if (!search.found && row_has(inv->row, NUMBERS) &&
		    options_is_number(sv_skip(arg->text, i)))
			break;
		if (!search.found) {
			options_unknown(inv, at, name);
			lost = true;
			continue;
		}
		if (search.best.value == VALUE_NEEDED && last && arg->known && !lost)
			return options_apply_with_next(inv, option, name);
		if (search.best.value != VALUE_NONE && (!last || !arg->known) && !lost) {
			option.has_value = true;
			option.value = sv_skip(arg->text, i + 1);
			option.known = arg->known;
			options_apply(inv, &option, name);
			inv->unclear |= !arg->known && !arg->single;
			if (arg->is_tame && last && search.best.value == VALUE_NEEDED)
				options_note_gap(inv, at);
			return at;
		}
		options_apply(inv, &option, name);
	}
	inv->unclear |= !arg->known;
	return at;
}

static size_t options_read_option(struct invocation *inv, size_t at)
{
	struct sv text = inv->argv[at].text;

	if (sv_starts(text, SV("--")) || row_has(inv->row, ONE_DASH_LONG))
		return options_read_long(inv, at);
	return options_read_cluster(inv, at);
}

/* --- all arguments ------------------------------------------------------------------------- */

static const struct program_row *options_find_sub(const struct program_row *row, struct sv name)
{
	for (size_t i = 0; i < row->nsubs; i++)
		if (sv_is(name, row->subs[i].name))
			return row->subs[i].alias_of
				       ? options_find_sub(row, sv_cstr(row->subs[i].alias_of))
				       : &row->subs[i];
	return NULL;
}

/* Append an argument so that a shell reads it as it is. */
static void options_quote(struct str *out, const struct argument *arg)
{
	struct sv rest = arg->text, part;

	if (!arg->known) {
		str_adds(out, " $x");
		return;
	}
	str_adds(out, " '");
	while (sv_cut(&rest, '\'', &part))
		str_addf(out, "%.*s%s", SV_ARG(part), rest.len ? "'\\''" : "");
	str_adds(out, "'");
}

/* The argument at `at` stands for the subcommand `full`: a rule that denies that denies this. */
static void options_may_mean(struct invocation *inv, size_t at, struct sv full)
{
	defer(str_clear) struct str text = STR_INIT;

	str_add(&text, inv->argv[0].text);
	for (size_t i = 1; i < inv->n; i++)
		if (i == at)
			str_addf(&text, " %.*s", SV_ARG(full));
		else
			options_quote(&text, &inv->argv[i]);
	inv_may_run(inv, arena_dup(inv->arena, sv_of(&text)));
}

/* Find the entry of `row->other_names` for a name that is given in full. Return whether there is
 * one; `*means` is what another name stands for, or empty. */
static bool options_find_other_name(const struct program_row *row, struct sv given,
				    struct sv *means)
{
	struct sv rest = sv_cstr(row->other_names), entry;

	*means = SV_EMPTY;
	while (sv_cut(&rest, ' ', &entry)) {
		size_t equals = min_of(sv_find_char(entry, '='), entry.len);

		if (!sv_eq(sv_slice(entry, 0, equals), given))
			continue;
		*means = sv_skip(entry, equals + 1);
		return true;
	}
	return false;
}

/* "npm pub" is "npm publish", and "npm i" is "npm install". */
static void options_note_other_names(struct invocation *inv, size_t at)
{
	struct sv given = inv->argv[at].text, rest = sv_cstr(inv->row->other_names), entry, means;

	if (!inv->argv[at].known || !given.len)
		return;
	if (options_find_other_name(inv->row, given, &means)) {
		if (means.len)
			options_may_mean(inv, at, means);
		return;
	}
	while (sv_cut(&rest, ' ', &entry))
		if (sv_find_char(entry, '=') == SIZE_MAX && sv_starts(entry, given))
			options_may_mean(inv, at, entry);
}

/* Whether the operand at `at` is a subcommand; its row applies from there on. */
static bool options_enter_sub(struct invocation *inv, size_t at)
{
	const struct argument *arg = &inv->argv[at];
	const struct program_row *sub;

	if (inv->row->nsubs == 0 || inv->operands.n > 0)
		return false;
	if (inv->nouter == 0)
		inv->use->subcommand = at;
	if (inv->row->other_names)
		options_note_other_names(inv, at);
	sub = arg->known ? options_find_sub(inv->row, arg->text) : NULL;
	if (!sub || inv->nouter == countof(inv->outer)) {
		inv->unclear |= !arg->known;
		if (row_has(inv->row, CLOSED))
			inv_escalates(inv, at, arg->text, "is not a known subcommand");
		return false;
	}
	inv->outer[inv->nouter++] = inv->row;
	inv->row = sub;
	inv->first = at + 1;
	return true;
}

/* Read "xf" of tar: the values follow in the order of the letters. Return the last argument
 * read. */
static size_t options_read_bundle(struct invocation *inv, size_t at)
{
	const struct argument *arg = &inv->argv[at];
	size_t last = at;

	inv->unclear |= !arg->known;
	for (size_t i = 0; i < arg->text.len && !options_is_too_long(inv, at, i); i++) {
		char letter[2] = { '-', arg->text.ptr[i] };
		struct sv name = sv_from(letter, 2);
		struct search search = options_find(inv, name);
		struct given_option option = { .row = search.best.row, .arg = last };

		if (!search.found)
			options_unknown(inv, at, name);
		else if (search.best.value == VALUE_NEEDED)
			last = options_apply_with_next(inv, option, name);
		else
			options_apply(inv, &option, name);
	}
	return last;
}

/* Whether the unknown part of an argument could make it an option, or several words of which one
 * is an option. */
static bool options_may_hide_option(const struct argument *arg)
{
	return !arg->known && !arg->is_tame &&
	       (arg->text.len == 0 || (!arg->single && !arg->is_glob));
}

static bool options_is_option(const struct invocation *inv, const struct argument *arg)
{
	bool is_signed = sv_starts(arg->text, SV("-")) ||
			 (row_has(inv->row, PLUS_OPTIONS) && sv_starts(arg->text, SV("+")));

	return is_signed && (arg->text.len > 1 || !arg->known);
}

/* Read one argument. Return the last argument read, which may be the value of this one. */
static size_t options_read_argument(struct invocation *inv, size_t at, bool *ended)
{
	const struct argument *arg = &inv->argv[at];

	if (!*ended && arg->known && sv_is(arg->text, "--")) {
		*ended = true;
	} else if (!*ended && options_is_option(inv, arg)) {
		return options_read_option(inv, at);
	} else if (!*ended && options_enter_sub(inv, at)) {
		*ended = row_has(inv->row, ANY_TEXT);
	} else {
		inv->unclear |= !*ended && options_may_hide_option(arg);
		inv->unclear |= arg->is_tame && !arg->single && !row_has(inv->row, ANY_ORDER) &&
				at + 1 < inv->n && !row_has(inv->row, ANY_TEXT);
		vec_push(&inv->operands, at);
		*ended |= row_has(inv->row, STOPS_AT_OPERAND) || inv->row->wraps != WRAPS_NOTHING;
	}
	return at;
}

void inv_read_options(struct invocation *inv, size_t from)
{
	bool ended = row_has(inv->row, ANY_TEXT);

	inv->first = from;
	if (row_has(inv->row, BUNDLE_FIRST) && from < inv->n &&
	    !options_is_option(inv, &inv->argv[from]))
		from = options_read_bundle(inv, from) + 1;
	for (size_t i = from; i < inv->n; i++) {
		const struct argument *arg = &inv->argv[i];
		bool is_alone = !ended && options_is_option(inv, arg) && !sv_is(arg->text, "--");
		size_t last;

		if (row_has(inv->row, RESPONSE_FILES) && sv_starts(arg->text, SV("@")))
			inv_escalates(inv, i, arg->text, "stands for arguments in a file");
		last = options_read_argument(inv, i, &ended);
		/* The value that a gap would take must be an option without a value: then the
		 * arguments after it keep their meaning. */
		inv->unclear |= inv->gap && i == inv->gap + 1 && (!is_alone || last > i);
		i = last;
	}
}
