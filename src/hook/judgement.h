/* judgement.h - what a model answers that was asked whether a condition is met. Pure. */
#ifndef AWL_HOOK_JUDGEMENT_H
#define AWL_HOOK_JUDGEMENT_H

#include "base/err.h"
#include "base/str.h"

struct hook_judgement {
	bool ok, impossible;
	struct str reason; /* owned */
};

/* Reads {"ok": bool, "reason"?, "impossible"?}, with or without a fence around it. */
must_use bool hook_judgement_read(struct hook_judgement *out, struct sv text, struct err *err);

#endif
