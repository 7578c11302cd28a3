/* transcript_path.h - private to src/store: creates the directories of a file. */
#ifndef AWL_STORE_TRANSCRIPT_TRANSCRIPT_PATH_H
#define AWL_STORE_TRANSCRIPT_TRANSCRIPT_PATH_H

#include "base/err.h"

/* Creates the missing parent directories (0700) of the file `path`. */
must_use bool path_make_parents(const char *path, struct err *err);

#endif
