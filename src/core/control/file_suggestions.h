/* file_suggestions.h - paths below a directory that match what somebody has begun to type, the best
 * first. The directory is walked on a worker thread, without what git ignores. */
#ifndef AWL_CORE_CONTROL_FILE_SUGGESTIONS_H
#define AWL_CORE_CONTROL_FILE_SUGGESTIONS_H

#include "base/arena.h"
#include "base/limits.h"
#include "sys/op.h"

enum { FILE_SUGGESTIONS = 15, FILE_COMPLETIONS = LIMIT_MENU };

struct file_suggestions {
	struct str root, query;
	struct str dir;                    /* of the query, when a path is completed */
	struct sv paths[FILE_COMPLETIONS]; /* relative to the root; directories end in a slash */
	int scores[FILE_SUGGESTIONS];
	size_t n;
	struct arena arena;
};

/* How well a path matches, the less the better; -1: not at all. Its name counts before its
 * directories, a beginning before a middle, letters in a row before letters with gaps; case does
 * not matter. */
int file_suggestion_score(struct sv path, struct sv query);

/* Adds a word that is not a file, with its score. */
void file_suggestions_offer(struct file_suggestions *s, struct sv path, int score);

/* `out` is filled until `done`; it must stay where it is. */
struct op *file_suggestions_start(struct file_suggestions *out, struct loop *loop, struct sv root,
				  struct sv query, struct then then);
/* Completes the beginning of a path as a shell does: the names in its directory that begin like its last part, in order, at
 * most FILE_COMPLETIONS. A path that begins with `~/` is in `home`. */
struct op *file_completions_start(struct file_suggestions *out, struct loop *loop, struct sv root,
				  struct sv home, struct sv path, struct then then);
void file_suggestions_clear(struct file_suggestions *s);

#endif
