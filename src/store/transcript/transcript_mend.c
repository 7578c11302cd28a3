/* Turns the records of a chain into messages that a model accepts.
 *
 * The problem: providers reject a conversation in which roles do not alternate, a call has no
 * result in the next message, a result has no call, a text is blank, or a response consists of
 * thinking only. A transcript may have all of these: a response is stored as one record per block,
 * results of parallel calls arrive between its parts, a crash or an interrupt cuts a turn off, and
 * other programs have written some of the records.
 *
 * The idea: work in three steps. mend_add() splits each record into blocks and joins drafts of the
 * same role; results go into a map by call id and are not part of any draft. mend_sift() removes
 * empty drafts, which may make neighbours with the same role that it joins again. Writing places
 * each result after its call, in the order of the calls, and synthesizes missing results.
 *
 * Invariants:
 *   - Blocks are kept byte for byte, so signed thinking stays valid and cached prefixes match.
 *   - Every response with calls is followed by a user draft, if necessary an empty one, that
 *     receives the results.
 *   - A result is used at most once. Results that are left over have no call and are counted in
 *     the notes.
 *   - A message is freed block by block while it is written, so the conversation is not in memory
 *     twice. */
#include "store/transcript/transcript_mend.h"

#include "text/json/json_peek.h"
#include "text/json/json_write.h"

static const char missing_start[] = "[Earlier messages are no longer available.]";

enum block_kind {
	BLOCK_OTHER,
	BLOCK_STRING, /* content that is a string */
	BLOCK_THOUGHT,
	BLOCK_CALL,
};

struct mend_block {
	enum block_kind kind;
	uint32_t next;  /* next block of the same draft */
	struct sv json; /* owned until written */
	struct sv call; /* id of a call, owned */
};

void mend_clear(struct mend *m)
{
	for (size_t i = 0; i < m->blocks.n; i++) {
		sv_disown(&m->blocks.at[i].json);
		sv_disown(&m->blocks.at[i].call);
	}
	vec_clear(&m->blocks);
	vec_clear(&m->drafts);
	map_clear(&m->results);
	map_clear(&m->calls);
}

/* Return the block with index `i`, or NULL for 0. */
static struct mend_block *mend_block_at(const struct mend *m, size_t i)
{
	return i ? &m->blocks.at[i - 1] : NULL;
}

static const struct mend_block *mend_first_block(const struct mend *m, const struct mend_draft *d)
{
	return mend_block_at(m, d->first);
}

/* --- blocks of one record -------------------------------------------------------- */

/* Create a block and return its index. */
static uint32_t mend_block_new(struct mend *m, enum block_kind kind, struct sv json)
{
	vec_push(&m->blocks, ((struct mend_block){ .kind = kind, .json = sv_own(json) }));
	return (uint32_t)m->blocks.n;
}

/* Append the blocks from `first` to `last` to those of the draft. */
static void mend_draft_link(struct mend *m, struct mend_draft *d, uint32_t first, uint32_t last)
{
	if (d->last)
		mend_block_at(m, d->last)->next = first;
	else
		d->first = first;
	d->last = last;
}

/* Add a block to the draft and return it; valid until the next is added. */
static struct mend_block *mend_draft_add(struct mend *m, struct mend_draft *d, enum block_kind kind,
					 struct sv json)
{
	uint32_t block = mend_block_new(m, kind, json);

	mend_draft_link(m, d, block, block);
	d->n++;
	d->calls += kind == BLOCK_CALL;
	d->thoughts += kind == BLOCK_THOUGHT;
	return mend_block_at(m, block);
}

/* Note whether the user's text interrupted the turn; this matters if it is the last message. */
static void mend_note_words(struct mend_draft *d, struct sv text)
{
	static const struct sv not_asked[] = {
		SV_INIT("<command-name>"),
		SV_INIT("<local-command-"),
		SV_INIT("<bash-"),
	};

	for (size_t i = 0; i < countof(not_asked); i++)
		if (sv_starts(text, not_asked[i]))
			return;
	d->ended = sv_starts(text, SV("[Request interrupted by user"));
	d->prompt = !d->ended;
}

static bool mend_is_blank(struct sv text)
{
	return sv_trim(text).len == 0;
}

