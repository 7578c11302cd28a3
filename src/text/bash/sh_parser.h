/* sh_parser.h - a bash text that is being parsed; private to sh_*.c.
 *
 * A function that parses starts at `at`, never looks past `end`, and leaves `at` after what it has
 * parsed. When it fails, `err` is set and the parser is of no further use. Text that bash may parse
 * differently (in a newer version, with extended globs, after a line continuation inside an
 * operator) is a failure. */
#ifndef AWL_TEXT_BASH_SH_PARSER_H
#define AWL_TEXT_BASH_SH_PARSER_H

#include "base/limits.h"
#include "base/vec.h"
#include "text/bash/sh.h"

/* A word in the source, to be compared with the result of the other parser. */
struct sh_span {
	size_t from, to;
	bool is_command; /* it is the name of a command */
};

struct sh_spans {
	struct sh_span *at;
	size_t n, cap;
};

/* What one text and everything nested in it may still use. */
struct sh_budget {
	size_t nodes; /* and words, parts, ... */
	size_t words; /* made by braces */
	size_t commands;
	size_t depth;
};

struct sh_here; /* a here-document whose body comes after the next newline */

struct sh_parser {
	struct sv src;
	size_t at, end;
	struct arena *arena;
	struct err *err;
	struct sh_budget *budget;
	struct sh_here *here, **last_here; /* in the order of their bodies */
	bool in_parens;                    /* of $( ), <( ): see sh_here.c */
	size_t closed_at;                  /* a "}", ")", "fi", "done", "esac" ends here */
	struct sh_spans spans;
	char *masked; /* the text that sh_cross_check() sees */
};

/* The place of a word decides what is special in it. */
enum sh_place {
	SH_IN_COMMAND, /* an argument: braces, tildes, globs */
	SH_AS_NAME,    /* of the command or a file: the same, but no extended globs */
	SH_IN_VALUE,   /* of an assignment: tildes, also after ":" */
	SH_IN_STRING,  /* of <<<, the subject of case: tildes */
	SH_IN_PATTERN, /* of case, operands of [[: tildes and globs */
	SH_IN_REGEX,   /* after =~ */
};

/* A word before brace expansion. Unquoted text is SH_TEXT without `quoted`; quoted text has it, even
 * if it is empty. */
struct sh_raw {
	struct sh_part *parts;
	size_t from, to;
	bool has_brace;    /* an unquoted "{" */
	bool is_continued; /* over the end of a line, outside of quotes */
	bool is_expanded;  /* one of several that braces made */
};

/* sh_parser.c: characters, blanks, operators. */
bool sh_fail(struct sh_parser *r, const char *what); /* false; "byte 12: <what>" */
bool sh_fail_at(struct sh_parser *r, size_t at, const char *what);
/* Fails with what is here instead of what was expected. */
bool sh_unexpected(struct sh_parser *r);
must_use bool sh_enter(struct sh_parser *r);
void sh_leave(struct sh_parser *r);
/* Zeroed, and counted; NULL if there are too many. */
void *sh_alloc(struct sh_parser *r, size_t size) must_use;
#define sh_new(r, type) ((type *)sh_alloc(r, sizeof(type)))

/* '\0' from the end on. */
static inline char sh_peek(const struct sh_parser *r, size_t ahead)
{
	return r->end - r->at > ahead ? r->src.ptr[r->at + ahead] : '\0';
}

static inline bool sh_is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool sh_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool sh_is_name(char c)
{
	return sh_is_name_start(c) || sh_is_digit(c);
}

bool sh_is_meta(char c); /* ends a word when not quoted */
size_t sh_name_length(const struct sh_parser *r, size_t from);
/* The offset after the line continuations at `from`. */
size_t sh_after_continuations(const struct sh_parser *r, size_t from);
struct sv sh_slice(const struct sh_parser *r, size_t from, size_t to);

/* Blanks, line continuations and a comment. */
void sh_skip_blanks(struct sh_parser *r);
/* The same and newlines, with the here-documents that start after one. */
must_use bool sh_skip_newlines(struct sh_parser *r);
/* The longest control or redirection operator here; empty at a word or the end. */
struct sv sh_operator(const struct sh_parser *r);
/* Consumes `op` if that is the operator here. */
bool sh_take(struct sh_parser *r, const char *op);
must_use bool sh_expect(struct sh_parser *r, const char *op);
/* The characters up to the end of the word, to be compared with a keyword. A word that continues on
 * the next line gives "\\", which is not a keyword. */
struct sv sh_keyword(const struct sh_parser *r);
bool sh_take_keyword(struct sh_parser *r, const char *word);
must_use bool sh_expect_keyword(struct sh_parser *r, const char *word);
bool sh_at_word(const struct sh_parser *r);
/* Makes sh_cross_check() see simpler text of the same length, where tree-sitter's grammar is known to
 * be wrong or the text is checked separately. */
