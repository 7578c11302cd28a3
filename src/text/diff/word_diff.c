#include "text/diff/word_diff.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "text/diff/edits.h"

void word_spans_clear(struct word_spans *spans)
{
	vec_clear(&spans->of);
}

enum token_kind { TOKEN_WORD, TOKEN_BLANK, TOKEN_SINGLE };

/* The kind and the length of the first character of `s`. */
static enum token_kind word_diff_kind_of(struct sv s, size_t *len)
{
	char c = s.ptr[0];
	int cells;

	*len = 1;
	if (c == ' ' || c == '\t')
		return TOKEN_BLANK;
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')
		return TOKEN_WORD;
	if ((unsigned char)c < 0x80)
		return TOKEN_SINGLE;
	*len = utf8_cluster(s, &cells);
	return cells == 2 ? TOKEN_SINGLE : TOKEN_WORD;
}

static size_t word_diff_token_len(struct sv s)
{
	size_t len, next;
	enum token_kind kind = word_diff_kind_of(s, &len);

	while (kind != TOKEN_SINGLE && len < s.len &&
	       word_diff_kind_of(sv_skip(s, len), &next) == kind)
		len += next;
	return len;
}

struct token_list {
	VEC(struct sv) of;
};

static void token_list_clear(struct token_list *list)
{
	vec_clear(&list->of);
}

static bool word_diff_split_tokens(struct token_list *list, struct sv line)
{
	while (line.len > 0) {
		size_t len = word_diff_token_len(line);

		if (list->of.n == LIMIT_WORD_DIFF)
			return false;
		vec_push(&list->of, sv_slice(line, 0, len));
		line = sv_skip(line, len);
	}
	return true;
}

static void word_diff_add_spans(struct word_spans *spans, const struct token_list *tokens,
				const bool *changed)
{
	size_t first = spans->of.n, at = 0;

	for (size_t i = 0; i < tokens->of.n; i++) {
		size_t end = at + tokens->of.at[i].len;

		if (changed[i] && spans->of.n > first && vec_last(&spans->of)->to == at)
			vec_last(&spans->of)->to = end;
		else if (changed[i])
			vec_push(&spans->of, ((struct word_span){ .from = at, .to = end }));
		at = end;
	}
}

bool word_diff(struct sv old_line, struct sv new_line, struct word_spans *old_spans,
	       struct word_spans *new_spans)
{
	defer(token_list_clear) struct token_list a = { .of = VEC_INIT };
	defer(token_list_clear) struct token_list b = { .of = VEC_INIT };
	bool deleted[LIMIT_WORD_DIFF] = { false }, inserted[LIMIT_WORD_DIFF] = { false };

	if (!word_diff_split_tokens(&a, old_line) || !word_diff_split_tokens(&b, new_line))
		return false;
	edits_find(a.of.at, a.of.n, deleted, b.of.at, b.of.n, inserted);
	word_diff_add_spans(old_spans, &a, deleted);
	word_diff_add_spans(new_spans, &b, inserted);
	return true;
}
