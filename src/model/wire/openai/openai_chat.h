/* openai_chat.h - private to src/model: the halves of the Chat Completions format. */
#ifndef AWL_MODEL_WIRE_OPENAI_OPENAI_CHAT_H
#define AWL_MODEL_WIRE_OPENAI_OPENAI_CHAT_H

#include "model/wire/openai/openai_common.h"

/* Writes the array of messages, starting with the system prompt. What is written for a message does
 * not depend on the messages after it. */
must_use bool openai_chat_messages(struct jw *w, struct arena *arena,
				   const struct model_request *request, bool can_images,
				   struct openai_notes *notes, struct err *err);

struct decoder *openai_chat_decoder(const struct model_request *request, wire_event_fn *emit,
				    void *arg);

#endif
