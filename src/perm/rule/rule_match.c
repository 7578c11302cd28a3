#include "perm/rule/rule_match.h"

#include <ctype.h>

#include "base/ascii.h"
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

/* Appends the text of one argument. */
static void rule_match_add_text(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++)
		str_addc(out, sv_find_char(SV(" \t\n"), text.ptr[i]) == SIZE_MAX ? text.ptr[i]
										 : INNER_BLANK);
}

static void rule_match_add_argument(struct str *out, const struct argument *arg, struct sv text)
{
	if (out->len)
		str_addc(out, ' ');
	rule_match_add_text(out, text);
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

/* --- patterns ---------------------------------------------------------------- */

size_t rule_pattern_star(struct sv pattern)
{
	for (size_t i = 0; i < pattern.len; i++)
		if (pattern.ptr[i] == '*' && (i == 0 || pattern.ptr[i - 1] != '\\'))
			return i;
	return SIZE_MAX;
}

/* The text without the backslashes before any of `marks`. */
static void rule_match_unescape(struct str *out, struct sv text, const char *marks)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != '\\' || i + 1 == text.len ||
		    !ascii_is_one_of(text.ptr[i + 1], marks))
			str_addc(out, text.ptr[i]);
}

bool rule_pattern_is_text(struct sv pattern, struct sv text)
{
	static const char *const escaped[] = { "*", "()", "*()" };
	bool found = sv_eq(sv_trim(pattern), sv_trim(text)),
	     escapes = sv_find_char(pattern, '\\') != SIZE_MAX;

	for (size_t i = 0; i < countof(escaped) && !found && escapes; i++) {
		defer(str_clear) struct str plain = STR_INIT;

		rule_match_unescape(&plain, sv_trim(pattern), escaped[i]);
		found = sv_eq(sv_of(&plain), sv_trim(text));
	}
	return found;
}

/* A pattern as it is read: where a word starts, "~/" and "$HOME/" are the home directory. */
struct pattern_reader {
	struct sv text, home;
	size_t at;
	char quote;
};

static bool rule_match_add_home(struct str *out, struct pattern_reader *r)
{
	static const char *const names[] = { "~/", "$HOME/", "${HOME}/" };
	struct sv rest = sv_skip(r->text, r->at);
	bool is_start = out->len == 0 || out->ptr[out->len - 1] == ' ';

	for (size_t i = 0; i < countof(names) && r->home.len && is_start; i++)
		if (sv_starts(rest, sv_cstr(names[i])) && (i > 0 || !r->quote)) {
			str_add(out, r->home);
			r->at += strlen(names[i]) - 1;
			return true;
		}
	return false;
}

/* Adds one character that is not a quote, or is escaped. */
static void rule_match_add_char(struct str *out, struct pattern_reader *r)
{
	char c = r->text.ptr[r->at], next = r->at + 1 < r->text.len ? r->text.ptr[r->at + 1] : '\0';
	bool escapes = c == '\\' && next && r->quote != '\'' &&
		       (!r->quote || ascii_is_one_of(next, "\\\"$`"));

	if (c == '\\' && next == '*')
		str_adds(out, "\\*");
	else if (escapes)
		str_addc(out, ascii_is_blank(next) ? INNER_BLANK : next);
	else if (r->quote && (ascii_is_blank(c) || c == '\n'))
		str_addc(out, INNER_BLANK);
	else
		str_addc(out, c);
	r->at += 1 + (escapes || (c == '\\' && next == '*'));
}

/* Appends the pattern as the words that a command would have; false if a quote is not closed. */
static bool rule_match_add_words(struct str *out, struct sv pattern, struct sv home)
{
	struct pattern_reader r = { .text = pattern, .home = home };

	while (r.at < pattern.len) {
		char c = pattern.ptr[r.at];

		if (rule_match_add_home(out, &r))
			continue;
		if (r.quote ? c == r.quote : c == '\'' || c == '"') {
			r.quote = r.quote ? '\0' : c;
			r.at++;
		} else {
			rule_match_add_char(out, &r);
		}
	}
	return !r.quote;
}

bool rule_pattern_assigns(struct sv pattern)
{
	size_t n = 0;

	while (n < pattern.len && ascii_is_word(pattern.ptr[n]))
		n++;
	return n > 0 && n < pattern.len && pattern.ptr[n] == '=' && !ascii_is_digit(pattern.ptr[0]);
}