static void mend_add_string(struct mend *m, struct mend_draft *d, const struct mend_record *r,
			    struct sv text)
{
	if (mend_is_blank(text) || r->results_only)
		return;
	mend_draft_add(m, d, BLOCK_STRING, r->content);
	if (!r->harness)
		mend_note_words(d, text);
}

static void mend_add_result(struct mend *m, struct json block, struct sv bytes)
{
	struct sv id = json_str_or(json_get(block, "tool_use_id"), SV_EMPTY);

	if (!id.len)
		m->unusable++;
	else if (!map_get(&m->results, id))
		map_put(&m->results, id, (void *)(size_t)mend_block_new(m, BLOCK_OTHER, bytes));
}

/* Whether a tool sends the user a message, which may end a turn. */
static bool mend_is_message(struct sv tool)
{
	return sv_is(tool, "Brief") || sv_is(tool, "SendUserMessage") ||
	       sv_is(tool, "SendUserFile");
}

static void mend_add_call(struct mend *m, struct mend_draft *d, struct json block, struct sv bytes)
{
	struct sv id = json_str_or(json_get(block, "id"), SV_EMPTY);

	if (id.len && json_is(json_get(block, "name"), JSON_STRING) &&
	    json_is(json_get(block, "input"), JSON_OBJECT) && !map_put(&m->calls, id, m))
		mend_draft_add(m, d, BLOCK_CALL, bytes)->call = sv_own(id);
	else
		m->unusable++;
	d->speaks = mend_is_message(json_str_or(json_get(block, "name"), SV_EMPTY));
}

static void mend_add_text(struct mend *m, struct mend_draft *d, const struct mend_record *r,
			  struct json block, struct sv bytes)
{
	struct sv text = SV_EMPTY;

	if (!json_str(json_get(block, "text"), &text)) {
		m->unusable++;
	} else if (!mend_is_blank(text)) {
		mend_draft_add(m, d, BLOCK_OTHER, bytes);
		if (!r->harness)
			mend_note_words(d, text);
	}
}

static void mend_add_block(struct mend *m, struct mend_draft *d, const struct mend_record *r,
			   struct json block, struct sv bytes)
{
	struct sv type = json_str_or(json_get(block, "type"), SV_EMPTY);
	bool thought = sv_is(type, "thinking") || sv_is(type, "redacted_thinking");
	bool call = sv_is(type, "tool_use"), result = sv_is(type, "tool_result");

	if (!type.len || (r->assistant ? result : thought || call)) {
		m->unusable++;
	} else if (result) {
		mend_add_result(m, block, bytes);
	} else if (r->results_only) {
		return;
	} else if (call) {
		mend_add_call(m, d, block, bytes);
	} else if (sv_is(type, "text")) {
		mend_add_text(m, d, r, block, bytes);
	} else {
		mend_draft_add(m, d, thought ? BLOCK_THOUGHT : BLOCK_OTHER, bytes);
		d->prompt |= !r->assistant && !r->harness;
	}
}

/* --- joining --------------------------------------------------------------------- */

/* Return the draft that `d` continues, or NULL. The parts of one response stay together even if
 * results of its first calls are between them. */
static struct mend_draft *mend_home_of(struct mend *m, const struct mend_draft *d)
{
	struct mend_draft *last = m->drafts.n ? vec_last(&m->drafts) : NULL;

	if (!last)
		return NULL;
	if (!d->assistant)
		return last->assistant ? NULL : last;
	if (!last->assistant)
		return m->drafts.n > 1 && d->answer && last[-1].answer == d->answer ? last - 1
										    : NULL;
	return last->answer == d->answer || !last->calls ? last : NULL;
}

static void mend_draft_join(struct mend *m, struct mend_draft *d, const struct mend_draft *more)
{
	if (more->n)
		mend_draft_link(m, d, more->first, more->last);
	d->n += more->n;
	d->calls += more->calls;
	d->thoughts += more->thoughts;
	d->answer = more->answer;
	d->uuid = more->uuid;
	if (more->prompt || more->ended) {
		d->prompt = more->prompt;
		d->ended = more->ended;
	}
}

/* Join `d` to a draft or add it. Between two responses, insert an empty user message for the
 * results of the first one's calls. */
