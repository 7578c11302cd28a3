/* transcript_path.h - private to src/store: making room for a file. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_PATH_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_PATH_H

#include "base/err.h"

/* Makes the directories (0700) that are missing on the way to the file `path`. */
must_use bool path_make_parents(const char *path, struct err *err);

#endif
