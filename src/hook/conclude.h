/* conclude.h - private to src/hook: what follows from how a handler ended. Pure. */
#ifndef AWL_HOOK_CONCLUDE_H
#define AWL_HOOK_CONCLUDE_H

#include "hook/hook.h"

struct hook_result {
	const struct hook_handler *handler;
	struct sv name;            /* "PreToolUse:Bash" */
	const struct err *failure; /* it did not run to its end; NULL: it did */
	bool has_code;             /* it was a process */
	int code;
	struct sv out, err; /* its output; `out` is also the answer of a host or server */
	bool is_cut;        /* there was more than LIMIT_HOOK_OUTPUT */
};

/* Fills in the empty `answer`. Appends to `problem` what a person should know about a failure. */
enum hook_outcome hook_conclude(struct hook_answer *answer, const struct hook_result *result,
				struct str *problem);

#endif
