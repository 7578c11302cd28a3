#include "perm/command/known_output.h"

#include <ctype.h>

#include "base/limits.h"
#include "perm/command/variable_values.h"
#include "text/base64.h"

/* --- escapes ---------------------------------------------------------------- */

static unsigned output_digit_of(char c)
{
	return isdigit((unsigned char)c) ? (unsigned)(c - '0')
					 : (unsigned)(tolower((unsigned char)c) - 'a' + 10);
}

/* The digits at `*at`, at most `most` of them. */
static char output_number(struct sv text, size_t *at, size_t most, unsigned base)
{
	unsigned value = 0;

	for (size_t i = 0; i < most && *at < text.len; i++, ++*at) {
		char c = text.ptr[*at];

		if (!isxdigit((unsigned char)c) || output_digit_of(c) >= base)
			break;
		value = value * base + output_digit_of(c);
	}
	return (char)value;
}

/* The escape sequence at `*at`, as in echo -e, printf and its %b. */
static void output_add_escape(struct str *out, struct sv text, size_t *at)
{
	static const char names[] = "abefnrtv", means[] = "\a\b\033\f\n\r\t\v";
	char c = text.ptr[(*at)++];
	const char *found = strchr(names, c);

	if (c == 'x')
		str_addc(out, output_number(text, at, 2, 16));
	else if (c >= '0' && c <= '7') {
		*at -= c != '0';
		str_addc(out, output_number(text, at, 3, 8));
	} else if (c != '\0' && found)
		str_addc(out, means[found - names]);
	else if (sv_find_char(SV("\\\"'"), c) != SIZE_MAX)
		str_addc(out, c);
	else
		str_addf(out, "\\%c", c);
}

static void output_add_escaped(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len;) {
		if (text.ptr[i] != '\\' || i + 1 == text.len)
			str_addc(out, text.ptr[i++]);
		else
			output_add_escape(out, text, (i++, &i));
	}
}

/* --- programs --------------------------------------------------------------- */

static bool is_echo_option(struct sv text)
{
	for (size_t i = 1; i < text.len; i++)
		if (sv_find_char(SV("neE"), text.ptr[i]) == SIZE_MAX)
			return false;
	return text.len > 1 && text.ptr[0] == '-';
}

static void output_echo(struct str *out, const argument_list *words)
{
	bool ends = true, escapes = false;
	size_t i = 1;

	for (; i < words->n && is_echo_option(words->at[i].text); i++) {
		ends &= sv_find_char(words->at[i].text, 'n') == SIZE_MAX;
		escapes |= sv_find_char(words->at[i].text, 'e') != SIZE_MAX;
	}
	for (size_t k = i; k < words->n; k++) {
		if (k > i)
			str_addc(out, ' ');
		if (escapes)
			output_add_escaped(out, words->at[k].text);
		else
			str_add(out, words->at[k].text);
	}
	if (ends)
		str_addc(out, '\n');
}

/* Goes through the format once; returns the next argument. */
static size_t output_format_once(struct str *out, const argument_list *words, size_t format,
				 size_t next)
{
	struct sv text = words->at[format].text;

	for (size_t i = 0; i < text.len;) {
		char c = text.ptr[i++];

		if (c == '\\' && i < text.len) {
			output_add_escape(out, text, &i);
		} else if (c != '%' || i == text.len) {
			str_addc(out, c);
		} else if (text.ptr[i] == '%') {
			str_addc(out, text.ptr[i++]);
		} else {
			while (i < text.len && !isalpha((unsigned char)text.ptr[i]))
				i++; /* flags, width */
			if (next < words->n && i < text.len && text.ptr[i] == 'b')
				output_add_escaped(out, words->at[next].text);
			else if (next < words->n)
				str_add(out, words->at[next].text);
			next++;
			i++;
		}
	}
	return next;
}

static bool output_print(struct str *out, const argument_list *words)
{
	size_t format = words->n > 1 && sv_is(words->at[1].text, "--") ? 2 : 1, next = format + 1;

	if (format >= words->n)
		return false;
	for (;;) {
		size_t after = output_format_once(out, words, format, next);

		if (after == next || after >= words->n || out->len > LIMIT_SH_TEXT)
			return true; /* too long to matter */
		next = after;
	}
}

static bool output_decodes(const argument_list *words)
{
	for (size_t i = 1; i < words->n; i++)
		if (sv_is(words->at[i].text, "-d") || sv_is(words->at[i].text, "-D") ||
		    sv_starts(words->at[i].text, SV("--d")))
			return true;
	return false;
}

static bool output_decode(struct str *out, struct sv text)
{
	defer(str_clear) struct str joined = STR_INIT;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < text.len; i++)
		if (!isspace((unsigned char)text.ptr[i]))
			str_addc(&joined, text.ptr[i]);
	return base64_decode(out, sv_of(&joined), BASE64_STD, &err);
}

/* cat and tee pass on what they read, unless it is a file. */
static bool output_passes_on(const argument_list *words, bool may_name_files)
{
	for (size_t i = 1; i < words->n; i++)
		if (!sv_starts(words->at[i].text, SV("-")) && !may_name_files &&
		    !sv_is(words->at[i].text, "/dev/stdin"))
			return false;
	return true;
}

