/* The second opinion: tree-sitter's grammar of bash, which shares nothing with this parser. Both must
 * see the same words in the same places, and the same commands among them; otherwise the text has no
 * tree. Neither is trusted alone: that grammar is made for syntax highlighting and is wrong about many
 * texts that nobody writes in good faith. */
#include <tree_sitter/api.h>

#include "base/ascii.h"
#include "text/bash/sh_parser.h"

const TSLanguage *tree_sitter_bash(void);

/* The role of a node: which of its children are words. */
enum role {
	ROLE_NONE,
	ROLE_COMMAND,
	ROLE_DECLARATION, /* declare, unset, ... */
	ROLE_REDIRECT,
	ROLE_FOR,
	ROLE_FOR_MATH,
	ROLE_FUNCTION,
};

struct cross_check {
	struct sh_spans seen;
	TSTreeCursor cursor;
	VEC(enum role) roles; /* of the nodes above the current one */
};

static bool sh_cross_check_is_one_of(const char *type, const char *const *types, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(type, types[i]) == 0)
			return true;
	return false;
}

static enum role sh_cross_check_role_of(const char *type)
{
	static const struct {
		char type[24];
		enum role role;
	} roles[] = {
		{ "command", ROLE_COMMAND },
		{ "declaration_command", ROLE_DECLARATION },
		{ "unset_command", ROLE_DECLARATION },
		{ "file_redirect", ROLE_REDIRECT },
		{ "for_statement", ROLE_FOR },
		{ "c_style_for_statement", ROLE_FOR_MATH },
		{ "function_definition", ROLE_FUNCTION },
	};

	for (size_t i = 0; i < countof(roles); i++)
		if (strcmp(type, roles[i].type) == 0)
			return roles[i].role;
	return ROLE_NONE;
}

static bool sh_cross_check_is_literal(const char *type)
{
	static const char *const types[] = {
		"word",
		"string",
		"raw_string",
		"concatenation",
		"simple_expansion",
		"expansion",
		"number",
		"command_substitution",
		"ansi_c_string",
		"translated_string",
		"process_substitution",
		"arithmetic_expansion",
		"brace_expression",
	};

	return sh_cross_check_is_one_of(type, types, countof(types));
}

/* Whether a node of this type is a word, below a node of this role. */
static bool sh_cross_check_is_word(const char *type, bool is_named, enum role above)
{
	switch (above) {
	case ROLE_COMMAND:
		return strcmp(type, "file_redirect") != 0 && strcmp(type, "subshell") != 0;
	case ROLE_DECLARATION: return true;
	case ROLE_REDIRECT:
	case ROLE_FOR: return is_named && sh_cross_check_is_literal(type);
	case ROLE_FUNCTION: return strcmp(type, "word") == 0;
	case ROLE_FOR_MATH: return false;
	case ROLE_NONE: break;
	}
	return strcmp(type, "variable_assignment") == 0 || strcmp(type, "test_command") == 0;
}

static bool sh_cross_check_is_command(const char *type, bool is_named, enum role above)
{
	return strcmp(type, "command_name") == 0 || strcmp(type, "test_command") == 0 ||
	       above == ROLE_FUNCTION || (above == ROLE_DECLARATION && !is_named);
}

static void sh_cross_check_visit(struct cross_check *w)
{
	TSNode node = ts_tree_cursor_current_node(&w->cursor);
	const char *type = ts_node_type(node);
	bool is_named = ts_node_is_named(node);
	enum role above = *vec_last(&w->roles);
	struct sh_span span = { .from = ts_node_start_byte(node),
				.to = ts_node_end_byte(node),
				.is_command = sh_cross_check_is_command(type, is_named, above) };

	if (sh_cross_check_is_word(type, is_named, above))
		vec_push(&w->seen, span);
	vec_push(&w->roles, is_named ? sh_cross_check_role_of(type) : ROLE_NONE);
}

static void sh_cross_check_walk(struct cross_check *w)
{
	vec_push(&w->roles, ROLE_NONE); /* above the root */
	sh_cross_check_visit(w);
	while (w->roles.n > 1) {
		if (ts_tree_cursor_goto_first_child(&w->cursor)) {
			sh_cross_check_visit(w);
			continue;
		}
		w->roles.n--;
		while (w->roles.n > 1 && !ts_tree_cursor_goto_next_sibling(&w->cursor)) {
			ts_tree_cursor_goto_parent(&w->cursor);
			w->roles.n--;
		}
		if (w->roles.n > 1)
			sh_cross_check_visit(w);
	}
}

