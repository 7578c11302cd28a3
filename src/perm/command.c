#include "perm/command.h"

#include "base/utf8.h"
#include "perm/star.h"

/* --- characters ----------------------------------------------------------- */

static const struct {
	uint32_t first, last;
} invisible[] = {
	{ 0x00, 0x08 },       { 0x0b, 0x1f },     /* C0 but tab and newline */
	{ 0x7f, 0x9f },                           /* DEL, C1 */
	{ 0xad, 0xad },                           /* soft hyphen */
	{ 0x034f, 0x034f },                       /* grapheme joiner */
	{ 0x061c, 0x061c },                       /* Arabic letter mark */
	{ 0x115f, 0x1160 },                       /* Hangul fillers */
	{ 0x17b4, 0x17b5 },                       /* Khmer inherent vowels */
	{ 0x180b, 0x180f },                       /* Mongolian selectors */
	{ 0x200b, 0x200f },                       /* zero width, direction marks */
	{ 0x2028, 0x202e },                       /* separators, bidi */
	{ 0x2060, 0x206f },                       /* joiners, invisible operators, bidi */
	{ 0x3164, 0x3164 },                       /* Hangul filler */
	{ 0xfe00, 0xfe0e },                       /* variation selectors but emoji's */
	{ 0xfeff, 0xfeff },                       /* byte order mark */
	{ 0xffa0, 0xffa0 },   { 0xfff0, 0xfffb }, /* fillers, annotations */
	{ 0xe0000, 0xe0fff },                     /* tags, more selectors */
};

bool command_is_visible(struct sv command)
{
	while (command.len > 0) {
		uint32_t rune;
		int n = utf8_decode(command, &rune);

		if (n < 0)
			return false;
		for (size_t i = 0; i < countof(invisible); i++)
			if (rune >= invisible[i].first && rune <= invisible[i].last)
				return false;
		command = sv_skip(command, (size_t)n);
	}
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c);
}

/* --- words ---------------------------------------------------------------- */

/* They run what comes after them, somewhere. */
static const char *const wrappers[] = {
	"bash",    "builtin",     "busybox", "chroot", "chrt",    "command",  "coproc",  "dash",
	"doas",    "env",         "eval",    "exec",   "fish",    "flock",    "ionice",  "ksh",
	"ltrace",  "nice",        "noglob",  "nohup",  "nsenter", "parallel", "runuser", "script",
	"setpriv", "setsid",      "sg",      "sh",     "ssh",     "stdbuf",   "strace",  "su",
	"sudo",    "systemd-run", "taskset", "time",   "timeout", "toybox",   "trap",    "unshare",
	"watch",   "xargs",       "zsh",
};

/* Of find: these run something, or write. */
static const char *const actions[] = { "-delete", "-exec", "-fls", "-fprint", "-ok" };

/* The very next word is a command. */
static const char *const keywords[] = { "!", "do", "elif", "else", "if", "then", "until", "while" };

static bool is_in(struct sv word, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(word, words[i]))
			return true;
	return false;
}

static struct sv first_word(struct sv words)
{
	size_t n = 0;

	while (n < words.len && !is_blank(words.ptr[n]))
		n++;
	return sv_slice(words, 0, n);
}

static bool next_word(struct sv *rest, struct sv *word)
{
	while (rest->len > 0 && is_blank(rest->ptr[0]))
		*rest = sv_skip(*rest, 1);
	*word = first_word(*rest);
	*rest = sv_skip(*rest, word->len);
	return word->len > 0;
}

static struct sv base_name(struct sv word)
{
	return sv_skip(word, sv_rfind_char(word, '/') + 1); /* SIZE_MAX + 1 is 0 */
}

/* "30", "0.5", "5m". */
static bool is_number(struct sv word)
{
	size_t n = 0;

	while (n < word.len && is_one_of(word.ptr[n], "0123456789."))
		n++;
	return n > 0 && (n == word.len || (n == word.len - 1 && is_one_of(word.ptr[n], "smhd")));
}

/* Also what may stand before a command by itself: an option or a number of the
 * wrapper before it, an assignment, a redirection. */
static bool is_wrapper(struct sv word)
{
	return is_in(base_name(word), wrappers, countof(wrappers)) || is_number(word) ||
	       sv_starts(word, SV("-")) || sv_find_char(word, '=') != SIZE_MAX ||
	       sv_find_char(word, '<') != SIZE_MAX || sv_find_char(word, '>') != SIZE_MAX;
}

static bool is_keyword(struct sv word)
{
	return is_in(word, keywords, countof(keywords));
}

static bool is_fd(struct sv word)
{
	return sv_is(base_name(word), "fd") || sv_is(base_name(word), "fdfind");
}

static bool is_finder(struct sv word)
{
	return sv_is(base_name(word), "find") || is_fd(word);
}

/* Whether `word` makes `finder` do more than find. */
static bool is_action(struct sv finder, struct sv word)
{
	if (is_fd(finder))
		return sv_starts(word, SV("--exec")) ||
		       (word.ptr[0] == '-' && !sv_starts(word, SV("--")) &&
			sv_find_nocase(word, SV("x")) != SIZE_MAX);
	for (size_t i = 0; i < countof(actions); i++)
		if (sv_starts(word, sv_cstr(actions[i])))
			return true;
	return false;
}

/* --- patterns ------------------------------------------------------------- */

struct pattern {
	struct sv text;
	bool open; /* further words may follow */
};

