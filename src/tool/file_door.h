/* file_door.h - private to src/tool: the way of the tools for one file to it (those
 * that search go by paths: walk.h). Permission was given for a real path; through the
 * door that very path is read, written or walked, or nothing is. What was put in its place between the decision and the use,
 * a link on the way above all, is refused, and said where it leads (fs_hold). */
#ifndef AWL_TOOL_FILE_DOOR_H
#define AWL_TOOL_FILE_DOOR_H

#include "sys/fs.h"
#include "tool/tool.h"

struct file_door {
	struct str path;      /* tool_path: what is spoken of */
	struct str real;      /* what is touched, and remembered: no link is in it */
	struct fs_hold *hold; /* once it is open */
};

/* `decided` is what the permission was given for; empty: where `path` leads now. */
void file_door_init(struct file_door *door, const struct tool_context *ctx, struct sv path,
		    struct sv decided);
void file_door_clear(struct file_door *door);

/* Takes hold of what is there, a file, a directory or nothing. Blocks. False when it
 * has failed the call (tool_fail). */
must_use bool file_door_open(struct file_door *door, const struct tool_context *ctx,
			     struct tool_result *result);

/* The `i`-th path that the call's permission request named; empty when nobody decided. */
struct sv file_decided(const struct tool_call *call, size_t i);

#endif