static int sh_cross_check_compare(const void *a, const void *b)
{
	const struct sh_span *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (int)x->is_command - (int)y->is_command;
}

static void sh_cross_check_sort(struct sh_spans *spans)
{
	if (spans->n > 1)
		qsort(spans->at, spans->n, sizeof(*spans->at), sh_cross_check_compare);
}

/* --- one repair ----------------------------------------------------------- */

/* That grammar sometimes takes the "$" of an expansion for the end of a word: it reads "$a/$b/c" as "$a/$" and "b/c".
 * Nothing separates the two, so they are one word. */
static bool sh_cross_check_is_split(struct sv text, size_t at)
{
	return at > 0 && at < text.len && text.ptr[at - 1] == '$' &&
	       (sh_is_name(text.ptr[at]) || ascii_is_one_of(text.ptr[at], "?!@*#-"));
}

/* The first of the sorted spans after `i` that begins there or later; their number if there is none. */
static size_t sh_cross_check_find_from(const struct sh_spans *spans, size_t i, size_t from)
{
	size_t low = i + 1, high = spans->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (spans->at[middle].from < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The only one of them that begins there; NULL: there is none. */
static struct sh_span *sh_cross_check_find(const struct sh_spans *spans, size_t i, size_t from)
{
	size_t at = sh_cross_check_find_from(spans, i, from);

	if (at == spans->n || spans->at[at].from != from ||
	    (at + 1 < spans->n && spans->at[at + 1].from == from))
		return NULL;
	return &spans->at[at];
}

/* Where a word ends, with the rest that was split from it. */
static size_t sh_cross_check_end(const struct sh_spans *spans, size_t i, struct sv text)
{
	size_t end = spans->at[i].to;
	const struct sh_span *rest;

	while (sh_cross_check_is_split(text, end) && (rest = sh_cross_check_find(spans, i, end)))
		end = rest->to;
	return end;
}

/* Whether "name=" or "name+=" is there, which is no command. */
static bool sh_cross_check_is_assignment(struct sv text, size_t at)
{
	size_t from = at;

	while (at < text.len && sh_is_name(text.ptr[at]))
		at++;
	if (at == from || ascii_is_digit(text.ptr[from]))
		return false;
	return sv_starts(sv_skip(text, at), SV("=")) || sv_starts(sv_skip(text, at), SV("+="));
}

/* In "x=$a/$b/c y=1 d", the rest of the value was called the command: that is the first word after it that does not
 * assign. */
static void sh_cross_check_pass_command(struct sh_spans *spans, size_t i, size_t end,
					struct sv text)
{
	size_t next, at;

	for (;;) {
		for (at = end; at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t');)
			at++;
		next = sh_cross_check_find_from(spans, i, end);
		if (next == spans->n || at == end || spans->at[next].from != at)
			return;
		if (!sh_cross_check_is_assignment(text, at))
			break;
		i = next;
		end = sh_cross_check_end(spans, i, text);
	}
	spans->at[next].is_command = true;
}

/* Put the words together that were split like that. */
static void sh_cross_check_join(struct sh_spans *sorted, struct sv text)
{
	struct sh_spans joined = { .n = 0 };

	for (size_t i = 0; i < sorted->n; i++) {
		struct sh_span span = sorted->at[i], *rest;

		while (sh_cross_check_is_split(text, span.to) &&
		       (rest = sh_cross_check_find(sorted, i, span.to))) {
			span.to = rest->to;
			rest->to = rest->from; /* it is no word any more */
			if (rest->is_command && !span.is_command)
				sh_cross_check_pass_command(sorted, i, span.to, text);
		}
		if (span.to > span.from)
			vec_push(&joined, span);
	}
	vec_clear(sorted);
	*sorted = joined;
}

static bool sh_cross_check_agree(struct sh_spans *ours, struct sh_spans *theirs, struct sv text,
				 struct err *err)
{
	size_t i = 0;

	sh_cross_check_sort(ours);
	sh_cross_check_sort(theirs);
	sh_cross_check_join(theirs, text);
	sh_cross_check_sort(theirs);
	while (i < ours->n && i < theirs->n &&
	       sh_cross_check_compare(&ours->at[i], &theirs->at[i]) == 0)
		i++;
	if (i == ours->n && i == theirs->n)
		return true;
	return err_set(err, ERR_PARSE, "byte %zu: two ways to read this do not agree",
		       min_of(i < ours->n ? ours->at[i].from : SIZE_MAX,
			      i < theirs->n ? theirs->at[i].from : SIZE_MAX));
}

/* The deepest node with an error. */
static size_t sh_cross_check_error_at(TSNode node)
{
	for (;;) {
		uint32_t n = ts_node_child_count(node), i = 0;

		while (i < n && !ts_node_has_error(ts_node_child(node, i)))
			i++;
		if (i == n)
			return ts_node_start_byte(node);
		node = ts_node_child(node, i);
	}
}

static bool sh_cross_check_testify(struct sv text, TSTree *tree, struct sh_spans *spans,
				   struct err *err)
{
	TSNode root = ts_tree_root_node(tree);
	struct cross_check w = { .roles = VEC_INIT };
	bool ok;

	if (ts_node_has_error(root))
		return err_set(err, ERR_PARSE, "byte %zu: this cannot be read with certainty",
			       min_of(sh_cross_check_error_at(root), text.len));
	w.cursor = ts_tree_cursor_new(root);
	sh_cross_check_walk(&w);
	ok = sh_cross_check_agree(spans, &w.seen, text, err);
	ts_tree_cursor_delete(&w.cursor);
	vec_clear(&w.roles);
	vec_clear(&w.seen);
	return ok;
}

/* No fewer than the tokens of the text, those of no length included. Tree-sitter counts
 * what is in a node, which may be all of them, in 16 bits. */
static size_t sh_cross_check_count_tokens(struct sv text)
{
	size_t n = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (!sh_is_name(c))
			n += c == ' ' || c == '\t' ? 0 : 2;
		else if (i == 0 || !sh_is_name(text.ptr[i - 1]))
			n += 2;
	}
	return n;
}

/* The text in pieces, so that it shows how often it is looked at: the scanner of the grammar
 * looks ahead as far as it likes. Past the limit the text seems to end. */
struct pieces {
	struct sv text;
	size_t left; /* of the limit */
	size_t is_spent;
};

enum { PIECE = 256 };

static const char *sh_cross_check_next_piece(void *payload, uint32_t at, TSPoint point,
					     uint32_t *length)
{
	struct pieces *pieces = payload;
	struct sv piece = sv_slice(pieces->text, at, at + PIECE);

	(void)point;
	if (pieces->left > 0)
		pieces->left--;
	else
		pieces->is_spent = 1;
	*length = pieces->is_spent ? 0 : (uint32_t)piece.len;
	return piece.ptr;
}

static TSTree *sh_cross_check_parse(TSParser *parser, struct sv text)
{
	struct pieces pieces = { .text = text, .left = LIMIT_SH_LOOKS * (text.len / PIECE + 1) };
	TSInput input = { .payload = &pieces,
			  .read = sh_cross_check_next_piece,
			  .encoding = TSInputEncodingUTF8 };
	TSTree *tree = NULL;

	ts_parser_set_cancellation_flag(parser, &pieces.is_spent);
	if (ts_parser_set_language(parser, tree_sitter_bash()))
		tree = ts_parser_parse(parser, NULL, input);
	if (!pieces.is_spent)
		return tree;
	ts_tree_delete(tree);
	return NULL;
}

bool sh_cross_check(struct sv text, struct sh_spans *spans, struct err *err)
{
	TSParser *parser;
	TSTree *tree;
	bool ok;

	if (sh_cross_check_count_tokens(text) > LIMIT_SH_TOKENS)
		return err_set(err, ERR_TOO_BIG, "more than %d words and signs", LIMIT_SH_TOKENS);
	parser = ts_parser_new();
	tree = sh_cross_check_parse(parser, text);
	ok = tree ? sh_cross_check_testify(text, tree, spans, err)
		  : err_set(err, ERR_TOO_BIG, "this takes too long to read with certainty");
	ts_tree_delete(tree);
	ts_parser_delete(parser);
	return ok;
}
