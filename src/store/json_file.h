/* json_file.h - changes one value of a JSON file that other programs use, too: ~/.claude.json, .mcp.json. Every
 * other byte stays. */
#ifndef AWL_STORE_JSON_FILE_H
#define AWL_STORE_JSON_FILE_H

#include "text/json/json_span.h"

struct json_file_change {
	const char *path; /* absolute */
	/* The real directory that a symbolic link at `path` must not leave; NULL: it may lead anywhere. */
	const char *root;
	size_t limit;  /* bytes of the file */
	uint32_t mode; /* of a new file; 0: 0666 minus the umask */
	struct json_steps steps;
	struct sv json; /* the new value; empty: remove the value */
};

/* Carries out the change, and stores the text of the file before it (empty: there was no file) and after it. A
 * new value is laid out like the file around it. The write is atomic and durable, keeps the file mode, and starts
 * over when somebody else has changed the file meanwhile. Fails with ERR_NOT_FOUND when there is
 * nothing to remove. The caller holds the lock of config_lock.h. */
must_use bool json_file_change(const struct json_file_change *change, struct str *before,
			       struct str *after, struct err *err);

#endif
