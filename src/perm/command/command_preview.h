/* command_preview.h - what a command would write, from a command that only prints it. */
#ifndef AWL_PERM_COMMAND_COMMAND_PREVIEW_H
#define AWL_PERM_COMMAND_COMMAND_PREVIEW_H

#include "perm/command/command_analysis.h"

/* `sed -i` of one file: the same script, printing what the file would contain. */
struct command_preview {
	const char **argv; /* NULL-terminated; argv[0] is looked up */
	struct sv path;    /* the file, normal, as it is written; it is not a link */
};

/* Returns false if the line does anything else, or writes another file as well, as with a suffix for
 * a backup. The result is in `arena`. */
bool command_preview_find(const struct command_analysis *analysis, struct arena *arena,
			  struct command_preview *out);

#endif
