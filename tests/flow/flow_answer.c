/* answer: what the model says, as the bytes of the Messages API. */
#include "flow_agent.h"
#include "machine/servers.h"
#include "text/json/json_write.h"

struct stream {
	struct str body;
	int index;
	bool calls;
	struct sv stop;
	int64_t input, output;
	int number; /* of the answer */
};

static void sse(struct str *out, const char *name, struct sv data)
{
	str_addf(out, "event: %s\ndata: %.*s\n\n", name, SV_ARG(data));
}

static void begin_stream(struct stream *s)
{
	defer(str_clear) struct str data = STR_INIT;

	str_addf(&data,
		 "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_%d\",\"type\":\"message\","
		 "\"role\":\"assistant\",\"model\":\"m\",\"content\":[],\"stop_reason\":null,"
		 "\"usage\":{\"input_tokens\":%lld,\"output_tokens\":1}}}",
		 s->number, (long long)s->input);
	sse(&s->body, "message_start", sv_of(&data));
}

static void put_block(struct stream *s, struct sv start, const char *delta, struct sv value)
{
	defer(str_clear) struct str data = STR_INIT;
	struct jw w;

	str_addf(&data, "{\"type\":\"content_block_start\",\"index\":%d,\"content_block\":%.*s}",
		 s->index, SV_ARG(start));
	sse(&s->body, "content_block_start", sv_of(&data));
	str_truncate(&data, 0);
	jw_init(&w, &data, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "type", SV("content_block_delta"));
	jw_put_int(&w, "index", s->index);
	jw_put_object(&w, "delta");
	jw_put_strf(&w, "type", "%s_delta", delta);
	jw_put_str(&w, sv_is(sv_cstr(delta), "input_json") ? "partial_json" : delta, value);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	sse(&s->body, "content_block_delta", sv_of(&data));
	str_truncate(&data, 0);
	str_addf(&data, "{\"type\":\"content_block_stop\",\"index\":%d}", s->index++);
	sse(&s->body, "content_block_stop", sv_of(&data));
}

static void put_tool(struct stream *s, struct sv rest)
{
	defer(str_clear) struct str start = STR_INIT;
	struct sv id = take_word(&rest), name = take_word(&rest);

	str_addf(&start, "{\"type\":\"tool_use\",\"id\":\"%.*s\",\"name\":\"%.*s\",\"input\":{}}",
		 SV_ARG(id), SV_ARG(name));
	put_block(s, sv_of(&start), "input_json", sv_trim(rest));
	s->calls = true;
}

static void end_stream(struct stream *s)
{
	defer(str_clear) struct str data = STR_INIT;

	str_addf(&data,
		 "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"%.*s\"},\"usage\":"
		 "{\"output_tokens\":%lld}}",
		 SV_ARG(s->stop.len ? s->stop
			: s->calls  ? SV("tool_use")
				    : SV("end_turn")),
		 (long long)s->output);
	sse(&s->body, "message_delta", sv_of(&data));
	sse(&s->body, "message_stop", SV("{\"type\":\"message_stop\"}"));
}

typedef VEC(struct sim_http_step) step_vec;

/* The bytes said so far become a step of their own. */
static void flush(struct stream *s, step_vec *steps, struct arena *arena)
{
	if (s->body.len)
		vec_push(steps,
			 ((struct sim_http_step){ .act = SIM_HTTP_BODY,
						  .text = arena_dup(arena, sv_of(&s->body)) }));
	str_truncate(&s->body, 0);
}

static bool put_line(struct stream *s, const struct line *line, step_vec *steps,
		     struct arena *arena, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	int64_t ms;

	if (sv_is(line->name, "text") || sv_is(line->name, "thinking")) {
		bool thinks = sv_is(line->name, "thinking");

		if (!text_decode(&text, line->args, err))
			return false;
		put_block(
			s,
			thinks ? SV("{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"s\"}")
			       : SV("{\"type\":\"text\",\"text\":\"\"}"),
			thinks ? "thinking" : "text", sv_of(&text));
	} else if (sv_is(line->name, "tool")) {
		put_tool(s, line->args);
	} else if (sv_is(line->name, "stop")) {
		s->stop = line->args;
	} else if (sv_is(line->name, "wait")) {
		if (!parse_ms(&ms, line->args, err))
			return false;
		flush(s, steps, arena);
		vec_push(steps, ((struct sim_http_step){ .act = SIM_HTTP_WAIT, .n = ms }));
	} else if (sv_is(line->name, "stall") || sv_is(line->name, "reset")) {
		flush(s, steps, arena);
		vec_push(steps, ((struct sim_http_step){ .act = sv_is(line->name, "stall")
									? SIM_HTTP_STALL
									: SIM_HTTP_RESET }));
	} else if (!sv_is(line->name, "usage")) {
		return err_set(err, ERR_INVALID, "line %d: an answer has no \"%.*s\"", line->number,
			       SV_ARG(line->name));
	}
	return true;
}

static bool read_usage(struct stream *s, const struct line *line, struct err *err)
{
	for (size_t i = 0; i < line->nblock; i++) {
		struct sv rest = line->block[i].args;

		if (sv_is(line->block[i].name, "usage") &&
		    (!parse_count(&s->input, take_word(&rest), err) ||
		     !parse_count(&s->output, take_word(&rest), err)))
			return false;
	}
	return true;
}

bool flow_do_answer(struct flow *f, const struct line *line, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct stream s = { .input = 10, .output = 5, .number = flow_agent_next_answer(f) };
	step_vec steps = VEC_INIT;
	bool fine = read_usage(&s, line, err);

	vec_push(&steps, ((struct sim_http_step){ SIM_HTTP_HEAD, 200,
						  SV_INIT("content-type: text/event-stream") }));
	begin_stream(&s);
	for (size_t i = 0; fine && i < line->nblock; i++)
		fine = put_line(&s, &line->block[i], &steps, &arena, err);
	end_stream(&s);
	flush(&s, &steps, &arena);
	if (fine)
		sim_http(f->world, &(struct sim_http_rule){ .url = "https://*/v1/messages*",
							    .steps = steps.at,
							    .n = steps.n,
							    .uses = 1 });
	str_clear(&s.body);
	vec_clear(&steps);
	arena_clear(&arena);
	return fine;
}
