#include "extend/command_expand.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/str_list.h"

struct expander {
	const struct command_call *call;
	struct command_expansion *out;
	str_list words;
	size_t first;   /* the number of the first word: 0 or 1 */
	bool has_place; /* the text has used the arguments */
	size_t written; /* bytes so far */
	size_t shells;  /* commands so far */
};

/* --- words ---------------------------------------------------------------------------- */

/* Split what was typed as a shell would; a quote that is never closed is just a character. */
static void command_expand_split(struct expander *e, struct sv text)
{
	struct str *word = NULL;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		size_t end =
			c == '"' || c == '\'' ? sv_find_char(sv_skip(text, i + 1), c) : SIZE_MAX;

		if (ascii_is_space(c)) {
			word = NULL;
			continue;
		}
		if (!word && e->words.n == LIMIT_COMMAND_ARGUMENTS)
			return;
		word = word ? word : vec_add(&e->words);
		if (end != SIZE_MAX) {
			str_add(word, sv_slice(text, i + 1, i + 1 + end));
			i += end + 1;
		} else if (c == '\\' && i + 1 < text.len) {
			str_addc(word, text.ptr[++i]);
		} else {
			str_addc(word, c);
		}
	}
}

static struct sv command_expand_word(const struct expander *e, size_t i)
{
	return i < e->words.n ? sv_of(&e->words.at[i]) : SV_EMPTY;
}

/* --- placeholders ------------------------------------------------------------------------ */

/* A number at the start of `text`; returns how many digits it has. */
static size_t command_expand_number(struct sv text, size_t *value)
{
	size_t n = 0;

	*value = 0;
	while (n < text.len && n < 4 && ascii_is_digit(text.ptr[n]))
		*value = *value * 10 + (size_t)(text.ptr[n++] - '0');
	return n < text.len && ascii_is_word(text.ptr[n]) ? 0 : n;
}

/* $ARGUMENTS and $ARGUMENTS[N], after the dollar. Returns the length, 0 if it is neither. */
static size_t command_expand_arguments(struct expander *e, struct str *out, struct sv text)
{
	size_t name = strlen("ARGUMENTS"), digits, index;

	if (!sv_starts(text, SV("ARGUMENTS")) || (name < text.len && ascii_is_word(text.ptr[name])))
		return 0;
	e->has_place = true;
	digits = name < text.len && text.ptr[name] == '['
			 ? command_expand_number(sv_skip(text, name + 1), &index)
			 : 0;
	if (digits && sv_starts(sv_skip(text, name + 1 + digits), SV("]"))) {
		str_add(out, command_expand_word(e, index));
		return name + digits + 2;
	}
	str_add(out, sv_trim(e->call->arguments));
	return name;
}

static size_t command_expand_position(struct expander *e, struct str *out, struct sv text)
{
	size_t index, n = command_expand_number(text, &index);

	if (!n || !e->words.n || index < e->first)
		return 0;
	e->has_place = true;
	str_add(out, command_expand_word(e, index - e->first));
	return n;
}

static size_t command_expand_name(struct expander *e, struct str *out, struct sv text)
{
	size_t n = 0;

	while (n < text.len && ascii_is_word(text.ptr[n]))
		n++;
	for (size_t i = 0; n && i < e->call->nnames; i++) {
		if (!sv_eq(sv_slice(text, 0, n), e->call->names[i]))
			continue;
		e->has_place = true;
		str_add(out, command_expand_word(e, i));
		return n;
	}
	return 0;
}

static size_t command_expand_variable(struct expander *e, struct str *out, struct sv text)
{
	for (size_t i = 0; sv_starts(text, SV("{")) && i < e->call->nvariables; i++) {
		struct sv name = sv_cstr(e->call->variables[i].name);

		if (!sv_starts(sv_skip(text, 1), name) ||
		    !sv_starts(sv_skip(text, 1 + name.len), SV("}")))
			continue;
		str_add(out, e->call->variables[i].value);
		return name.len + 2;
	}
	return 0;
}

/* What stands after a dollar: the bytes of the text that it replaces, 0 if it is nothing of ours. */
static size_t command_expand_dollar(struct expander *e, struct str *out, struct sv text)
{
	static size_t (*const kinds[])(struct expander *, struct str *, struct sv) = {
		command_expand_arguments,
		command_expand_position,
		command_expand_name,
		command_expand_variable,
	};
	size_t n = 0;

	for (size_t i = 0; !n && i < countof(kinds); i++)
		n = kinds[i](e, out, text);
	return n;
}

static bool command_expand_fits(struct expander *e, size_t more, struct err *err)
{
	e->written += more;
	return e->written <= LIMIT_COMMAND_TEXT ||
	       err_set(err, ERR_TOO_BIG, "the command becomes larger than %zu KiB",
		       LIMIT_COMMAND_TEXT / KIB);
}

