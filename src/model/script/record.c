#include "model/script/record.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "model/script/request_view.h"
#include "sys/fs.h"
#include "text/base64.h"
#include "text/json/json_write.h"

struct recorder {
	struct transport base;
	struct loop *loop;
	struct transport *inner;
	struct record_opts opts;
	struct fs_log *log; /* NULL: it failed */
	int64_t last_id;
};

/* One exchange that is passed on and recorded. */
struct tape {
	struct op op;
	struct recorder *recorder;
	struct op *inner;
	int64_t id, started_at;
	http_head_fn *on_head;
	http_body_fn *on_body;
};

/* --- lines --------------------------------------------------------------- */

static void record_begin_line(struct jw *w, struct str *out, const char *type)
{
	jw_init(w, out, JW_COMPACT);
	jw_object(w);
	jw_put_str(w, "type", sv_cstr(type));
}

/* The lines of an exchange. */
static void record_open_line(struct jw *w, struct str *out, const char *type, int64_t id)
{
	record_begin_line(w, out, type);
	jw_put_int(w, "id", id);
}

static void record_close_line(struct jw *w, struct str *out)
{
	jw_end(w);
	jw_done(w);
	str_addc(out, '\n');
}

static void record_put_bytes(struct jw *w, struct sv bytes)
{
	defer(str_clear) struct str coded = STR_INIT;

	if (utf8_valid(bytes, NULL)) {
		jw_put_str(w, "text", bytes);
		return;
	}
	base64_encode(&coded, bytes, BASE64_STD);
	jw_put_str(w, "base64", sv_of(&coded));
}

static void record_put_headers(struct jw *w, const struct redact *secrets,
			       const struct http_header *headers, size_t n, bool received)
{
	jw_put_array(w, "headers");
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str value = STR_INIT;

		redact_header(&value, secrets, &headers[i], received);
		jw_array(w);
		jw_str(w, headers[i].name);
		jw_str(w, sv_of(&value));
		jw_end(w);
	}
	jw_end(w);
}

void record_request(struct str *out, int64_t id, const struct server_request *request,
		    struct sv url, const struct redact *secrets)
{
	defer(str_clear) struct str body = STR_INIT, where = STR_INIT;
	struct jw w;

	redact_text(&body, secrets, request->body);
	redact_url(&where, secrets, url);
	record_open_line(&w, out, "request", id);
	jw_put_str(&w, "method", request->method);
	jw_put_str(&w, "url", sv_of(&where));
	record_put_headers(&w, secrets, request->headers, request->nheaders, false);
	record_put_bytes(&w, sv_of(&body));
	record_close_line(&w, out);
}

static void record_write_line(struct recorder *r, const struct str *line)
{
	struct err err = ERR_INIT;

	if (!r->log || fs_log_add(r->log, sv_of(line), &err))
		return;
	fs_log_closep(&r->log);
	if (r->opts.on_error)
		r->opts.on_error(r->opts.owner, &err);
}

static struct recorder *recorder_of(struct transport *transport)
{
	return container_of(transport, struct recorder, base);
}

void record_note(struct transport *transport, const char *name, struct sv text)
{
	struct recorder *r = recorder_of(transport);
	defer(str_clear) struct str line = STR_INIT, kept = STR_INIT;
	struct jw w;

	redact_text(&kept, r->opts.secrets, text);
	record_begin_line(&w, &line, "note");
	jw_put_str(&w, "name", sv_cstr(name));
	record_put_bytes(&w, sv_of(&kept));
	record_close_line(&w, &line);
	record_write_line(r, &line);
}

static int64_t record_elapsed(const struct tape *t)
{
	return loop_now(t->op.loop) - t->started_at;
}

/* --- listening ----------------------------------------------------------- */

static void record_on_head(void *owner, const struct http_head *head)
{
	struct tape *t = owner;
	defer(str_clear) struct str line = STR_INIT;
	struct jw w;

	record_open_line(&w, &line, "head", t->id);
	jw_put_int(&w, "ms", record_elapsed(t));
	jw_put_int(&w, "status", head->status);
	record_put_headers(&w, t->recorder->opts.secrets, head->headers, head->nheaders, true);
	record_close_line(&w, &line);
	record_write_line(t->recorder, &line);
	if (t->on_head)
		t->on_head(t->op.then.owner, head);
}

