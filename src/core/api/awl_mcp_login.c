/* awl.h: logging in to MCP servers on the network, and out again. Each call runs a loop of its own. */
#include <errno.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "core/api/awl_project.h"
#include "mcp/auth/auth.h"
#include "sys/poll.h"

struct awl_mcp_login_run {
	const struct awl_mcp_login *how;
	struct loop *loop;
	struct http *http;
	struct mcp_auth *auth;
	struct str credentials;
	struct project project;
	struct settings *settings;
	struct op *op;
	struct err why;
	struct poll *poll; /* of how->paste_fd */
	struct str pasted; /* the incomplete last line */
	struct task take;
};

/* Find the server by its name. One that a session would not start is not asked for anything. */
static const struct mcp_config *awl_mcp_login_find(struct awl_project *p, const char *name,
						   bool is_asked, struct err *err)
{
	const struct awl_mcp_server *servers;
	const struct mcp_source *source;
	size_t n;

	if (awl_mcp_list(p, &servers, &n) != AWL_OK) {
		err_set(err, ERR_INVALID, "%s", awl_last_error());
		return NULL;
	}
	source = mcp_sources_find(&p->mcp, sv_cstr(name));
	if (!source)
		err_set(err, ERR_NOT_FOUND,
			"no MCP server found with name: %s; 'awl mcp list' shows them", name);
	else if (is_asked && source->standing != MCP_READY && source->standing != MCP_DISABLED)
		err_set(err, ERR_ACCESS, "MCP server %s: %s", name, source->why);
	else if (!source->config.url)
		err_set(err, ERR_INVALID, "MCP server %s is a program, and needs no login", name);
	else
		return &source->config;
	return NULL;
}

static bool awl_mcp_login_open(struct awl_mcp_login_run *r, struct awl_project *p, struct err *err)
{
	const char *dir = awl_project_config_dir(p);

	if (!dir)
		return err_set(err, ERR_NOT_FOUND, "there is no home directory for the tokens");
	str_addf(&r->credentials, "%s/.credentials.json", dir);
	awl_project_look(p, &r->project);
	r->settings = settings_load(&r->project.files, &p->notes, err);
	if (!r->settings)
		return false;
	r->loop = loop_new();
	r->http = http_new(r->loop, &(struct http_config){ .env = awl_project_env(p) }, err);
	return r->http != NULL;
}

static void awl_mcp_login_close(struct awl_mcp_login_run *r)
{
	if (r->poll)
		poll_free(r->poll);
	mcp_auth_free(r->auth);
	http_free(r->http);
	str_clear(&r->credentials);
	str_clear(&r->pasted);
	settings_free(r->settings);
	project_clear(&r->project);
	if (!r->loop)
		return;
	loop_run(r->loop); /* what the poll left behind */
	loop_free(r->loop);
}

static void awl_mcp_login_show(void *arg, __attribute__((unused)) const char *server,
			       const char *url)
{
	struct awl_mcp_login_run *r = arg;

	r->how->show(r->how->arg, url);
}

static void awl_mcp_login_notice(void *arg, const char *text)
{
	struct awl_mcp_login_run *r = arg;

	if (r->how && r->how->refuse)
		r->how->refuse(r->how->arg, text);
}

static void awl_mcp_login_on_done(__attribute__((unused)) struct op *op, void *owner,
				  const struct err *why)
{
	struct awl_mcp_login_run *r = owner;

	r->op = NULL;
	if (why)
		r->why = *why;
	if (r->poll)
		poll_free(r->poll);
	r->poll = NULL;
	loop_stop(r->loop);
}

/* --- what is pasted ----------------------------------------------------------------- */

/* From the FIFO: take complete lines. */
static void awl_mcp_login_take(struct task *task)
{
	struct awl_mcp_login_run *r = container_of(task, struct awl_mcp_login_run, take);
	size_t end;

	while (r->op && (end = sv_find_char(sv_of(&r->pasted), '\n')) != SIZE_MAX) {
		struct sv line = sv_trim(sv_slice(sv_of(&r->pasted), 0, end));
		struct err err = ERR_INIT;

		if (line.len && !mcp_auth_paste(r->op, line, &err) && r->how->refuse)
			r->how->refuse(r->how->arg, err.text);
		str_consume(&r->pasted, end + 1);
	}
}

