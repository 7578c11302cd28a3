/* prompt_history.h - the prompts of all sessions, in the file history.jsonl beside the user's settings. Claude Code
 * writes and reads the same file: one JSON object a line, the newest last.
 *
 * Each prompt is one record of a log (fs_log_add()), so several processes can add to it. It is read from its end, and
 * only when somebody looks for earlier prompts. */
#ifndef AWL_FRONT_PROMPT_HISTORY_H
#define AWL_FRONT_PROMPT_HISTORY_H

#include "base/err.h"
#include "base/str.h"

struct prompt_record {
	struct sv text;
	struct sv project; /* the directory in which the session was started */
	struct sv session_id;
	int64_t time_ms; /* since 1970 */
};

/* Whether the user lets prompts be written down: CLAUDE_CODE_SKIP_PROMPT_HISTORY is not set. */
bool prompt_history_is_wanted(void);

/* Adds a prompt to the file in `dir`, which is created if need be. One longer than LIMIT_PROMPT_WRITTEN is not added.
 */
must_use bool prompt_history_add(const char *dir, const struct prompt_record *record,
				 struct err *err);

typedef void prompt_history_fn(void *arg, struct sv text);
struct prompt_wanted {
	struct sv project;
	/* Without those that this session has sent since then. */
	struct sv session_id;
	int64_t since_ms;
	size_t max;
};
/* Calls `take` for the newest prompts of the file, the best last: those of the project come after all others, and each
 * kind from old to new. Lines that cannot be read are skipped; a missing file is empty. */
must_use bool prompt_history_read(const char *dir, const struct prompt_wanted *wanted,
				  prompt_history_fn *take, void *arg, struct err *err);

#endif
