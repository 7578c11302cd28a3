/* md.h - Markdown as a stream of events, and where to cut a growing text.
 *
 * The dialect is GitHub's: CommonMark with tables, task lists, strikethrough and bare
 * links. Events nest: each MD_ENTER has its MD_LEAVE, blocks contain blocks or text and
 * spans, spans contain text and spans. There is no event for the whole document. Nesting
 * is as deep as the text makes it, so a reader keeps its context on a list, not on the
 * stack.
 *
 * All text in events is valid UTF-8: malformed bytes and NUL arrive as U+FFFD, entities
 * and escapes as the characters they stand for. Other control characters are passed on;
 * code that displays them has to neutralise them. */
#ifndef AWL_TEXT_MARKDOWN_MD_H
#define AWL_TEXT_MARKDOWN_MD_H

#include "base/err.h"
#include "base/str.h"

enum md_what {
	MD_ENTER,
	MD_LEAVE,
	MD_TEXT,
	MD_HTML,       /* verbatim markup: part of an HTML block, or one inline tag */
	MD_SOFT_BREAK, /* a newline in the source that means a space */
	MD_HARD_BREAK, /* a newline that means a new line */
};

enum md_node {
	/* Blocks. */
	MD_PARAGRAPH, /* absent around the text of an item in a tight list */
	MD_HEADING,
	MD_RULE, /* entered and left at once */
	MD_QUOTE,
	MD_LIST,
	MD_ITEM,
	MD_CODE_BLOCK, /* text with its newlines, including the last one */
	MD_HTML_BLOCK,
	MD_TABLE,
	MD_TABLE_HEAD,
	MD_TABLE_BODY, /* absent when there are no rows */
	MD_ROW,        /* always as many cells as the table has columns */
	MD_CELL,
	/* Spans. */
	MD_EMPHASIS,
	MD_STRONG,
	MD_STRIKE,
	MD_CODE,
	MD_LINK,
	MD_IMAGE, /* its content is the description */
	MD_NODES,
};

enum md_task { MD_TASK_NONE, MD_TASK_OPEN, MD_TASK_DONE };
enum md_side { MD_SIDE_DEFAULT, MD_SIDE_LEFT, MD_SIDE_CENTER, MD_SIDE_RIGHT };

/* All views are valid until the callback returns. */
struct md_event {
	enum md_what what;
	enum md_node node; /* MD_ENTER, MD_LEAVE */
	union {
		struct sv text; /* MD_TEXT, MD_HTML; not empty */
		/* The rest is set on MD_ENTER only. */
		unsigned level; /* MD_HEADING: 1 to 6 */
		struct {
			bool ordered;
			bool tight;     /* no blank lines between the items */
			unsigned start; /* of an ordered list: its first number */
		} list;
		enum md_task task; /* MD_ITEM */
		struct sv info;    /* MD_CODE_BLOCK: "c", "diff title=x"; may be empty */
		struct {
			unsigned columns, rows; /* rows of the body */
		} table;
		enum md_side side; /* MD_CELL */
		struct {
			struct sv href, title; /* title may be empty */
		} link;                        /* MD_LINK, MD_IMAGE */
	};
};

/* Returns whether to continue. */
typedef bool md_fn(void *arg, const struct md_event *event);

/* Parses all of `text`, or until `fn` returns false, which is not a failure. Fails with
 * ERR_TOO_BIG over LIMIT_MARKDOWN bytes, and for the few shapes of text whose parsing or
 * events would grow with the square of its length. Then some events may already have
 * been emitted, without an MD_LEAVE for every MD_ENTER. Fails with ERR_UNSUPPORTED where
 * md4c is not installed, before any event. */
must_use bool md_read(struct sv text, md_fn *fn, void *arg, struct err *err);

/* For text that is still arriving: returns the length of a finished prefix. Its events
 * stay the same whatever follows, and the rest can be parsed on its own: the events of
 * the prefix and of the rest are those of the whole. So a terminal draws the prefix for
 * good, drops it, and redraws only the rest. The cut is always before a line that
 * follows a blank one.
 *
 * Lists, fences and raw HTML are finished only when something else has begun. A text
 * with ambiguous structure is not cut any further. Link definitions work across blocks:
 * from the first one on nothing is finished, so that it reaches everything after it.
 * Text that was finished before the definition arrived, and used its label, stays as
 * drawn. */
size_t md_stable_prefix(struct sv text);

#endif
