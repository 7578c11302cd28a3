/* agent_list.h - the agents that a session may start: the built-in ones and those of the files
 * agents/x.md in the configuration directory and in .claude of the project's directories.
 *
 * Of two with the same name, the later source of `enum agent_source` wins; of the project's directories, the
 * nearest. */
#ifndef AWL_EXTEND_AGENT_LIST_H
#define AWL_EXTEND_AGENT_LIST_H

#include "base/vec.h"
#include "extend/agent_file.h"

struct agent_list {
	struct arena arena;
	VEC(struct agent_file) files; /* sorted by name */
	struct str notes;             /* what is wrong with files, a line each */
};
#define AGENT_LIST_INIT                                                   \
	{                                                                 \
		.arena = ARENA_INIT, .files = VEC_INIT, .notes = STR_INIT \
	}

void agent_list_clear(struct agent_list *list);

/* Adds those that come with awl. */
void agent_list_add_builtins(struct agent_list *list);
/* Adds those of `dir`/agents; links that lead out of `inside` are skipped, unless it is empty. */
void agent_list_add_dir(struct agent_list *list, const char *dir, enum agent_source source,
			struct sv inside);
/* Adds those of a plugin, as plugin:x. `path` is absolute: a folder, or one file. Their hooks, MCP
 * servers and permission mode are ignored, because installing a plugin does not show them to the user. */
struct agent_plugin {
	struct sv name;
	const char *root, *data; /* its directories; `data` may be NULL */
	struct sv config;        /* as in struct plugin */
};
void agent_list_add_plugin(struct agent_list *list, const struct agent_plugin *plugin,
			   const char *path);
/* Adds one definition, whose texts are in the list's arena, unless a stronger one has its name. */
void agent_list_add(struct agent_list *list, const struct agent_file *file);
/* Adds those of a JSON object of definitions. Fails on the first that is invalid; those before it stay. */
must_use bool agent_list_add_json(struct agent_list *list, struct json definitions,
				  struct err *err);

/* NULL: there is none. Letter case makes no difference. Valid until the list changes. */
const struct agent_file *agent_list_find(const struct agent_list *list, struct sv name);

#endif
