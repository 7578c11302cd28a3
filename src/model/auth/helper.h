/* helper.h - private to src/model: runs a credential command of the user, as an op. Some commands
 * print a credential (apiKeyHelper, awsCredentialExport, the credential_process of a profile):
 * their output is a secret and is never shown. Others log in (awsAuthRefresh, gcpAuthRefresh):
 * their output is for the user. None gets any input. */
#ifndef AWL_MODEL_AUTH_HELPER_H
#define AWL_MODEL_AUTH_HELPER_H

#include "base/str.h"
#include "sys/op.h"

/* A line of output for the user, made printable; never empty. */
typedef void helper_line_fn(void *owner, struct sv line);

struct helper {
	const char *name;        /* for errors; borrowed until done */
	const char *command;     /* for /bin/sh -c, unchanged */
	const char *const *argv; /* instead of that: run without a shell */
	const char *const *env;  /* "NAME=value", NULL-terminated; NULL: ours */
	int64_t deadline_ms;
	helper_line_fn *on_line; /* called with then.owner; NULL: the output is a secret */
};

/* Done when it has exited with status 0. Any other status is ERR_ACCESS, with what it wrote to
 * standard error or, with on_line, its last line. */
struct op *helper_start(struct loop *loop, const struct helper *helper, struct then then);

/* Only in `done`: its standard output without the white space around it; empty with on_line. */
struct sv helper_output(const struct op *op);

#endif
