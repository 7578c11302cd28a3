/* A conversation that gets too long is first shortened by the notes of the session: they take the place of what they
 * are about, and the messages after them stay as they are. That costs no request. */
#include "core/agent/agent_internal.h"
#include "core/compaction/compaction_internal.h"

enum {
	BYTES_PER_TOKEN = 4,
	LEAST_TOKENS = 10000, /* of messages that stay */
	LEAST_TEXTS = 5,      /* such messages with text */
	MOST_TOKENS = 40000,  /* beyond what the notes do not cover */
};

static bool compaction_has(const struct history_message *m, const char *type)
{
	return sv_find(sv_of(&m->json), sv_cstr(type)) != SIZE_MAX;
}

/* Whether a conversation can go on with this message: a result needs its call before it. */
bool compaction_may_begin(const struct history_message *m)
{
	return m->assistant || !compaction_has(m, "\"type\":\"tool_result\"");
}

/* The first message that stays: all that the notes do not cover, and before that as much as makes a good
 * start. */
static size_t compaction_notes_start(const struct history *h, size_t covered)
{
	size_t at = h->messages.n, bytes = 0, texts = 0;

	while (at > 0) {
		const struct history_message *m = &h->messages.at[at - 1];
		bool is_enough = bytes / BYTES_PER_TOKEN >= LEAST_TOKENS && texts >= LEAST_TEXTS;
		bool is_too_much = (bytes + m->json.len) / BYTES_PER_TOKEN > MOST_TOKENS;

		if (at <= covered && (is_enough || is_too_much))
			break;
		bytes += m->json.len;
		texts += compaction_has(m, "\"type\":\"text\"");
		at--;
	}
	while (at > 0 && at < h->messages.n && !compaction_may_begin(&h->messages.at[at]))
		at--;
	return at;
}

bool compaction_can_use_notes(struct compaction *c)
{
	const struct session_notes *notes = &c->s->notes;
	const struct history *h = &c->agent->history;
	struct window window = agent_window(c->agent);
	size_t bytes = notes->text.len, start;

	if (c->agent != c->s->agent || c->focus.len || c->is_partial || !notes->text.len ||
	    !notes->covered || notes->covered > h->messages.n)
		return false;
	start = compaction_notes_start(h, notes->covered);
	if (!start)
		return false;
	for (size_t i = start; i < h->messages.n; i++)
		bytes += h->messages.at[i].json.len;
	bytes += c->agent->system.len + toolset_bytes(&c->agent->tools) +
		 c->s->conversation.environment.len;
	if (window.effective && (int64_t)(bytes / BYTES_PER_TOKEN) >= window.compact)
		return false;
	c->keep_from = start;
	c->keep_to = h->messages.n;
	str_add(&c->summary, sv_trim(sv_of(&notes->text)));
	return true;
}
