/* tui_picker_internal.h - private to the files of the picker. */
#ifndef AWL_FRONT_TUI_COMMANDS_TUI_PICKER_INTERNAL_H
#define AWL_FRONT_TUI_COMMANDS_TUI_PICKER_INTERNAL_H

#include <awl_sessions.h>

#include "base/str_list.h"
#include "base/vec.h"
#include "front/tui/commands/tui_picker.h"
#include "front/tui/tui_internal.h"

struct picker_row {
	const struct awl_session_info *info; /* of the list */
	size_t forks;                        /* that belong below this row */
	bool is_fork;
	size_t place;
};

struct tui_picker {
	bool is_open;
	bool has_all;     /* sessions of all directories */
	bool has_branch;  /* only those of `branch` */
	bool is_renaming; /* `title` is being typed */
	bool is_dirty;    /* something else is wanted than the search that runs */
	bool is_indexed;  /* as far as possible */
	struct str query, branch, tag, title;
	struct awl_session_list *list; /* NULL: nothing was read yet */
	VEC(struct picker_row) rows;
	size_t selected;
	str_list tags;                       /* that sessions of the list have */
	str_list unfolded;                   /* roots of the forks that are shown */
	struct op *search, *update, *rename; /* NULL: not running */
	struct picker_search *job;
	struct picker_update *indexing;
	struct picker_rename *renaming;
};

/* The row that is selected; NULL: there is none. */
const struct picker_row *tui_picker_row(const struct tui *t);

#endif
