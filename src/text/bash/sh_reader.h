/* sh_reader.h - a bash text while it is read; only for sh_*.c.
 *
 * A function that reads begins at `at`, looks at nothing from `end` on, and leaves `at`
 * behind what it has read. When it fails `err` is set, and the reader is of no use any
 * more. What bash takes one way and might take another (in a newer version, with extended
 * globs, after a line continuation in the middle of an operator) is a failure. */
#ifndef AWL_TEXT_BASH_SH_READER_H
#define AWL_TEXT_BASH_SH_READER_H

#include "base/limits.h"
#include "base/vec.h"
#include "text/bash/sh.h"

/* A word in the source, for comparison with what the other parser makes of it. */
struct sh_span {
	size_t from, to;
	bool is_command; /* it names what runs */
};

struct sh_spans {
	struct sh_span *at;
	size_t n, cap;
};

/* What is left to one text and all that is nested in it. */
struct sh_budget {
	size_t nodes; /* and words, parts, ... */
	size_t words; /* that braces made */
	size_t depth;
};

struct sh_here; /* a here-document whose body comes after the next newline */

struct sh_reader {
	struct sv src;
	size_t at, end;
	struct arena *arena;
	struct err *err;
	struct sh_budget *budget;
	struct sh_here *here, **last_here; /* in the order of their bodies */
	bool in_parens;                    /* of $( ), <( ): see sh_here.c */
	size_t closed_at;                  /* a "}", ")", "fi", "done", "esac" ends here */
	struct sh_spans spans;
	char *shadow; /* the text as it is shown to sh_witness() */
};

/* Where a word stands decides what is special in it. */
enum sh_place {
	SH_IN_COMMAND, /* an argument: braces, tildes, globs */
	SH_AS_NAME,    /* of the command or a file: the same, but no extended globs */
	SH_IN_VALUE,   /* of an assignment: tildes, also after ":" */
	SH_IN_STRING,  /* of <<<, the subject of case: tildes */
	SH_IN_PATTERN, /* of case, operands of [[: tildes and globs */
	SH_IN_REGEX,   /* after =~ */
};

/* A word before braces are expanded: unquoted text is still SH_TEXT that is not `quoted`,
 * quoted text is, even when it is empty. */
struct sh_raw {
	struct sh_part *parts;
	size_t from, to;
	bool has_brace;    /* an unquoted "{" */
	bool is_continued; /* over the end of a line, outside of quotes */
	bool is_expanded;  /* one of several that braces made */
};

/* sh_reader.c: characters, blanks, operators. */
bool sh_fail(struct sh_reader *r, const char *what); /* false; "byte 12: <what>" */
bool sh_fail_at(struct sh_reader *r, size_t at, const char *what);
/* Says what is here instead of what was expected. */
bool sh_unexpected(struct sh_reader *r);
must_use bool sh_enter(struct sh_reader *r);
void sh_leave(struct sh_reader *r);
/* Zeroed, and counted; NULL when there are too many. */
void *sh_alloc(struct sh_reader *r, size_t size) must_use;
#define sh_new(r, type) ((type *)sh_alloc(r, sizeof(type)))

/* '\0' from the end on. */
static inline char sh_peek(const struct sh_reader *r, size_t ahead)
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
size_t sh_name_length(const struct sh_reader *r, size_t from);
/* The offset behind the line continuations at `from`. */
size_t sh_after_continuations(const struct sh_reader *r, size_t from);
struct sv sh_slice(const struct sh_reader *r, size_t from, size_t to);

/* Blanks, line continuations and a comment. */
void sh_skip_blanks(struct sh_reader *r);
/* Those and newlines, with the here-documents that wait for one. */
must_use bool sh_skip_newlines(struct sh_reader *r);
/* The longest control or redirection operator here; empty at a word or the end. */
struct sv sh_operator(const struct sh_reader *r);
/* Reads `op` when that is the operator here. */
bool sh_take(struct sh_reader *r, const char *op);
must_use bool sh_expect(struct sh_reader *r, const char *op);
/* What a keyword would be compared with: the characters up to the next that ends a word. A
 * word that goes on after the end of a line gives "\\", which is no keyword. */
struct sv sh_keyword(const struct sh_reader *r);
bool sh_take_keyword(struct sh_reader *r, const char *word);
must_use bool sh_expect_keyword(struct sh_reader *r, const char *word);
bool sh_at_word(const struct sh_reader *r);
/* Shows something simpler of the same length to sh_witness(), where that is known to be
 * wrong about a form or the text is looked at on its own. */
