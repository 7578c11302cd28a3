/* sh.h - the syntax of a bash command line: text in, tree out.
 *
 * What the tree says is what bash does before it runs anything: quotes are removed,
 * `$'..'` is decoded, braces are expanded, line continuations are gone. What bash works
 * out only while running stays visible as a part of its own: parameters, substitutions,
 * arithmetic, globs, tildes.
 *
 * In doubt there is no tree. A text that the grammar cannot account for to the last byte,
 * or that goes over a limit, is an error (ERR_PARSE with byte offset, ERR_TOO_BIG), never
 * a tree with something left out. Two readers that know nothing of each other must see the
 * same words and commands: one that follows bash step by step, and tree-sitter's grammar.
 * Bash is taken as it starts (no aliases, no POSIX mode); what other versions or settings
 * would read differently is mostly an error, too. */
#ifndef AWL_TEXT_BASH_SH_H
#define AWL_TEXT_BASH_SH_H

#include "base/arena.h"
#include "base/err.h"

struct sh_node;

enum sh_part_kind {
	SH_TEXT,    /* itself, after quote removal */
	SH_GLOB,    /* unquoted: a run of *, ?, [..] or an extended glob, as written; a lone "["
		     * when what is in the brackets is not known */
	SH_TILDE,   /* unquoted, first in the word or the value of an assignment: `text` is
		     * what follows the "~" up to the slash: "", "root", "+" */
	SH_PARAM,   /* $x, ${x}, $1, $@: `text` is the name */
	SH_EXPAND,  /* any other ${..}: `text` is all of it as written, `parts` what is in it */
	SH_COMMAND, /* $(..) and `..`: `script` */
	SH_INPUT,   /* <(..): `script` */
	SH_OUTPUT,  /* >(..): `script` */
	SH_ARITH,   /* $((..)) and $[..]: `text` as written, `parts` what is in it */
};

/* Substitutions nested in the text of SH_EXPAND and SH_ARITH, at any depth, are among their
 * `parts`, so that a walk over all parts meets every command there is. */
struct sh_part {
	enum sh_part_kind kind;
	bool quoted; /* in double quotes: gives exactly one word with its neighbours. Of SH_TEXT:
		      * some of it was in quotes of any kind */
	struct sv text;
	struct sh_node *script; /* NULL: it is empty */
	struct sh_part *parts;
	struct sh_part *next;
};

/* One word after brace expansion. Without parts it is the empty word (''). */
struct sh_word {
	struct sh_part *parts;
	struct sv written; /* in the source, before brace expansion */
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
	SH_BOTH,         /* &> and >& with a word that is no descriptor */
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
	SH_AND,        /* two kids; a long chain is cut in halves, so that it is not deep */
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
 * failure. A NUL byte or malformed UTF-8 is one; so is more than a LIMIT_SH_*: of text,
 * nesting, nodes, words made by braces, or of the effort that all of it takes. */
struct sh_node *sh_parse(struct sv text, struct arena *arena, struct err *err);

/* The word as it is when nothing but SH_TEXT is in it; false otherwise. In `arena`. */
must_use bool sh_word_static(const struct sh_word *word, struct arena *arena, struct sv *out);

#endif
