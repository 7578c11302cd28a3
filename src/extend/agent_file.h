/* agent_file.h - the definition of an agent: a Markdown file whose text is the agent's system prompt, with
 * front matter that describes it, or the same as a JSON object with the text in "prompt".
 *
 *   ---
 *   name: reviewer
 *   description: Reviews a change before it is committed
 *   tools: Read, Grep, Bash(git diff:*)
 *   model: sonnet
 *   ---
 *   You review ...
 *
 * Pure. All texts are in an arena. */
#ifndef AWL_EXTEND_AGENT_FILE_H
#define AWL_EXTEND_AGENT_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include "text/json/json.h"

/* Where a definition comes from. Of two with the same name, the later source wins. */
enum agent_source {
	AGENT_BUILTIN,
	AGENT_PLUGIN,
	AGENT_USER,
	AGENT_PROJECT,
	AGENT_FLAG, /* --agents, and the host */
	AGENT_MANAGED,
};

enum agent_memory { AGENT_NO_MEMORY, AGENT_MEMORY_USER, AGENT_MEMORY_PROJECT, AGENT_MEMORY_LOCAL };

struct agent_names {
	const struct sv *at;
	size_t n;
	bool is_given; /* false: the definition says nothing about it */
};

struct agent_file {
	struct sv name, description, prompt;
	struct sv path; /* of the file; empty: none */
	enum agent_source source;
	struct agent_names tools, disallowed_tools, skills;
	/* Each may be empty. */
	struct sv model; /* an alias, an id, or "inherit" */
	struct sv permission_mode, effort, color, initial_prompt, reminder;
	struct sv mcp_servers, hooks; /* JSON */
	int64_t max_turns;            /* 0: no limit */
	enum agent_memory memory;
	bool is_background;      /* its calls run in the background unless they say otherwise */
	bool is_isolated;        /* works in a git worktree of its own */
	bool omits_instructions; /* is not sent CLAUDE.md and the like */
};

/* Reads a file; `out` keeps its path and source. Returns false when it does not define an agent. `*notes`
 * gets a line with file and line for everything that is wrong. A field that makes no sense is ignored;
 * a file without front matter is not an agent, which is not an error. */
must_use bool agent_file_read(struct agent_file *out, struct sv text, struct arena *arena,
			      struct str *notes);
/* The same for a JSON object. Fails, naming the agent, if a description or prompt is missing or a field has
 * the wrong type. */
must_use bool agent_file_read_json(struct agent_file *out, struct sv name, struct json definition,
				   struct arena *arena, struct err *err);

const char *agent_source_name(enum agent_source source); /* "project" */

#endif
