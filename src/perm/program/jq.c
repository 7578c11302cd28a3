/* jq filters cannot write or run anything, but they can show the environment and bring in
 * other files. The arguments are read here: some options take two values. */
#include "perm/program/table.h"

#include "base/ascii.h"

enum { MOST_OPEN = 64 };

/* --- filters --------------------------------------------------------------------------- */

/* Each open "(" of a string's "\(..)" is remembered, so that what follows its end is text. */
struct filter {
	struct sv text;
	size_t at;
	size_t depth;           /* of all parentheses */
	size_t nstrings;        /* strings that wait for the end of a "\(" */
	size_t back[MOST_OPEN]; /* the depth at which each goes on */
	const char *harm;
};

/* The inside of a string, up to its end or a "\("; false: it has none. */
static bool take_string(struct filter *f)
{
	for (; f->at < f->text.len; f->at++) {
		char c = f->text.ptr[f->at];

		if (c == '"') {
			f->at++;
			return true;
		}
		if (c != '\\')
			continue;
		f->at++;
		if (f->at < f->text.len && f->text.ptr[f->at] == '(') {
			if (f->nstrings == MOST_OPEN)
				return false;
			f->back[f->nstrings++] = f->depth++;
			f->at++;
			return true;
		}
	}
	return false;
}

static bool take_close(struct filter *f)
{
	f->at++;
	if (f->depth == 0)
		return false;
	f->depth--;
	if (f->nstrings > 0 && f->back[f->nstrings - 1] == f->depth) {
		f->nstrings--;
		return take_string(f);
	}
	return true;
}

static bool is_among(struct sv word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(word, words[i]))
			return true;
	return false;
}

/* ".env" is a field; "..env" and "1.env" are something else. */
static bool is_after_dot(const struct filter *f)
{
	char before = f->at > 1 ? f->text.ptr[f->at - 2] : ' ';

	return f->at > 0 && f->text.ptr[f->at - 1] == '.' && before != '.' &&
	       !ascii_is_digit(before);
}

/* "{env: 1}": behind the word. */
static bool is_key(const struct filter *f)
{
	struct sv rest = sv_skip(f->text, f->at);

	while (sv_starts(rest, SV(" ")))
		rest = sv_skip(rest, 1);
	return sv_starts(rest, SV(":"));
}

/* Words of jq, and of the other yq. */
static void take_word(struct filter *f)
{
	static const char *const showing[] = { "env", "ENV", "strenv", "envsubst" };
	static const char *const loading[] = { "import",          "include",   "modulemeta",
					       "get_search_list", "load",      "load_str",
					       "load_xml",        "load_yaml", "load_props",
					       "load_base64",     "system",    "eval",
					       "input_file" };
	size_t from = f->at;
	bool is_field = is_after_dot(f);
	struct sv word;

	while (f->at < f->text.len && ascii_is_word(f->text.ptr[f->at]))
		f->at++;
	word = sv_slice(f->text, from, f->at);
	if (is_field || is_key(f))
		return;
	if (is_among(word, showing, countof(showing)))
		f->harm = "shows the environment";
	else if (is_among(word, loading, countof(loading)))
		f->harm = "brings in other files";
}

static bool take_token(struct filter *f)
{
	char c = f->text.ptr[f->at];

	if (ascii_is_digit(c)) {
		f->at++;
	} else if (ascii_is_word(c)) {
		take_word(f);
	} else if (c == '"') {
		f->at++;
		return take_string(f);
	} else if (c == ')') {
		return take_close(f);
	} else if (c == '#') {
		f->at += min_of(sv_find_char(sv_skip(f->text, f->at), '\n'), f->text.len - f->at);
	} else {
		f->depth += c == '(' ? 1 : 0;
		f->at++;
	}
	return true;
}

static const char *harm_of(struct sv text)
{
	struct filter f = { .text = text };

	while (f.at < text.len)
		if (!take_token(&f))
			return "is not understood";
	return f.harm;
}

/* --- the call ------------------------------------------------------------------------------ */

struct call {
	struct look *look;
	size_t nvalues; /* that the option read last still takes */
	bool reads;     /* the last of them is a file */
	bool rest_is_text;
	bool has_filter, filter_in_file;
};

struct jq_option {
	const char *name;
	size_t nvalues;
	bool reads;
	const char *acts;
};

static const struct jq_option long_options[] = {
	{ "--arg", 2 },
	{ "--argfile", 2, true },
	{ "--argjson", 2 },
	{ "--args", 0 },
	{ "--ascii", 0 },
	{ "--ascii-output", 0 },
	{ "--binary", 0 },
	{ "--color-output", 0 },
	{ "--compact-output", 0 },
	{ "--exit-status", 0 },
	{ "--from-file", 0, .acts = "takes the filter from a file" },
	{ "--help", 0 },
	{ "--indent", 1 },
	{ "--join-output", 0 },
	{ "--jsonargs", 0 },
	{ "--library-path", 1, .acts = "brings in other files" },
	{ "--monochrome-output", 0 },
	{ "--null-input", 0 },
	{ "--raw-input", 0 },
	{ "--raw-output", 0 },
	{ "--raw-output0", 0 },
	{ "--rawfile", 2, true },
	{ "--seq", 0 },
	{ "--slurp", 0 },
	{ "--slurpfile", 2, true },
	{ "--sort-keys", 0 },
	{ "--stream", 0 },
	{ "--stream-errors", 0 },
	{ "--tab", 0 },
	{ "--unbuffered", 0 },
	{ "--version", 0 },
};

