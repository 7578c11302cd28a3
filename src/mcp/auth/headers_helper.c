#include "mcp/auth/headers_helper.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "sys/child.h"
#include "text/json/json.h"

enum { HELPER_MS = 10 * 1000 };

struct helper_run {
	struct op op;
	struct op *child;
	const char *server; /* its name */
	struct str *out;
	struct str text;
};

bool headers_helper_is_sound(struct sv name, struct sv value)
{
	static const char marks[] = "!#$%&'*+-.^_`|~";

	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool is_word =
			(c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

		if (!is_word && (!c || !strchr(marks, c)))
			return false;
	}
	for (size_t i = 0; i < value.len; i++)
		if (((unsigned char)value.ptr[i] < ' ' && value.ptr[i] != '\t') ||
		    value.ptr[i] == 0x7f)
			return false;
	return name.len > 0;
}

static void headers_helper_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct helper_run *r = owner;

	if (from == CHILD_OUT)
		str_add(&r->text, bytes); /* capped by max_output */
}

static bool headers_helper_read(struct helper_run *r, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(&r->text), 0, err);
	struct json_iter it;
	struct json value;
	struct sv name, text;

	if (!doc || !json_is(json_root(doc), JSON_OBJECT))
		return err_set(err, ERR_INVALID, "headersHelper of %s must print a JSON object",
			       r->server);
	for (it = json_each(json_root(doc)); json_next(&it, &name, &value);)
		if (!json_str(value, &text) || !headers_helper_is_sound(name, text))
			return err_set(err, ERR_INVALID,
				       "headersHelper of %s printed something that is not a header",
				       r->server);
	str_add(r->out, sv_of(&r->text));
	return true;
}

static void headers_helper_on_ended(struct op *op, void *owner, const struct err *why)
{
	struct helper_run *r = owner;
	struct err err = ERR_INIT;

	r->child = NULL;
	if (why && why->kind != ERR_CANCELLED)
		err_set(&err, why->kind, "headersHelper of %s: %s", r->server, why->text);
	else if (why)
		err = *why;
	else if (child_result(op).code != 0)
		err_set(&err, ERR_ACCESS, "headersHelper of %s exited with status %d", r->server,
			child_result(op).code);
	else
		(void)!headers_helper_read(r, &err);
	op_finish(&r->op, err.kind == ERR_NONE ? NULL : &err);
}

static void helper_run_cancel(struct op *op)
{
	op_cancel(container_of(op, struct helper_run, op)->child);
}

static void helper_run_free(struct op *op)
{
	struct helper_run *r = container_of(op, struct helper_run, op);

	str_clear(&r->text);
	free(r);
}

static const struct op_type helper_run_type = { .name = "headersHelper",
						.cancel = helper_run_cancel,
						.free = helper_run_free };

struct op *headers_helper_start(const struct mcp_link_env *env, const struct mcp_config *config,
				struct str *out, struct then then)
{
	const char *const argv[] = { "/bin/sh", "-c", config->headers_helper, NULL };
	struct helper_run *r = xnew(struct helper_run);
	defer(str_clear) struct str name = STR_INIT;
	defer(str_clear) struct str url = STR_INIT;
	VEC(const char *) variables = VEC_INIT;
	struct child_opts opts = { .argv = argv,
				   .cwd = config->cwd ? config->cwd : env->project_dir,
				   .max_output = LIMIT_MCP_HEADERS,
				   .deadline_ms = HELPER_MS,
				   .on_data = headers_helper_on_data };

	op_init(&r->op, &helper_run_type, env->loop, then);
	r->server = config->name;
	r->out = out;
	str_addf(&name, "CLAUDE_CODE_MCP_SERVER_NAME=%s", config->name);
	str_addf(&url, "CLAUDE_CODE_MCP_SERVER_URL=%s", config->url);
	for (size_t i = 0; env->env && env->env[i]; i++)
		vec_push(&variables, env->env[i]);
	vec_push(&variables, str_c(&name));
	vec_push(&variables, str_c(&url));
	vec_push(&variables, NULL);
	opts.env = variables.at;
	r->child = child_start(env->loop, &opts, THEN(headers_helper_on_ended, r));
	vec_clear(&variables);
	return &r->op;
}