static void record_on_body(void *owner, struct sv bytes)
{
	struct tape *t = owner;
	defer(str_clear) struct str line = STR_INIT, kept = STR_INIT;
	struct jw w;

	redact_text(&kept, t->recorder->opts.secrets, bytes);
	record_open_line(&w, &line, "body", t->id);
	jw_put_int(&w, "ms", record_elapsed(t));
	record_put_bytes(&w, sv_of(&kept));
	record_close_line(&w, &line);
	record_write_line(t->recorder, &line);
	if (t->on_body)
		t->on_body(t->op.then.owner, bytes);
}

static void record_on_done(__attribute__((unused)) struct op *op, void *owner,
			   const struct err *why)
{
	struct tape *t = owner;
	defer(str_clear) struct str line = STR_INIT;
	struct jw w;

	t->inner = NULL;
	record_open_line(&w, &line, "end", t->id);
	jw_put_int(&w, "ms", record_elapsed(t));
	if (why) {
		jw_put_object(&w, "error");
		jw_put_str(&w, "kind", sv_cstr(err_kind_name(why->kind)));
		jw_put_str(&w, "text", sv_cstr(why->text));
		jw_end(&w);
	}
	record_close_line(&w, &line);
	record_write_line(t->recorder, &line);
	op_finish(&t->op, why);
}

/* --- the transport ------------------------------------------------------- */

static void tape_cancel(struct op *op)
{
	op_cancel(container_of(op, struct tape, op)->inner);
}

static void tape_free(struct op *op)
{
	free(container_of(op, struct tape, op));
}

static const struct op_type tape_type = { .name = "record",
					  .cancel = tape_cancel,
					  .free = tape_free };

static struct op *record_start(struct transport *transport, const struct http_request *request,
			       struct then then)
{
	struct recorder *r = recorder_of(transport);
	struct tape *t = xnew(struct tape);
	struct http_request ask = *request;
	struct server_request seen;
	defer(str_clear) struct str line = STR_INIT, body = STR_INIT;

	op_init(&t->op, &tape_type, r->loop, then);
	t->recorder = r;
	t->id = ++r->last_id;
	t->started_at = loop_now(r->loop);
	t->on_head = request->on_head;
	t->on_body = request->on_body;
	request_view(&seen, &body, request);
	record_request(&line, t->id, &seen, sv_cstr(request->url), r->opts.secrets);
	record_write_line(r, &line);
	ask.on_head = record_on_head;
	ask.on_body = record_on_body;
	t->inner = r->inner->start(r->inner, &ask, THEN(record_on_done, t));
	return &t->op;
}

static void record_pause_reading(struct transport *transport, struct op *op, bool paused)
{
	struct recorder *r = recorder_of(transport);
	struct tape *t = container_of(op, struct tape, op);

	if (t->inner)
		r->inner->pause(r->inner, t->inner, paused);
}

static void record_free_transport(struct transport *transport)
{
	struct recorder *r = recorder_of(transport);

	transport_free(r->inner);
	fs_log_closep(&r->log);
	free(r);
}

static bool record_begin_file(struct recorder *r, struct err *err)
{
	defer(str_clear) struct str line = STR_INIT;

	r->log = fs_log_open(r->opts.path, 0600, err);
	if (!r->log)
		return false;
	str_addf(&line, "{\"type\":\"recording\",\"version\":1,\"wall\":%lld}\n",
		 (long long)loop_wall(r->loop));
	return fs_log_add(r->log, sv_of(&line), err);
}

struct transport *transport_record(struct loop *loop, struct transport *inner,
				   const struct record_opts *opts, struct err *err)
{
	struct recorder *r = xnew(struct recorder);

	r->base = (struct transport){ .start = record_start,
				      .pause = record_pause_reading,
				      .free = record_free_transport };
	r->loop = loop;
	r->inner = inner;
	r->opts = *opts;
	if (record_begin_file(r, err))
		return &r->base;
	record_free_transport(&r->base);
	return NULL;
}
