#include "model/script/replay.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/script/player.h"
#include "model/script/request_diff.h"
#include "model/script/request_view.h"
#include "sys/fs.h"
#include "text/base64.h"
#include "text/json/json.h"

/* One recorded exchange; its lines are decoded when it is replayed. */
struct recorded {
	struct str method, path, body;
	VEC(struct sv) lines; /* of the response */
	bool used;
};

/* Other input of the run; see record.h. */
struct note {
	struct str name, text;
	bool used;
};

struct replay {
	struct transport base;
	struct loop *loop;
	struct replay_opts opts;
	struct str text; /* of the file */
	VEC(struct recorded) exchanges;
	VEC(struct note) notes;
	size_t run; /* the first exchange of the current run */
	size_t left;
	struct str difference;
};

static struct replay *replay_of(struct transport *transport)
{
	return container_of(transport, struct replay, base);
}

/* --- reading ------------------------------------------------------------- */

static bool replay_read_bytes(struct str *out, struct json line, struct err *err)
{
	struct sv text;

	if (json_str(json_get(line, "text"), &text)) {
		str_add(out, text);
		return true;
	}
	return json_need_str(line, "base64", &text, err) &&
	       base64_decode(out, text, BASE64_STD, err);
}

/* Ids count up from 1 in each run that was recorded into the file. */
static struct recorded *replay_find_id(struct replay *r, int64_t id)
{
	if (id < 1 || (uint64_t)id > r->exchanges.n - r->run)
		return NULL;
	return &r->exchanges.at[r->run + (size_t)id - 1];
}

static bool replay_read_request(struct replay *r, struct json line, int64_t id, struct err *err)
{
	struct recorded *x;
	struct sv method, url;
	struct http_request request = { .method = NULL };
	struct server_request seen;
	defer(str_clear) struct str body = STR_INIT, none = STR_INIT;

	if (!json_need_str(line, "method", &method, err) ||
	    !json_need_str(line, "url", &url, err) || !replay_read_bytes(&body, line, err))
		return false;
	if (id != (int64_t)(r->exchanges.n - r->run) + 1)
		return err_set(err, ERR_PARSE, "request %lld is out of order", (long long)id);
	request.url = url.ptr;
	request_view(&seen, &none, &request);
	x = vec_add(&r->exchanges);
	x->body = body;
	body = (struct str)STR_INIT;
	str_add(&x->method, method);
	str_add(&x->path, seen.path);
	r->left++;
	return true;
}

static bool replay_read_note(struct replay *r, struct json line, struct err *err)
{
	struct note *note;
	struct sv name;
	defer(str_clear) struct str text = STR_INIT;

	if (!json_need_str(line, "name", &name, err) || !replay_read_bytes(&text, line, err))
		return false;
	note = vec_add(&r->notes);
	str_add(&note->name, name);
	note->text = text;
	text = (struct str)STR_INIT;
	return true;
}

static bool replay_read_line(struct replay *r, struct json line, struct sv text, struct err *err)
{
	struct recorded *x;
	struct sv type;
	int64_t id, version = 0;

	if (!json_need_str(line, "type", &type, err))
		return false;
	if (sv_is(type, "recording")) {
		r->run = r->exchanges.n;
		return json_need_int(line, "version", &version, err) &&
		       (version == 1 ||
			err_set(err, ERR_UNSUPPORTED, "recording version %lld is not supported",
				(long long)version));
	}
	if (sv_is(type, "note"))
		return replay_read_note(r, line, err);
	if (!json_need_int(line, "id", &id, err))
		return false;
	if (sv_is(type, "request"))
		return replay_read_request(r, line, id, err);
	x = replay_find_id(r, id);
	if (!x)
		return err_set(err, ERR_PARSE, "no request %lld precedes it", (long long)id);
	vec_push(&x->lines, text);
	return true;
}

