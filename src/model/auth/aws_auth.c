#include "model/auth/aws_auth.h"

#include "base/mem.h"
#include "model/auth/aws_credentials.h"
#include "model/auth/aws_printed.h"
#include "model/auth/aws_remote.h"
#include "model/auth/helper.h"
#include "text/iso_time.h"
#include "text/shell_words.h"

enum {
	COMMAND_MS = 3 * 60 * 1000, /* it may ask the user for a second factor */
	FILES_KEEP_MS = 5 * 60 * 1000,
	PRINTED_KEEP_MS = 60 * 60 * 1000, /* if the expiration is unknown */
	SPARE_MS = 5 * 60 * 1000,         /* keys are renewed this long before they expire */
};

struct aws_auth {
	struct op op;
	struct op *source; /* the command or service that is asked; NULL: none */
	const char *name;  /* of the source */
	enum aws_form form;
	struct arena arena;
	struct credential credential;
	int64_t keep_ms;
};

static bool aws_auth_take_printed(struct aws_auth *a, struct sv text, struct err *err)
{
	int64_t now = loop_wall(a->op.loop);
	struct aws_printed printed;

	if (!aws_printed_parse(&printed, &a->arena, text, a->form, err))
		return err_context(err, "invalid output of %s", a->name);
	if (printed.expires_ms >= 0 && printed.expires_ms <= now)
		return err_set(err, ERR_ACCESS, "%s returned credentials that expired at %s",
			       a->name, iso_time(printed.expires_ms).text);
	a->credential = printed.credential;
	a->keep_ms = PRINTED_KEEP_MS;
	if (printed.expires_ms >= 0)
		a->keep_ms = max_of(printed.expires_ms - now - SPARE_MS, (int64_t)0);
	return true;
}

static void aws_auth_on_printed(struct op *op, void *owner, const struct err *why)
{
	struct aws_auth *a = owner;
	struct err err = ERR_INIT;

	a->source = NULL;
	if (!why && !a->op.cancelled && !aws_auth_take_printed(a, helper_output(op), &err))
		why = &err;
	op_finish(&a->op, why);
}

static void aws_auth_run(struct aws_auth *a, struct helper helper)
{
	a->name = helper.name;
	helper.deadline_ms = COMMAND_MS;
	a->source = helper_start(a->op.loop, &helper, THEN(aws_auth_on_printed, a));
}

static bool aws_auth_run_process(struct aws_auth *a, const struct model_config *config,
				 const char *command, struct err *err)
{
	struct helper helper = { .name = "credential_process", .env = config->helper_env };

	if (sv_starts(sv_cstr(command), SV(AWS_EXPORT)))
		helper.name = AWS_EXPORT;
	if (!shell_words_split(&helper.argv, &a->arena, sv_cstr(command), err))
		return err_context(err, "%s", helper.name);
	a->form = AWS_FORM_PROCESS;
	aws_auth_run(a, helper);
	return true;
}

static void aws_auth_on_remote(struct op *op, void *owner, const struct err *why)
{
	struct aws_auth *a = owner;
	struct err err = ERR_INIT;

	a->source = NULL;
	if (!why && !a->op.cancelled && !aws_auth_take_printed(a, aws_remote_keys(op), &err))
		why = &err;
	op_finish(&a->op, why);
}

/* Ask the service that is configured, if there is one. */
static bool aws_auth_ask_service(struct aws_auth *a, struct http *http,
				 const struct model_config *config)
{
	a->name = aws_remote_origin(config);
	if (!a->name)
		return false;
	a->form = AWS_FORM_SERVICE;
	a->source = aws_remote_start(a->op.loop, http, config, THEN(aws_auth_on_remote, a));
	return true;
}

static bool aws_auth_begin(struct aws_auth *a, struct http *http, const struct model_config *config,
			   struct err *err)
{
	const char *origin, *process = NULL;
	bool has_none;

	if (config->aws_export) {
		a->form = AWS_FORM_EXPORT;
		aws_auth_run(a, (struct helper){ .name = "awsCredentialExport",
						 .command = config->aws_export,
						 .env = config->helper_env });
		return true;
	}
	if (config->aws_role.role)
		return aws_auth_ask_service(a, http, config);
	if (!aws_credentials_read(&a->credential, &origin, &process, &a->arena, config, err)) {
		has_none = err->kind == ERR_NOT_FOUND ||
			   (err->kind == ERR_UNSUPPORTED && config->aws_identity.token_file);
		return has_none && aws_auth_ask_service(a, http, config);
	}
	if (process)
		return aws_auth_run_process(a, config, process, err);
	a->keep_ms = FILES_KEEP_MS;
	return true;
}

static void auth_cancel(struct op *op)
{
	op_cancel(container_of(op, struct aws_auth, op)->source);
}

static void auth_free(struct op *op)
{
	struct aws_auth *a = container_of(op, struct aws_auth, op);

	arena_clear(&a->arena);
	free(a);
}

static const struct op_type auth_type = { .name = "aws keys",
					  .cancel = auth_cancel,
					  .free = auth_free };

struct op *aws_auth_start(struct loop *loop, struct http *http, const struct model_config *config,
			  struct then then)
{
	struct aws_auth *a = xnew(struct aws_auth);
	struct err err = ERR_INIT;

	op_init(&a->op, &auth_type, loop, then);
	if (!aws_auth_begin(a, http, config, &err))
		op_finish(&a->op, &err);
	else if (!a->source)
		op_finish(&a->op, NULL);
	return &a->op;
}

struct credential aws_auth_take(struct op *op, struct arena *arena, int64_t *keep_ms)
{
	struct aws_auth *a = container_of(op, struct aws_auth, op);

	*arena = a->arena;
	a->arena = (struct arena)ARENA_INIT;
	*keep_ms = a->keep_ms;
	return a->credential;
}