void sh_show(struct sh_reader *r, size_t from, const char *instead);
void sh_show_all(struct sh_reader *r, size_t from, size_t to, char instead); /* not newlines */

/* sh_word.c */
must_use bool sh_read_raw(struct sh_reader *r, enum sh_place place, struct sh_raw *out);
void sh_add_span(struct sh_reader *r, size_t from, size_t to, bool is_command);

/* sh_finish.c */
/* The one word of `raw`, without expanding braces. */
struct sh_word *sh_finish(struct sh_reader *r, const struct sh_raw *raw, enum sh_place place);
/* Reads one word that is not expanded by braces, for the places where bash does not. */
struct sh_word *sh_read_word(struct sh_reader *r, enum sh_place place);
/* Appends the words that the word here expands to, if any, and moves `*last` on. */
must_use bool sh_read_words(struct sh_reader *r, enum sh_place place, struct sh_word ***last);
/* A word that is the text [from, to) alone. */
struct sh_word *sh_text_word(struct sh_reader *r, size_t from, size_t to);

/* sh_brace.c: the words that `raw` stands for, each as `parts` of one of `*out` (in the
 * arena), `*n` of them. */
must_use bool sh_expand_braces(struct sh_reader *r, const struct sh_raw *raw, struct sh_raw **out,
			       size_t *n);

/* sh_expand.c: what begins with "$", "`" and "<(" or ">(". Each adds to the parts at `*last`
 * and moves it on. */
must_use bool sh_dollar(struct sh_reader *r, bool quoted, struct sh_part ***last);
must_use bool sh_backquote(struct sh_reader *r, bool quoted, struct sh_part ***last);
must_use bool sh_process(struct sh_reader *r, struct sh_part ***last);
/* From behind "((" to behind "))", or from behind "[" to behind "]", or to a ";". */
must_use bool sh_arithmetic(struct sh_reader *r, char close, struct sh_part ***last);
struct sh_part *sh_add_part(struct sh_reader *r, enum sh_part_kind kind, struct sv text,
			    bool quoted, struct sh_part ***last);

/* sh_quote.c: each begins behind the opening quote and ends behind the closing one. */
must_use bool sh_single_quotes(struct sh_reader *r, struct sh_part ***last);
must_use bool sh_double_quotes(struct sh_reader *r, struct sh_part ***last);
must_use bool sh_ansi_quotes(struct sh_reader *r, struct sh_part ***last);
/* What double quotes hold, up to `close`; with '\0', up to the end: a here-document. */
must_use bool sh_expanding_text(struct sh_reader *r, char close, bool is_indented,
				struct sh_part ***last);

/* sh_here.c: notes a redirection whose delimiter is next, and reads the bodies of all noted
 * ones, at the start of a line. */
must_use bool sh_note_here(struct sh_reader *r, struct sh_redirect *redirect, bool indented);
must_use bool sh_read_here(struct sh_reader *r);

/* sh_simple.c */
bool sh_at_redirect(const struct sh_reader *r);
/* Any number of them; `*end` is moved behind the last, when there is one. */
must_use bool sh_redirects(struct sh_reader *r, struct sh_node *node, size_t *end);
/* A simple command, or the definition of a function "name ()". */
struct sh_node *sh_simple(struct sh_reader *r, bool after_keyword);

/* sh_test.c: behind "[[", to behind "]]". */
must_use bool sh_test(struct sh_reader *r, struct sh_node *node);

/* sh_list.c: commands up to what cannot begin one, at least one of them; NULL on failure. */
struct sh_node *sh_list(struct sh_reader *r);
/* The same up to a ")" and behind it. That may come at once: then `*out` is NULL. */
must_use bool sh_script(struct sh_reader *r, struct sh_node **out);
struct sh_node *sh_command(struct sh_reader *r, bool after_keyword);
struct sh_node *sh_node_new(struct sh_reader *r, enum sh_kind kind);
bool sh_is_reserved(struct sv word);

/* sh_compound.c: what begins with a keyword or "(". Leaves `*out` alone when nothing like
 * that is here. */
must_use bool sh_compound(struct sh_reader *r, struct sh_node **out);
/* Behind "name ()", which begins at `from`. */
struct sh_node *sh_function_body(struct sh_reader *r, struct sh_node *function, size_t from);

/* sh.c: a text of its own, that of backquotes. */
struct sh_node *sh_read_text(struct sv text, struct arena *arena, struct sh_budget *budget,
			     struct err *err);

/* sh_witness.c: whether tree-sitter's grammar sees the same words and commands. Sorts
 * the spans. */
must_use bool sh_witness(struct sv text, struct sh_spans *spans, struct err *err);

#endif
