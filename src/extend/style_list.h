/* style_list.h - output styles: how the model is to answer, as a part of the system prompt. Some come with awl;
 * a Markdown file in a directory output-styles is another.
 *
 *   ---
 *   name: Teacher
 *   description: Explains each step
 *   keep-coding-instructions: true
 *   ---
 *   Explain ...
 *
 * If several have the same name, the latest source of `enum style_source` takes precedence; among the project's
 * directories, the nearest. */
#ifndef AWL_EXTEND_STYLE_LIST_H
#define AWL_EXTEND_STYLE_LIST_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

enum style_source { STYLE_BUILTIN, STYLE_PLUGIN, STYLE_USER, STYLE_PROJECT, STYLE_MANAGED };

struct style {
	struct sv name;
	struct sv description; /* a line; may be empty */
	struct sv text;        /* for the system prompt; empty: the style changes nothing */
	struct sv path;        /* of the file; empty: none */
	enum style_source source;
	bool keeps_coding; /* awl's own instructions about coding are sent, too */
	bool is_forced;    /* of a plugin: it is used unless the user chooses one in the session */
};

struct style_list {
	struct arena arena;
	VEC(struct style) styles; /* those of awl first, the default before all; then by name */
	struct str notes;         /* what is wrong with files, a line each */
};
#define STYLE_LIST_INIT                                                    \
	{                                                                  \
		.arena = ARENA_INIT, .styles = VEC_INIT, .notes = STR_INIT \
	}

void style_list_clear(struct style_list *list);

/* Adds those that come with awl. The first is the default, which has no text. */
void style_list_add_builtins(struct style_list *list);
/* Adds a file, or those of a directory. */
void style_list_add_path(struct style_list *list, const char *path, enum style_source source,
			 struct sv inside);
/* Adds those of `dir`/output-styles; links that lead out of `inside` are skipped, unless it is empty. */
void style_list_add_dir(struct style_list *list, const char *dir, enum style_source source,
			struct sv inside);

/* NULL: there is none. Letter case makes no difference. Valid until the list changes. */
const struct style *style_list_find(const struct style_list *list, struct sv name);

/* The first that is forced; NULL: none. */
const struct style *style_list_forced(const struct style_list *list);

const char *style_source_name(enum style_source source); /* "project" */

#endif
