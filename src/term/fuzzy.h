/* fuzzy.h - which of many names the user means by a few letters. Pure. */
#ifndef AWL_TERM_FUZZY_H
#define AWL_TERM_FUZZY_H

#include "base/str.h"

/* Scores `name` for `query`: all letters must occur in order, any case. Beginnings of words and of the base
 * name, runs and exact case count more, gaps and length less. Negative: no match. */
int fuzzy_score(struct sv name, struct sv query);

#endif
