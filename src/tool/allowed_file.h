/* allowed_file.h - private to src/tool: the file that permission was given for. Permission is
 * decided for a real path. A tool for one file opens exactly that path and reads, writes or walks
 * nothing else. When the path changed between the decision and the use, for example because
 * somebody put a symbolic link there, the call fails and says where the path leads now (fs_pin()).
 *
 * Tools that search use paths instead (walk.h): ripgrep takes nothing else. They start in the same
 * step as the decision, which is taken again after a question. A process that swaps a directory for a
 * link has to hit the moment until ripgrep opens it. It runs as the user: outside the sandbox it could
 * read everything itself, and inside it everything but what is hidden from the sandbox. */
#ifndef AWL_TOOL_ALLOWED_FILE_H
#define AWL_TOOL_ALLOWED_FILE_H

#include "sys/fs.h"
#include "tool/tool.h"

struct allowed_file {
	struct str path;    /* tool_path(): what messages call it */
	struct str real;    /* what the tool touches and remembers; contains no link */
	struct fs_pin *pin; /* NULL until it is open */
};

/* `decided` is the path that permission was given for. Empty: the path that `path` resolves to now. */
void allowed_file_init(struct allowed_file *file, const struct tool_context *ctx, struct sv path,
		       struct sv decided);
void allowed_file_clear(struct allowed_file *file);

/* Opens the file or directory; nothing needs to exist there. Blocks. Returns false when it has
 * failed the call (tool_fail()). */
must_use bool allowed_file_open(struct allowed_file *file, const struct tool_context *ctx,
				struct tool_result *result);

/* Path number `i` of the call's permission request; empty when no permission was needed. */
struct sv allowed_path(const struct tool_call *call, size_t i);

#endif