/* Append `text` with everything put in. */
static bool command_expand_fill(struct expander *e, struct str *out, struct sv text,
				struct err *err)
{
	defer(str_clear) struct str nothing = STR_INIT;
	size_t before = out->len;

	for (size_t i = 0; i < text.len;) {
		struct sv rest = sv_skip(text, i);
		size_t n = text.ptr[i] == '$' ? command_expand_dollar(e, out, sv_skip(rest, 1)) : 0;

		if (n) {
			i += 1 + n;
		} else if (sv_starts(rest, SV("\\$")) &&
			   command_expand_dollar(e, &nothing, sv_skip(rest, 2))) {
			str_addc(out, '$');
			i += 2;
		} else {
			str_addc(out, text.ptr[i++]);
		}
		if (out->len - before > LIMIT_COMMAND_TEXT)
			break;
	}
	return command_expand_fits(e, out->len - before, err);
}

/* --- commands -------------------------------------------------------------------------- */

/* A command in the text: where it begins, with its marks, and what it is. */
struct inline_shell {
	size_t from, to;
	struct sv command;
};

static bool command_expand_is_start(struct sv text, size_t at)
{
	return !at || ascii_is_space(text.ptr[at - 1]);
}

static bool command_expand_find_fence(struct sv text, size_t at, struct inline_shell *out)
{
	struct sv inside = sv_skip(text, at + strlen("```!"));
	size_t end = sv_find(inside, SV("```"));

	if (!sv_starts(sv_skip(text, at), SV("```!")) || end == SIZE_MAX)
		return false;
	*out = (struct inline_shell){ .from = at,
				      .to = at + strlen("```!") + end + strlen("```"),
				      .command = sv_trim(sv_slice(inside, 0, end)) };
	return true;
}

static bool command_expand_find_span(struct sv text, size_t at, struct inline_shell *out)
{
	struct sv inside = sv_skip(text, at + strlen("!`"));
	size_t end = sv_find_char(inside, '`');

	if (!sv_starts(sv_skip(text, at), SV("!`")) || end == SIZE_MAX || !end)
		return false;
	*out = (struct inline_shell){ .from = at,
				      .to = at + strlen("!`") + end + 1,
				      .command = sv_trim(sv_slice(inside, 0, end)) };
	return true;
}

/* The first command from `at` on. */
static bool command_expand_find_shell(struct sv text, size_t at, struct inline_shell *out)
{
	for (; at < text.len; at++) {
		if ((text.ptr[at] != '!' && text.ptr[at] != '`') ||
		    !command_expand_is_start(text, at))
			continue;
		if ((command_expand_find_fence(text, at, out) ||
		     command_expand_find_span(text, at, out)) &&
		    out->command.len)
			return true;
	}
	return false;
}

static bool command_expand_add(struct expander *e, bool is_shell, struct sv text, struct err *err)
{
	struct command_part *part;

	if (!text.len)
		return true;
	if (is_shell && ++e->shells > LIMIT_COMMAND_SHELLS)
		return err_set(err, ERR_TOO_BIG, "it runs over %d commands", LIMIT_COMMAND_SHELLS);
	part = vec_add(&e->out->parts);
	part->is_shell = is_shell;
	return command_expand_fill(e, &part->text, text, err);
}

static bool command_expand_all(struct expander *e, struct err *err)
{
	struct sv body = e->call->body, rest = sv_trim(e->call->arguments);
	struct inline_shell shell;
	size_t at = 0;

	while (command_expand_find_shell(body, at, &shell)) {
		if (!command_expand_add(e, false, sv_slice(body, at, shell.from), err) ||
		    !command_expand_add(e, true, shell.command, err))
			return false;
		at = shell.to;
	}
	if (!command_expand_add(e, false, sv_skip(body, at), err))
		return false;
	if (e->has_place || !rest.len)
		return true;
	str_addf(&((struct command_part *)vec_add(&e->out->parts))->text, "\n\nARGUMENTS: %.*s",
		 SV_ARG(rest));
	return command_expand_fits(e, rest.len, err);
}

bool command_expand(struct command_expansion *out, const struct command_call *call, struct err *err)
{
	struct expander e = { .call = call, .out = out, .words = VEC_INIT };
	size_t zero = sv_find(call->body, SV("$0")), digits, index;
	bool fine;

	digits =
		zero == SIZE_MAX ? 0 : command_expand_number(sv_skip(call->body, zero + 1), &index);
	e.first = digits ? 0 : 1;
	command_expand_split(&e, call->arguments);
	fine = command_expand_all(&e, err);
	str_list_clear(&e.words);
	return fine;
}

void command_expansion_clear(struct command_expansion *expansion)
{
	for (size_t i = 0; i < expansion->parts.n; i++)
		str_clear(&expansion->parts.at[i].text);
	vec_clear(&expansion->parts);
}
