/* view.h - what happens in a session as rows of a page: prompts, calls with their results, notices.
 *
 * Pure: the same data at the same width gives the same rows. Nothing here knows the terminal, the session or the
 * time. Rows of output and of diffs are cut at the width, prose is wrapped. A long text is folded: the rows say how much
 * is not shown. */
#ifndef AWL_FRONT_TUI_VIEW_VIEW_H
#define AWL_FRONT_TUI_VIEW_VIEW_H

#include "front/tui/view/theme.h"
#include "term/page.h"
#include "text/json/json.h"

/* How to show something. */
struct view {
	const struct theme *theme;
	size_t columns;
	struct sv cwd;   /* paths below it are shown without it */
	bool has_links;  /* the terminal shows links */
	bool is_verbose; /* fold nothing */
	bool folds_code; /* the page is cut at the right: long lines of code would not be seen */
	struct sv key;   /* that shows what is folded; empty: none */
};

void view_markdown_look(const struct view *view, struct markdown_look *look);

/* What the user said; of a long text, its beginning and its end. */
void view_prompt(struct page *page, const struct view *view, struct sv text);
/* Something to know about: wrapped, after a mark. */
void view_notice(struct page *page, const struct view *view, const char *mark, struct style style,
		 struct sv text);
/* Lines of our own, such as the answer to a command: as they are, folded where they are too long. */
void view_lines(struct page *page, const struct view *view, struct sv text);
/* A quiet line. */
void view_aside(struct page *page, const struct view *view, const char *fmt, ...) printf_like(3, 4);
/* The last `max_rows` rows of a thought that is under way. */
void view_thought(struct page *page, const struct view *view, struct sv text, size_t max_rows);

enum view_state { VIEW_RUNNING, VIEW_DONE, VIEW_FAILED, VIEW_DECLINED };

struct view_call {
	struct sv tool;
	struct json input;
	enum view_state state;
	struct sv text;   /* of the result */
	struct json data; /* of the result, for programs; may be missing */
	struct sv tail;   /* while it runs: what it has written lately */
	int64_t ms;       /* how long it took, or has taken so far */
};

/* A call: what it does, and what came of it. */
void view_call(struct page *page, const struct view *view, const struct view_call *call);
/* Whether it is a lookup that takes a single row: a part of a run (lookups.h). */
bool view_call_is_short(const struct view *view, const struct view_call *call);

/* A call that only asked the user: the answers, or the accepted plan. Nothing is to be shown if it is empty. */
void view_answer(struct page *page, const struct view *view, const struct view_call *call);
bool view_answer_is_empty(const struct view_call *call);
/* A plan, and whether the user has accepted it. */
void view_plan(struct page *page, const struct view *view, struct sv plan, bool is_accepted);
/* Whether a call of this tool presents a plan. */
bool view_is_plan(struct sv tool);

/* The lines of a text, cut at the width, each after `before`: the first `head` and the last `tail` of them if there
 * are more. */
void view_output(struct page *page, const struct view *view, const char *before, struct style style,
		 struct sv text, size_t head, size_t tail);
/* A row that says how many lines are not shown. */
void view_more(struct page *page, const struct view *view, const char *before, size_t lines);
/* A patch of the file `path` as tools report it (`structuredPatch`), with the words that differ. */
void view_patch(struct page *page, const struct view *view, struct json data, struct sv path,
		size_t max_lines);
/* Appends " · +2 -1". */
void view_patch_count(struct str *out, struct json data);
/* Appends text to the current row, cut so that the row is at most `columns` wide. */
void view_add_cut(struct page *page, struct sv text, struct style style, size_t columns);
/* The same for a part of a text that begins in cell `start`, where its tabs are counted from. False: it was cut. */
bool view_add_part(struct page *page, struct sv text, struct style style, size_t columns,
		   size_t start);
/* Appends as many of the items, which " · " separates, as fit whole; the first one is cut if it has to be. */
void view_add_items(struct page *page, struct sv items, struct style style, size_t columns);

/* Appends the text with blanks for its tabs; it begins in cell `cells`. */
void view_expand_tabs(struct str *out, struct sv text, size_t cells);

/* Appends "3 s", "1 m 20 s". */
void view_add_seconds(struct str *out, int64_t ms);

#endif