static void take_long(struct call *call, size_t arg)
{
	struct sv text = call->look->argv[arg].text;

	if (sv_is(text, "--args") || sv_is(text, "--jsonargs"))
		call->rest_is_text = true;
	for (size_t i = 0; i < countof(long_options); i++) {
		const struct jq_option *option = &long_options[i];

		if (!sv_is(text, option->name))
			continue;
		call->nvalues = option->nvalues;
		call->reads = option->reads;
		call->filter_in_file |= sv_is(text, "--from-file");
		if (option->acts)
			look_acts(call->look, arg, text, option->acts);
		return;
	}
	look_acts(call->look, arg, text, "is not known to be harmless");
}

static void take_short(struct call *call, size_t arg)
{
	struct sv text = call->look->argv[arg].text;

	for (size_t i = 1; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == 'L') {
			look_acts(call->look, arg, SV("-L"), "brings in other files");
			call->nvalues = i + 1 == text.len ? 1 : 0;
			return;
		}
		if (c == 'f') {
			look_acts(call->look, arg, SV("-f"), "takes the filter from a file");
			call->filter_in_file = true;
		} else if (!strchr("snrjaRceSCMhV", c)) {
			look_acts(call->look, arg, text, "is not known to be harmless");
		}
	}
}

static void take_operand(struct call *call, size_t arg)
{
	const struct argument *text = &call->look->argv[arg];
	const char *harm;

	if (call->has_filter || call->filter_in_file) {
		if (!call->rest_is_text || !call->has_filter)
			look_operand(call->look, arg, OPERAND_READ);
		call->has_filter = true;
		return;
	}
	call->has_filter = true;
	call->look->unclear |= !text->known;
	harm = text->known ? harm_of(text->text) : NULL;
	if (harm)
		look_acts(call->look, arg, SV("its filter"), harm);
}

static void take_value(struct call *call, size_t arg)
{
	call->look->unclear |= !call->look->argv[arg].known && !call->look->argv[arg].single;
	if (--call->nvalues == 0 && call->reads)
		look_operand(call->look, arg, OPERAND_READ);
}

static void take_call(struct look *look)
{
	struct call call = { .look = look };
	bool ended = false;

	for (size_t i = 1; i < look->n; i++) {
		const struct argument *arg = &look->argv[i];
		bool dashed = sv_starts(arg->text, SV("-")) && arg->text.len > 1;

		if (call.nvalues > 0) {
			take_value(&call, i);
		} else if (ended || !dashed) {
			look->unclear |= !arg->known &&
					 (arg->text.len == 0 || !(arg->single || arg->is_glob));
			take_operand(&call, i);
		} else if (sv_is(arg->text, "--")) {
			ended = true;
		} else {
			look->unclear |= !arg->known;
			if (sv_starts(arg->text, SV("--")))
				take_long(&call, i);
			else
				take_short(&call, i);
		}
	}
}

/* --- yq: two programs of that name --------------------------------------------------------------- */

static const struct option_row yq_options[] = {
	{ "-i --in-place --inplace", EFFECT_ACTS, "edits files in place", .tag = 'i' },
	{ "-s= --split-exp=", EFFECT_ACTS, "writes files" },
	{ "--from-file= --split-exp-file= --expression=", EFFECT_ACTS,
	  "takes the filter from a file" },
	{ "--security-enable-system-operator", EFFECT_ACTS, "lets the filter run programs" },
	{ "-opwI= --output-format= --input-format= --width= --indent= --arg= --argjson=" },
	{ "-L=", EFFECT_ACTS, "brings in other files" },
};

static void yq_filter(struct look *look)
{
	bool in_place = look_seen(look, 'i');

	for (size_t i = 0; i < look->operands.n; i++) {
		size_t arg = look->operands.at[i];
		const char *harm = harm_of(look->argv[arg].text);

		if (i < 2 && harm)
			look_acts(look, arg, SV("its filter"), harm);
		if (i > 0)
			look_operand(look, arg, in_place ? OPERAND_WRITE : OPERAND_READ);
	}
}

static const struct program_row rows[] = {
	{ "jq", .read_only = true, .is_tool = true, .any_text = true, .operands = OPERANDS_OWN,
	  .special = take_call },
	{ "yq", OPTIONS(yq_options), .is_tool = true, .operands = OPERANDS_OWN,
	  .special = yq_filter },
};

const struct program_table program_table_jq = { rows, countof(rows) };
