/* theme.h - the colours of the screen. One accent colour; everything else is quiet. */
#ifndef AWL_FRONT_TUI_VIEW_THEME_H
#define AWL_FRONT_TUI_VIEW_THEME_H

#include "term/markdown/markdown.h"
#include "term/tty.h"

struct theme {
	const char *name;
	struct style text, dim, accent, success, error, warning;
	struct style border, prompt,
		user;                /* the lines around the prompt, its mark, what the user said */
	struct style selected;       /* the option under the cursor */
	struct style added, removed; /* lines; with a background, code on it has its own colours */
	struct style added_mark, removed_mark;   /* the words that differ */
	struct style plan, accept_edits, bypass; /* permission modes */
	struct style fast;                       /* the sign of fast mode */
	struct highlight_look code;
};

/* The theme of this name ("dark", "light", "dark-daltonized", "light-daltonized", "ansi"), or the one for this
 * background if there is none of that name ("auto", ""). */
const struct theme *theme_find(struct sv name, enum tty_background background);

/* The names of all themes, from 0 on; NULL: there are no more. */
const char *theme_name(size_t i);
bool theme_exists(struct sv name); /* "auto" does, too */

/* A theme of the user's own: "custom:NAME", in the file NAME.json. */
#define THEME_CUSTOM SV("custom:")
/* Whether this can be the name of such a file: letters, digits, '-' and '_'. */
bool theme_is_slug(struct sv slug);
/* Reads {"base": "dark", "overrides": {"claude": "#ff8800"}}. What does not count is told in `problems`, a line each. The
 * theme can be used in any case. */
void theme_read(struct theme *theme, struct sv json, enum tty_background background,
		struct str *problems);

/* How Markdown looks in it. Leaves the width and what the terminal can do alone. */
void theme_markdown(const struct theme *theme, struct markdown_look *look);

#endif
