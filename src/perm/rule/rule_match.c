#include "perm/rule/rule_match.h"

#include <ctype.h>

#include "perm/rule/glob_star.h"
#include "perm/rule/raw_words.h"

/* In the joined text of a command: blanks inside of an argument, and unknown text. No rule contains
 * these bytes, so only a '*' matches them. */
#define INNER_BLANK '\x01'
#define NOT_KNOWN   '\x02'

struct pattern {
	struct sv text;
	bool open; /* further arguments may follow */
};

static struct pattern pattern_of(struct sv text)
{
	bool open = sv_ends(text, SV(":*")) || sv_ends(text, SV(" *"));

	return (struct pattern){ sv_trim(sv_slice(text, 0, text.len - (open ? 2 : 0))), open };
}

static void rule_match_add_argument(struct str *out, const struct argument *arg, struct sv text)
{
	if (out->len)
		str_addc(out, ' ');
	for (size_t i = 0; i < text.len; i++)
		str_addc(out, sv_find_char(SV(" \t\n"), text.ptr[i]) == SIZE_MAX ? text.ptr[i]
										 : INNER_BLANK);
	if (!arg->known)
		str_addc(out, NOT_KNOWN);
}

/* Joins `name` and the arguments from `from` on, without the two at `skipped` (0: with all). */
static void rule_match_join(struct str *out, const struct shell_command *command, struct sv name,
			    size_t from, size_t skipped)
{
	rule_match_add_argument(out, &command->argv[0], name);
	for (size_t i = from; i < command->n; i++)
		if (!skipped || i < skipped || i > skipped + 1)
			rule_match_add_argument(out, &command->argv[i], command->argv[i].text);
	if (command->more_args)
		str_adds(out, (char[]){ ' ', NOT_KNOWN, '\0' });
}

static bool is_system_path(struct sv path)
{
	static const char *const dirs[] = { "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/",
					    "/usr/local/bin/" };
	size_t slash = sv_rfind_char(path, '/');

	for (size_t i = 0; i < countof(dirs); i++)
		if (sv_eq(sv_slice(path, 0, slash + 1), sv_cstr(dirs[i])))
			return true;
	return false;
}

bool rule_match_allow(struct sv pattern, const struct shell_command *command, size_t *steps)
{
	defer(str_clear) struct str text = STR_INIT;
	struct pattern p = pattern_of(pattern);
	struct sv name;
	bool matches;

	if (!command->n || !command->argv[0].known)
		return false;
	name = command->argv[0].text;
	if (is_system_path(name))
		name = shell_command_name(command);
	if (!p.open && sv_eq(p.text, sv_trim(command->text)) &&
	    !command->is_nested) /* quotes and all */
		return true;
	rule_match_join(&text, command, name, 1, 0);
	matches = glob_star_match(p.text, p.open, sv_of(&text), steps);
	if (!matches && command->chdir_at) {
		str_truncate(&text, 0);
		rule_match_join(&text, command, name, 1, command->chdir_at);
		matches = glob_star_match(p.text, p.open, sv_of(&text), steps);
	}
	return matches;
}

/* Whether `text` starts like the pattern, up to something unknown. */
static bool rule_match_begins(struct pattern p, struct sv text)
{
	size_t known = sv_find_char(text, NOT_KNOWN), literal = sv_find_char(p.text, '*');
	size_t n = min_of(min_of(known, literal), p.text.len);

	return known != SIZE_MAX && sv_eq(sv_slice(p.text, 0, n), sv_slice(text, 0, n));
}

static enum rule_match rule_match_forbids_text(struct pattern p, struct sv text, size_t *steps)
{
	if (glob_star_match(p.text, p.open, text, steps) || *steps == 0)
		return RULE_YES;
	return rule_match_begins(p, text) ? RULE_MAYBE : RULE_NO;
}

static enum rule_match rule_match_surer(enum rule_match a, enum rule_match b)
{
	return a > b ? a : b;
}

/* "sudo $c": a wrapper with an unknown command. */
static bool rule_match_may_run_anything(const struct shell_command *command)
{
	if (command->use.inner.n || !raw_word_is_wrapper(shell_command_name(command)))
		return false;
	for (size_t i = 1; i < command->n; i++)
		if (!command->argv[i].known)
			return true;
	return false;
}

