/* `awl model-server`: serve a scripted model over HTTP until SIGINT or SIGTERM. Fails
 * if the script is invalid, the address is in use, or a request was not what the script
 * expects. */
#include <signal.h>

#include "base/limits.h"
#include "cli/output.h"
#include "model/script/record.h"
#include "model/script/script_server.h"
#include "sys/fs.h"
#include "sys/signal.h"

/* The running server. */
struct model_service {
	struct loop *loop;
	struct script *script;
	struct script_server *server;
	struct fs_log *log; /* of requests; may be NULL */
	struct op *signals[2];
	int64_t requests;
	enum exit_code code;
};

static void model_server_stop(struct model_service *s)
{
	script_server_free(s->server);
	s->server = NULL;
	for (size_t i = 0; i < countof(s->signals); i++)
		op_cancel(s->signals[i]);
}

static void model_server_on_signal(void *owner, __attribute__((unused)) int signo)
{
	model_server_stop(owner);
}

static void model_server_on_signal_done(struct op *op, void *owner,
					__attribute__((unused)) const struct err *why)
{
	struct model_service *s = owner;

	for (size_t i = 0; i < countof(s->signals); i++)
		if (s->signals[i] == op)
			s->signals[i] = NULL;
}

static void model_server_on_complaint(void *owner, const char *text)
{
	struct model_service *s = owner;
	struct sv rest = sv_cstr(text), line;

	while (sv_cut_line(&rest, &line))
		s->code = failure("%.*s", SV_ARG(line));
}

static void model_server_on_request(void *owner, const struct server_request *request)
{
	struct model_service *s = owner;
	defer(str_clear) struct str line = STR_INIT;
	static const struct redact nothing = REDACT_INIT;
	struct err err = ERR_INIT;

	record_request(&line, ++s->requests, request, request->path, &nothing);
	if (fs_log_add(s->log, sv_of(&line), &err))
		return;
	s->code = failure("%s", err.text);
	model_server_stop(s);
}

static bool model_server_load_script(struct model_service *s, const char *path, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;

	if (!fs_read(&text, path, LIMIT_SCRIPT, err))
		return false;
	s->script = script_parse(sv_of(&text), path, err);
	return s->script != NULL;
}

static bool model_server_open_log(struct model_service *s, const char *path, struct err *err)
{
	if (path)
		s->log = fs_log_open(path, 0600, err);
	return !path || s->log;
}

static bool model_server_listen_on(struct model_service *s, const char *host, int port,
				   struct err *err)
{
	struct script_server_opts opts = { .address = host,
					   .port = port,
					   .script = s->script,
					   .on_request = s->log ? model_server_on_request : NULL,
					   .on_complaint = model_server_on_complaint,
					   .owner = s };

	s->server = script_server_new(s->loop, &opts, err);
	return s->server != NULL;
}

/* In a URL, IPv6 addresses need brackets. */
static void model_server_announce(struct model_service *s, const char *host)
{
	defer(str_clear) struct str line = STR_INIT;

	str_addf(&line,
		 strchr(host, ':') ? "listening on http://[%s]:%d\n"
				   : "listening on http://%s:%d\n",
		 host, script_server_port(s->server));
	s->code = output(sv_of(&line));
}

static void model_server_serve(struct model_service *s, const char *host, int port)
{
	static const int signals[] = { SIGINT, SIGTERM };
	struct err err = ERR_INIT;

	if (!model_server_listen_on(s, host, port, &err)) {
		s->code = failure("%s", err.text);
		return;
	}
	for (size_t i = 0; i < countof(signals); i++)
		s->signals[i] = signal_start(s->loop, signals[i], model_server_on_signal,
					     THEN(model_server_on_signal_done, s));
	model_server_announce(s, host);
	loop_run(s->loop);
}

static void model_server_service_clear(struct model_service *s)
{
	fs_log_closep(&s->log);
	script_free(s->script);
	loop_free(s->loop);
}

enum exit_code model_server_run(const struct args *args)
{
	defer(model_server_service_clear) struct model_service s = { .code = EXIT_OK };
	const char *port = args_value(args, "port"), *host = args_value(args, "host");
	int64_t number = 0;
	struct err err = ERR_INIT;

	if (!args->words.n)
		return usage_error("no script given; use 'awl model-server FILE'");
	if (port && (!sv_to_int(sv_cstr(port), &number) || number < 0 || number > UINT16_MAX))
		return usage_error("--port must be a number from 0 to 65535, not '%s'", port);
	if (!model_server_load_script(&s, args->words.at[0], &err) ||
	    !model_server_open_log(&s, args_value(args, "record-requests"), &err))
		return failure("%s", err.text);
	s.loop = loop_new();
	model_server_serve(&s, host ? host : "127.0.0.1", (int)number);
	return s.code;
}