/* Whether "NAME=value" is this assignment. */
static bool rule_match_assignment(struct sv word, const struct sh_assign *a, size_t *steps)
{
	struct arena arena = ARENA_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct sv value = SV_EMPTY;
	bool is_known = !a->append && !a->index && !a->is_array &&
			(!a->value || sh_word_static(a->value, &arena, &value));

	str_add(&text, a->name);
	str_addc(&text, '=');
	rule_match_add_text(&text, value);
	arena_clear(&arena);
	return is_known && glob_star_match(word, false, sv_of(&text), steps);
}

/* Takes the assignments off the pattern. They have to be those before the command, all of them. */
static bool rule_match_assignments(struct sv *pattern, const struct shell_command *command,
				   size_t *steps)
{
	const struct sh_assign *a = command->assigns;
	struct sv word;

	for (; rule_pattern_assigns(*pattern); a = a->next) {
		sv_cut(pattern, ' ', &word);
		if (!a || !rule_match_assignment(word, a, steps))
			return false;
	}
	return !a;
}

/* Whether the pattern is about another program, which its first character says without joining any
 * words. Most rules are. */
static bool rule_match_is_elsewhere(struct pattern p, const struct shell_command *command)
{
	const struct sv starts[] = { command->argv[0].text, shell_command_name(command),
				     sv_trim(command->text) };

	if (!p.text.len || !ascii_is_alnum(p.text.ptr[0]) || rule_pattern_assigns(p.text))
		return false;
	for (size_t i = 0; i < countof(starts); i++)
		if (starts[i].len && starts[i].ptr[0] == p.text.ptr[0])
			return false;
	return true;
}

/* --- rules that allow -------------------------------------------------------------- */

static bool rule_match_words(struct pattern p, const struct shell_command *command, size_t *steps)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv name = command->argv[0].text;
	bool matches;

	if (is_system_path(name) && !sv_starts(p.text, SV("/")))
		name = shell_command_name(command);
	rule_match_join(&text, command, name, 1, 0);
	matches = glob_star_match(p.text, p.open, sv_of(&text), steps);
	if (!matches && command->chdir_at) {
		str_truncate(&text, 0);
		rule_match_join(&text, command, name, 1, command->chdir_at);
		matches = glob_star_match(p.text, p.open, sv_of(&text), steps);
	}
	return matches;
}

/* The pattern without quotes, with the home directory and its assignments. */
static bool rule_match_plain(struct pattern p, const struct shell_command *command, struct sv home,
			     size_t *steps)
{
	defer(str_clear) struct str plain = STR_INIT;

	if (!rule_match_add_words(&plain, p.text, home))
		return false;
	p.text = sv_of(&plain);
	if (rule_pattern_assigns(p.text) && !rule_match_assignments(&p.text, command, steps))
		return false;
	return rule_match_words(p, command, steps);
}

/* Whether a word of the pattern is in the home directory. */
static bool rule_match_has_home(struct sv pattern)
{
	return sv_starts(pattern, SV("~/")) || sv_find(pattern, SV(" ~/")) != SIZE_MAX;
}

static bool rule_match_is_special(struct sv pattern)
{
	for (size_t i = 0; i < pattern.len; i++)
		if (ascii_is_one_of(pattern.ptr[i], "'\"\\~$="))
			return true;
	return false;
}

bool rule_match_allow(struct sv pattern, const struct shell_command *command, struct sv home,
		      size_t *steps)
{
	struct pattern p = pattern_of(pattern);

	if (!command->n || !command->argv[0].known || rule_match_is_elsewhere(p, command))
		return false;
	if (!p.open && !command->is_nested && rule_pattern_is_text(p.text, command->text))
		return true; /* quotes and all */
	return (!rule_match_has_home(p.text) && rule_match_words(p, command, steps)) ||
	       (rule_match_is_special(p.text) && rule_match_plain(p, command, home, steps));
}

/* --- rules that forbid ------------------------------------------------------------- */

/* Whether `text` starts like the pattern, up to something unknown. */
static bool rule_match_begins(struct pattern p, struct sv text)
{
	size_t known = sv_find_char(text, NOT_KNOWN), literal = rule_pattern_star(p.text);
	size_t n = min_of(min_of(known, literal), p.text.len);

	return known != SIZE_MAX && sv_eq(sv_slice(p.text, 0, n), sv_slice(text, 0, n));
}

/* "dd if=:*" means any value. */
static bool rule_match_has_prefix(struct pattern p, struct sv text)
{
	return p.open && sv_ends(p.text, SV("=")) && sv_starts(text, p.text);
}

