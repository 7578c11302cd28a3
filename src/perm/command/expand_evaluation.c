/* What bash evaluates once more after it has expanded a word: "${x@P}" runs the commands in x,
 * "${!x}" reads the variable that x names, and in arithmetic the value of a name is an expression
 * of its own, whose subscripts may hold a command. Nobody who looks at the text sees that, so
 * whatever is not known to be harmless counts. */
#include <ctype.h>

#include "perm/command/expand_internal.h"
#include "perm/path/secret_name.h"

size_t expand_word_length(struct sv text)
{
	size_t n = 0;

	while (n < text.len && (isalnum((unsigned char)text.ptr[n]) || text.ptr[n] == '_'))
		n++;
	return n;
}

static size_t expand_name_length(struct sv text)
{
	size_t n = expand_word_length(text);

	return n ? n : min_of(text.len, (size_t)1); /* $@, $#, ... */
}

/* The length of "$n", "${n}" or "${#x}" at the start, if `is_number` says so of n; else 0. */
static size_t expand_number_length(const struct expand *x, struct sv text,
				   bool is_number(const struct variables *, struct sv))
{
	struct sv in = sv_skip(text, 1);
	bool is_braced = sv_starts(in, SV("{")), is_length;
	size_t n;

	in = sv_skip(in, is_braced);
	is_length = is_braced && sv_starts(in, SV("#")) && !sv_starts(in, SV("#}"));
	in = sv_skip(in, is_length);
	n = expand_name_length(in);
	if (!is_length && !is_number(x->names, sv_slice(in, 0, n)))
		return 0;
	if (is_braced && !sv_starts(sv_skip(in, n), SV("}")))
		return 0;
	return 1 + 2 * (size_t)is_braced + (size_t)is_length + n;
}

/* "0x1f", "16#ff". */
static size_t expand_constant_length(struct sv text)
{
	size_t n = expand_word_length(text);

	return n < text.len && text.ptr[n] == '#' ? n + 1 + expand_word_length(sv_skip(text, n + 1))
						  : n;
}

bool expand_is_computed(const struct expand *x, struct sv text)
{
	size_t i = sv_starts(text, SV("$((")) ? 3 : sv_starts(text, SV("$[")) ? 2 : 0;

	while (i < text.len) {
		unsigned char c = (unsigned char)text.ptr[i];
		size_t n = 1;

		if (isdigit(c)) {
			n = expand_constant_length(sv_skip(text, i));
		} else if (isalpha(c) || c == '_') {
			n = expand_word_length(sv_skip(text, i));
			if (!variables_is_computable(x->names, sv_slice(text, i, i + n)))
				return true;
		} else if (c == '$') {
			n = expand_number_length(x, sv_skip(text, i), variables_is_computable);
		}
		if (n == 0 || c == '`' || c == '[' || c >= 0x80)
			return true;
		i += n;
	}
	return false;
}

bool expand_is_number_part(const struct expand *x, const struct sh_part *part)
{
	if (!x->names || x->names->is_open)
		return false;
	switch (part->kind) {
	case SH_ARITH: return true;
	case SH_PARAM: return variables_is_number(x->names, part->text);
	case SH_EXPAND:
		return expand_number_length(x, part->text, variables_is_number) == part->text.len;
	case SH_TEXT:
	case SH_GLOB:
	case SH_TILDE:
	case SH_COMMAND:
	case SH_INPUT:
	case SH_OUTPUT:
	case SH_ARRAY: break;
	}
	return false;
}

bool expand_is_number(const struct expand *x, const struct sh_word *word)
{
	struct sv text;

	if (!word || !word->parts)
		return false;
	if (!word->parts->next && expand_is_number_part(x, word->parts))
		return true;
	return sh_word_static(word, x->arena, &text) && !expand_is_computed(x, text);
}

static bool is_plain_index(const struct expand *x, struct sv index)
{
	return sv_is(index, "@") || sv_is(index, "*") || !expand_is_computed(x, index);
}

/* "${!x[@]}" is only the list of the subscripts of x. */
static bool is_subscripts(struct sv in)
{
	struct sv rest = sv_skip(in, 1 + expand_word_length(sv_skip(in, 1)));

	return rest.len < in.len - 1 && (sv_is(rest, "[@]") || sv_is(rest, "[*]"));
}

/* "${x..}" in all its forms: everything but those that are known to be harmless. */
static bool expand_reevaluates(const struct expand *x, struct sv text)
{
	struct sv in = sv_slice(text, 2, text.len - 1); /* without "${" and "}" */
	size_t close;

	if (!sv_starts(text, SV("${")) || !sv_ends(text, SV("}")))
		return true;
	if (sv_starts(in, SV("!")))
		return !is_subscripts(in);
	if (sv_starts(in, SV("#")) && in.len > 1)
		in = sv_skip(in, 1);
	in = sv_skip(in, expand_name_length(in));
	if (sv_starts(in, SV("["))) {
		close = sv_find_char(in, ']');
		if (close == SIZE_MAX || !is_plain_index(x, sv_slice(in, 1, close)))
			return true;
		in = sv_skip(in, close + 1);
	}
	if (in.len == 0)
		return false;
	if (in.ptr[0] == '@')
		return in.len != 2 || sv_find_char(SV("KLQUaku"), in.ptr[1]) == SIZE_MAX;
	if (in.ptr[0] == ':' && in.len > 1 && sv_find_char(SV("-+?"), in.ptr[1]) == SIZE_MAX)
		return in.ptr[1] == '=' || expand_is_computed(x, in); /* ${x:1:2} */
	return sv_find_char(SV("-+?#%/^,:"), in.ptr[0]) == SIZE_MAX;  /* '=' and '@' */
}

static struct sv expand_name_in(struct sv expansion)
{
	struct sv in = sv_skip(expansion, 2);

	while (sv_starts(in, SV("#")) || sv_starts(in, SV("!")))
		in = sv_skip(in, 1);
	return sv_slice(in, 0, expand_name_length(in));
}

static void expand_look_at_part(struct expand *x, const struct sh_part *part)
{
	struct sv name = SV_EMPTY;
	bool reevaluates = false;

	if (part->kind == SH_PARAM) {
		name = part->text;
	} else if (part->kind == SH_EXPAND) {
		name = expand_name_in(part->text);
		reevaluates = expand_reevaluates(x, part->text);
	} else if (part->kind == SH_ARITH) {
		reevaluates = expand_is_computed(x, part->text);
	}
	if (reevaluates && !x->reevaluates.len)
		x->reevaluates = part->text;
	if (!x->secret.len && secret_is_variable(name))
		x->secret = name;
}

void expand_look(struct expand *x, const struct sh_part *parts)
{
	for (const struct sh_part *part = parts; part; part = part->next) {
		expand_look_at_part(x, part);
		expand_look(x, part->parts);
	}
}
