#include "text/shell_words.h"

#include "base/ascii.h"
#include "base/vec.h"

static bool is_escapable(char c)
{
	return c == '"' || c == '\\' || c == '$' || c == '`';
}

/* Append the content of the quotes that open at `*at`, and move `*at` past them. */
static bool shell_words_take_quoted(struct str *word, struct sv text, size_t *at, struct err *err)
{
	char quote = text.ptr[*at];
	size_t i = *at + 1;

	for (; i < text.len && text.ptr[i] != quote; i++) {
		if (quote == '"' && text.ptr[i] == '\\' && i + 1 < text.len &&
		    is_escapable(text.ptr[i + 1]))
			i++;
		str_addc(word, text.ptr[i]);
	}
	if (i == text.len)
		return err_set(err, ERR_PARSE, "the quote at byte %zu is not closed", *at);
	*at = i + 1;
	return true;
}

static bool shell_words_take_word(struct str *word, struct sv text, size_t *at, struct err *err)
{
	while (*at < text.len && !ascii_is_space(text.ptr[*at])) {
		char c = text.ptr[*at];

		if (c == '"' || c == '\'') {
			if (!shell_words_take_quoted(word, text, at, err))
				return false;
			continue;
		}
		if (c == '\\' && ++*at == text.len)
			return err_set(err, ERR_PARSE, "the last byte is a backslash");
		str_addc(word, text.ptr[(*at)++]);
	}
	return true;
}

bool shell_words_split(const char *const **argv, struct arena *arena, struct sv text,
		       struct err *err)
{
	VEC(const char *) words = VEC_INIT;
	size_t at = 0;
	bool ok = sv_find_char(text, '\0') == SIZE_MAX ||
		  err_set(err, ERR_INVALID, "the command contains a NUL byte");

	while (ok) {
		defer(str_clear) struct str word = STR_INIT;

		while (at < text.len && ascii_is_space(text.ptr[at]))
			at++;
		if (at == text.len)
			break;
		ok = shell_words_take_word(&word, text, &at, err);
		if (ok)
			vec_push(&words, arena_dup(arena, sv_of(&word)).ptr);
	}
	if (ok && !words.n)
		ok = err_set(err, ERR_INVALID, "the command is empty");
	if (ok) {
		const char **copy = arena_calloc(arena, words.n + 1, sizeof(*copy));

		for (size_t i = 0; i < words.n; i++)
			copy[i] = words.at[i];
		*argv = (const char *const *)copy;
	}
	vec_clear(&words);
	return ok;
}

void shell_words_quote(struct str *out, struct sv word)
{
	size_t quote;

	str_addc(out, '\'');
	for (; (quote = sv_find_char(word, '\'')) != SIZE_MAX; word = sv_skip(word, quote + 1))
		str_addf(out, "%.*s'\\''", SV_ARG(sv_slice(word, 0, quote)));
	str_addf(out, "%.*s'", SV_ARG(word));
}
