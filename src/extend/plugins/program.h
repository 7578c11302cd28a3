/* program.h - runs git, npm, tar or unzip to its end. A failure says what the program said. */
#ifndef AWL_EXTEND_PLUGINS_PROGRAM_H
#define AWL_EXTEND_PLUGINS_PROGRAM_H

#include "base/str.h"
#include "sys/op.h"

struct program_opts {
	const char *const *argv; /* NULL-terminated, like the next */
	const char *const *env;  /* NULL: ours */
	int64_t deadline_ms;
	struct str *out; /* gets stdout, within a limit; NULL: it is dropped. Borrowed until done */
	/* It is ended (ERR_TOO_BIG) when it has written more than that. 0: no limit */
	size_t max_bytes, max_lines;
};

/* Fails (ERR_IO) if the exit status is not 0, with the last line that it wrote to stderr. Copies what it needs. */
struct op *program_start(struct loop *loop, const struct program_opts *opts, struct then then);

#endif
