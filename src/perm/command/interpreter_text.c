#include "perm/command/interpreter_text.h"

#include <ctype.h>

#include "perm/command/command_paths.h"
#include "perm/rule/raw_words.h"
#include "perm/rule/rule_match.h"

/* Without one of these the text of an interpreter starts no other program, unless it hides that;
 * but then it would hide the name of the command, too. */
static const char starters[][8] = {
	"system",  "exec", "spawn", "popen", "Popen", "process", "Process", "fork", "shell", "eval",
	"Command", "run",  "call",  "$(",    "`",     "qx",      "%x",      "|\"",  "|'",
};

/* Words of editors, debuggers and clients that may be followed by a command. */
static const char leaders[][8] = { "call", "execute", "run", "shell", "silent", "spawn", "system" };

static bool interpreter_starts_programs(struct sv text)
{
	for (size_t i = 0; i < countof(starters); i++)
		if (sv_find(text, sv_cstr(starters[i])) != SIZE_MAX)
			return true;
	return false;
}

static bool interpreter_leads_to_command(struct sv word)
{
	struct sv name = sv_starts(word, SV(".")) ? sv_skip(word, 1) : word;

	for (size_t i = 0; i < countof(leaders); i++)
		if (sv_is(name, leaders[i]))
			return true;
	return raw_word_is_wrapper(word) || raw_word_is_keyword(word);
}

static bool interpreter_is_name_char(char c)
{
	return isalnum((unsigned char)c) || sv_find_char(SV("_-./"), c) != SIZE_MAX;
}

static bool is_script(struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		if (!interpreter_is_name_char(text.ptr[i]))
			return true;
	return false;
}

/* The words of a rule, to be found in a text. */
struct searched_words {
	struct sv words;
	bool open;   /* the last word may be longer */
	bool script; /* the text is more than a path, so a slash may precede a word */
};

static bool is_inside_word(const struct searched_words *s, struct sv text, size_t at)
{
	return at < text.len && interpreter_is_name_char(text.ptr[at]) &&
	       !(s->script && text.ptr[at] == '/');
}

/* Whether the words are at `at`, one after the other, with quotes and commas between them. */
static bool interpreter_words_at(const struct searched_words *s, struct sv text, size_t at)
{
	struct sv words = s->words, word;

	while (raw_word_next(&words, &word)) {
		if (!sv_starts(sv_skip(text, at), word))
			return false;
		at += word.len;
		if (is_inside_word(s, text, at) && !(s->open && !words.len))
			return false;
		while (words.len && at < text.len &&
		       sv_find_char(SV(" \t'\",[]()"), text.ptr[at]) != SIZE_MAX)
			at++;
	}
	return true;
}

static bool interpreter_words_in(const struct searched_words *s, struct sv text, size_t from,
				 size_t to)
{
	for (size_t i = from; i < to; i++)
		if ((i == from || !is_inside_word(s, text, i - 1)) &&
		    interpreter_words_at(s, text, i))
			return true;
	return false;
}

/* Whether the words are where a command may start: at the beginning, after punctuation, or after
 * words that may be followed by a command. */
static bool interpreter_finds_command(const struct searched_words *s, struct sv text)
{
	bool may_begin = true, leads = false;

	for (size_t at = 0, end; at < text.len; at = end) {
		char c = text.ptr[at];

		end = at + 1;
		if (!interpreter_is_name_char(c)) {
			bool is_assigned = c == '=' && may_begin; /* "A=b curl" */

			may_begin |= c != ' ' && c != '\t';
			leads = is_assigned || (leads && (c == ' ' || c == '\t' || c == '='));
			continue;
		}
		while (end < text.len && interpreter_is_name_char(text.ptr[end]))
			end++;
		if ((may_begin || leads) && interpreter_words_in(s, text, at, end))
			return true;
		leads |= interpreter_leads_to_command(sv_slice(text, at, end));
		may_begin = end < text.len && text.ptr[end] == '=' && may_begin;
	}
	return false;
}

/* Build and test tools run what their variables contain. Their other words are targets and names
 * of tests, unless the tables say otherwise. */
static bool is_driven_by_variables(const struct shell_command *command)
{
	return command->use.known && !command->use.is_interpreter && !command->use.escalates;
}

/* The arguments of a nested command are checked with that command. */
static bool is_of_inner(const struct shell_command *command, size_t i)
{
	for (size_t k = 0; k < command->use.inner.n; k++)
		if (i > command->use.inner.at[k].from && i < command->use.inner.at[k].to)
			return true;
	return false;
}

static bool interpreter_argument_names(const struct shell_command *command, size_t i,
				       struct searched_words *s, size_t *steps)
{
	struct sv text;
	size_t equals;

	if (is_of_inner(command, i) || !command_program_text(command, i, &text))
		return false;
	equals = sv_find_char(text, '=');
	if (is_driven_by_variables(command)) {
		if (equals == SIZE_MAX)
			return false;
		text = sv_skip(text, equals + 1);
	}
	s->script = is_script(text);
	if ((!s->script && equals == SIZE_MAX) ||
	    (command->use.is_interpreter && !interpreter_starts_programs(text)))
		return false;
	if (*steps <= text.len) {
		*steps = 0;
		return true;
	}
	*steps -= text.len;
	return interpreter_finds_command(s, text);
}

bool interpreter_text_names(const struct shell_command *command, struct sv pattern, size_t *steps)
{
	struct searched_words s = { .open = false };
	bool found = false;

	s.words = rule_pattern_words(pattern, &s.open);
	for (size_t i = 1; s.words.len && i <= command->n && !found; i++)
		found = interpreter_argument_names(command, i, &s, steps);
	return found;
}
