#include "tool/shell/bash_meaning.h"

#include <ctype.h>

/* One command of a list or pipeline. */
struct part {
	struct sv text;
	bool after_and; /* after "&&": it may not have run */
};

static char bash_meaning_char_at(struct sv s, size_t at)
{
	return at < s.len ? s.ptr[at] : ' ';
}

/* Whether a substitution begins here, also inside double quotes. */
static bool is_substitution(struct sv s, size_t at)
{
	return s.ptr[at] == '`' || (s.ptr[at] == '$' && (bash_meaning_char_at(s, at + 1) == '(' ||
							 bash_meaning_char_at(s, at + 1) == '{'));
}

/* Skips a quoted string. Returns false when it does not end or needs a real parser. */
static bool bash_meaning_skip_quoted(struct sv s, size_t *at)
{
	char quote = s.ptr[*at];

	for (++*at; *at < s.len && s.ptr[*at] != quote; ++*at) {
		if (quote == '"' && is_substitution(s, *at))
			return false;
		if (quote == '"' && s.ptr[*at] == '\\')
			++*at;
	}
	return *at < s.len;
}

/* Whether this character may hide an operator, or begins one that we do not know. */
static bool bash_meaning_takes_parser(struct sv s, size_t at)
{
	char next = bash_meaning_char_at(s, at + 1);

	switch (s.ptr[at]) {
	case '(':
	case ')': return true;
	case '<': return next == '<';
	case '$': return next == '\'' || is_substitution(s, at);
	case '`': return true;
	case '#': return at == 0 || isspace((unsigned char)s.ptr[at - 1]);
	default: return false;
	}
}

static bool is_operator(struct sv s, size_t at)
{
	char c = s.ptr[at];
	char before = at > 0 ? s.ptr[at - 1] : ' ';

	if (c == '&' || c == '|')
		return before != '>' && before != '<' &&
		       !(c == '&' && bash_meaning_char_at(s, at + 1) == '>');
	return c == ';' || c == '\n';
}

/* Finds the end of the first command in `s`. Returns false when that needs a real parser. */
static bool bash_meaning_find_end(struct sv s, size_t *end)
{
	size_t i = 0;

	for (; i < s.len && !is_operator(s, i); i++) {
		char c = s.ptr[i];

		if (bash_meaning_takes_parser(s, i) ||
		    ((c == '\'' || c == '"') && !bash_meaning_skip_quoted(s, &i)))
			return false;
		if (c == '\\')
			i++;
	}
	*end = min_of(i, s.len);
	return true;
}

/* Removes the first command from `*rest`. Returns false when its end is unclear. */
static bool bash_meaning_cut_part(struct sv *rest, struct part *out)
{
	size_t end;

	if (!bash_meaning_find_end(*rest, &end))
		return false;
	out->text = sv_trim(sv_slice(*rest, 0, end));
	*rest = sv_skip(*rest, end);
	return true;
}

/* Removes the operator that follows. Returns whether the next command depends on "&&". */
static bool bash_meaning_cut_operator(struct sv *rest, bool after_and)
{
	size_t n = 1;

	if (sv_starts(*rest, SV("&&")) || sv_starts(*rest, SV("||")))
		n = 2;
	if (sv_starts(*rest, SV("&&")))
		after_and = true;
	else if (n == 2 || !sv_starts(*rest, SV("|")))
		after_and = false;
	*rest = sv_skip(*rest, n);
	return after_and;
}

static bool bash_meaning_is_assignment(struct sv word)
{
	size_t equals = sv_find_char(word, '=');
	bool named = equals != SIZE_MAX && equals > 0;

	for (size_t i = 0; named && i < equals; i++)
		named = isalnum((unsigned char)word.ptr[i]) || word.ptr[i] == '_';
	return named;
}

/* The program's name, without its directory. */
static struct sv bash_meaning_name_of(struct sv command)
{
	struct sv word;

	do {
		size_t n = 0;

		command = sv_trim(command);
		while (n < command.len && !isspace((unsigned char)command.ptr[n]))
			n++;
		word = sv_slice(command, 0, n);
		command = sv_skip(command, n);
	} while (bash_meaning_is_assignment(word));
	return sv_basename(word);
}

static bool bash_meaning_is_among(struct sv word, const char *const *words)
{
	for (; *words; words++)
		if (sv_is(word, *words))
			return true;
	return false;
}

static const struct {
	char name[8], meaning[40];
	int code;
} meanings[] = {
	{ "[", "Condition is false", 1 },
	{ "[[", "Condition is false", 1 },
	{ "ack", "No matches found", 1 },
	{ "ag", "No matches found", 1 },
	{ "cmp", "Files differ", 1 },
	{ "diff", "Files differ", 1 },
	{ "egrep", "No matches found", 1 },
	{ "fgrep", "No matches found", 1 },
	{ "find", "Some directories were inaccessible", 1 },
	{ "grep", "No matches found", 1 },
	{ "pgrep", "No matches found", 1 },
	{ "rg", "No matches found", 1 },
	{ "test", "Condition is false", 1 },
	{ "zgrep", "No matches found", 1 },
};

const char *bash_meaning(struct sv command, int code, bool printed)
{
	struct part part, last = { .text = SV_EMPTY };
	struct sv rest = command, name;

	for (part.after_and = false; rest.len > 0;) {
		if (!bash_meaning_cut_part(&rest, &part))
			return NULL;
		if (part.text.len)
			last = part;
		part.after_and = bash_meaning_cut_operator(&rest, part.after_and);
	}
	/* After "&&" the exit code may come from the command before, which would have said why. */
	if (last.after_and && printed)
		return NULL;
	name = bash_meaning_name_of(last.text);
	for (size_t i = 0; i < countof(meanings); i++)
		if (meanings[i].code == code && sv_is(name, meanings[i].name))
			return meanings[i].meaning;
	return NULL;
}

bool bash_is_silent(struct sv command)
{
	static const char *const silent[] = { "cd",    "chgrp", "chmod", "chown", "cp",
					      "ln",    "mkdir", "mv",    "rm",    "rmdir",
					      "touch", "unset", "wait",  NULL };
	struct part part;
	bool any = false;

	while (command.len > 0) {
		if (!bash_meaning_cut_part(&command, &part))
			return false;
		bash_meaning_cut_operator(&command, false);
		if (part.text.len &&
		    !bash_meaning_is_among(bash_meaning_name_of(part.text), silent))
			return false;
		any = any || part.text.len;
	}
	return any;
}
