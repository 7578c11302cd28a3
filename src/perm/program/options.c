/* Reads the options of a call exactly as the program's own parser does: clusters, attached
 * values, abbreviations, "--", subcommands. What the program would reject does not matter:
 * then it does nothing. */
#include "perm/program/table.h"

/* --- the spellings of a table -------------------------------------------------- */

/* One spelling of an option as a table has it. */
struct spelling {
	const struct option_row *row;
	struct sv name; /* "--output", "-o" */
	enum option_value value;
};

/* Takes the next spelling off `*rest`: "-ab=" gives "-ab" with VALUE_NEEDED. */
static bool next_spelling(struct sv *rest, struct spelling *out)
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

static void offer(struct search *search, const struct spelling *one, bool exact)
{
	struct spelling *best = &search->best;

	if (exact || !search->found)
		*best = *one;
	else if (best->row != one->row || best->value != one->value)
		search->ambiguous = true;
	search->exact = exact;
	search->found = true;
}

/* Holds a long option against one spelling, "--[no-]x" being two. */
static void offer_long(struct search *search, const struct spelling *one, struct sv given)
{
	struct sv both = SV("--[no-]"), no = SV("--no-"), name = one->name, tail;

	if (!sv_starts(name, both)) {
		if (sv_starts(name, given))
			offer(search, one, name.len == given.len);
		return;
	}
	name = sv_skip(name, both.len);
	tail = sv_skip(given, 2);
	if (sv_starts(name, tail))
		offer(search, one, name.len == tail.len);
	tail = sv_skip(given, no.len);
	if (!search->exact && (sv_starts(no, given) || sv_starts(given, no)) &&
	    sv_starts(name, tail))
		offer(search, one, name.len == tail.len);
}

/* Without the dashes; "-name" and "--name" are the same to some programs. */
static struct sv undashed(struct sv name)
{
	return sv_skip(name, sv_starts(name, SV("--")) ? 2 : 1);
}

static void offer_one(struct search *search, const struct spelling *one, struct sv given,
		      bool long_by_one_dash)
{
	bool is_long = sv_starts(one->name, SV("--"));

	if (long_by_one_dash) {
		if (sv_eq(undashed(one->name), undashed(given)))
			offer(search, one, true);
	} else if (sv_starts(given, SV("--"))) {
		if (is_long)
			offer_long(search, one, given);
	} else if (!is_long && sv_find_char(sv_skip(one->name, 1), given.ptr[1]) != SIZE_MAX) {
		offer(search, one, true);
	}
}

/* Whether the next spelling is worth a closer look. */
static bool may_fit(struct sv rest, struct sv given)
{
	bool is_long = rest.len > 2 && rest.ptr[1] == '-';

	if (!sv_starts(given, SV("--")))
		return !is_long;
	return is_long && (given.len == 2 || rest.ptr[2] == given.ptr[2] || rest.ptr[2] == '[');
}

static void search_row(struct search *search, const struct program_row *row, struct sv given,
		       bool anywhere_only)
{
	for (size_t i = 0; i < row->noptions && !search->exact; i++) {
		struct spelling one = { .row = &row->options[i] };
		struct sv rest = sv_cstr(row->options[i].names);

		if (anywhere_only && !row->options[i].anywhere)
			continue;
		while (!search->exact && rest.len > 0)
			if (!row->long_by_one_dash && !may_fit(rest, given))
				rest = sv_skip(rest,
					       min_of(sv_find_char(rest, ' '), rest.len - 1) + 1);
			else if (next_spelling(&rest, &one))
				offer_one(search, &one, given, row->long_by_one_dash);
	}
}

/* `given`: "--outp" or "-o". An exact one of an outer command counts before an
 * abbreviation. */
static struct search find_option(struct look *look, struct sv given)
{
	struct search search = { .found = false };

	search_row(&search, look->row, given, false);
	for (size_t i = look->nouter; i-- > 0 && !search.exact;)
		search_row(&search, look->outer[i], given, true);
	return search;
}

/* What to call it: abbreviations in full. */
static struct sv full_name(const struct search *search, struct sv given)
{
	struct sv name = search->best.name;

	return sv_starts(name, SV("--")) && sv_find_char(name, '[') == SIZE_MAX ? name : given;
}

