/* context_report.h - how full the model's context window is, and of what. The sum is what the
 * service counted for the last request, if there was one; the parts are shares of it by size. */
#ifndef AWL_CORE_COMPACTION_CONTEXT_REPORT_H
#define AWL_CORE_COMPACTION_CONTEXT_REPORT_H

#include "base/arena.h"
#include "context/instructions.h"
#include "proto/reply.h"

/* All borrowed. */
struct context_facts {
	struct sv model;
	int64_t counted; /* tokens of the last request and its response; 0: not known */
	int64_t window;  /* tokens */
	/* Bytes of what is sent. */
	size_t system, tools, messages;
	/* The first `sent` of the instruction files are part of the messages. */
	const struct instructions *instructions;
	size_t sent;
};

/* The report; its list is in `arena`. */
struct reply_context context_report(const struct context_facts *facts, struct arena *arena);

#endif
