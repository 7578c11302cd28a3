/* Sends the input of a hook to a server; the body of the response is its answer.
 *
 * The settings say which servers may be called and which variables may leave the machine in headers.
 * A variable that is not allowed is sent as an empty text. */
#include "net/http.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "hook/job.h"
#include "net/env_var.h"

struct hook_http {
	int status;
	struct sv body;
	struct http_header *headers;
	size_t nheaders;
};

/* --- headers ------------------------------------------------------------------------------- */

static bool hook_http_may_use(const struct hook_job *job, struct sv name)
{
	for (size_t i = 0; i < job->handler->nenv_vars; i++)
		if (sv_eq(job->handler->env_vars[i], name))
			return hook_set_allows_variable(job->set, name);
	return false;
}

static void hook_http_add_variable(struct hook_job *job, struct str *out, struct sv name)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	const char *value;

	if (!hook_http_may_use(job, name))
		return;
	value = env_var(services->env ? services->env(services->arg) : NULL,
			arena_dup(&job->arena, name).ptr);
	str_adds(out, value ? value : "");
}

/* Cuts the name of a variable, "NAME" or "{NAME}", off the front. Empty: there is none. */
static struct sv hook_http_cut_name(struct sv *rest)
{
	bool braced = sv_starts(*rest, SV("{"));
	size_t from = braced, to = from;
	struct sv name;

	while (to < rest->len && ascii_is_word(rest->ptr[to]))
		to++;
	if (to == from || ascii_is_digit(rest->ptr[from]) ||
	    (braced && (to == rest->len || rest->ptr[to] != '}')))
		return SV_EMPTY;
	name = sv_slice(*rest, from, to);
	*rest = sv_skip(*rest, to + braced);
	return name;
}

/* Returns the value with its variables replaced. No value can begin another header. */
static struct sv hook_http_expand(struct hook_job *job, struct sv text)
{
	defer(str_clear) struct str out = STR_INIT;

	for (size_t at; (at = sv_find_char(text, '$')) != SIZE_MAX;) {
		struct sv name;

		str_add(&out, sv_slice(text, 0, at));
		text = sv_skip(text, at + 1);
		name = hook_http_cut_name(&text);
		if (name.len)
			hook_http_add_variable(job, &out, name);
		else
			str_addc(&out, '$');
	}
	str_add(&out, text);
	for (size_t i = 0; i < out.len; i++)
		if (out.ptr[i] == '\r' || out.ptr[i] == '\n' || !out.ptr[i])
			out.ptr[i] = ' ';
	return arena_dup(&job->arena, sv_of(&out));
}

static void hook_http_make_headers(struct hook_job *job, struct hook_http *own)
{
	const struct hook_handler *h = job->handler;

	own->headers = arena_calloc(&job->arena, h->nheaders + 1, sizeof(*own->headers));
	own->headers[own->nheaders++] =
		(struct http_header){ SV("Content-Type"), SV("application/json") };
	for (size_t i = 0; i < h->nheaders; i++)
		if (!sv_eq_nocase(h->headers[i].name, SV("Content-Type")))
			own->headers[own->nheaders++] =
				(struct http_header){ h->headers[i].name,
						      hook_http_expand(job, h->headers[i].value) };
}

/* --- the request ------------------------------------------------------------------------------ */

static void hook_http_on_head(void *owner, const struct http_head *head)
{
	struct hook_job *job = owner;
	struct hook_http *own = job->own;

	own->status = head->status;
}

static void hook_http_on_body(void *owner, struct sv bytes)
{
	hook_job_take(owner, false, bytes);
}

static struct op *hook_http_start(struct hook_job *job, struct then then)
{
	const struct hook_services *services = &hooks_opts(job->hooks)->services;
	struct hook_http *own = job->own = arena_new(&job->arena, struct hook_http);
	struct http *http;

	if (!hook_set_allows_url(job->set, job->handler->text)) {
		err_set(&job->failure, ERR_ACCESS, "allowedHttpHookUrls does not allow its URL");
		return NULL;
	}
	http = services->http(services->arg, &job->failure);
	if (!http)
		return NULL;
	own->body = sv_of(&job->payload->json);
	hook_http_make_headers(job, own);
	return http_start(http,
			  &(struct http_request){ .method = "POST",
						  .url = job->handler->text.ptr,
						  .headers = own->headers,
						  .nheaders = own->nheaders,
						  .body = &own->body,
						  .nbody = 1,
						  .max_body = LIMIT_HOOK_OUTPUT,
						  .on_head = hook_http_on_head,
						  .on_body = hook_http_on_body },
			  then);
}

static bool hook_http_end(struct hook_job *job, __attribute__((unused)) const struct op *op)
{
	const struct hook_http *own = job->own;

	if (job->failure.kind == ERR_NONE && (own->status < 200 || own->status > 299))
		err_set(&job->failure, ERR_PROTOCOL, "the server answered with status %d",
			own->status);
	return false;
}

const struct hook_kind hook_kind_http = { .start = hook_http_start, .end = hook_http_end };