/* --- what one does --------------------------------------------------------------- */

static void take_value(struct look *look, const struct seen *seen, enum operand_use use)
{
	if (!seen->has_value || (seen->known && sv_is(seen->value, "-")))
		return;
	vec_push(&look->use->operands, ((struct operand){ .arg = seen->value_arg,
							  .path = seen->value,
							  .known = seen->known,
							  .use = use }));
}

static void take_script(struct look *look, const struct seen *seen, struct sv name)
{
	if (seen->has_value && seen->known)
		look_script(look, seen->value);
	look_acts(look, seen->arg, name, seen->row->why ? seen->row->why : "runs a command");
}

/* "user.name=x" of git is none. */
static bool is_harmless(struct sv value)
{
	size_t equals = sv_find_char(value, '=');

	return equals != SIZE_MAX && program_is_harmless_setting(sv_slice(value, 0, equals));
}

/* "alias.x=push" makes "x" mean "git push". */
static void take_alias(struct look *look, struct sv value)
{
	size_t equals = sv_find_char(value, '=');

	if (sv_starts(value, SV("alias.")) && equals != SIZE_MAX)
		look_aside(look, arena_printf(look->arena, "git %.*s",
					      SV_ARG(sv_skip(value, equals + 1))));
}

static void take_command(struct look *look, const struct seen *seen, struct sv name)
{
	bool known = seen->known && seen->row->effect != EFFECT_RUNS_UNKNOWN;

	if (seen->has_value && is_harmless(seen->value)) {
		if (!known)
			look_acts(look, seen->arg, name, "is known only when it runs");
		return;
	}
	if (seen->has_value)
		look_commands_in(look, seen->value, known);
	if (seen->has_value && known)
		take_alias(look, seen->value);
	look_acts(look, seen->arg, name, seen->row->why ? seen->row->why : "runs a program");
}

static bool is_tool(const struct look *look)
{
	return look->row->is_tool || (look->nouter > 0 && look->outer[0]->is_tool);
}

static void take_output(struct look *look, const struct seen *seen, struct sv name)
{
	if (seen->known && sv_is(seen->value, "/dev/null"))
		return;
	take_value(look, seen, OPERAND_WRITE);
	if (is_tool(look))
		look_acts(look, seen->arg, name, seen->row->why ? seen->row->why : "writes a file");
}

static void apply(struct look *look, const struct seen *seen, struct sv name)
{
	const struct option_row *row = seen->row;

	switch (row->effect) {
	case EFFECT_NONE: break;
	case EFFECT_CHANGES: look->changes = true; break;
	case EFFECT_READS: take_value(look, seen, OPERAND_READ); break;
	case EFFECT_LISTS: take_value(look, seen, OPERAND_LIST); break;
	case EFFECT_TARGET: take_value(look, seen, OPERAND_WRITE); break;
	case EFFECT_WRITES: take_output(look, seen, name); break;
	case EFFECT_ENTERS:
		take_value(look, seen, OPERAND_ENTER);
		if (is_tool(look))
			look_acts(look, seen->arg, name,
				  row->why ? row->why : "changes the directory");
		break;
	case EFFECT_ACTS: look_acts(look, seen->arg, name, row->why); break;
	case EFFECT_LOADS:
		take_value(look, seen, OPERAND_READ);
		look_acts(look, seen->arg, name, row->why);
		break;
	case EFFECT_LOSES: look_loses(look, seen->arg, name, row->why, false); break;
	case EFFECT_LOSES_NAMED: look_loses(look, seen->arg, name, row->why, true); break;
	case EFFECT_RECURSES: look->recursive = true; break;
	case EFFECT_FOLLOWS: look->follows = true; break;
	case EFFECT_RECURSES_FOLLOWING: look->recursive = look->follows = true; break;
	case EFFECT_SCRIPT: take_script(look, seen, name); break;
	case EFFECT_RUNS:
	case EFFECT_RUNS_UNKNOWN: take_command(look, seen, name); break;
	}
	look->first_given |= row->in_place_of;
	if (row->tag)
		vec_push(&look->seen, *seen);
}

/* --- one argument ------------------------------------------------------------------- */

/* When argument `arg` turns out to be nothing, the option takes the next one for its value. */
static void note_gap(struct look *look, size_t arg)
{
	look->gap = arg;
	look->changes = true;
}

