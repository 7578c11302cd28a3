/* jq filters cannot write or run anything, but they can print the environment (env, $ENV) and
 * read other files (import, include, and what yq adds).
 *
 * The reader splits a filter into words, strings and the rest, and looks for those words where
 * they are not a field (.env) or a key ({env: 1}). Filters inside strings, "\(..)", are read as
 * well. It gives up ("is not understood") when a string does not end or a parenthesis closes
 * that none opened. A filter that is not known before the command runs makes the call unclear.
 *
 * jq's arguments are read here, since some of its options take two values. */
#include "base/ascii.h"
#include "perm/program/special.h"

enum { JQ_MAX_OPEN = 64 };

/* --- filters ------------------------------------------------------------------------------- */

/* A string may hold "\(..)" with a filter inside; after its end the text continues. */
struct jq_filter {
	struct sv text;
	size_t at;
	size_t depth;             /* of all parentheses */
	size_t nstrings;          /* strings that wait for the end of a "\(" */
	size_t back[JQ_MAX_OPEN]; /* the depth at which each continues */
	const char *harm;
};

/* Read the text of a string up to its end or a "\(". Return false when it has neither. */
static bool jq_take_string(struct jq_filter *f)
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
			if (f->nstrings == JQ_MAX_OPEN)
				return false;
			f->back[f->nstrings++] = f->depth++;
			f->at++;
			return true;
		}
	}
	return false;
}

static bool jq_take_close(struct jq_filter *f)
{
	f->at++;
	if (f->depth == 0)
		return false;
	f->depth--;
	if (f->nstrings > 0 && f->back[f->nstrings - 1] == f->depth) {
		f->nstrings--;
		return jq_take_string(f);
	}
	return true;
}

/* ".env" is a field; "..env" and "1.env" are something else. */
static bool jq_is_after_dot(const struct jq_filter *f)
{
	char before = f->at > 1 ? f->text.ptr[f->at - 2] : ' ';

	return f->at > 0 && f->text.ptr[f->at - 1] == '.' && before != '.' &&
	       !ascii_is_digit(before);
}

/* Whether the word before is a key: "{env: 1}". */
static bool jq_is_key(const struct jq_filter *f)
{
	struct sv rest = sv_skip(f->text, f->at);

	while (sv_starts(rest, SV(" ")))
		rest = sv_skip(rest, 1);
	return sv_starts(rest, SV(":"));
}

/* Words of jq, and of the yq that is written in Go. */
static void jq_take_word(struct jq_filter *f)
{
	static const char showing[][9] = { "env", "ENV", "strenv", "envsubst" };
	static const char loading[][16] = { "import",          "include",   "modulemeta",
					    "get_search_list", "load",      "load_str",
					    "load_xml",        "load_yaml", "load_props",
					    "load_base64",     "system",    "eval",
					    "input_file" };
	size_t from = f->at;
	bool is_field = jq_is_after_dot(f);
	struct sv word;

	while (f->at < f->text.len && ascii_is_word(f->text.ptr[f->at]))
		f->at++;
	word = sv_slice(f->text, from, f->at);
	if (is_field || jq_is_key(f))
		return;
	if (sv_is_among(word, showing))
		f->harm = "shows the environment";
	else if (sv_is_among(word, loading))
		f->harm = "loads other files";
}

static bool jq_take_token(struct jq_filter *f)
{
	char c = f->text.ptr[f->at];

	if (ascii_is_digit(c)) {
		f->at++;
	} else if (ascii_is_word(c)) {
		jq_take_word(f);
	} else if (c == '"') {
		f->at++;
		return jq_take_string(f);
	} else if (c == ')') {
		return jq_take_close(f);
	} else if (c == '#') {
		f->at += min_of(sv_find_char(sv_skip(f->text, f->at), '\n'), f->text.len - f->at);
	} else {
		f->depth += c == '(' ? 1 : 0;
		f->at++;
	}
	return true;
}

static const char *jq_harm_of(struct sv text)
{
	struct jq_filter f = { .text = text };

	while (f.at < text.len)
		if (!jq_take_token(&f))
			return "is not understood";
	return f.harm;
}