void sh_mask(struct sh_parser *r, size_t from, const char *instead);
void sh_mask_range(struct sh_parser *r, size_t from, size_t to, char instead); /* not newlines */

/* sh_word.c */
must_use bool sh_read_raw(struct sh_parser *r, enum sh_place place, struct sh_raw *out);
void sh_add_span(struct sh_parser *r, size_t from, size_t to, bool is_command);

/* sh_finish.c */
/* The one word of `raw`, without expanding braces. */
struct sh_word *sh_finish(struct sh_parser *r, const struct sh_raw *raw, enum sh_place place);
/* Parses one word where bash expands no braces. */
struct sh_word *sh_read_word(struct sh_parser *r, enum sh_place place);
/* Appends the words that the word here expands to, if any, and advances `*last`. */
must_use bool sh_read_words(struct sh_parser *r, enum sh_place place, struct sh_word ***last);
/* A word that is the text [from, to) alone. */
struct sh_word *sh_text_word(struct sh_parser *r, size_t from, size_t to);

/* sh_brace.c: the words that `raw` expands to, `*n` of them, in the arena. */
must_use bool sh_expand_braces(struct sh_parser *r, const struct sh_raw *raw, struct sh_raw **out,
			       size_t *n);

/* sh_expand.c: everything that starts with "$", "`", "<(" or ">(". Each appends to the parts at
 * `*last` and advances it. */
must_use bool sh_dollar(struct sh_parser *r, bool quoted, struct sh_part ***last);
must_use bool sh_backquote(struct sh_parser *r, bool quoted, struct sh_part ***last);
must_use bool sh_process(struct sh_parser *r, struct sh_part ***last);
/* From after "((" to after "))", or from after "[" to after "]", or to a ";". */
must_use bool sh_arithmetic(struct sh_parser *r, char close, struct sh_part ***last);
struct sh_part *sh_add_part(struct sh_parser *r, enum sh_part_kind kind, struct sv text,
			    bool quoted, struct sh_part ***last);

/* sh_quote.c: each starts after the opening quote and ends after the closing one. */
must_use bool sh_single_quotes(struct sh_parser *r, struct sh_part ***last);
must_use bool sh_double_quotes(struct sh_parser *r, struct sh_part ***last);
must_use bool sh_ansi_quotes(struct sh_parser *r, struct sh_part ***last);
/* The inside of double quotes up to `close`; with '\0', up to the end: a here-document. */
must_use bool sh_expanding_text(struct sh_parser *r, char close, bool is_indented,
				struct sh_part ***last);

/* sh_here.c: notes a redirection whose delimiter is next, and parses the bodies of all noted ones at
 * the start of a line. */
must_use bool sh_note_here(struct sh_parser *r, struct sh_redirect *redirect, bool indented);
must_use bool sh_read_here(struct sh_parser *r);

/* sh_simple.c */
/* Any number of redirections; `*end` is moved after the last, if there is one. */
must_use bool sh_redirects(struct sh_parser *r, struct sh_node *node, size_t *end);
/* A simple command, or the definition of a function "name ()". */
struct sh_node *sh_simple(struct sh_parser *r, bool after_keyword);

/* sh_test.c: from after "[[" to after "]]". */
must_use bool sh_test(struct sh_parser *r, struct sh_node *node);

/* sh_list.c: one or more commands, up to something that starts none; NULL on failure. */
struct sh_node *sh_list(struct sh_parser *r);
/* The same up to and including a ")". If that comes at once, `*out` is NULL. */
must_use bool sh_script(struct sh_parser *r, struct sh_node **out);
struct sh_node *sh_command(struct sh_parser *r, bool after_keyword);
struct sh_node *sh_node_new(struct sh_parser *r, enum sh_kind kind);
bool sh_is_reserved(struct sv word);

/* sh_compound.c: a command that starts with a keyword or "(". Leaves `*out` alone if there is none
 * here. */
must_use bool sh_compound(struct sh_parser *r, struct sh_node **out);
/* After "name ()", which starts at `from`. */
struct sh_node *sh_function_body(struct sh_parser *r, struct sh_node *function, size_t from);

/* sh.c: a separate text: the inside of backquotes. */
struct sh_node *sh_read_text(struct sv text, struct arena *arena, struct sh_budget *budget,
			     struct err *err);

/* sh_cross_check.c: whether tree-sitter's grammar sees the same words and commands. Sorts
 * the spans. */
must_use bool sh_cross_check(struct sv text, struct sh_spans *spans, struct err *err);

#endif
