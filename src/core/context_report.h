/* context_report.h - how full the model's window is and of what, as hosts are told of it
 * (get_context_usage). The sum is what the service counted with the last request, where there was
 * one; the parts are shares of it by their size. */
#ifndef AWL_CORE_CONTEXT_REPORT_H
#define AWL_CORE_CONTEXT_REPORT_H

#include "context/instructions.h"

/* All borrowed. */
struct context_facts {
	struct sv model;
	int64_t counted; /* tokens of the last request and its answer; 0: not known */
	int64_t window;  /* tokens */
	/* Bytes of what is sent. */
	size_t system, tools, messages;
	/* Those that are told are part of the messages. */
	const struct instructions *instructions;
	size_t told;
};

/* Appends a JSON object. */
void context_report_write(struct str *out, const struct context_facts *facts);

#endif
