#include "base/limits.h"
#include "base/mem.h"
#include "machine/request.h"
#include "net/http/http_core.h"
#include "net/public_address.h"

static struct sim *world(struct request *r)
{
	return sim_world(r->op.loop);
}

static void record(struct request *r)
{
	struct sim_http_request *seen = sim_server_record(world(r));

	seen->method = xstrdup(r->method);
	seen->url = xstrdup(r->url);
	str_add(&seen->headers, sv_of(&r->headers));
	for (size_t i = 0; i < r->nbody; i++)
		str_add(&seen->body, r->body[i]);
}

static void on_play(struct sim_event *event);

static void on_connected(struct sim_event *event)
{
	struct request *r = container_of(event, struct request, play);

	record(r);
	request_enter(r, PHASE_FIRST_BYTE);
	r->play.fire = on_play;
	on_play(event);
}

static void set_where(struct request *r, const struct http_url *url)
{
	struct str where = STR_INIT;

	http_url_origin(&where, url);
	free(r->where);
	r->where = str_detach(&where);
}

void exchange_begin(struct request *r)
{
	struct http_url url;
	struct err err;

	if (!http_url_parse(&url, r->url, &err)) {
		request_end(r, &err);
		return;
	}
	set_where(r, &url);
	if (r->public_only && !public_host(url.host)) {
		request_fail(r, ERR_ACCESS, HTTP_NOT_PUBLIC);
		return;
	}
	if (sim_fault(world(r), ERR_REFUSED, r->where, &err)) {
		request_end(r, &err);
		return;
	}
	r->server = sim_server_for(world(r), r->method, r->url);
	if (!r->server) {
		request_fail(r, ERR_REFUSED, "connection refused (no simulated server answers)");
		return;
	}
	r->step = r->sent = 0;
	r->play.fire = on_connected;
	request_enter(r, PHASE_CONNECT);
	sim_arm(r->op.loop, &r->play, r->server->connect_ms);
}

static struct sv location(struct request *r)
{
	struct http_header headers[REQUEST_HEADERS];
	struct http_head head = { .headers = headers };

	head.nheaders = request_headers(headers, countof(headers), sv_of(&r->head));
	return http_header(&head, "location");
}

static bool is_redirect(int status)
{
	return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

/* Do not send credentials to another host. */
static void drop_credentials(struct request *r)
{
	struct sv lines = sv_of(&r->headers), line, value, name;
	struct str kept = STR_INIT;

	while (sv_cut_line(&lines, &line)) {
		value = line;
		if (sv_cut(&value, ':', &name) &&
		    (sv_eq_nocase(name, SV("authorization")) || sv_eq_nocase(name, SV("cookie"))))
			continue;
		str_add(&kept, line);
		str_addc(&kept, '\n');
	}
	str_clear(&r->headers);
	r->headers = kept;
}

/* As in curl, a POST becomes a GET unless the status forbids that. */
static void change_method(struct request *r)
{
	if (r->status == 307 || r->status == 308 || sv_is(sv_cstr(r->method), "HEAD"))
		return;
	free(r->method);
	r->method = xstrdup("GET");
	r->nbody = 0;
}

static void follow(struct request *r, struct sv to)
{
	struct str url = STR_INIT;
	struct http_url old, new;
	struct err err;

	if (sv_starts(to, SV("/")))
		str_adds(&url, r->where);
	str_add(&url, to);
	if (!http_url_parse(&old, r->url, &err) || !http_url_parse(&new, str_c(&url), &err) ||
	    (old.tls && !new.tls)) {
		str_clear(&url);
		request_fail(r, ERR_PROTOCOL, "redirected to where nobody may follow");
		return;
	}
	if (!sv_eq_nocase(old.host, new.host))
		drop_credentials(r);
	change_method(r);
	free(r->url);
	r->url = str_detach(&url);
	str_clear(&r->head);
	exchange_begin(r);
}

static void play_head(struct request *r, const struct sim_http_step *step)
{
	r->status = (int)step->n;
	str_truncate(&r->head, 0);
	str_add(&r->head, step->text);
	if (r->redirects_left && is_redirect(r->status) && location(r).len) {
		if (r->redirects_left-- > 1)
			follow(r, location(r));
		else
			request_fail(r, ERR_PROTOCOL, "too many redirects");
		return;
	}
	request_enter(r, PHASE_IDLE);
	r->head_waits = true;
	r->step++;
	loop_post(r->op.loop, &r->notify);
	sim_arm(r->op.loop, &r->play, 0);
}

/* Deliver one piece of a body, as much as fits in the buffer. */
static void play_body(struct request *r, struct sv text)
{
	size_t space = LIMIT_HTTP_BUFFER - min_of(r->buffer.len, LIMIT_HTTP_BUFFER);
	struct sv rest = sv_skip(text, r->sent);
	size_t piece = min_of(rest.len, space);

	r->blocked = rest.len && !space;
	if (r->blocked)
		return; /* wait until somebody reads */
	if (piece) {
		piece = sim_wire_piece(world(r), piece);
		r->received += piece;
		r->sent += piece;
		if (r->received > r->max_body) {
			request_fail(r, ERR_TOO_BIG, "the response is longer than allowed");
			return;
		}
		str_add(&r->buffer, sv_slice(rest, 0, piece));
		request_enter(r, PHASE_IDLE);
		loop_post(r->op.loop, &r->notify);
	}
	if (r->sent == text.len) {
		r->step++;
		r->sent = 0;
	}
	sim_arm(r->op.loop, &r->play, 0);
}

static void play_end(struct request *r)
{
	if (r->phase == PHASE_FIRST_BYTE)
		request_fail(r, ERR_RESET, "closed without an answer");
	else
		request_end(r, NULL);
}

static void play_step(struct request *r, const struct sim_http_step *step)
{
	switch (step->act) {
	case SIM_HTTP_HEAD: play_head(r, step); break;
	case SIM_HTTP_BODY: play_body(r, step->text); break;
	case SIM_HTTP_WAIT:
		r->step++;
		sim_arm(r->op.loop, &r->play, step->n);
		break;
	case SIM_HTTP_STALL: break;
	case SIM_HTTP_RESET: request_fail(r, ERR_RESET, "closed in the middle"); break;
	case SIM_HTTP_FAIL: request_fail(r, (enum err_kind)step->n, "failed as scripted"); break;
	}
}

static void on_play(struct sim_event *event)
{
	struct request *r = container_of(event, struct request, play);
	const struct sim_http_step *step;
	struct err err;

	if (r->step == r->server->n) {
		play_end(r);
		return;
	}
	step = &r->server->steps[r->step];
	if ((step->act == SIM_HTTP_HEAD || step->act == SIM_HTTP_BODY) &&
	    sim_fault(world(r), ERR_RESET, r->where, &err))
		request_end(r, &err);
	else
		play_step(r, step);
}
