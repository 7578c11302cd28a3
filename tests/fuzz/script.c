/* A script is read, or refused with a line that exists. One that is read answers
 * in every wire with acts that are in order, within their bytes and ended once;
 * and its faults only split the answer or cut it short. */
#include "model/script/script.h"

#include "base/mem.h"
#include "model/script/script_respond.h"
#include "model/script/script_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONG = 1 << 16 };

static void check_refusal(struct sv text, const struct err *err)
{
	struct sv rest = sv_cstr(err->text), name, number, line;
	int64_t at;
	int64_t lines = 1;

	BUG_ON(err->kind != ERR_PARSE && err->kind != ERR_TOO_BIG);
	while (sv_cut_line(&text, &line))
		lines++;
	BUG_ON(!sv_cut(&rest, ':', &name) || !sv_is(name, "s") || !sv_cut(&rest, ':', &number));
	BUG_ON(!sv_to_int(number, &at) || at < 1 || at > lines);
}

static void check_play(const struct play *p)
{
	size_t end = 0, heads = 0;

	BUG_ON(!p->acts.n);
	for (size_t i = 0; i < p->acts.n; i++) {
		const struct play_act *act = &p->acts.at[i];
		bool last = i == p->acts.n - 1;

		BUG_ON((act->kind >= PLAY_END) != last);
		heads += act->kind == PLAY_HEAD;
		if (act->kind != PLAY_BYTES && act->kind != PLAY_GARBAGE)
			continue;
		BUG_ON(act->from != end || act->to <= act->from || act->to > p->bytes.len);
		BUG_ON(act->kind == PLAY_BYTES && heads != 1);
		end = act->to;
	}
	BUG_ON(heads > 1 || (heads && (p->status < 200 || p->status > 599)));
	for (size_t i = 0; i < p->headers.n; i++)
		BUG_ON(!server_header_is_sound(&p->headers.at[i]));
}

static struct sv body_of(const struct play *p)
{
	size_t from = 0, to = 0;

	for (size_t i = 0; i < p->acts.n; i++)
		if (p->acts.at[i].kind == PLAY_BYTES) {
			from = to ? from : p->acts.at[i].from;
			to = p->acts.at[i].to;
		}
	return sv_slice(sv_of(&p->bytes), from, to);
}

/* The same reply without its faults says the same, and perhaps more. */
static void check_faults(const struct script_reply *reply, const struct script_request *request)
{
	defer(play_clear) struct play with = PLAY_INIT, without = PLAY_INIT;
	struct script_reply sound = *reply;

	sound.faults = (struct script_faults){ .end_at = SIZE_MAX };
	script_render(&with, reply, request, 1);
	script_render(&without, &sound, request, 1);
	check_play(&with);
	check_play(&without);
	BUG_ON(!sv_starts(body_of(&without), body_of(&with)));
	BUG_ON(reply->faults.end_at == SIZE_MAX && !sv_eq(body_of(&without), body_of(&with)));
}

static const struct {
	const char *path, *body;
} asks[] = {
	{ "/v1/messages",
	  "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}" },
	{ "/v1/messages", "{\"messages\":[]}" },
	{ "/chat/completions", "{\"stream\":true,\"messages\":[]}" },
	{ "/chat/completions", "{\"messages\":[]}" },
	{ "/responses", "{\"stream\":true,\"input\":\"x\"}" },
	{ "/responses", "{\"input\":[]}" },
	{ "/models", "" },
};

static void ask_all(struct script *s)
{
	for (size_t i = 0; i < countof(asks); i++) {
		struct server_request http = { .method = *asks[i].body ? SV("POST") : SV("GET"),
					       .path = sv_cstr(asks[i].path),
					       .body = sv_cstr(asks[i].body) };
		defer(play_clear) struct play play = PLAY_INIT;
		defer(str_clear) struct str complaint = STR_INIT;

		script_respond(s, &http, &play, &complaint);
		check_play(&play);
		BUG_ON(complaint.len && play.status != 400);
	}
}

static void render_all(const struct script *s)
{
	static const struct {
		enum script_wire wire;
		const char *body;
	} requests[] = { { SCRIPT_ANTHROPIC, "{\"stream\":true,\"messages\":[]}" },
			 { SCRIPT_CHAT, "{\"messages\":[]}" },
			 { SCRIPT_RESPONSES, "{\"stream\":true,\"input\":[]}" } };
	struct script_request request;
	struct err err;

	for (size_t i = 0; i < countof(requests); i++) {
		struct server_request http = { .body = sv_cstr(requests[i].body) };

		if (!script_request_read(&request, requests[i].wire, &http, &err))
			BUG("%s", err.text);
		for (size_t k = 0; k < s->replies.n; k++)
			check_faults(&s->replies.at[k], &request);
		script_request_clear(&request);
	}
}

/* A short line may ask for a text of 128 MiB. */
static bool is_long(const struct script *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->replies.n; i++)
		for (size_t k = 0; k < s->replies.at[i].steps.n && n < LONG; k++)
			n += (s->replies.at[i].steps.at[k].text.len + 1) *
			     s->replies.at[i].steps.at[k].times;
	return n >= LONG;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	defer(mem_freep) char *copy = xmemdup(data, size); /* reading on is caught */
	struct sv text = sv_from(copy, size);
	struct err err = ERR_INIT;
	defer(script_freep) struct script *s = script_parse(text, "s", &err);

	if (!s) {
		check_refusal(text, &err);
	} else if (!is_long(s)) {
		ask_all(s);
		render_all(s);
	}
	return 0;
}
