/* openai_details.h - private to src/model: the "reasoning_details" of OpenRouter, which a client has
 * to send back with the message. A stream has them in pieces: elements of one type and index belong
 * together, and their texts grow. */
#ifndef AWL_MODEL_WIRE_OPENAI_OPENAI_DETAILS_H
#define AWL_MODEL_WIRE_OPENAI_OPENAI_DETAILS_H

#include "base/vec.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

struct openai_detail;

struct openai_details {
	VEC(struct openai_detail *) list;
	size_t size; /* bytes of all strings */
};

void openai_details_clear(struct openai_details *details);

/* Takes the elements of `array`; of anything else: none. Fails with ERR_TOO_BIG past
 * LIMIT_MODEL_OPEN bytes or LIMIT_MODEL_BLOCKS elements. */
must_use bool openai_details_add(struct openai_details *details, struct json array,
				 struct err *err);

/* Writes the array. */
void openai_details_write(const struct openai_details *details, struct jw *w);

#endif
