/* secret_name.h - names of files and variables that look like secrets. */
#ifndef AWL_PERM_PATH_SECRET_NAME_H
#define AWL_PERM_PATH_SECRET_NAME_H

#include "base/str.h"

/* Files that hold keys and passwords: .env (not .env.example), id_rsa, *.pem,
 * credentials, .netrc; environments and memory of processes. In any letter case. */
bool secret_is_file(struct sv path);

/* Whether a glob that chooses files is aimed at such names: ".env", "*.pem", ".e*", but not "*" or
 * "*.json", which match ordinary files, too. */
bool secret_is_glob(struct sv glob);

/* Variables: ANTHROPIC_API_KEY, DB_PASSWORD, GITHUB_TOKEN. */
bool secret_is_variable(struct sv name);

#endif
