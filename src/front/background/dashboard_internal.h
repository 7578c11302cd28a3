/* dashboard_internal.h - shared by the files of the dashboard. */
#ifndef AWL_FRONT_BACKGROUND_DASHBOARD_INTERNAL_H
#define AWL_FRONT_BACKGROUND_DASHBOARD_INTERNAL_H

#include "front/background/dashboard.h"
#include "front/background/link.h"
#include "front/lines.h"
#include "front/out.h"
#include "front/tui/view/theme.h"
#include "sys/op.h"
#include "term/editor/editor.h"
#include "term/tty.h"

enum { DASHBOARD_SIGNALS = 4 };

enum dashboard_mode {
	DASHBOARD_LIST,
	DASHBOARD_WRITING,  /* a prompt, or why not */
	DASHBOARD_REMOVING, /* the session is removed if the key comes again */
};

struct dashboard {
	const struct dashboard_opts *opts;
	struct dashboard_end *end;
	struct loop *loop;
	/* The supervisor. */
	struct lines in;
	struct out out;
	int fd;
	struct json_pool pool;
	struct arena arena, jobs_arena;
	VEC(struct job_info) jobs; /* the newest first; in `jobs_arena` */
	bool has_list;
	/* The terminal. */
	struct tty *tty;
	struct tty_info info;
	struct screen *screen;
	const struct theme *theme;
	struct key_decoder decoder;
	struct ready *input;
	struct task take_input, draw;
	struct out term;
	struct op *escape_timer;
	struct op *signals[DASHBOARD_SIGNALS];
	/* What the user does. */
	enum dashboard_mode mode;
	bool can_answer; /* the whole question of the session under the cursor is on the screen */
	bool is_refusal; /* what is written says why not */
	struct editor *editor;
	struct str note;
	bool is_leaving;
	int status;
};

/* The session under the cursor; NULL: there is none. */
const struct job_info *dashboard_selected(const struct dashboard *d);
size_t dashboard_selected_index(const struct dashboard *d);
/* Draws the screen anew. */
void dashboard_paint(struct dashboard *d);

#endif