/* --- the call ------------------------------------------------------------------------------ */

struct jq_call {
	struct invocation *inv;
	size_t nvalues; /* that the option read last still takes */
	bool reads;     /* the last of them is a file */
	bool rest_is_text;
	bool has_filter, filter_in_file;
};

static void jq_take_long(struct jq_call *call, size_t arg)
{
	struct sv text = call->inv->argv[arg].text;

	if (sv_is(text, "--args") || sv_is(text, "--jsonargs"))
		call->rest_is_text = true;
	for (const struct jq_option *option = jq_long_options; *option->name; option++) {
		if (!sv_is(text, option->name))
			continue;
		call->nvalues = option->nvalues;
		call->reads = option->reads;
		call->filter_in_file |= sv_is(text, "--from-file");
		if (option->escalates)
			inv_escalates(call->inv, arg, text, option->escalates);
		return;
	}
	inv_escalates(call->inv, arg, text, "is not known to be harmless");
}

static void jq_take_short(struct jq_call *call, size_t arg)
{
	struct sv text = call->inv->argv[arg].text;

	for (size_t i = 1; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == 'L') {
			inv_escalates(call->inv, arg, SV("-L"), "loads other files");
			call->nvalues = i + 1 == text.len ? 1 : 0;
			return;
		}
		if (c == 'f') {
			inv_escalates(call->inv, arg, SV("-f"), "takes the filter from a file");
			call->filter_in_file = true;
		} else if (!strchr("snrjaRceSCMhV", c)) {
			inv_escalates(call->inv, arg, text, "is not known to be harmless");
		}
	}
}

static void jq_take_operand(struct jq_call *call, size_t arg)
{
	const struct argument *text = &call->inv->argv[arg];
	const char *harm;

	if (call->has_filter || call->filter_in_file) {
		if (!call->rest_is_text || !call->has_filter)
			inv_operand(call->inv, arg, OPERAND_READ);
		call->has_filter = true;
		return;
	}
	call->has_filter = true;
	call->inv->unclear |= !text->known;
	harm = text->known ? jq_harm_of(text->text) : NULL;
	if (harm)
		inv_escalates(call->inv, arg, SV("its filter"), harm);
}

static void jq_take_value(struct jq_call *call, size_t arg)
{
	call->inv->unclear |= !call->inv->argv[arg].known && !call->inv->argv[arg].single;
	if (--call->nvalues == 0 && call->reads)
		inv_operand(call->inv, arg, OPERAND_READ);
}

void jq_arguments(struct invocation *inv)
{
	struct jq_call call = { .inv = inv };
	bool ended = false;

	for (size_t i = 1; i < inv->n; i++) {
		const struct argument *arg = &inv->argv[i];
		bool dashed = sv_starts(arg->text, SV("-")) && arg->text.len > 1;

		if (call.nvalues > 0) {
			jq_take_value(&call, i);
		} else if (ended || !dashed) {
			inv->unclear |= !arg->known &&
					(arg->text.len == 0 || !(arg->single || arg->is_glob));
			jq_take_operand(&call, i);
		} else if (sv_is(arg->text, "--")) {
			ended = true;
		} else {
			inv->unclear |= !arg->known;
			if (sv_starts(arg->text, SV("--")))
				jq_take_long(&call, i);
			else
				jq_take_short(&call, i);
		}
	}
}

/* --- yq, of which there are two ------------------------------------------------------------ */

void jq_yq_arguments(struct invocation *inv)
{
	bool in_place = inv_option(inv, YQ_IN_PLACE);

	for (size_t i = 0; i < inv->operands.n; i++) {
		size_t arg = inv->operands.at[i];
		const char *harm = jq_harm_of(inv->argv[arg].text);

		if (i < 2 && harm)
			inv_escalates(inv, arg, SV("its filter"), harm);
		if (i > 0)
			inv_operand(inv, arg, in_place ? OPERAND_WRITE : OPERAND_READ);
	}
}