static struct pattern pattern_of(struct sv text)
{
	if (sv_ends(text, SV(":*")) || sv_ends(text, SV(" *")))
		return (struct pattern){ sv_slice(text, 0, text.len - 2), true };
	return (struct pattern){ text, false };
}

static bool is_exact(struct pattern pattern)
{
	return !pattern.open && sv_find_char(pattern.text, '*') == SIZE_MAX;
}

static bool matches(struct pattern pattern, struct sv text, size_t *steps)
{
	return star_match(pattern.text, pattern.open, text, steps);
}

/* --- allowing ------------------------------------------------------------- */

/* Nothing in it can start a second command. */
static bool is_plain(struct sv command)
{
	for (size_t i = 0; i < command.len; i++)
		if (is_one_of(command.ptr[i], ";&|\n`$()<>{}"))
			return false;
	return true;
}

/* Whether it finds files to do something with them. */
static bool has_action(struct sv command)
{
	struct sv finder = SV_EMPTY, word;

	while (next_word(&command, &word)) {
		if (finder.len > 0 && is_action(finder, word))
			return true;
		if (is_finder(word))
			finder = word;
	}
	return false;
}

/* Whether a pattern that begins with a wrapper says what that shall run. */
static bool names_inner(struct sv pattern)
{
	struct sv word;

	while (next_word(&pattern, &word))
		if (!is_wrapper(word) && !is_keyword(word) && sv_find_char(word, '*') == SIZE_MAX)
			return true;
	return false;
}

bool command_allowed_by(struct sv text, struct sv command, size_t *steps)
{
	struct pattern pattern = pattern_of(text);
	struct sv program;

	command = sv_trim(command);
	program = first_word(command);
	if (!command_is_visible(command) || !matches(pattern, command, steps))
		return false;
	if (is_exact(pattern))
		return true;
	if (!is_plain(command) || has_action(command))
		return false;
	return !(is_wrapper(program) || is_keyword(program)) || names_inner(pattern.text);
}

/* --- forbidding ----------------------------------------------------------- */

/* Appends the words of `text` with one blank between them and without quoting:
 * c"ur"l and \curl are curl. */
static void add_bare(struct str *out, struct sv text)
{
	size_t from = out->len;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i], next = i + 1 < text.len ? text.ptr[i + 1] : '\0';

		if (is_blank(c) && out->len > from && !is_blank(out->ptr[out->len - 1]))
			str_addc(out, ' ');
		else if (!is_blank(c) && !is_one_of(c, "'\"\\") &&
			 !(c == '$' && is_one_of(next, "'\"")))
			str_addc(out, c);
	}
	if (out->len > from && is_blank(out->ptr[out->len - 1]))
		str_truncate(out, out->len - 1);
}

/* Whether the command at the start of `words` is the one, by name or by path. */
static bool is_at(struct pattern pattern, struct sv words, size_t *steps)
{
	struct sv word = first_word(words);

	return matches(pattern, words, steps) ||
	       matches(pattern, sv_skip(words, word.len - base_name(word).len), steps);
}

/* After a wrapper any word may be the command: its options are not known here. */
static bool runs(struct pattern pattern, struct sv words, size_t *steps)
{
	struct sv rest = words, finder = SV_EMPTY, word;
	bool first = true, wrapped = false;

	while (*steps > 0 && next_word(&rest, &word)) {
		struct sv here = sv_skip(words, (size_t)(word.ptr - words.ptr));

		if ((first || wrapped) && is_at(pattern, here, steps))
			return true;
		if (finder.len > 0 ? is_action(finder, word) : is_wrapper(word))
			wrapped = true;
		if (first && is_finder(word))
			finder = word;
		first = first && is_keyword(word);
		if (!first && !wrapped && finder.len == 0)
			return false;
	}
	return false;
}

/* Cuts off the part of `*rest` before anything that might begin a new command. */
static struct sv cut_part(struct sv *rest)
{
	size_t n = 0;
	struct sv part;

	while (n < rest->len && !is_one_of(rest->ptr[n], ";&|\n`(){}"))
		n++;
	part = sv_slice(*rest, 0, n);
	*rest = sv_skip(*rest, n + 1);
	return part;
}

static bool any_part_runs(struct pattern pattern, struct sv command, size_t *steps)
{
	defer(str_clear) struct str words = STR_INIT;

	while (command.len > 0) {
		str_truncate(&words, 0);
		add_bare(&words, cut_part(&command));
		if (runs(pattern, sv_of(&words), steps))
			return true;
		*steps -= min_of(*steps, words.len + 1);
	}
	return false;
}

/* A backslash before a newline joins two lines, though not in a comment. */
static void join_lines(struct str *out, struct sv text)
{
	size_t at;

	while ((at = sv_find(text, SV("\\\n"))) != SIZE_MAX) {
		str_add(out, sv_slice(text, 0, at));
		text = sv_skip(text, at + 2);
	}
	str_add(out, text);
}

bool command_forbidden_by(struct sv text, struct sv command, size_t *steps)
{
	defer(str_clear) struct str bare = STR_INIT;
	defer(str_clear) struct str joined = STR_INIT;
	struct pattern pattern = pattern_of(text);
	bool found;

	found = matches(pattern, sv_trim(command), steps);
	add_bare(&bare, pattern.text);
	pattern.text = sv_of(&bare);
	found = found || any_part_runs(pattern, command, steps);
	if (!found && sv_find(command, SV("\\\n")) != SIZE_MAX) {
		join_lines(&joined, command);
		found = any_part_runs(pattern, sv_of(&joined), steps);
	}
	return found || *steps == 0;
}
