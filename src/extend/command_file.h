/* command_file.h - a slash command or a skill that a user has written: a Markdown file whose text
 * becomes the prompt, with front matter that describes it.
 *
 *   ---
 *   description: Review a file
 *   argument-hint: <file>
 *   allowed-tools: Bash(git diff:*), Read
 *   model: sonnet
 *   ---
 *   Review $ARGUMENTS.
 *
 * Pure. All texts are in an arena or in the text of the file. */
#ifndef AWL_EXTEND_COMMAND_FILE_H
#define AWL_EXTEND_COMMAND_FILE_H

#include "base/arena.h"
#include "base/str.h"

struct command_file {
	struct sv name;      /* as typed after the slash: "review", "git:commit" */
	struct sv path;      /* of the file, absolute */
	uint64_t digest;     /* of its text: whether it has changed */
	struct sv skill_dir; /* the directory of a skill; empty: it is a command */
	bool is_project;     /* it came with the project; else it is the user's own */
	bool is_managed;     /* ... or that of the machine's administrator */
	/* Directories of the plugin that it came with, NUL-terminated; empty: of none. */
	struct sv plugin_root, plugin_data;
	struct sv plugin_config; /* values for ${user_config.KEY}, as in struct plugin */
	struct sv description;   /* one line, never empty */
	struct sv when_to_use;   /* for the model; may be empty, like all below */
	struct sv argument_hint;
	struct sv model;            /* of the turn; empty: as before */
	struct sv effort;           /* likewise */
	struct sv allowed_tools;    /* rules, separated by commas */
	struct sv denied_tools;     /* likewise */
	const struct sv *arguments; /* names of the arguments */
	size_t narguments;
	struct sv paths; /* patterns of the files that it is for, separated by commas; empty: all */
	struct sv hooks; /* JSON, as in settings */
	struct sv agent; /* that runs it, if it is a fork */
	bool is_fork;    /* it runs in an agent of its own ("context: fork") */
	bool is_background; /* ... which nobody waits for */
	bool is_hidden;     /* not for the user, who neither sees it in lists nor runs it by name */
	bool is_user_only;  /* not for the model */
	struct sv body;     /* after the front matter; borrowed from the text */
};

/* Reads what front matter and body say; `out` keeps its name, path and origin. Unknown keys are
 * ignored. A file whose front matter cannot be read is all body. `notes` gets a line for that, for
 * each field that cannot be used and for keys that are nearly right; NULL: nobody wants them. */
void command_file_read(struct command_file *out, struct sv text, struct arena *arena,
		       struct str *notes);

#endif