static void mend_place(struct mend *m, const struct mend_draft *d)
{
	struct mend_draft *home = mend_home_of(m, d);
	struct uuid before;

	if (home) {
		mend_draft_join(m, home, d);
		return;
	}
	if (d->assistant && m->drafts.n && vec_last(&m->drafts)->assistant) {
		before = vec_last(&m->drafts)->uuid;
		vec_push(&m->drafts, ((struct mend_draft){ .uuid = before }));
	}
	vec_push(&m->drafts, *d);
}

void mend_add(struct mend *m, const struct mend_record *r)
{
	struct mend_draft d = { .assistant = r->assistant, .answer = r->answer, .uuid = r->uuid };
	struct json_iter it = json_each(r->as_tree);
	struct sv text, bytes = SV_EMPTY, none;
	struct json block;
	struct peek p;

	if (json_str(r->as_tree, &text)) {
		mend_add_string(m, &d, r, text);
	} else if (json_is(r->as_tree, JSON_ARRAY) && peek_begin(&p, r->content)) {
		while (json_next(&it, NULL, &block) && peek_next(&p, &none, &bytes))
			mend_add_block(m, &d, r, block, bytes);
	} else {
		m->unusable++;
	}
	mend_place(m, &d);
}

/* --- the result ------------------------------------------------------------------ */

static struct mend_block *mend_result_of(const struct mend *m, const struct mend_block *call)
{
	return mend_block_at(m, (size_t)map_get(&m->results, call->call));
}

static bool has_calls_open(const struct mend *m, const struct mend_draft *d)
{
	for (const struct mend_block *b = mend_first_block(m, d); b; b = mend_block_at(m, b->next))
		if (b->kind == BLOCK_CALL && !mend_result_of(m, b))
			return true;
	return false;
}

static bool mend_is_empty(const struct mend *m, const struct mend_draft *d)
{
	bool answers = m->drafts.n && vec_last(&m->drafts)->calls;

	return d->assistant ? d->n == d->thoughts : !d->n && !answers;
}

/* Remove empty drafts and join the rest. Return whether the last draft was an empty response. */
static bool mend_sift(struct mend *m, size_t *dropped)
{
	struct mend old = *m;
	bool broken_off = false;

	m->drafts.at = NULL;
	m->drafts.n = m->drafts.cap = 0;
	for (size_t i = 0; i < old.drafts.n; i++) {
		bool empty = mend_is_empty(m, &old.drafts.at[i]);

		broken_off = empty && old.drafts.at[i].assistant;
		*dropped += empty;
		if (!empty)
			mend_place(m, &old.drafts.at[i]);
	}
	vec_clear(&old.drafts);
	return broken_off;
}

static enum transcript_cut mend_cut_of(const struct mend *m)
{
	const struct mend_draft *last = m->drafts.n ? vec_last(&m->drafts) : NULL;

	if (!last)
		return TRANSCRIPT_WHOLE;
	if (last->assistant)
		return last->calls ? TRANSCRIPT_CUT_TOOLS : TRANSCRIPT_WHOLE;
	if (last->prompt)
		return TRANSCRIPT_CUT_PROMPT;
	if (last->ended || m->drafts.n < 2 || !last[-1].calls)
		return TRANSCRIPT_WHOLE;
	if (has_calls_open(m, &last[-1]))
		return TRANSCRIPT_CUT_TOOLS;
	return last[-1].speaks ? TRANSCRIPT_WHOLE : TRANSCRIPT_CUT_REPLY;
}

/* Write a block and free it, so that little memory is used twice. */
static void mend_write_block(struct jw *w, struct mend_block *b)
{
	if (b->kind == BLOCK_STRING) {
		jw_object(w);
		jw_put_str(w, "type", SV("text"));
		jw_put_raw(w, "text", b->json);
		jw_end(w);
	} else {
		jw_raw(w, b->json);
	}
	sv_disown(&b->json);
}

/* Write the results of a draft's calls in order. Return how many were missing and had to be
 * synthesized. */
static size_t mend_write_results(struct jw *w, const struct mend *m, const struct mend_draft *calls)
{
	size_t made_up = 0;

	for (const struct mend_block *b = mend_first_block(m, calls); b;
	     b = mend_block_at(m, b->next)) {
		if (b->kind != BLOCK_CALL)
			continue;
		if (mend_result_of(m, b)) {
			mend_write_block(w, mend_result_of(m, b));
			continue;
		}
		jw_object(w);
		jw_put_str(w, "type", SV("tool_result"));
		jw_put_str(w, "tool_use_id", b->call);
		jw_put_str(w, "content", SV(TRANSCRIPT_MISSING_RESULT));
		jw_put_bool(w, "is_error", true);
		jw_end(w);
		made_up++;
	}
	return made_up;
}

