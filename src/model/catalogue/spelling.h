/* spelling.h - private to src/model: parses the names of models. The same model is "opus",
 * "claude-opus-4-5", "Claude-Opus-4.5[1m]", "claude-opus-4-5@20251101",
 * "us.anthropic.claude-opus-4-5-20251101-v1:0" and "anthropic/claude-opus-4.5". Pure. */
#ifndef AWL_MODEL_CATALOGUE_SPELLING_H
#define AWL_MODEL_CATALOGUE_SPELLING_H

#include "base/str.h"

/* Visits the families, which are the aliases that name one: "opus", "sonnet", ... Returns false at
 * the end. */
bool model_family_next(size_t *at, struct sv *family);

/* Finds the first family that `lower` contains as a whole word. */
bool model_family_of(struct sv lower, struct sv *family);

struct model_version {
	int major, minor; /* -1: not given */
	struct sv date;   /* "20251101", "latest"; empty: none */
};

/* Visits the places in `lower` that contain the family as a whole word, and reads the version
 * before or after it. Returns false at the end. */
bool model_version_next(struct sv lower, struct sv family, size_t *at, struct model_version *out);

/* An id in lower case without "[1m]"; `bare` is also without the prefix of a cloud or router,
 * `undated` also without date and revision. */
struct model_spelling {
	struct str text;
	struct sv bare, undated;
};
void model_spelling_init(struct model_spelling *out, struct sv id);
void model_spelling_clear(struct model_spelling *spelling);

#endif
