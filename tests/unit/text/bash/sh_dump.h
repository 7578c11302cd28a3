/* sh_dump.h - a tree of sh.h on one line, for tests:
 *
 *   ls -l "$x" | wc        (list (pipe {ls -l <$x>} {wc}))
 *
 * Static words are shown as they are, in quotes when they hold anything unusual; of others
 * each part that is no text stands in <..>: <*> a glob, <~a> a tilde, <$x>, <${..} ..>,
 * <$(..)>, <<(..)>, <>(..)>, <((..))>. */
#ifndef AWL_TESTS_UNIT_TEXT_BASH_SH_DUMP_H
#define AWL_TESTS_UNIT_TEXT_BASH_SH_DUMP_H

#include "base/str.h"
#include "text/bash/sh.h"

static inline void sh_dump_node(struct str *out, const struct sh_node *node);
static inline void sh_dump_words(struct str *out, const struct sh_word *word);

static inline void sh_dump_text(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (c < ' ' || c == 0x7f || strchr(" \\<>(){}\"", c))
			str_addf(out, "\\%02x", c);
		else
			str_addc(out, (char)c);
	}
}

static inline void sh_dump_parts(struct str *out, const struct sh_part *part)
{
	static const char *const opens[] = {
		[SH_TEXT] = "",   [SH_GLOB] = "",      [SH_TILDE] = "~",  [SH_PARAM] = "$",
		[SH_EXPAND] = "", [SH_COMMAND] = "$(", [SH_INPUT] = "<(", [SH_OUTPUT] = ">(",
		[SH_ARITH] = "",  [SH_ARRAY] = "",
	};

	for (; part; part = part->next) {
		if (part->kind == SH_TEXT) {
			sh_dump_text(out, part->text);
			continue;
		}
		str_addf(out, "%s<%s", part->quoted ? "'" : "", opens[part->kind]);
		if (part->kind != SH_COMMAND && part->kind != SH_INPUT && part->kind != SH_OUTPUT)
			sh_dump_text(out, part->text);
		else if (part->script)
			sh_dump_node(out, part->script);
		if (part->parts) {
			str_adds(out, " ");
			sh_dump_parts(out, part->parts);
		}
		str_adds(out, ">");
	}
}

static inline void sh_dump_words(struct str *out, const struct sh_word *word)
{
	for (; word; word = word->next) {
		str_adds(out, " ");
		if (!word->parts)
			str_adds(out, "''");
		sh_dump_parts(out, word->parts);
	}
}

static inline void sh_dump_assigns(struct str *out, const struct sh_assign *assign)
{
	for (; assign; assign = assign->next) {
		str_addf(out, " %.*s", SV_ARG(assign->name));
		if (assign->index) {
			str_adds(out, "[");
			sh_dump_words(out, assign->index);
			str_adds(out, " ]");
		}
		str_adds(out, assign->append ? " +=" : " =");
		sh_dump_words(out, assign->value);
		if (assign->is_array) {
			str_adds(out, "(");
			sh_dump_words(out, assign->elements);
			str_adds(out, " )");
		}
	}
}

static inline void sh_dump_redirects(struct str *out, const struct sh_redirect *redirect)
{
	static const char *const kinds[] = {
		[SH_READ] = "<",        [SH_WRITE] = ">",          [SH_APPEND] = ">>",
		[SH_CLOBBER] = ">|",    [SH_READ_WRITE] = "<>",    [SH_BOTH] = "&>",
		[SH_DUPLICATE] = "dup", [SH_BOTH_APPEND] = "&>>",  [SH_HERE_STRING] = "<<<",
		[SH_HERE_DOC] = "<<",   [SH_HERE_LITERAL] = "<<'",
	};

	for (; redirect; redirect = redirect->next) {
		str_addf(out, " %.*s%s", SV_ARG(redirect->fd), kinds[redirect->kind]);
		sh_dump_words(out, redirect->to);
	}
}

static inline void sh_dump_node(struct str *out, const struct sh_node *node)
{
	static const char *const kinds[] = {
		[SH_SIMPLE] = "",      [SH_PIPE] = "pipe",
		[SH_LIST] = "list",    [SH_AND] = "and",
		[SH_OR] = "or",        [SH_NOT] = "not",
		[SH_GROUP] = "group",  [SH_BACKGROUND] = "behind",
		[SH_SUBSHELL] = "sub", [SH_IF] = "if",
		[SH_WHILE] = "while",  [SH_FOR] = "for",
		[SH_CASE] = "case",    [SH_FUNCTION] = "function",
		[SH_TEST] = "test",    [SH_COPROC] = "coproc",
		[SH_MATH] = "math",
	};
	bool is_simple = node->kind == SH_SIMPLE;

	str_addf(out, "%s%s", is_simple ? "{" : "(", kinds[node->kind]);
	if (node->name.len > 0)
		str_addf(out, " %.*s:", SV_ARG(node->name));
	sh_dump_assigns(out, node->assigns);
	sh_dump_words(out, node->words);
	sh_dump_redirects(out, node->redirects);
	for (const struct sh_node *kid = node->kids; kid; kid = kid->next) {
		str_adds(out, " ");
		sh_dump_node(out, kid);
	}
	str_adds(out, is_simple ? " }" : ")");
}

#endif
