/* sh.h - the syntax of a bash command line: text in, tree out.
 *
 * The tree is what bash has before it runs anything: quotes are removed, `$'..'` is decoded, braces
 * are expanded, line continuations are gone. What bash expands at run time is a part of its own:
 * parameters, substitutions, arithmetic, globs, tildes.
 *
 * In doubt there is no tree. A text that the grammar does not cover to the last byte, or that exceeds
 * a limit, is an error (ERR_PARSE with a byte offset, ERR_TOO_BIG), never an incomplete tree. Two
 * independent parsers must see the same words and commands: this one, which follows bash step by
 * step, and tree-sitter's grammar (sh_cross_check.c). Bash is assumed to run with its defaults (no
 * aliases, no POSIX mode); what other versions or settings would parse differently is mostly an
 * error, too. */
#ifndef AWL_TEXT_BASH_SH_H
#define AWL_TEXT_BASH_SH_H

#include "base/arena.h"
#include "base/err.h"

struct sh_node;

enum sh_part_kind {
	SH_TEXT,    /* itself, after quote removal */
	SH_GLOB,    /* unquoted: a run of *, ?, [..] or an extended glob, as written; a lone "["
		     * if the text in the brackets is not known */
	SH_TILDE,   /* unquoted, first in the word or the value of an assignment: `text` is
		     * what follows the "~" up to the slash: "", "root", "+" */
	SH_PARAM,   /* $x, ${x}, $1, $@: `text` is the name */
	SH_EXPAND,  /* any other ${..}: `text` is all of it as written, `parts` what is in it */
	SH_COMMAND, /* $(..) and `..`: `script` */
	SH_INPUT,   /* <(..): `script` */
	SH_OUTPUT,  /* >(..): `script` */
	SH_ARITH,   /* $((..)) and $[..]: `text` as written, `parts` what is in it */
	SH_ARRAY,   /* (..) behind `declare a=`: `text` as written, `parts` those of all elements,
		     * and each subscript that bash evaluates as SH_ARITH */
};

/* Substitutions nested in the text of SH_EXPAND and SH_ARITH, at any depth, are among their
 * `parts`, so that a walk over all parts meets every command. */
struct sh_part {
	enum sh_part_kind kind;
	bool quoted; /* in double quotes: exactly one word with its neighbours. For SH_TEXT: part of
		      * it was in quotes of any kind */
	struct sv text;
	struct sh_node *script; /* NULL: it is empty */
	struct sh_part *parts;
	struct sh_part *next;
};

/* One word after brace expansion. Without parts it is the empty word (''). */
struct sh_word {
	struct sh_part *parts;
	struct sv written;  /* in the source, before brace expansion */
	bool is_assignment; /* an argument of declare that assigns: its value is not split */
	struct sh_word *next;
};

struct sh_assign {
	struct sv name;
	bool append;              /* += */
	struct sh_word *index;    /* a[..]=, one SH_ARITH part; NULL: none */
	struct sh_word *value;    /* NULL: empty */
	struct sh_word *elements; /* of a=(..) */
	bool is_array;
	struct sh_assign *next;
};

enum sh_redirect_kind {
	SH_READ,         /* <  */
	SH_WRITE,        /* >  */
	SH_APPEND,       /* >> */
	SH_CLOBBER,      /* >| */
	SH_READ_WRITE,   /* <> */
	SH_BOTH,         /* &> and >& with a word that is not a descriptor */
	SH_BOTH_APPEND,  /* &>> */
	SH_DUPLICATE,    /* >&2, <&3, 2>&-, >&3-: `to` is "2", "-", "3-" */
	SH_HERE_STRING,  /* <<< */
	SH_HERE_DOC,     /* << and <<-: `to` is the body, its parts when it expands */
	SH_HERE_LITERAL, /* the same with a quoted delimiter: the body is data */
};

struct sh_redirect {
	enum sh_redirect_kind kind;
	struct sv fd; /* "3", "{name}"; empty: the usual one */
	struct sh_word *to;
	struct sh_redirect *next;
};

enum sh_kind {
	SH_SIMPLE,     /* `assigns`, `words`, also for export, declare, unset, [; the keyword time
			* is one of the words, the first */
	SH_PIPE,       /* kids, joined by | or |& */
	SH_LIST,       /* kids one after the other: ; and newline */
	SH_AND,        /* two kids; a long chain is split in halves, to keep it shallow */
	SH_OR,         /* the same */
	SH_NOT,        /* ! kid */
	SH_BACKGROUND, /* kid & */
	SH_GROUP,      /* { kids; } */
	SH_SUBSHELL,   /* ( kids ) */
	SH_IF,         /* kids: conditions and branches in the order of the text */
	SH_WHILE,      /* while and until: condition, body */
	SH_FOR,        /* for and select: `name`, `words`, body; also for ((..)): `words` are its
			* expressions as SH_ARITH parts */
	SH_CASE,       /* `words`: the subject, then all patterns; kids: the bodies */
	SH_FUNCTION,   /* `name`, kid: the body */
	SH_TEST,       /* [[ ]]: `words`, operators and parentheses among them */
	SH_MATH,       /* (( )): one word with one SH_ARITH part */
	SH_COPROC,     /* kid; one with a name is an error */
};

struct sh_node {
	enum sh_kind kind;
	struct sv text; /* as it is written */
	struct sv name;
	struct sh_assign *assigns;
	struct sh_word *words;
	struct sh_redirect *redirects; /* also of groups, loops and so on */
	struct sh_node *kids;
	struct sh_node *next;
};

/* The tree of `text` in `arena`, an SH_LIST; its texts are in `arena`, too. NULL on
 * failure, also for a NUL byte, malformed UTF-8, or more than a LIMIT_SH_*: text, nesting, nodes,
 * words made by braces, total effort. */
struct sh_node *sh_parse(struct sv text, struct arena *arena, struct err *err);

/* The text of a word that consists of SH_TEXT only; false otherwise. In `arena`. */
must_use bool sh_word_static(const struct sh_word *word, struct arena *arena, struct sv *out);

#endif
