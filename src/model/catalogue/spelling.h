/* spelling.h - private to src/model: what the spelling of a model says of it. The same model
 * is "opus", "claude-opus-4-5", "Claude-Opus-4.5[1m]", "claude-opus-4-5@20251101",
 * "us.anthropic.claude-opus-4-5-20251101-v1:0" and "anthropic/claude-opus-4.5". Pure. */
#ifndef AWL_MODEL_CATALOGUE_SPELLING_H
#define AWL_MODEL_CATALOGUE_SPELLING_H

#include "base/str.h"

/* The families are those that have an alias: "opus", "sonnet", ...; false at the end. */
bool model_family_next(size_t *at, struct sv *family);

/* The first one that `lower` names as a word of its own; false: none. */
bool model_family_of(struct sv lower, struct sv *family);

struct model_version {
	int major, minor; /* -1: it does not say */
	struct sv date;   /* "20251101", "latest"; empty: none */
};

/* Visits the places in `lower` where the family is named, as a word of its own, and reads the
 * version that stands there, before it or behind it. False when there is none left. */
bool model_version_next(struct sv lower, struct sv family, size_t *at, struct model_version *out);

/* An id in small letters without "[1m]"; `bare` also without the ways of clouds and routers
 * that lead to it, `undated` also without date and revision. */
struct model_spelling {
	struct str text;
	struct sv bare, undated;
};
void model_spelling_init(struct model_spelling *out, struct sv id);
void model_spelling_clear(struct model_spelling *spelling);

#endif
