#include "text/bash/sh.h"

#include "base/utf8.h"
#include "text/bash/sh_parser.h"

/* Commands up to the end of the text; there may be none. */
static struct sh_node *sh_whole(struct sh_parser *r)
{
	struct sh_node *list;

	if (!sh_skip_newlines(r))
		return NULL;
	list = r->at < r->end ? sh_list(r) : sh_node_new(r, SH_LIST);
	if (!list)
		return NULL;
	if (r->at < r->end) {
		sh_unexpected(r);
		return NULL;
	}
	if (r->here) {
		sh_fail(r, "a here-document without its body");
		return NULL;
	}
	return list;
}

/* A copy in which bytes that are ordinary for bash, but blanks or letters for other parsers, are
 * replaced by an ordinary character. */
static char *sh_plain_copy(struct sv text)
{
	char *copy = sv_dup(text);

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)copy[i];

		if ((c < ' ' && c != '\t' && c != '\n') || c >= 0x7f)
			copy[i] = '%';
	}
	return copy;
}

struct sh_node *sh_read_text(struct sv text, struct arena *arena, struct sh_budget *budget,
			     struct err *err)
{
	defer(mem_freep) char *masked = sh_plain_copy(text);
	struct sh_parser r = { .src = arena_dup(arena, text),
			       .end = text.len,
			       .arena = arena,
			       .err = err,
			       .budget = budget,
			       .masked = masked,
			       .closed_at = SIZE_MAX };
	struct sh_node *list;

	r.last_here = &r.here;
	list = sh_whole(&r);
	if (list && !sh_cross_check(sv_from(masked, text.len), &r.spans, err))
		list = NULL;
	vec_clear(&r.spans);
	return list;
}

struct sh_node *sh_parse(struct sv text, struct arena *arena, struct err *err)
{
	struct sh_budget budget = { .nodes = 0 };
	size_t bad_at;

	if (text.len > LIMIT_SH_TEXT) {
		err_set(err, ERR_TOO_BIG, "the command has %zu bytes; the limit is %zu", text.len,
			LIMIT_SH_TEXT);
		return NULL;
	}
	bad_at = sv_find_char(text, '\0');
	if (bad_at != SIZE_MAX) {
		err_set(err, ERR_PARSE, "byte %zu: a NUL character", bad_at);
		return NULL;
	}
	if (!utf8_valid(text, &bad_at)) {
		err_set(err, ERR_PARSE, "byte %zu: this is not UTF-8", bad_at);
		return NULL;
	}
	return sh_read_text(text, arena, &budget, err);
}

bool sh_word_static(const struct sh_word *word, struct arena *arena, struct sv *out)
{
	defer(str_clear) struct str text = STR_INIT;

	for (const struct sh_part *part = word->parts; part; part = part->next) {
		if (part->kind != SH_TEXT)
			return false;
		str_add(&text, part->text);
	}
	*out = arena_dup(arena, sv_of(&text));
	return true;
}
