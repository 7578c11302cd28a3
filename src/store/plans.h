/* plans.h - the files that plans are kept in: <directory>/<slug>.md, one for each session that plans.
 * The slug is three words, "calm-sorting-lantern", so that people can tell plans apart. The records
 * of a transcript name it, which is how a resumed session finds its plan again. */
#ifndef AWL_STORE_PLANS_H
#define AWL_STORE_PLANS_H

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"

/* Appends a slug that no file in `dir` has yet. */
void plan_slug_choose(struct str *out, struct sv dir, struct rng *rng);
/* Whether a text, perhaps from a transcript, is a slug: small letters and digits with single hyphens
 * in between. So it cannot lead out of a directory. */
bool plan_slug_valid(struct sv slug);
/* Appends "<dir>/<slug>.md". */
void plan_path(struct str *out, struct sv dir, struct sv slug);

/* Appends a plan. False: there is none, or it cannot be read. `path` is real: neither function
 * follows links. */
bool plan_read(struct str *out, const char *path);
/* Writes a plan and creates its directories, for the user alone. */
must_use bool plan_write(const char *path, struct sv text, struct err *err);

#endif