static bool output_run_words(struct str *out, const argument_list *words, const struct sv *input)
{
	struct sv name = words->at[0].text;

	if (sv_is(name, "echo")) {
		output_echo(out, words);
		return true;
	}
	if (sv_is(name, "printf"))
		return output_print(out, words);
	if (!input)
		return false;
	if (sv_is(name, "base64"))
		return output_decodes(words) && output_decode(out, *input);
	if ((!sv_is(name, "cat") || !output_passes_on(words, false)) &&
	    (!sv_is(name, "tee") || !output_passes_on(words, true)))
		return false;
	str_add(out, *input);
	return true;
}

/* --- commands --------------------------------------------------------------- */

static bool output_word_text(struct expand *x, const struct sh_word *word, struct sv *out)
{
	defer(str_clear) struct str text = STR_INIT;
	argument_list words = VEC_INIT;
	bool known = true;

	expand_words(x, word, &words);
	for (size_t i = 0; i < words.n; i++) {
		known &= words.at[i].known;
		str_addf(&text, "%s%.*s", i ? " " : "", SV_ARG(words.at[i].text));
	}
	vec_clear(&words);
	*out = arena_dup(x->arena, sv_of(&text));
	return known;
}

bool known_input(struct expand *x, const struct sh_redirect *redirects, struct sv *out)
{
	bool found = false;

	for (const struct sh_redirect *r = redirects; r; r = r->next) {
		const struct sh_part *part = r->to ? r->to->parts : NULL;

		if (r->kind == SH_HERE_STRING || r->kind == SH_HERE_DOC ||
		    r->kind == SH_HERE_LITERAL)
			found = r->to && output_word_text(x, r->to, out);
		else if (r->kind == SH_READ)
			found = part && !part->next && part->kind == SH_INPUT &&
				known_output(x, part->script, NULL, out);
	}
	return found;
}

static bool output_writes_elsewhere(const struct sh_redirect *redirects)
{
	for (; redirects; redirects = redirects->next)
		if (redirects->kind == SH_WRITE || redirects->kind == SH_APPEND ||
		    redirects->kind == SH_CLOBBER || redirects->kind == SH_BOTH)
			if (!redirects->fd.len || sv_is(redirects->fd, "1"))
				return true;
	return false;
}

static bool output_print_simple(struct expand *x, const struct sh_node *node,
				const struct sv *input, struct str *out)
{
	argument_list words = VEC_INIT;
	struct sv own;
	bool known;

	if (known_input(x, node->redirects, &own))
		input = &own;
	expand_words(x, node->words, &words);
	known = words.n > 0;
	for (size_t i = 0; i < words.n; i++)
		known &= words.at[i].known;
	known = known && output_run_words(out, &words, input);
	vec_clear(&words);
	return known;
}

static bool output_print_node(struct expand *x, const struct sh_node *node, const struct sv *input,
			      struct str *out, size_t depth)
{
	bool found = false;
	struct sv last;

	if (depth > LIMIT_PERM_DEPTH || output_writes_elsewhere(node->redirects))
		return false;
	switch (node->kind) {
	case SH_SIMPLE: return output_print_simple(x, node, input, out);
	case SH_LIST:
	case SH_GROUP:
	case SH_SUBSHELL:
	case SH_AND:
	case SH_OR:
	case SH_IF:
		for (const struct sh_node *kid = node->kids; kid; kid = kid->next)
			found |= output_print_node(x, kid, input, out, depth + 1);
		return found;
	case SH_PIPE:
		for (const struct sh_node *kid = node->kids; kid; kid = kid->next) {
			defer(str_clear) struct str text = STR_INIT;

			found = output_print_node(x, kid, input, &text, depth + 1);
			last = arena_dup(x->arena, sv_of(&text));
			input = found ? &last : NULL;
		}
		if (found)
			str_add(out, last);
		return found;
	case SH_NOT:
	case SH_BACKGROUND:
	case SH_WHILE:
	case SH_FOR:
	case SH_CASE:
	case SH_FUNCTION:
	case SH_TEST:
	case SH_MATH:
	case SH_COPROC: break;
	}
	return false;
}

bool known_output(struct expand *x, const struct sh_node *node, const struct sv *input,
		  struct sv *out)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!node || !x->values || !output_print_node(x, node, input, &text, 0) ||
	    !variable_values_reserve(x->values, text.len))
		return false;
	*out = arena_dup(x->arena, sv_of(&text));
	return true;
}

bool known_printf(struct expand *x, const struct argument *argv, size_t n, struct sv *out)
{
	defer(str_clear) struct str text = STR_INIT;
	argument_list words = VEC_INIT;
	bool known = true;

	for (size_t i = 0; i < n; i++) {
		vec_push(&words, argv[i]);
		known &= argv[i].known;
	}
	known = known && output_print(&text, &words) &&
		variable_values_reserve(x->values, text.len);
	vec_clear(&words);
	if (known)
		*out = arena_dup(x->arena, sv_of(&text));
	return known;
}
