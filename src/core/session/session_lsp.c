/* The language servers of a session: started for the first question about a file of their language, ended with the
 * session. Those that the user has not configured must not run what a repository brings along: they run in the sandbox,
 * in a trusted project, or are known to run nothing. */
#include "core/hooks/session_hooks.h"
#include "lsp/query.h"
#include "store/settings/settings.h"
#include "tool/lsp/lsp_call.h"

struct session_lsp {
	struct session *s;
	struct arena arena;               /* of the configurations */
	VEC(struct lsp_server *) servers; /* in the order in which they were needed */
};

static struct sandbox *session_lsp_sandbox(void *arg)
{
	const struct session_lsp *lsp = arg;

	return lsp->s->shared.sandbox;
}

static void session_lsp_on_end(void *arg)
{
	struct session_lsp *lsp = arg;

	if (session_is_closed(lsp->s))
		session_settle(lsp->s);
}

static struct session_lsp *session_lsp_open(struct session *s)
{
	if (!s->lsp) {
		s->lsp = xnew(struct session_lsp);
		s->lsp->s = s;
	}
	return s->lsp;
}

static struct lsp_server *session_lsp_running(const struct session_lsp *lsp, struct sv extension)
{
	for (size_t i = 0; lsp && i < lsp->servers.n; i++)
		if (lsp_config_language(lsp_server_config(lsp->servers.at[i]), extension).len)
			return lsp->servers.at[i];
	return NULL;
}

/* The configuration for an extension: the user's own, or a well-known server. */
static bool session_lsp_find(struct session *s, struct sv extension, struct lsp_config *out,
			     struct arena *arena, struct err *err)
{
	struct json_iter it = json_each(settings_get(s->settings, "lspServers"));
	struct json entry;
	struct sv name;

	while (json_next(&it, &name, &entry)) {
		if (!json_exists(json_get(json_get(entry, "extensionToLanguage"),
					  arena_dup(arena, extension).ptr)))
			continue;
		return lsp_config_read(out, name, entry, arena, err);
	}
	if (lsp_config_find(out, extension, s->child_env.at, sv_cstr(s->shared.root), arena))
		return true;
	return err_set(err, ERR_NOT_FOUND, "There is no language server for %.*s files; use Grep.",
		       SV_ARG(extension));
}

bool session_lsp_check(void *arg, const struct tool_call *call, struct err *err)
{
	struct session *s = arg;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct lsp_call asked = lsp_call_read(call);
	struct sv extension = lsp_extension(asked.path);
	struct lsp_config config;
	bool needs_place = false;

	if (!lsp_query_knows(asked.operation, &needs_place))
		return err_set(err, ERR_INVALID, "There is no such operation.");
	if (needs_place && (asked.line < 1 || asked.character < 1))
		return err_set(err, ERR_INVALID,
			       "The operation needs line and character, counted from 1.");
	if (session_lsp_running(s->lsp, extension))
		return true;
	if (!session_lsp_find(s, extension, &config, &arena, err))
		return false;
	if (!config.runs_project || s->shared.sandbox || session_trusts_project(s))
		return true;
	return err_set(err, ERR_ACCESS,
		       "%s may run programs of the project, so it needs the sandbox, a trusted "
		       "project, or "
		       "an entry in lspServers; use Grep.",
		       config.run.name);
}

static struct lsp_server *session_lsp_server(struct session *s, struct sv extension,
					     struct err *err)
{
	struct session_lsp *lsp = session_lsp_open(s);
	struct lsp_server *server = session_lsp_running(lsp, extension);
	struct lsp_server_opts opts = { .link = { .loop = s->engine->loop,
						  .env = s->child_env.at,
						  .project_dir = s->shared.root,
						  .sandbox = session_lsp_sandbox,
						  .sandbox_arg = lsp },
					.root = s->shared.root,
					.on_end = session_lsp_on_end,
					.arg = lsp };

	if (server || !session_lsp_find(s, extension, &opts.config, &lsp->arena, err))
		return server;
	vec_push(&lsp->servers, lsp_server_new(&opts));
	return *vec_last(&lsp->servers);
}

struct op *session_lsp_ask(void *arg, struct tool_call *call, struct then then)
{
	struct session *s = arg;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct lsp_call asked = lsp_call_read(call);
	struct sv path = tool_real_path(call->ctx, asked.path, &arena);
	struct err err = ERR_INIT;
	struct lsp_query_opts opts = {
		.server = session_lsp_server(s, lsp_extension(path), &err),
		.operation = asked.operation,
		.path = path,
		.line = asked.line,
		.character = asked.character,
		.query = asked.query,
		.root = sv_of(&call->ctx->cwd),
	};

	if (opts.server)
		return lsp_query_start(s->engine->loop, &opts, &call->result.text, then);
	tool_fail(&call->result, "%s", err.text);
	return op_settled(s->engine->loop, then);
}

void session_lsp_close(struct session *s)
{
	for (size_t i = 0; s->lsp && i < s->lsp->servers.n; i++)
		lsp_server_stop(s->lsp->servers.at[i]);
}

bool session_lsp_is_quiet(const struct session *s)
{
	for (size_t i = 0; s->lsp && i < s->lsp->servers.n; i++)
		if (!lsp_server_is_quiet(s->lsp->servers.at[i]))
			return false;
	return true;
}

void session_lsp_free(struct session_lsp *lsp)
{
	if (!lsp)
		return;
	for (size_t i = 0; i < lsp->servers.n; i++)
		lsp_server_free(lsp->servers.at[i]);
	vec_clear(&lsp->servers);
	arena_clear(&lsp->arena);
	free(lsp);
}
