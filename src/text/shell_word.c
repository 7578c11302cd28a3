#include "text/shell_word.h"

#include "base/ascii.h"

/* Takes the character at `*i`, and the one after it where that belongs to it. */
static void shell_word_take(struct shell_word *word, struct sv line, size_t *i)
{
	char c = line.ptr[*i];
	bool has_next = *i + 1 < line.len;

	if (c == '\\' && has_next && word->quote != '\'') {
		str_addc(&word->text, line.ptr[++*i]);
	} else if (word->quote && c == word->quote) {
		word->quote = '\0';
	} else if (!word->quote && (c == '"' || c == '\'')) {
		word->quote = c;
	} else if (!word->quote && (ascii_is_space(c) || strchr(";|&()<>=`", c))) {
		word->from = *i + 1;
		str_truncate(&word->text, 0);
	} else {
		str_addc(&word->text, c);
	}
}

void shell_word_read(struct shell_word *out, struct sv line)
{
	*out = (struct shell_word){ .text = STR_INIT };
	for (size_t i = 0; i < line.len; i++)
		shell_word_take(out, line, &i);
}

void shell_word_clear(struct shell_word *word)
{
	str_clear(&word->text);
}

/* Whether a character has to be escaped, between these quotes or without any. */
static bool shell_word_is_special(char quote, char c)
{
	if (quote)
		return quote == '"' && strchr("\"\\$`", c);
	return (unsigned char)c < 0x80 && !ascii_is_alnum(c) && !strchr("/._-+,:@%^~", c);
}

void shell_word_write(const struct shell_word *word, struct sv path, bool is_whole, struct str *out)
{
	if (word->quote)
		str_addc(out, word->quote);
	for (size_t i = 0; i < path.len; i++) {
		char c = path.ptr[i];

		if (word->quote == '\'' && c == '\'')
			str_adds(out, "'\\'");
		else if (shell_word_is_special(word->quote, c))
			str_addc(out, '\\');
		str_addc(out, c);
	}
	if (!is_whole || sv_ends(path, SV("/")))
		return;
	if (word->quote)
		str_addc(out, word->quote);
	str_addc(out, ' ');
}
