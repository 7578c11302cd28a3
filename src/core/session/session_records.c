#include "core/session/session_records.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "core/agent/agent_internal.h"
#include "core/session/session_host.h"
#include "core/session/session_internal.h"
#include "proto/message.h"

void session_records_clear(struct session_records *records)
{
	str_clear(&records->memories);
}

void session_records_add(struct session *s, const char *subtype, struct sv content, struct sv facts)
{
	struct uuid uuid;

	if (!s->conversation.transcript || !agent_last_record(s->agent).len)
		return;
	uuid = uuid_v4(loop_rng(s->engine->loop));
	(void)!agent_record(s->agent, &(struct transcript_record){ .type = "system",
								   .subtype = sv_cstr(subtype),
								   .content = content,
								   .uuid = sv_cstr(uuid.text),
								   .facts = facts });
}

/* --- a turn ------------------------------------------------------------------------------- */

void session_records_begin_turn(struct session *s)
{
	s->records.started_ms = loop_now(s->engine->loop);
	str_truncate(&s->records.memories, 0);
	costs_begin_turn(&s->costs);
}

static void session_records_add_duration(struct session *s)
{
	defer(str_clear) struct str facts = STR_INIT;
	struct jw w;

	jw_init(&w, &facts, JW_COMPACT);
	jw_object(&w);
	jw_put_int(&w, "durationMs", loop_now(s->engine->loop) - s->records.started_ms);
	jw_put_int(&w, "messageCount", (int64_t)agent_history(s->agent)->messages.n);
	jw_end(&w);
	jw_done(&w);
	session_records_add(s, "turn_duration", SV_EMPTY, sv_of(&facts));
}

static void session_records_add_metrics(struct session *s)
{
	defer(str_clear) struct str facts = STR_INIT;
	struct jw w;

	jw_init(&w, &facts, JW_COMPACT);
	jw_object(&w);
	usage_work_write(&w, &s->costs.last_turn);
	jw_end(&w);
	jw_done(&w);
	session_records_add(s, "api_metrics", SV_EMPTY, sv_of(&facts));
}

void session_records_end_turn(struct session *s)
{
	session_records_add_memories(s, sv_of(&s->records.memories));
	session_records_add_duration(s);
	session_records_add_metrics(s);
}

/* --- the memory --------------------------------------------------------------------------- */

void session_records_note_memory(struct session *s, struct sv data)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct str *memories = &s->records.memories;
	struct err ignored = ERR_INIT;
	struct sv path;
	struct jw w;

	if (!s->memory_dir.len || memories->len > LIMIT_NOTES ||
	    sv_find(data, SV("\"structuredPatch\"")) == SIZE_MAX ||
	    sv_find(data, sv_of(&s->memory_dir)) == SIZE_MAX)
		return;
	doc = json_parse(data, 0, &ignored);
	path = json_str_or(json_get(json_root(doc), MESSAGE_RESULT_FILE), SV_EMPTY);
	if (!sv_starts(path, sv_of(&s->memory_dir)))
		return;
	if (memories->len)
		str_addc(memories, ',');
	jw_init(&w, memories, JW_COMPACT);
	jw_str(&w, path);
	jw_done(&w);
}

void session_records_add_memories(struct session *s, struct sv paths)
{
	defer(str_clear) struct str list = STR_INIT;

	if (!paths.len)
		return;
	str_addf(&list, "{\"writtenPaths\":[%.*s]}", SV_ARG(paths));
	session_records_add(s, "memory_saved", SV_EMPTY, sv_of(&list));
}

/* --- prompts -------------------------------------------------------------------------------- */

static void session_records_put_channel(struct str *out, struct sv server)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "kind", SV("channel"));
	jw_put_str(&w, "server", server);
	jw_end(&w);
	jw_done(&w);
}

/* Whether a person or a program wrote a prompt is known only at a terminal. */
void session_records_origin(struct str *out, const struct session *s,
			    const struct session_waiting *w)
{
	if (w->origin.len)
		str_add(out, sv_of(&w->origin));
	else if (w->channel.len)
		session_records_put_channel(out, sv_of(&w->channel));
	else if (w->is_notice)
		str_adds(out, "{\"kind\":\"task-notification\"}");
	else if (session_is_at_terminal(s))
		str_adds(out, "{\"kind\":\"human\"}");
}

void session_records_paste_ids(struct str *out, struct sv blocks)
{
	static const struct sv mark = SV_INIT("[Image #");
	size_t at;

	if (sv_find(blocks, SV("\"type\":\"image\"")) == SIZE_MAX)
		return;
	while ((at = sv_find(blocks, mark)) != SIZE_MAX) {
		size_t n = 0;

		blocks = sv_skip(blocks, at + mark.len);
		while (n < 6 && n < blocks.len && ascii_is_digit(blocks.ptr[n]))
			n++;
		if (n && sv_starts(sv_skip(blocks, n), SV("]")) && blocks.ptr[0] != '0')
			str_addf(out, "%c%.*s", out->len ? ',' : '[', (int)n, blocks.ptr);
	}
	if (out->len)
		str_addc(out, ']');
}
