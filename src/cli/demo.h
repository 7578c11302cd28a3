/* demo.h - the directory in which the demo and the tour of the first run work. */
#ifndef AWL_CLI_DEMO_H
#define AWL_CLI_DEMO_H

#include "base/err.h"
#include "base/str.h"

/* The prompt that starts the tour (src/model/script/demo.script). */
extern const char demo_tour_prompt[];
/* Settings for it: commands run in the sandbox. */
extern const char demo_settings[];

/* Makes a scratch directory, and in it the project of the tour: two scripts with a bug, and a link to awl. `*dir` gets the
 * project, `*scratch` what is to be removed afterwards. */
must_use bool demo_prepare(struct str *scratch, struct str *dir, struct err *err);

#endif