static void note_value(struct look *look, size_t at)
{
	const struct argument *arg = &look->argv[at];

	if (arg->is_tame && !arg->single)
		note_gap(look, at);
	else
		look->unclear |= !arg->known && !arg->single;
}

/* With the value in the next argument, which is the one read last then. */
static size_t apply_with_next(struct look *look, struct seen seen, struct sv name)
{
	size_t at = seen.arg + 1;

	if (at < look->n) {
		const struct argument *arg = &look->argv[at];

		note_value(look, at);
		seen.has_value = true;
		seen.value = arg->text;
		seen.known = arg->known;
		seen.value_arg = at;
	}
	apply(look, &seen, name);
	return min_of(at, look->n);
}

static void unknown_option(struct look *look, size_t arg, struct sv name)
{
	look->strange = true;
	if (look->row->closed)
		look_acts(look, arg, name, "is not known to be harmless");
}

/* "--name", "--name=value"; gives the last argument read. */
static size_t read_long(struct look *look, size_t at)
{
	const struct argument *arg = &look->argv[at];
	size_t equals = sv_find_char(arg->text, '=');
	struct sv given = sv_slice(arg->text, 0, min_of(equals, arg->text.len));
	struct search search = find_option(look, given);
	struct seen seen = { .row = search.best.row,
			     .arg = at,
			     .has_value = equals != SIZE_MAX,
			     .known = arg->known,
			     .value_arg = at };

	if (!arg->known && (equals == SIZE_MAX || !arg->single))
		look->unclear = true;
	if (search.ambiguous && !search.exact) {
		look_acts(look, at, given, "could mean several options");
		return at;
	}
	if (!search.found) {
		unknown_option(look, at, given);
		return at;
	}
	if (!seen.has_value && search.best.value == VALUE_NEEDED)
		return apply_with_next(look, seen, full_name(&search, given));
	seen.value = sv_skip(arg->text, seen.has_value ? equals + 1 : arg->text.len);
	apply(look, &seen, full_name(&search, given));
	return at;
}

enum { LONGEST_CLUSTER = 64 };

/* Nobody writes such a cluster; each letter of it would cost a search. */
static bool is_too_long(struct look *look, size_t arg, size_t letter)
{
	if (letter < LONGEST_CLUSTER)
		return false;
	look->strange = true;
	look_acts(look, arg, sv_slice(look->argv[arg].text, 0, 8), "... is too long");
	return true;
}

/* Digits to the end: "-5c", the old way, is none of what follows it. */
static bool is_number(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] < '0' || text.ptr[i] > '9')
			return false;
	return text.len > 0;
}

/* "-abc", "-ovalue"; gives the last argument read. */
static size_t read_cluster(struct look *look, size_t at)
{
	const struct argument *arg = &look->argv[at];
	bool lost = false; /* a letter that is not known may have a value */

	for (size_t i = 1; i < arg->text.len && !is_too_long(look, at, i); i++) {
		char letter[2] = { '-', arg->text.ptr[i] };
		struct sv name = sv_from(letter, 2);
		struct search search = find_option(look, name);
		struct seen seen = { .row = search.best.row, .arg = at, .value_arg = at };
		bool last = i + 1 == arg->text.len;

		if (!search.found && look->row->numbers && is_number(sv_skip(arg->text, i)))
			break;
		if (!search.found) {
			unknown_option(look, at, name);
			lost = true;
			continue;
		}
		if (search.best.value == VALUE_NEEDED && last && arg->known && !lost)
			return apply_with_next(look, seen, name);
		if (search.best.value != VALUE_NONE && (!last || !arg->known) && !lost) {
			seen.has_value = true;
			seen.value = sv_skip(arg->text, i + 1);
			seen.known = arg->known;
			apply(look, &seen, name);
			look->unclear |= !arg->known && !arg->single;
			if (arg->is_tame && last && search.best.value == VALUE_NEEDED)
				note_gap(look, at);
			return at;
		}
		apply(look, &seen, name);
	}
	look->unclear |= !arg->known;
	return at;
}

