/* host.h - a program that embeds awl: an engine on the real machine in a directory of
 * its own, whose model is the built-in demo or a script over loopback, and a log of
 * all that its session tells. */
#ifndef AWL_TESTS_UNIT_CORE_HOST_H
#define AWL_TESTS_UNIT_CORE_HOST_H

#include <awl.h>
#include <poll.h>

#include "../sys/temp_dir.h"
#include "model/script/script_server.h"
#include "sys/loop.h"
#include "text/json/json.h"

struct host {
	struct str dir; /* cwd and, in "config", all that is kept */
	char *config;
	/* The scripted model; on a loop of its own, as if it were elsewhere. NULL: none. */
	struct loop *elsewhere;
	struct script *script;
	struct script_server *server;

	struct awl *awl;
	struct awl_session *session;
	struct str log;          /* a line an event: "result success" */
	struct str result;       /* the last one, JSON */
	struct str question;     /* request_id of the last one */
	enum awl_result outcome; /* of the last turn */
	int events, results;
	bool is_calling; /* into the library: nothing may call back now */
	void (*on_event)(struct host *h, const struct awl_event *event); /* may be NULL */
	int at;                                                          /* for on_event */
	struct awl_call *call; /* of a tool, not finished yet; may be NULL */
};

static inline void host_env(const char *name, const char *value)
{
	if (value)
		setenv(name, value, 1);
	else
		unsetenv(name);
}

/* Whoever runs the tests may have a model configured. */
static inline void host_forget_models(void)
{
	static const char *const variables[] = {
		"ANTHROPIC_API_KEY",       "ANTHROPIC_AUTH_TOKEN",    "ANTHROPIC_BASE_URL",
		"ANTHROPIC_MODEL",         "ANTHROPIC_DEFAULT_MODEL", "AWL_API_KEY_HELPER",
		"CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX",
		"CLAUDE_CODE_USE_FOUNDRY", "OPENAI_API_KEY",          "OPENAI_BASE_URL",
	};

	for (size_t i = 0; i < countof(variables); i++)
		host_env(variables[i], NULL);
}

static inline void host_serve(struct host *h, const char *script)
{
	struct script_server_opts opts = { .address = "127.0.0.1" };
	defer(str_clear) struct str url = STR_INIT;
	struct err err = ERR_INIT;

	h->script = script_parse(sv_cstr(script), "test", &err);
	CHECK_OK(h->script != NULL, err);
	h->elsewhere = loop_new();
	opts.script = h->script;
	h->server = script_server_new(h->elsewhere, &opts, &err);
	CHECK_OK(h->server != NULL, err);
	str_addf(&url, "http://127.0.0.1:%d", script_server_port(h->server));
	host_env("ANTHROPIC_BASE_URL", str_c(&url));
	host_env("ANTHROPIC_API_KEY", "no-secret");
	host_env("no_proxy", "127.0.0.1");
}

/* `script` NULL: the built-in demo answers. */
static inline void host_init(struct host *h, const char *script)
{
	struct awl_options options = AWL_OPTIONS_INIT;
	struct err err = ERR_INIT;

	*h = (struct host){ .at = -1 };
	CHECK_OK(fs_temp_dir(&h->dir, &err), err);
	h->config = path_in(&h->dir, "config");
	host_forget_models();
	if (script)
		host_serve(h, script);
	options.config_dir = h->config;
	if (awl_open(&h->awl, &options) != AWL_OK)
		fail_msg("%s", awl_last_error());
	host_forget_models();
}

static inline void host_close(struct host *h)
{
	awl_close(h->awl);
	h->awl = NULL;
	h->session = NULL;
}

static inline void host_clear(struct host *h)
{
	host_close(h);
	script_server_free(h->server);
	if (h->elsewhere)
		loop_run(h->elsewhere);
	loop_free(h->elsewhere);
	script_free(h->script);
	str_clear(&h->log);
	str_clear(&h->result);
	str_clear(&h->question);
	free(h->config);
	temp_dir_remove(&h->dir);
}

#define HOST(name, script)                  \
	defer(host_clear) struct host name; \
	host_init(&name, script)

