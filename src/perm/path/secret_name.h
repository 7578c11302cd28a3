/* secret_name.h - names of files and variables that look like secrets. */
#ifndef AWL_PERM_PATH_SECRET_NAME_H
#define AWL_PERM_PATH_SECRET_NAME_H

#include "base/str.h"

/* Files that hold keys and passwords: .env (not .env.example), id_rsa, *.pem,
 * credentials, .netrc; environments and memory of processes. In any letter case. */
bool secret_is_file(struct sv path);

/* Variables: ANTHROPIC_API_KEY, DB_PASSWORD, GITHUB_TOKEN. */
bool secret_is_variable(struct sv name);

#endif
