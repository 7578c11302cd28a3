/* openai_responses.h - private to src/model: the halves of the Responses format. */
#ifndef AWL_MODEL_WIRE_OPENAI_OPENAI_RESPONSES_H
#define AWL_MODEL_WIRE_OPENAI_OPENAI_RESPONSES_H

#include "model/wire/openai/openai_common.h"

/* Writes the array of input items. What is written for a message does not depend on the messages after
 * it. */
must_use bool openai_responses_input(struct jw *w, struct arena *arena,
				     const struct model_request *request, bool can_images,
				     struct openai_notes *notes, struct err *err);

struct decoder *openai_responses_decoder(const struct model_request *request, wire_event_fn *emit,
					 void *arg);

#endif
