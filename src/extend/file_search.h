/* file_search.h - the Markdown files that users keep below a folder: commands, skills, agents. Links
 * are followed, in a project only as far as they stay inside it. */
#ifndef AWL_EXTEND_FILE_SEARCH_H
#define AWL_EXTEND_FILE_SEARCH_H

#include "base/str.h"
#include "base/vec.h"

struct file_search {
	struct sv inside; /* links may not lead out of here; empty: they may lead anywhere */
	size_t depth;     /* of the folders that are entered */
	/* A file whose name ends in ".md": its path below the folder, and where it really is. Returns
	 * false to end the search. */
	bool (*found)(void *arg, struct sv path, const char *real);
	/* A link or the folder itself leads out of `inside`, or there are too many files below it. */
	void (*skipped)(void *arg, const char *path, const char *why);
	void *arg;
};

/* Visits all files below `dir`/`folder`; none if that does not exist. */
void file_search_run(const struct file_search *search, const char *dir, const char *folder);

/* Appends the real path of a directory, ending in "/", for `inside`; nothing if there is none. */
void file_search_inside(struct str *out, const char *dir);

#endif