/* Which result a call has; on failure the error is shown. */
#define CHECK_RESULT(call, expected)                                              \
	do {                                                                      \
		enum awl_result result_ = (call);                                 \
		if (result_ != (expected))                                        \
			fail_msg("%s is %s: %s", #call, awl_result_name(result_), \
				 awl_last_error());                               \
	} while (0)

/* --- events ----------------------------------------------------------------------- */

static inline void host_member(struct str *out, struct sv json, const char *path)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, 0, &err);

	CHECK_OK(doc != NULL, err);
	str_truncate(out, 0);
	str_add(out, json_str_or(json_path(json_root(doc), path), SV_EMPTY));
}

static inline void host_take(struct host *h, const struct awl_event *event)
{
	const char *subtype = awl_event_subtype(event);

	CHECK_INT(strlen(awl_event_json(event)), awl_event_length(event));
	h->events++;
	str_addf(&h->log, "%s%s%s", awl_event_type(event), *subtype ? " " : "", subtype);
	if (awl_event_kind(event) == AWL_EVENT_STATE)
		str_addf(&h->log, " %s", awl_event_text(event));
	str_addc(&h->log, '\n');
	if (awl_event_kind(event) == AWL_EVENT_QUESTION)
		str_set(&h->question, sv_cstr(awl_event_request_id(event)));
	if (awl_event_kind(event) == AWL_EVENT_RESULT) {
		h->results++;
		h->outcome = awl_event_result(event);
		str_set(&h->result, sv_cstr(awl_event_json(event)));
	}
}

static inline void host_on_event(void *arg, struct awl_session *session,
				 const struct awl_event *event)
{
	struct host *h = arg;

	CHECK(!h->is_calling);
	CHECK(session == h->session);
	host_take(h, event);
	if (h->on_event)
		h->on_event(h, event);
}

/* What a turn without tools tells. */
#define HOST_TURN                                \
	"system session_state_changed running\n" \
	"system init\n"                          \
	"assistant\n"                            \
	"result success\n"                       \
	"system session_state_changed idle\n"

/* --- sessions --------------------------------------------------------------------- */

/* With no tools, nothing kept and nothing read, unless changed. */
static inline struct awl_session_options host_options(const struct host *h)
{
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;

	options.cwd = str_c(&h->dir);
	options.tools = "";
	options.skip_instructions = true;
	options.skip_transcript = true;
	return options;
}

static inline void host_open(struct host *h, const struct awl_session_options *options)
{
	struct awl_session_options usual = host_options(h);

	if (awl_session_open(&h->session, h->awl, options ? options : &usual, host_on_event, h) !=
	    AWL_OK)
		fail_msg("%s", awl_last_error());
}

/* Calls into the library, during which it must not call back. */
#define HOST_CALL(h, call)               \
	do {                             \
		(h)->is_calling = true;  \
		call;                    \
		(h)->is_calling = false; \
	} while (0)

/* Lets both worlds work until `condition`; only what is broken takes a minute. */
#define HOST_UNTIL(h, condition)                             \
	do {                                                 \
		int rounds_ = 0;                             \
		while (!(condition) && rounds_++ < 100000)   \
			host_wait(h);                        \
		if (!(condition))                            \
			print_error("%s", str_c(&(h)->log)); \
		CHECK(condition);                            \
	} while (0)

static inline void host_wait(struct host *h)
{
	struct pollfd fds[] = {
		{ .fd = awl_fd(h->awl), .events = POLLIN },
		{ .fd = h->elsewhere ? loop_fd(h->elsewhere) : -1, .events = POLLIN },
	};

	if (poll(fds, countof(fds), 60000) == 0)
		fail_msg("nothing happens any more; so far:\n%s", str_c(&h->log));
	if (fds[0].revents)
		awl_dispatch(h->awl);
	if (fds[1].revents)
		loop_turn(h->elsewhere);
}

static inline bool host_has(const struct host *h, const char *line)
{
	return strstr(str_c(&h->log), line) != NULL;
}

/* A member of the last result, as text. */
static inline void host_check_result(const struct host *h, const char *member, const char *value)
{
	defer(str_clear) struct str found = STR_INIT;

	host_member(&found, sv_of(&h->result), member);
	CHECK_STR(str_c(&found), value);
}

#endif
