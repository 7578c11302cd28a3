/* helper.h - private to src/model: a command of the user's own that has to do with
 * credentials, as an op. Either it prints one (apiKeyHelper, awsCredentialExport, the
 * credential_process of a profile): then its output is a secret, handed on and never
 * repeated. Or it gets one ready elsewhere (awsAuthRefresh, gcpAuthRefresh): then its
 * output is for the user. It has no input either way. */
#ifndef AWL_MODEL_AUTH_HELPER_H
#define AWL_MODEL_AUTH_HELPER_H

#include "base/str.h"
#include "sys/op.h"

/* One line of what is for the user, made printable, never empty. */
typedef void helper_line_fn(void *owner, struct sv line);

struct helper {
	const char *name;        /* what errors call it; borrowed until done */
	const char *command;     /* for /bin/sh -c, which gets it as it is */
	const char *const *argv; /* instead of that: run without a shell */
	const char *const *env;  /* "NAME=value", NULL-terminated; NULL: ours */
	int64_t deadline_ms;
	helper_line_fn *on_line; /* called with then.owner; NULL: the output is a secret */
};

/* Done when it has ended with status 0. Any other is ERR_ACCESS, with its own words: what
 * it wrote on standard error or, when it was heard, its last line. */
struct op *helper_start(struct loop *loop, const struct helper *helper, struct then then);

/* In `done`, and only there: what it printed on standard output, white space around that
 * removed. Empty when it was heard. */
struct sv helper_output(const struct op *op);

#endif
