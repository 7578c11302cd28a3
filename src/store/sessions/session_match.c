#include "store/sessions/session_match.h"

#include "base/ascii.h"
#include "base/utf8.h"

enum { SNIPPET_BEFORE = 40, SNIPPET_BYTES = 160 };

static bool match_is_letter(char c)
{
	return ascii_is_alnum(c) || (unsigned char)c >= 0x80;
}

static bool match_has_letters(struct sv word)
{
	for (size_t i = 0; i < word.len; i++)
		if (match_is_letter(word.ptr[i]))
			return true;
	return false;
}

static void match_add(struct session_match *m, struct sv word, bool is_phrase)
{
	if (m->n == LIMIT_SEARCH_WORDS || !match_has_letters(word))
		return;
	m->is_phrase[m->n] = is_phrase;
	m->words[m->n++] = word;
}

void session_match_init(struct session_match *m, struct sv text)
{
	*m = (struct session_match){ .n = 0 };
	while ((text = sv_trim(text)).len) {
		size_t end = 0;

		if (text.ptr[0] == '"') {
			size_t close = sv_find_char(sv_skip(text, 1), '"');

			end = close == SIZE_MAX ? text.len : close + 1;
			match_add(m, sv_trim(sv_slice(text, 1, end)), close != SIZE_MAX);
			text = sv_skip(text, min_of(end + 1, text.len));
			continue;
		}
		while (end < text.len && !ascii_is_space(text.ptr[end]))
			end++;
		match_add(m, sv_slice(text, 0, end), false);
		text = sv_skip(text, end);
	}
}

void session_match_query(struct str *out, const struct session_match *m)
{
	for (size_t i = 0; i < m->n; i++) {
		str_adds(out, i ? " \"" : "\"");
		for (size_t j = 0; j < m->words[i].len; j++) {
			char c = m->words[i].ptr[j];

			str_addc(out, c == '"' || c == '\0' ? ' ' : c);
		}
		str_adds(out, m->is_phrase[i] ? "\"" : "\"*");
	}
}

/* The place of a word in a text; SIZE_MAX: it is not there. */
static size_t match_find(struct sv text, struct sv word)
{
	size_t from = 0;

	for (;;) {
		size_t at = sv_find_nocase(sv_skip(text, from), word);

		if (at == SIZE_MAX)
			return SIZE_MAX;
		at += from;
		if (!at || !match_is_letter(word.ptr[0]) || !match_is_letter(text.ptr[at - 1]))
			return at;
		from = at + 1;
	}
}

bool session_match_text(const struct session_match *m, struct sv text)
{
	for (size_t i = 0; i < m->n; i++)
		if (match_find(text, m->words[i]) == SIZE_MAX)
			return false;
	return m->n;
}

/* A word may be escaped in JSON, unless it has nothing but letters and digits. */
bool session_match_skips(const struct session_match *m, struct sv line)
{
	struct sv word = m->n ? m->words[0] : SV_EMPTY;

	for (size_t i = 0; i < word.len; i++)
		if (!ascii_is_alnum(word.ptr[i]))
			return false;
	return sv_find_nocase(line, word) == SIZE_MAX;
}

static size_t match_start(struct sv text, size_t at)
{
	size_t from = at > SNIPPET_BEFORE ? at - SNIPPET_BEFORE : 0;

	while (from < at && from && !ascii_is_space(text.ptr[from - 1]))
		from++;
	while (from < at && ((unsigned char)text.ptr[from] & 0xc0) == 0x80)
		from++;
	return from;
}

void session_match_snippet(struct str *out, const struct session_match *m, struct sv text)
{
	size_t at = SIZE_MAX, from;
	struct sv part;

	for (size_t i = 0; i < m->n && at == SIZE_MAX; i++)
		at = match_find(text, m->words[i]);
	from = match_start(text, at == SIZE_MAX ? 0 : at);
	part = utf8_prefix(sv_skip(text, from), SNIPPET_BYTES);
	if (from)
		str_adds(out, "...");
	for (size_t i = 0; i < part.len; i++) {
		bool is_space = ascii_is_space(part.ptr[i]);

		if (!is_space || (out->len && out->ptr[out->len - 1] != ' '))
			str_addc(out, is_space ? ' ' : part.ptr[i]);
	}
	if (from + part.len < text.len)
		str_adds(out, "...");
}