static bool replay_read_file(struct replay *r, const char *path, struct err *err)
{
	struct json_pool pool = JSON_POOL_INIT;
	struct sv rest, text;
	size_t number = 0;
	bool ok = fs_read(&r->text, path, LIMIT_RECORDING, err);

	rest = sv_of(&r->text);
	while (ok && sv_cut_line(&rest, &text)) {
		struct json line;

		number++;
		ok = json_parse_in(&pool, text, 0, &line, err) &&
		     replay_read_line(r, line, text, err);
		if (!ok)
			err_context(err, "%s:%zu", path, number);
	}
	json_pool_clear(&pool);
	if (ok && !r->exchanges.n)
		return err_set(err, ERR_INVALID, "%s: the recording is empty", path);
	return ok;
}

/* --- answering ----------------------------------------------------------- */

static enum err_kind replay_kind_named(struct sv name)
{
	for (int kind = ERR_NONE + 1; kind < ERR_KINDS; kind++)
		if (sv_is(name, err_kind_name((enum err_kind)kind)))
			return (enum err_kind)kind;
	return ERR_IO;
}

static void replay_add_head(struct play *play, struct json line)
{
	struct json_iter it = json_each(json_get(line, "headers"));
	struct json pair;

	play->status = (int)json_int_or(json_get(line, "status"), 0);
	while (json_next(&it, NULL, &pair))
		play_header(play, json_str_or(json_at(pair, 0), SV_EMPTY),
			    json_str_or(json_at(pair, 1), SV_EMPTY));
	play_act(play, PLAY_HEAD);
}

static void replay_add_end(struct play *play, struct json line)
{
	struct json error = json_get(line, "error");
	struct err why;

	if (!json_exists(error)) {
		play_act(play, PLAY_END);
		return;
	}
	err_set(&why, replay_kind_named(json_str_or(json_get(error, "kind"), SV_EMPTY)), "%.*s",
		SV_ARG(json_str_or(json_get(error, "text"), SV("failed"))));
	play_fail(play, &why);
}

static bool replay_add_line(struct play *play, struct json line, struct err *err)
{
	struct sv type = json_str_or(json_get(line, "type"), SV_EMPTY);

	if (sv_is(type, "head")) {
		replay_add_head(play, line);
	} else if (sv_is(type, "body")) {
		if (!replay_read_bytes(&play->bytes, line, err))
			return false;
		play_flush(play, PLAY_BYTES);
	} else if (sv_is(type, "end")) {
		replay_add_end(play, line);
	}
	return true;
}

/* The lines were checked when the file was read. */
static bool replay_make_play(const struct replay *r, const struct recorded *x, struct play *play,
			     struct err *err)
{
	struct json_pool pool = JSON_POOL_INIT;
	struct err cut;
	int64_t now = 0;
	bool ok = true;

	for (size_t i = 0; ok && i < x->lines.n; i++) {
		struct json line;
		int64_t ms;

		ok = json_parse_in(&pool, x->lines.at[i], 0, &line, err);
		ms = ok ? json_int_or(json_get(line, "ms"), now) : now;
		if (r->opts.timed && ms > now)
			play_wait(play, ms - now);
		now = max_of(now, ms);
		ok = ok && replay_add_line(play, line, err);
	}
	json_pool_clear(&pool);
	if (ok && (!play->acts.n || vec_last(&play->acts)->kind < PLAY_END)) {
		err_set(&cut, ERR_RESET, "the recording ends in the middle of this response");
		play_fail(play, &cut);
	}
	return ok;
}

/* --- matching ------------------------------------------------------------ */

static bool is_for(const struct recorded *x, const struct server_request *request)
{
	return sv_eq(sv_of(&x->method), request->method) && sv_eq(sv_of(&x->body), request->body) &&
	       (request->body.len || sv_eq(sv_of(&x->path), request->path));
}

/* Returns the first exchange of this request, else the first one left, or NULL. */
static struct recorded *replay_find(struct replay *r, const struct server_request *request,
				    bool *matches)
{
	struct recorded *first = NULL;

	*matches = true;
	for (size_t i = 0; i < r->exchanges.n; i++) {
		struct recorded *x = &r->exchanges.at[i];

		if (x->used)
			continue;
		first = first ? first : x;
		if (is_for(x, request))
			return x;
		if (r->opts.in_order)
			break;
	}
	*matches = false;
	return first;
}

