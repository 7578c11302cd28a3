#include "store/transcript/transcript_line.h"

#include "base/uuid.h"
#include "text/json/json.h"

static const struct {
	struct sv key;
	size_t offset;
} members[] = {
	{ SV_INIT("parentUuid"), offsetof(struct line, parent) },
	{ SV_INIT("isSidechain"), offsetof(struct line, side_chain) },
	{ SV_INIT("cwd"), offsetof(struct line, cwd) },
	{ SV_INIT("sessionId"), offsetof(struct line, session) },
	{ SV_INIT("type"), offsetof(struct line, type) },
	{ SV_INIT("uuid"), offsetof(struct line, uuid) },
	{ SV_INIT("isMeta"), offsetof(struct line, meta) },
	{ SV_INIT("permissionMode"), offsetof(struct line, permission_mode) },
	{ SV_INIT("subtype"), offsetof(struct line, subtype) },
	{ SV_INIT("logicalParentUuid"), offsetof(struct line, logical_parent) },
	{ SV_INIT("compactMetadata"), offsetof(struct line, compact_metadata) },
	{ SV_INIT("isApiErrorMessage"), offsetof(struct line, api_error) },
	{ SV_INIT("isVisibleInTranscriptOnly"), offsetof(struct line, transcript_only) },
	{ SV_INIT("isVirtual"), offsetof(struct line, virtual) },
	{ SV_INIT("isCompactSummary"), offsetof(struct line, compact_summary) },
	{ SV_INIT("customTitle"), offsetof(struct line, title) },
	{ SV_INIT("summary"), offsetof(struct line, summary) },
	{ SV_INIT("todos"), offsetof(struct line, todos) },
	{ SV_INIT("operation"), offsetof(struct line, operation) },
	{ SV_INIT("content"), offsetof(struct line, content) },
	{ SV_INIT("slug"), offsetof(struct line, slug) },
	{ SV_INIT("attachment"), offsetof(struct line, attachment) },
	{ SV_INIT("planContent"), offsetof(struct line, plan_content) },
	{ SV_INIT("messageUuid"), offsetof(struct line, queued) },
	{ SV_INIT("gitBranch"), offsetof(struct line, branch) },
	{ SV_INIT("tag"), offsetof(struct line, tag) },
	{ SV_INIT("agentSetting"), offsetof(struct line, agent_setting) },
	{ SV_INIT("aiTitle"), offsetof(struct line, ai_title) },
	{ SV_INIT("timestamp"), offsetof(struct line, timestamp) },
};

static void line_keep(struct line *line, struct sv key, struct sv value)
{
	for (size_t i = 0; i < countof(members); i++) {
		if (sv_eq(key, members[i].key)) {
			*(struct sv *)((char *)line + members[i].offset) = value;
			return;
		}
	}
}

static bool is_call(struct sv type)
{
	return sv_eq(type, SV("\"tool_use\"")) || sv_eq(type, SV("\"tool_result\""));
}

/* Moves past the content and reads its blocks on the way. Errors in them show when they are
 * parsed; the line keeps its place in the chain. */
static bool line_read_content(struct peek *message, struct assistant_message *parsed)
{
	struct sv key = SV_EMPTY, value;
	struct peek blocks, block;
	bool ok = true;

	if (!peek_enter(message, &blocks))
		return peek_skip(message, &parsed->content);
	while (ok && peek_item(&blocks, &key)) {
		if (!peek_enter(&blocks, &block)) {
			ok = peek_skip(&blocks, &value);
			continue;
		}
		while (peek_next(&block, &key, &value))
			parsed->has_calls |= sv_eq(key, SV("type")) && is_call(value);
		ok = peek_leave(&blocks, &block, &value);
	}
	return (ok && peek_leave(message, &blocks, &parsed->content)) ||
	       peek_skip(message, &parsed->content);
}

static bool line_read_message(struct peek *line, struct line *out)
{
	struct assistant_message *parsed = &out->parsed;
	struct sv key = SV_EMPTY, value;
	struct peek message;
	bool ok = true;

	*parsed = (struct assistant_message){ .content = SV_EMPTY };
	if (!peek_enter(line, &message) || message.close != '}')
		return peek_skip(line, &out->message);
	while (ok && peek_item(&message, &key)) {
		if (sv_eq(key, SV("content"))) {
			ok = line_read_content(&message, parsed);
			continue;
		}
		ok = peek_skip(&message, &value);
		if (ok && sv_eq(key, SV("id")))
			parsed->id = peek_plain(value);
		else if (ok && sv_eq(key, SV("model")))
			parsed->model = peek_plain(value);
		else if (ok && sv_eq(key, SV("usage")))
			parsed->usage = value;
	}
	return ok && peek_leave(line, &message, &out->message);
}

