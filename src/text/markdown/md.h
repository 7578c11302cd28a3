/* md.h - Markdown as a stream of events, and where a growing text can be cut.
 *
 * The dialect is GitHub's: CommonMark with tables, task lists, strikethrough and
 * bare links. Events nest: each MD_ENTER has its MD_LEAVE, blocks hold blocks or
 * text and spans, spans hold text and spans; there is no event for the document
 * as a whole. Nesting is as deep as the text makes it, so a reader keeps what it
 * needs to know of its surroundings on a list, not on the stack.
 *
 * All text in events is valid UTF-8: malformed bytes and NUL arrive as U+FFFD,
 * entities and escapes as the characters they stand for. Other control
 * characters are passed on; whoever shows them has to defuse them. */
#ifndef AWL_TEXT_MARKDOWN_MD_H
#define AWL_TEXT_MARKDOWN_MD_H

#include "base/err.h"
#include "base/str.h"

enum md_what {
	MD_ENTER,
	MD_LEAVE,
	MD_TEXT,
	MD_HTML,       /* markup, verbatim: part of a block of it, or one tag in a line */
	MD_SOFT_BREAK, /* a newline of the source that means a space */
	MD_HARD_BREAK, /* one that means a new line */
};

enum md_node {
	/* Blocks. */
	MD_PARAGRAPH, /* none around the text of a tight list's item */
	MD_HEADING,
	MD_RULE, /* entered and left at once */
	MD_QUOTE,
	MD_LIST,
	MD_ITEM,
	MD_CODE_BLOCK, /* text with its newlines, the last one too */
	MD_HTML_BLOCK,
	MD_TABLE,
	MD_TABLE_HEAD,
	MD_TABLE_BODY, /* missing when there are no rows */
	MD_ROW,        /* always as many cells as the table has columns */
	MD_CELL,
	/* Spans. */
	MD_EMPHASIS,
	MD_STRONG,
	MD_STRIKE,
	MD_CODE,
	MD_LINK,
	MD_IMAGE, /* the text within is its description */
	MD_NODES,
};

enum md_task { MD_TASK_NONE, MD_TASK_OPEN, MD_TASK_DONE };
enum md_side { MD_SIDE_DEFAULT, MD_SIDE_LEFT, MD_SIDE_CENTER, MD_SIDE_RIGHT };

/* Everything in it dies when the callback returns. */
struct md_event {
	enum md_what what;
	enum md_node node; /* MD_ENTER, MD_LEAVE */
	union {
		struct sv text; /* MD_TEXT, MD_HTML; not empty */
		/* The rest on MD_ENTER only. */
		unsigned level; /* MD_HEADING: 1 to 6 */
		struct {
			bool ordered;
			bool tight;     /* no blank lines between the items */
			unsigned start; /* of an ordered one: its first number */
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

/* Returns whether to go on. */
typedef bool md_fn(void *arg, const struct md_event *event);

/* Reads all of `text`, or until `fn` says stop, which is no failure. Fails with
 * ERR_TOO_BIG: over LIMIT_MARKDOWN bytes, or for the few shapes of text whose
 * reading or whose events would grow with the square of its length. Then some
 * events may have been given out already, and not all that was entered left. */
must_use bool md_read(struct sv text, md_fn *fn, void *arg, struct err *err);

/* For text that is still arriving: the length of a start of it that is finished,
 * in that its events stay the same whatever follows, and the rest can be read on
 * its own: events of the start and events of the rest are those of the whole.
 * So a terminal draws the start for good, drops it, and keeps drawing only the
 * rest anew. The cut is always before a line that follows a blank one.
 *
 * Lists, fences and raw HTML are finished only when something else has begun; a
 * text whose structure cannot be told with certainty is just not cut any more.
 * Link definitions work across blocks, so: from the first one on nothing is
 * finished, which lets it reach everything behind it; but text that was finished
 * before it came, and used its label, stays as it was drawn. */
size_t md_stable_prefix(struct sv text);

#endif
