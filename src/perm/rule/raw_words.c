#include "perm/rule/raw_words.h"

#include <ctype.h>

static const char wrappers[][12] = {
	"bash",    "builtin",     "busybox", "chroot", "chrt",    "command",  "coproc",  "dash",
	"doas",    "env",         "eval",    "exec",   "fish",    "flock",    "ionice",  "ksh",
	"ltrace",  "nice",        "noglob",  "nohup",  "nsenter", "parallel", "runuser", "script",
	"setpriv", "setsid",      "sg",      "sh",     "ssh",     "stdbuf",   "strace",  "su",
	"sudo",    "systemd-run", "taskset", "time",   "timeout", "toybox",   "trap",    "unshare",
	"watch",   "xargs",       "zsh",
};

static const char keywords[][12] = { "!", "do", "elif", "else", "if", "then", "until", "while" };

static const char *const find_actions[] = { "-delete", "-exec", "-fls", "-fprint", "-ok" };

static bool raw_words_is_in(struct sv word, const char (*words)[12], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (sv_is(word, words[i]))
			return true;
	return false;
}

static bool raw_words_has(struct sv word, char c)
{
	return sv_find_char(word, c) != SIZE_MAX;
}

bool raw_word_next(struct sv *rest, struct sv *word)
{
	size_t from = 0, to;

	while (from < rest->len && (rest->ptr[from] == ' ' || rest->ptr[from] == '\t'))
		from++;
	for (to = from; to < rest->len && rest->ptr[to] != ' ' && rest->ptr[to] != '\t';)
		to++;
	*word = sv_slice(*rest, from, to);
	*rest = sv_skip(*rest, to);
	return word->len > 0;
}

/* "30", "0.5", "5m". */
static bool raw_words_is_number(struct sv word)
{
	size_t n = 0;

	while (n < word.len && ((word.ptr[n] >= '0' && word.ptr[n] <= '9') || word.ptr[n] == '.'))
		n++;
	return n > 0 &&
	       (n == word.len || (n == word.len - 1 && raw_words_has(SV("smhd"), word.ptr[n])));
}

bool raw_word_is_wrapper(struct sv word)
{
	return raw_words_is_number(word) || sv_starts(word, SV("-")) || raw_words_has(word, '=') ||
	       raw_words_has(word, '<') || raw_words_has(word, '>') ||
	       raw_words_is_in(sv_basename(word), wrappers, countof(wrappers));
}

bool raw_word_is_keyword(struct sv word)
{
	return raw_words_is_in(word, keywords, countof(keywords));
}

static bool is_fd(struct sv word)
{
	return sv_is(sv_basename(word), "fd") || sv_is(sv_basename(word), "fdfind");
}

bool raw_word_is_finder(struct sv word)
{
	return sv_is(sv_basename(word), "find") || is_fd(word);
}

bool raw_word_is_find_action(struct sv finder, struct sv word)
{
	if (is_fd(finder)) /* -x and -X, also in a cluster */
		return sv_starts(word, SV("--exec")) ||
		       (sv_starts(word, SV("-")) && !sv_starts(word, SV("--")) &&
			(raw_words_has(word, 'x') || raw_words_has(word, 'X')));
	for (size_t i = 0; i < countof(find_actions); i++)
		if (sv_starts(word, sv_cstr(find_actions[i])))
			return true;
	return false;
}