static void awl_mcp_login_on_ready(void *arg, int fd, __attribute__((unused)) int events)
{
	struct awl_mcp_login_run *r = arg;
	char bytes[4096];
	ssize_t n = read(fd, bytes, sizeof(bytes));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0 || !str_add_capped(&r->pasted, sv_from(bytes, (size_t)n), LIMIT_HTTP_URL)) {
		poll_want(r->poll, 0); /* nobody pastes any more */
		return;
	}
	loop_post(r->loop, &r->take);
}

static void awl_mcp_login_listen(struct awl_mcp_login_run *r)
{
	if (r->how->paste_fd < 0)
		return;
	r->take.run = awl_mcp_login_take;
	r->poll = poll_new(r->loop, r->how->paste_fd, awl_mcp_login_on_ready, r);
	if (r->poll)
		poll_want(r->poll, POLL_READABLE);
}

/* --- the calls ------------------------------------------------------------------------ */

enum awl_result awl_mcp_login(struct awl_project *p, const char *name,
			      const struct awl_mcp_login *how)
{
	defer(awl_mcp_login_close) struct awl_mcp_login_run r = { .how = how,
								  .project = PROJECT_INIT };
	struct err err = ERR_INIT;
	const struct mcp_config *config = awl_mcp_login_find(p, name, true, &err);

	if (!config || !awl_mcp_login_open(&r, p, &err))
		return awl_fail(&err);
	r.auth = mcp_auth_new(
		&(struct mcp_auth_opts){ .loop = r.loop,
					 .http = r.http,
					 .credentials_file = str_c(&r.credentials),
					 .env = awl_project_env(p),
					 .opens_browser = how->opens_browser,
					 .idp = mcp_idp_read(settings_get(r.settings, "xaaIdp")),
					 .show_url = how->show ? awl_mcp_login_show : NULL,
					 .notice = awl_mcp_login_notice,
					 .arg = &r });
	awl_mcp_login_listen(&r);
	r.op = mcp_auth_login_start(r.auth, config, THEN(awl_mcp_login_on_done, &r));
	loop_run(r.loop);
	return awl_end(r.why.kind == ERR_NONE, &r.why);
}

enum awl_result awl_mcp_logout(struct awl_project *p, const char *name)
{
	defer(awl_mcp_login_close) struct awl_mcp_login_run r = { .project = PROJECT_INIT };
	struct err err = ERR_INIT;
	const struct mcp_config *config = awl_mcp_login_find(p, name, true, &err);

	if (!config || !awl_mcp_login_open(&r, p, &err))
		return awl_fail(&err);
	r.auth = mcp_auth_new(&(struct mcp_auth_opts){ .loop = r.loop,
						       .http = r.http,
						       .credentials_file = str_c(&r.credentials),
						       .env = awl_project_env(p) });
	r.op = mcp_auth_logout_start(r.auth, config, THEN(awl_mcp_login_on_done, &r));
	loop_run(r.loop);
	return awl_end(r.why.kind == ERR_NONE, &r.why);
}

enum awl_result awl_mcp_set_client_secret(struct awl_project *p, const char *name,
					  const char *secret)
{
	struct err err = ERR_INIT;
	const struct mcp_config *config = awl_mcp_login_find(p, name, false, &err);
	const char *dir = awl_project_config_dir(p);
	defer(str_clear) struct str file = STR_INIT;

	if (config && !dir)
		err_set(&err, ERR_NOT_FOUND, "there is no home directory for the secret");
	if (!config || !dir)
		return awl_fail(&err);
	str_addf(&file, "%s/.credentials.json", dir);
	return awl_end(mcp_auth_set_client_secret(str_c(&file), config, sv_cstr(secret), &err),
		       &err);
}