static size_t read_option(struct look *look, size_t at)
{
	struct sv text = look->argv[at].text;

	if (sv_starts(text, SV("--")) || look->row->long_by_one_dash)
		return read_long(look, at);
	return read_cluster(look, at);
}

/* --- subcommands and all ---------------------------------------------------------------- */

static const struct program_row *find_sub(const struct program_row *row, struct sv name)
{
	for (size_t i = 0; i < row->nsubs; i++)
		if (sv_is(name, row->subs[i].name))
			return row->subs[i].as ? find_sub(row, sv_cstr(row->subs[i].as))
					       : &row->subs[i];
	return NULL;
}

/* Whether the operand at `at` is a subcommand, whose row then counts. */
static bool enter_sub(struct look *look, size_t at)
{
	const struct argument *arg = &look->argv[at];
	const struct program_row *sub;

	if (look->row->nsubs == 0 || look->operands.n > 0)
		return false;
	if (look->nouter == 0)
		look->use->subcommand = at;
	sub = arg->known ? find_sub(look->row, arg->text) : NULL;
	if (!sub || look->nouter == countof(look->outer)) {
		look->unclear |= !arg->known;
		if (look->row->closed)
			look_acts(look, at, arg->text, "is not a known subcommand");
		return false;
	}
	look->outer[look->nouter++] = look->row;
	look->row = sub;
	look->first = at + 1;
	return true;
}

/* "xf", as tar has it: the values follow in the order of the letters. Gives the last argument
 * read. */
static size_t read_bundle(struct look *look, size_t at)
{
	const struct argument *arg = &look->argv[at];
	size_t last = at;

	look->unclear |= !arg->known;
	for (size_t i = 0; i < arg->text.len && !is_too_long(look, at, i); i++) {
		char letter[2] = { '-', arg->text.ptr[i] };
		struct sv name = sv_from(letter, 2);
		struct search search = find_option(look, name);
		struct seen seen = { .row = search.best.row, .arg = last };

		if (!search.found)
			unknown_option(look, at, name);
		else if (search.best.value == VALUE_NEEDED)
			last = apply_with_next(look, seen, name);
		else
			apply(look, &seen, name);
	}
	return last;
}

/* Whether something in the argument that is not known could make it an option, or several
 * words of which one is. */
static bool may_hide_option(const struct argument *arg)
{
	return !arg->known && !arg->is_tame &&
	       (arg->text.len == 0 || (!arg->single && !arg->is_glob));
}

static bool is_option(const struct look *look, const struct argument *arg)
{
	bool is_signed = sv_starts(arg->text, SV("-")) ||
			 (look->row->plus_options && sv_starts(arg->text, SV("+")));

	return is_signed && (arg->text.len > 1 || !arg->known);
}

/* Gives the last argument read. */
static size_t read_argument(struct look *look, size_t at, bool *ended)
{
	const struct argument *arg = &look->argv[at];

	if (!*ended && arg->known && sv_is(arg->text, "--")) {
		*ended = true;
	} else if (!*ended && is_option(look, arg)) {
		return read_option(look, at);
	} else if (!*ended && enter_sub(look, at)) {
		*ended = look->row->any_text;
	} else {
		look->unclear |= !*ended && may_hide_option(arg);
		look->unclear |= arg->is_tame && !arg->single && !look->row->any_order &&
				 at + 1 < look->n && !look->row->any_text;
		vec_push(&look->operands, at);
		*ended |= look->row->stops_at_operand || look->row->wraps != WRAPS_NOTHING;
	}
	return at;
}

void look_read(struct look *look, size_t from)
{
	bool ended = look->row->any_text;

	look->first = from;
	if (look->row->bundle_first && from < look->n && !is_option(look, &look->argv[from]))
		from = read_bundle(look, from) + 1;
	for (size_t i = from; i < look->n; i++) {
		const struct argument *arg = &look->argv[i];
		bool is_alone = !ended && is_option(look, arg) && !sv_is(arg->text, "--");
		size_t last;

		if (look->row->response_files && sv_starts(arg->text, SV("@")))
			look_acts(look, i, arg->text, "stands for arguments in a file");
		last = read_argument(look, i, &ended);
		/* What a gap takes must be an option that stands alone: all else stays as it is. */
		look->unclear |= look->gap && i == look->gap + 1 && (!is_alone || last > i);
		i = last;
	}
}
