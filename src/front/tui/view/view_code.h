/* view_code.h - lines of source code with their numbers, and with what was added and removed. Pure. */
#ifndef AWL_FRONT_TUI_VIEW_VIEW_CODE_H
#define AWL_FRONT_TUI_VIEW_VIEW_CODE_H

#include "front/tui/view/view.h"
#include "term/markdown/highlight.h"
#include "term/wrap.h"

struct view_code {
	const struct view *view;        /* borrowed */
	struct highlight before, after; /* one for each version of the file */
	struct page rows;
	struct str kinds; /* of the rows, a character each */
};

struct view_code_line {
	char kind;     /* '+', '-' or ' ' */
	size_t number; /* 0: not known */
	struct sv text;
	struct json spans; /* [from, to] of each part that differs; may be missing */
};

/* `path` says which language it is. */
void view_code_init(struct view_code *code, const struct view *view, struct sv path);
/* Adds a line: cut at the width, or folded. */
void view_code_line(struct view_code *code, const struct view_code_line *line);
void view_code_whole_line(struct view_code *code, const struct view_code_line *line);
/* Adds a row that is not a line of the file. */
void view_code_aside(struct view_code *code, struct sv text, struct style style);
/* Appends all rows to `page`, and clears. */
void view_code_end(struct view_code *code, struct page *page);

#endif
