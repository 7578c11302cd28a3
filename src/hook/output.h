/* output.h - private to src/hook: reads the JSON that a hook prints, or that a host or server
 * answers. Pure. */
#ifndef AWL_HOOK_OUTPUT_H
#define AWL_HOOK_OUTPUT_H

#include "base/err.h"
#include "hook/answer.h"

/* Whether the text is meant as JSON. */
bool hook_output_is_json(struct sv text);

/* Reads one JSON object into an empty answer. `name` names the hook. Fails (ERR_PARSE, ERR_INVALID),
 * naming the member, when it is not JSON, a member has the wrong type or an unknown word, or it is
 * about another event. Members that the event does not have are ignored. After a failure only
 * hook_answer_clear() is valid. */
must_use bool hook_output_read(struct hook_answer *answer, enum hook_event event, struct sv name,
			       struct sv text, struct err *err);

/* Whether the text is {"async": true}: the hook wants to go on in the background. `*ms` is how long
 * it may. */
bool hook_output_is_async(struct sv text, int64_t *ms);

#endif