static enum rule_match rule_match_denies_text(struct pattern p, struct sv text, size_t *steps)
{
	if (glob_star_match(p.text, p.open, text, steps) || *steps == 0 ||
	    rule_match_has_prefix(p, text))
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
	bool is_known = true;

	for (size_t i = 1; i < command->n; i++)
		is_known &= command->argv[i].known;
	return !is_known && !command->use.inner.n &&
	       raw_word_is_wrapper(shell_command_name(command));
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
static bool rule_match_denies_letters(struct pattern p, const struct shell_command *command)
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
static enum rule_match rule_match_denies(struct pattern p, const struct shell_command *command,
					 size_t *steps)
{
	const size_t from[] = { 1, command->use.subcommand, command->chdir_at ? 1 : 0 };
	const size_t skipped[countof(from)] = { 0, 0, command->chdir_at };
	enum rule_match match = rule_match_denies_text(p, sv_trim(command->text), steps);

	if (!command->n)
		return match;
	if (!command->argv[0].known || rule_match_may_run_anything(command))
		match = rule_match_surer(match, RULE_MAYBE);
	if (!command->argv[0].known)
		return match;
	if (rule_match_denies_letters(p, command))
		return RULE_YES;
	for (size_t i = 0; i < countof(from) && match != RULE_YES; i++) {
		const struct sv names[] = { shell_command_name(command), command->argv[0].text };

		for (size_t k = 0; k < countof(names) && match != RULE_YES && from[i]; k++) {
			defer(str_clear) struct str text = STR_INIT;

			rule_match_join(&text, command, names[k], from[i], skipped[i]);
			match = rule_match_surer(match,
						 rule_match_denies_text(p, sv_of(&text), steps));
		}
	}
	return match;
}

enum rule_match rule_match_deny(struct sv pattern, const struct shell_command *command,
				struct sv home, size_t *steps)
{
	struct pattern p = pattern_of(rule_match_without_system_dir(pattern));
	enum rule_match match = RULE_YES;
	defer(str_clear) struct str plain = STR_INIT;

	if (*steps > 0 && command->n && command->argv[0].known &&
	    rule_match_is_elsewhere(p, command) && !rule_match_may_run_anything(command))
		return RULE_NO;
	match = rule_match_denies(p, command, steps);
	if (match == RULE_YES || !rule_match_is_special(p.text) ||
	    !rule_match_add_words(&plain, p.text, home))
		return match;
	p.text = sv_of(&plain);
	if (rule_pattern_assigns(p.text) && !rule_match_assignments(&p.text, command, steps))
		return match;
	return rule_match_surer(match, rule_match_denies(p, command, steps));
}

/* --- lines ------------------------------------------------------------------------- */

bool rule_is_about_line(struct sv pattern)
{
	char quote = '\0';

	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.ptr[i];

		if (c == '\\')
			i++;
		else if (quote ? c == quote : c == '\'' || c == '"')
			quote = quote ? '\0' : c;
		else if (!quote && ascii_is_one_of(c, "|;&\n"))
			return true;
	}
	return false;
}

enum rule_match rule_match_deny_line(struct sv pattern, struct sv line, size_t *steps)
{
	return rule_match_denies_text(pattern_of(pattern), sv_trim(line), steps);
}

bool rule_pattern_next_stage(struct sv *rest, struct sv *stage)
{
	if (sv_find(*rest, SV("||")) != SIZE_MAX || sv_find_char(*rest, ';') != SIZE_MAX ||
	    sv_find_char(*rest, '&') != SIZE_MAX || !sv_cut(rest, '|', stage))
		return false;
	*stage = pattern_of(sv_trim(*stage)).text;
	return stage->len > 0;
}

/* --- words of a pattern ------------------------------------------------------------ */

size_t rule_pattern_count(struct sv pattern)
{
	defer(str_clear) struct str plain = STR_INIT;
	struct pattern p = pattern_of(pattern);
	struct sv rest, word;
	size_t star, n = 0;

	if (!rule_match_add_words(&plain, p.text, SV_EMPTY))
		return 0;
	star = rule_pattern_star(sv_of(&plain));
	rest = sv_slice(sv_of(&plain), 0, star);
	while (raw_word_next(&rest, &word))
		if (n || !rule_pattern_assigns(word))
			n++;
	/* "ls*" does not spell the word that the star is in. */
	return n && star != SIZE_MAX && star > 0 && str_c(&plain)[star - 1] != ' ' ? n - 1 : n;
}

struct sv rule_pattern_words(struct sv pattern, bool *open)
{
	struct pattern p = pattern_of(rule_match_without_system_dir(pattern));
	size_t star = rule_pattern_star(p.text);
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