static void replay_explain(struct replay *r, const struct recorded *x,
			   const struct server_request *request, struct err *err)
{
	defer(str_clear) struct str where = STR_INIT;

	if (!x) {
		err_set(err, ERR_STALE,
			"the recording has no more requests: all %zu have been replayed",
			r->exchanges.n);
		return;
	}
	request_difference(&where, sv_of(&x->body), request->body);
	if (!where.len)
		str_addf(&where, "recorded %s %s, now %.*s %.*s", str_c(&x->method),
			 str_c(&x->path), SV_ARG(request->method), SV_ARG(request->path));
	err_set(err, ERR_STALE, "the request differs from recorded request %zu: %s",
		(size_t)(x - r->exchanges.at) + 1, str_c(&where));
	request_diff(&r->difference, sv_of(&x->body), request->body);
}

static void replay_respond(struct replay *r, const struct server_request *request,
			   struct play *play)
{
	struct err err;
	bool matches;
	struct recorded *x = replay_find(r, request, &matches);

	str_truncate(&r->difference, 0);
	if (!matches) {
		replay_explain(r, x, request, &err);
		play_fail(play, &err);
		return;
	}
	x->used = true;
	r->left--;
	if (!replay_make_play(r, x, play, &err)) {
		play_clear(play);
		*play = (struct play)PLAY_INIT;
		play_fail(play, &err);
	}
}

/* --- the transport ------------------------------------------------------- */

static struct op *replay_start(struct transport *transport, const struct http_request *request,
			       struct then then)
{
	struct replay *r = replay_of(transport);
	defer(str_clear) struct str body = STR_INIT, kept = STR_INIT, path = STR_INIT;
	defer(play_clear) struct play play = PLAY_INIT;
	struct server_request seen;

	request_view(&seen, &body, request);
	redact_text(&kept, r->opts.secrets, seen.body);
	redact_url(&path, r->opts.secrets, seen.path);
	seen.body = sv_of(&kept);
	seen.path = sv_of(&path);
	replay_respond(r, &seen, &play);
	return player_start(r->loop, &play, request, then);
}

static void replay_pause_reading(__attribute__((unused)) struct transport *transport, struct op *op,
				 bool paused)
{
	player_pause(op, paused);
}

static void replay_free_transport(struct transport *transport)
{
	struct replay *r = replay_of(transport);

	for (size_t i = 0; i < r->exchanges.n; i++) {
		str_clear(&r->exchanges.at[i].method);
		str_clear(&r->exchanges.at[i].path);
		str_clear(&r->exchanges.at[i].body);
		vec_clear(&r->exchanges.at[i].lines);
	}
	vec_clear(&r->exchanges);
	for (size_t i = 0; i < r->notes.n; i++) {
		str_clear(&r->notes.at[i].name);
		str_clear(&r->notes.at[i].text);
	}
	vec_clear(&r->notes);
	str_clear(&r->text);
	str_clear(&r->difference);
	free(r);
}

struct transport *transport_replay(struct loop *loop, const struct replay_opts *opts,
				   struct err *err)
{
	struct replay *r = xnew(struct replay);

	r->base = (struct transport){ .start = replay_start,
				      .pause = replay_pause_reading,
				      .free = replay_free_transport };
	r->loop = loop;
	r->opts = *opts;
	if (replay_read_file(r, opts->path, err))
		return &r->base;
	replay_free_transport(&r->base);
	return NULL;
}

struct sv replay_difference(const struct transport *transport)
{
	return sv_of(&replay_of((struct transport *)transport)->difference);
}

struct sv replay_note(struct transport *transport, const char *name)
{
	struct replay *r = replay_of(transport);

	for (size_t i = 0; i < r->notes.n; i++) {
		struct note *note = &r->notes.at[i];

		if (note->used || !sv_is(sv_of(&note->name), name))
			continue;
		note->used = true;
		return sv_of(&note->text);
	}
	return SV_EMPTY;
}
