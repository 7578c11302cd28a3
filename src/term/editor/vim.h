/* vim.h - vim's keys for the editor: normal, insert and visual mode.
 *
 * In insert mode, and for keys that vim has no use for, the caller does what it does without vim. Typed text goes into
 * the editor through the caller, so that completion and pastes work the same in both ways of editing.
 *
 *   [count] motion                  h j k l w W b B e E 0 ^ $ gg G f F t T ; ,
 *   [count] operator [count] motion d c y > <, twice for whole lines
 *   operator object                 i or a, then w W " ' ` ( [ { <
 *   [count] command                 x X D C s S Y p P J r ~ u . i I a A o O v V, Ctrl-R
 *
 * One register holds what was deleted or yanked last. Pure. */
#ifndef AWL_TERM_EDITOR_VIM_H
#define AWL_TERM_EDITOR_VIM_H

#include "term/editor/editor.h"
#include "term/key.h"

struct vim;

enum vim_mode { VIM_INSERT, VIM_NORMAL, VIM_VISUAL, VIM_VISUAL_LINE };

enum vim_result {
	VIM_UNUSED, /* not a key of this mode: it is the caller's */
	VIM_TAKEN,
	VIM_OLDER, /* k on the first row, j on the last: the history */
	VIM_NEWER,
	VIM_SEARCH, /* the slash: search the history */
};

/* Begins in insert mode. The editor must outlive it. */
struct vim *vim_new(struct editor *editor);
void vim_free(struct vim *vim);

enum vim_result vim_key(struct vim *vim, const struct key *key);
enum vim_mode vim_mode(const struct vim *vim);
/* Back to insert mode, for a new text. Keeps the register and what `.` repeats. */
void vim_reset(struct vim *vim);

/* These characters, typed one after the other in insert mode, mean Escape: "jj". */
void vim_remap_escape(struct vim *vim, struct sv keys);

/* The selected text; false: there is none. */
bool vim_selection(const struct vim *vim, size_t *from, size_t *to);
/* Appends the keys of an unfinished command: "2d". */
void vim_pending(const struct vim *vim, struct str *out);

#endif
