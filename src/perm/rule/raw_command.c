#include "perm/rule/raw_command.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "perm/rule/glob_star.h"
#include "perm/rule/raw_words.h"
#include "text/invisible.h"

/* --- characters ----------------------------------------------------------- */

bool text_is_visible(struct sv text)
{
	for (size_t i = 0; i < text.len;) {
		uint32_t rune = (unsigned char)text.ptr[i];
		bool is_plain = rune >= ' ' && rune < 0x7f;
		int n = is_plain ? 1 : utf8_decode(sv_skip(text, i), &rune);

		if (n < 0 || (!is_plain && invisible_misleads(rune)))
			return false;
		i += (size_t)n;
	}
	return true;
}

/* --- taking apart --------------------------------------------------------- */

static void raw_command_add_blank(struct str *out, size_t from)
{
	if (out->len > from && !ascii_is_blank(out->ptr[out->len - 1]))
		str_addc(out, ' ');
}

/* Appends the words of `text` without quoting, one blank between them: c"ur"l and \curl are curl.
 * A redirection ends a word without a blank, and so may a comma, as in {curl,x}. */
static void raw_command_add_bare(struct str *out, struct sv text)
{
	size_t from = out->len;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i], next = i + 1 < text.len ? text.ptr[i + 1] : '\0';

		if (ascii_is_one_of(c, " \t,<>"))
			raw_command_add_blank(out, from);
		if (ascii_is_one_of(c, " \t,'\"\\") || (c == '$' && ascii_is_one_of(next, "'\"")))
			continue;
		str_addc(out, c);
		if (ascii_is_one_of(c, "<>"))
			raw_command_add_blank(out, from);
	}
	if (out->len > from && ascii_is_blank(out->ptr[out->len - 1]))
		str_truncate(out, out->len - 1);
}

/* A command may be meant by its path or by the last component of it. */
static void raw_command_add_start(struct raw_command *c, size_t from, struct sv word)
{
	size_t base = from + word.len - sv_basename(word).len;

	vec_push(&c->starts, ((struct raw_span){ from, c->bare.len }));
	if (base > from)
		vec_push(&c->starts, ((struct raw_span){ base, c->bare.len }));
}

/* After a wrapper any word may be the command, since its options are not known here. */
static void raw_command_add_part(struct raw_command *c, struct sv part)
{
	size_t begin = c->bare.len;
	struct sv rest, finder = SV_EMPTY, word;
	bool first = true, wrapped = false;

	raw_command_add_bare(&c->bare, part);
	rest = sv_skip(sv_of(&c->bare), begin);
	while ((first || wrapped || finder.len > 0) && raw_word_next(&rest, &word)) {
		if (first || wrapped)
			raw_command_add_start(c, (size_t)(word.ptr - c->bare.ptr), word);
		if (finder.len > 0 ? raw_word_is_find_action(finder, word)
				   : raw_word_is_wrapper(word))
			wrapped = true;
		if (first && raw_word_is_finder(word))
			finder = word;
		first = first && raw_word_is_keyword(word);
	}
}

/* Splits at everything that may start a new command, quoted or not. */
static void raw_command_add_parts(struct raw_command *c, struct sv text)
{
	while (text.len > 0) {
		size_t n = 0;

		while (n < text.len && !ascii_is_one_of(text.ptr[n], ";&|\n`(){}"))
			n++;
		raw_command_add_part(c, sv_slice(text, 0, n));
		text = sv_skip(text, n + 1);
	}
}

/* A backslash before a newline joins two lines, but not in a comment, so both readings count. */
static void raw_command_add_joined(struct raw_command *c, struct sv text)
{
	defer(str_clear) struct str joined = STR_INIT;
	size_t at;

	if (sv_find(text, SV("\\\n")) == SIZE_MAX)
		return;
	while ((at = sv_find(text, SV("\\\n"))) != SIZE_MAX) {
		str_add(&joined, sv_slice(text, 0, at));
		text = sv_skip(text, at + 2);
	}
	str_add(&joined, text);
	raw_command_add_parts(c, sv_of(&joined));
}

void raw_command_init(struct raw_command *c, struct sv text)
{
	text = sv_trim(text);
	*c = (struct raw_command){ .text = text };
	str_reserve(&c->bare, text.len);
	raw_command_add_parts(c, text);
	raw_command_add_joined(c, text);
}

void raw_command_clear(struct raw_command *c)
{
	vec_clear(&c->starts);
	str_clear(&c->bare);
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

static bool raw_command_matches_pattern(struct pattern pattern, struct sv text, size_t *steps)
{
	return glob_star_match(pattern.text, pattern.open, text, steps);
}

bool raw_command_matches(struct sv text, const struct raw_command *c, size_t *steps)
{
	defer(str_clear) struct str bare = STR_INIT;
	struct pattern pattern = pattern_of(text);
	bool found = raw_command_matches_pattern(pattern, c->text, steps);

	raw_command_add_bare(&bare, pattern.text);
	pattern.text = sv_of(&bare);
	for (size_t i = 0; !found && i < c->starts.n; i++) {
		struct raw_span span = c->starts.at[i];

		found = raw_command_matches_pattern(
			pattern, sv_slice(sv_of(&c->bare), span.from, span.to), steps);
	}
	return found || *steps == 0;
}