static bool line_read_any(struct line *out, struct sv text, bool is_side)
{
	struct line line = { .type = SV_EMPTY };
	struct sv key = SV_EMPTY, value;
	struct peek p;
	bool ok = true;

	if (!peek_begin(&p, text) || p.close != '}')
		return false;
	while (ok && (is_side || !line_flag(line.side_chain)) && peek_item(&p, &key)) {
		if (sv_eq(key, SV("message"))) {
			ok = line_read_message(&p, &line);
			continue;
		}
		ok = peek_skip(&p, &value);
		if (ok)
			line_keep(&line, key, value);
	}
	if (!ok || (!p.done && !line_flag(line.side_chain)))
		return false;
	if (is_side)
		line.side_chain = SV_EMPTY;
	*out = line;
	return true;
}

bool line_read(struct line *out, struct sv text)
{
	return line_read_any(out, text, false);
}

bool line_read_side(struct line *out, struct sv text)
{
	return line_read_any(out, text, true);
}

bool line_is(const struct line *line, const char *type)
{
	return sv_is(peek_plain(line->type), type);
}

bool line_is_message(const struct line *line)
{
	return (line_is(line, "user") || line_is(line, "assistant")) && line_id(line->uuid).len &&
	       line->message.len;
}

bool line_has_bad_id(const struct line *line)
{
	bool is_message = line_is(line, "user") || line_is(line, "assistant");

	return is_message && !line_flag(line->side_chain) && !line_id(line->uuid).len;
}

bool line_has_bad_parent(const struct line *line)
{
	return line->parent.len && !sv_is(line->parent, "null") && !line_id(line->parent).len;
}

bool line_is_boundary(const struct line *line)
{
	return line_is(line, "system") && sv_is(peek_plain(line->subtype), "compact_boundary");
}

struct sv line_id(struct sv value)
{
	struct sv id = peek_plain(value);

	for (size_t i = 0; i < id.len; i++)
		if (id.ptr[i] <= ' ' || id.ptr[i] > '~')
			return SV_EMPTY;
	return id.len < sizeof(((struct uuid *)NULL)->text) ? id : SV_EMPTY;
}

void line_text(struct str *out, struct sv value)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored;

	if (value.len)
		doc = json_parse(value, 0, &ignored);
	str_add(out, json_str_or(json_root(doc), SV_EMPTY));
}

/* The summary that replaces compacted messages is hidden from the user, but the model needs it. */
bool line_is_sent(const struct line *line)
{
	bool hidden = line_flag(line->virtual) ||
		      (line_flag(line->transcript_only) && !line_flag(line->compact_summary));

	return line_is_message(line) && line->parsed.content.len && !hidden &&
	       !line_flag(line->api_error) && !sv_eq(line->parsed.model, SV("<synthetic>"));
}

struct message_calls message_calls(const struct assistant_message *parsed, bool assistant)
{
	struct message_calls calls = { .type = assistant ? "tool_use" : "tool_result",
				       .id = assistant ? "id" : "tool_use_id" };

	if (!parsed->has_calls || !peek_begin(&calls.blocks, parsed->content))
		calls.blocks.done = true;
	return calls;
}

/* Returns the id of the first block of that type; empty: none. */
static struct sv line_call_id(const struct message_calls *calls, struct sv block)
{
	struct sv key = SV_EMPTY, value, type = SV_EMPTY, id = SV_EMPTY;
	struct peek p;

	if (!peek_begin(&p, block) || p.close != '}')
		return SV_EMPTY;
	while ((!type.len || !id.len) && peek_next(&p, &key, &value)) {
		if (sv_is(key, "type"))
			type = peek_plain(value);
		else if (sv_is(key, calls->id))
			id = peek_plain(value);
		if (type.len && !sv_is(type, calls->type))
			return SV_EMPTY;
	}
	return type.len ? id : SV_EMPTY;
}

bool message_next_call(struct message_calls *calls, struct sv *id)
{
	struct sv none, block;

	while (!calls->blocks.done && peek_next(&calls->blocks, &none, &block)) {
		*id = line_call_id(calls, block);
		if (id->len)
			return true;
	}
	return false;
}
