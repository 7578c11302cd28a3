/* keymap.h - which key means which action: the keys awl comes with, and those of ~/.claude/keybindings.json.
 *
 * One table lists each action with its context, its name in the file, its keys and a sentence for the help. What is
 * typed into the prompt, and the keys that edit it, are not actions. */
#ifndef AWL_FRONT_TUI_KEYMAP_H
#define AWL_FRONT_TUI_KEYMAP_H

#include "term/chord.h"

enum keymap_context {
	KEYMAP_GLOBAL,
	KEYMAP_CHAT,
	KEYMAP_COMPLETION,
	KEYMAP_QUESTION,
	KEYMAP_SEARCH,
	KEYMAP_TRANSCRIPT,
	KEYMAP_LIST,
	KEYMAP_TABS,
	KEYMAP_CONTEXTS,
};

enum keymap_action {
	ACTION_NONE,
	/* Anywhere. */
	ACTION_INTERRUPT,
	ACTION_EXIT,
	ACTION_REDRAW,
	ACTION_TODOS,
	ACTION_TRANSCRIPT,
	ACTION_SEARCH,
	ACTION_SUSPEND,
	/* At the prompt. */
	ACTION_CANCEL,
	ACTION_SUBMIT,
	ACTION_NEWLINE,
	ACTION_CYCLE_MODE,
	ACTION_MODEL,
	ACTION_FAST,
	ACTION_AGENTS,
	ACTION_UNDO,
	ACTION_EDITOR,
	ACTION_STASH,
	ACTION_OLDER,
	ACTION_NEWER,
	ACTION_BACKGROUND,
	ACTION_IMAGE,
	/* In the menu of completions. */
	ACTION_ACCEPT,
	ACTION_DISMISS,
	ACTION_PREVIOUS_COMPLETION,
	ACTION_NEXT_COMPLETION,
	/* In a question. */
	ACTION_YES,
	ACTION_NO,
	ACTION_COMMENT,
	ACTION_EXPLAIN,
	ACTION_PREVIOUS_OPTION,
	ACTION_NEXT_OPTION,
	ACTION_ACCEPT_MODE,
	ACTION_EDIT_PLAN,
	/* In the search of the history. */
	ACTION_SEARCH_OLDER,
	ACTION_SEARCH_ACCEPT,
	ACTION_SEARCH_RUN,
	ACTION_SEARCH_CANCEL,
	/* In the transcript. */
	ACTION_TRANSCRIPT_EXIT,
	ACTION_TRANSCRIPT_ALL,
	/* In a list to choose from. */
	ACTION_LIST_ACCEPT,
	ACTION_LIST_CANCEL,
	ACTION_LIST_PREVIOUS,
	ACTION_LIST_NEXT,
	/* In a form of several questions. */
	ACTION_TAB_NEXT,
	ACTION_TAB_PREVIOUS,
	KEYMAP_ACTIONS,
};

struct keymap;

struct keymap *keymap_new(void); /* with the keys awl comes with */
void keymap_free(struct keymap *keymap);

/* Adds the bindings of keybindings.json. Appends one line to `problems` for each entry that does not count, with the
 * reason; the others do. */
void keymap_load(struct keymap *keymap, struct sv json, struct str *problems);

/* Feeds a key; `contexts` are the active ones, the innermost first. */
enum chord_result keymap_key(struct keymap *keymap, const enum keymap_context *contexts, size_t n,
			     const struct key *key, enum keymap_action *action);

/* Appends the first key of an action: "ctrl+o"; nothing if it has none. */
void keymap_describe(const struct keymap *keymap, struct str *out, enum keymap_action action);
/* Appends the tables of docs/keys.md. */
void keymap_write_docs(struct str *out);

#endif