/* A rule about /usr/bin/curl means curl, wherever it is. */
static struct sv rule_match_without_system_dir(struct sv pattern)
{
	struct sv name = sv_slice(pattern, 0, sv_find_char(pattern, ' '));

	return is_system_path(name) ? sv_skip(pattern, sv_rfind_char(name, '/') + 1) : pattern;
}

/* Whether one of the options is `letter`, alone or in a cluster, or a long option that starts with
 * it, as --recursive does for -r. */
static bool rule_match_has_letter(const struct shell_command *command, char letter)
{
	for (size_t i = 1; i < command->n; i++) {
		struct sv text = command->argv[i].text;
		bool is_long = sv_starts(text, SV("--"));

		if (sv_is(text, "--"))
			break;
		if (is_long && text.len > 3 && text.ptr[2] == letter)
			return true;
		for (size_t k = 1; !is_long && sv_starts(text, SV("-")) && k < text.len; k++)
			if (text.ptr[k] == letter || (letter == 'r' && text.ptr[k] == 'R' &&
						      sv_is(shell_command_name(command), "rm")))
				return true;
	}
	return false;
}

/* "rm -rf" in another order, or one by one: rm -fr, rm -r -f. */
static bool rule_match_forbids_letters(struct pattern p, const struct shell_command *command)
{
	struct sv rest = p.text, name, letters, more;

	if (!p.open || !raw_word_next(&rest, &name) || !raw_word_next(&rest, &letters) ||
	    raw_word_next(&rest, &more) || !sv_eq(name, shell_command_name(command)) ||
	    letters.len < 3 || letters.ptr[0] != '-')
		return false;
	for (size_t i = 1; i < letters.len; i++)
		if (!isalpha((unsigned char)letters.ptr[i]) ||
		    !rule_match_has_letter(command, letters.ptr[i]))
			return false;
	return true;
}

/* Matches the program name, the subcommand next to it, or the text as written. */
enum rule_match rule_match_forbid(struct sv pattern, const struct shell_command *command,
				  size_t *steps)
{
	struct pattern p = pattern_of(rule_match_without_system_dir(pattern));
	const size_t from[] = { 1, command->use.subcommand, command->chdir_at ? 1 : 0 };
	const size_t skipped[countof(from)] = { 0, 0, command->chdir_at };
	enum rule_match match = rule_match_forbids_text(p, sv_trim(command->text), steps);

	if (!command->n)
		return match;
	if (!command->argv[0].known || rule_match_may_run_anything(command))
		match = rule_match_surer(match, RULE_MAYBE);
	if (!command->argv[0].known)
		return match;
	if (rule_match_forbids_letters(p, command))
		return RULE_YES;
	for (size_t i = 0; i < countof(from) && match != RULE_YES; i++) {
		const struct sv names[] = { shell_command_name(command), command->argv[0].text };

		for (size_t k = 0; k < countof(names) && match != RULE_YES && from[i]; k++) {
			defer(str_clear) struct str text = STR_INIT;

			rule_match_join(&text, command, names[k], from[i], skipped[i]);
			match = rule_match_surer(match,
						 rule_match_forbids_text(p, sv_of(&text), steps));
		}
	}
	return match;
}

struct sv rule_pattern_words(struct sv pattern, bool *open)
{
	struct pattern p = pattern_of(rule_match_without_system_dir(pattern));
	size_t star = sv_find_char(p.text, '*');
	struct sv words = sv_slice(p.text, 0, min_of(star, p.text.len));

	*open = star != SIZE_MAX && !sv_ends(words, SV(" "));
	return sv_trim(words);
}

bool rule_pattern_spells(struct sv pattern, struct sv argument)
{
	struct sv option = sv_slice(argument, 0, sv_find_char(argument, '=')), word;

	while (sv_cut(&pattern, ' ', &word)) {
		struct sv name = sv_slice(word, 0, sv_find_char(word, '='));

		if (sv_ends(word, SV(":*")))
			word.len -= 2;
		if (word.len && (sv_eq(word, argument) ||
				 (sv_starts(argument, SV("--")) && sv_eq(name, option))))
			return true;
	}
	return false;
}