/* Estimate the size of the message, so that its buffer need not grow by doubling. */
static size_t mend_space_for(const struct mend *m, const struct mend_draft *d,
			     const struct mend_draft *calls)
{
	size_t size = 64 + 32 * (size_t)d->n;

	for (const struct mend_block *b = mend_first_block(m, d); b; b = mend_block_at(m, b->next))
		size += b->json.len;
	for (const struct mend_block *b = calls ? mend_first_block(m, calls) : NULL; b;
	     b = mend_block_at(m, b->next))
		size += b->kind == BLOCK_CALL && mend_result_of(m, b)
				? mend_result_of(m, b)->json.len
				: 0;
	return size;
}

/* Write a message. `calls` is the previous response if it has calls. Return the number of
 * synthesized results. */
static size_t mend_write_message(struct transcript_loaded *out, const struct mend *m,
				 const struct mend_draft *d, const struct mend_draft *calls)
{
	struct transcript_message *message = vec_add(&out->messages);
	const struct mend_block *first = mend_first_block(m, d);
	size_t made_up = 0;
	struct jw w;

	message->assistant = d->assistant;
	message->uuid = d->uuid;
	str_reserve(&message->json, mend_space_for(m, d, calls));
	jw_init(&w, &message->json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "role", d->assistant ? SV("assistant") : SV("user"));
	if (!d->assistant && !calls && first && !first->next && first->kind == BLOCK_STRING) {
		jw_put_raw(&w, "content", first->json);
	} else {
		jw_put_array(&w, "content");
		if (calls)
			made_up = mend_write_results(&w, m, calls);
		for (size_t i = d->first; i; i = mend_block_at(m, i)->next)
			mend_write_block(&w, mend_block_at(m, i));
		jw_end(&w);
	}
	jw_end(&w);
	jw_done(&w);
	return made_up;
}

static void mend_write_start(struct transcript_loaded *out)
{
	struct transcript_message *message = vec_add(&out->messages);
	struct jw w;

	jw_init(&w, &message->json, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "role", SV("user"));
	jw_put_str(&w, "content", sv_cstr(missing_start));
	jw_end(&w);
}

static void mend_note(struct transcript_loaded *out, size_t n, const char *one, const char *many)
{
	if (n == 1)
		str_addf(&out->notes, "1 %s\n", one);
	else if (n)
		str_addf(&out->notes, "%zu %s\n", n, many);
}

static size_t mend_write_messages(struct transcript_loaded *out, const struct mend *m)
{
	size_t made_up = 0;

	if (m->drafts.n && m->drafts.at[0].assistant)
		mend_write_start(out);
	for (size_t i = 0; i < m->drafts.n; i++) {
		const struct mend_draft *d = &m->drafts.at[i];

		made_up += mend_write_message(out, m, d, i && d[-1].calls ? &d[-1] : NULL);
	}
	return made_up;
}

void mend_finish(struct mend *m, struct transcript_loaded *out)
{
	size_t empty = 0, calls = 0, made_up;
	bool broken_off = mend_sift(m, &empty);

	out->cut = broken_off ? TRANSCRIPT_CUT_REPLY : mend_cut_of(m);
	if (m->drafts.n && vec_last(&m->drafts)->calls)
		vec_push(&m->drafts, ((struct mend_draft){ .uuid = vec_last(&m->drafts)->uuid }));
	for (size_t i = 0; i < m->drafts.n; i++)
		calls += m->drafts.at[i].calls;
	made_up = mend_write_messages(out, m);
	mend_note(out, made_up, "tool call had no result and counts as failed.",
		  "tool calls had no result and count as failed.");
	mend_note(out, m->results.n - (calls - made_up), "tool result without a call was skipped.",
		  "tool results without a call were skipped.");
	mend_note(out, empty, "empty message was skipped.", "empty messages were skipped.");
	mend_note(out, m->unusable, "part of a message could not be used.",
		  "parts of messages could not be used.");
	out->dropped += empty;
}
