#include "store/transcript/transcript_mend.h"

#include "text/json/json_peek.h"
#include "text/json/json_write.h"

static const char missing_result[] = "[Tool result missing due to internal error]";
static const char missing_start[] = "[The messages before this one are no longer there.]";

enum block_kind {
	BLOCK_OTHER,
	BLOCK_STRING, /* a content that is no list */
	BLOCK_THOUGHT,
	BLOCK_CALL,
};

struct mend_block {
	enum block_kind kind;
	uint32_t next;  /* of the same draft */
	struct sv json; /* owned, until it is written */
	struct sv call; /* the id of a call, owned */
};

static struct sv mend_own(struct sv text)
{
	return sv_from(sv_dup(text), text.len);
}

static void mend_disown(struct sv *text)
{
	if (text->len)
		free((char *)text->ptr);
	*text = SV_EMPTY;
}

void mend_clear(struct mend *m)
{
	for (size_t i = 0; i < m->blocks.n; i++) {
		mend_disown(&m->blocks.at[i].json);
		mend_disown(&m->blocks.at[i].call);
	}
	vec_clear(&m->blocks);
	vec_clear(&m->drafts);
	map_clear(&m->results);
	map_clear(&m->calls);
}

/* `i` is 0 for none; NULL then. */
static struct mend_block *mend_block_at(const struct mend *m, size_t i)
{
	return i ? &m->blocks.at[i - 1] : NULL;
}

static const struct mend_block *mend_first_block(const struct mend *m, const struct mend_draft *d)
{
	return mend_block_at(m, d->first);
}

/* --- blocks of one record -------------------------------------------------------- */

/* Returns the index of the block. */
static uint32_t mend_block_new(struct mend *m, enum block_kind kind, struct sv json)
{
	vec_push(&m->blocks, ((struct mend_block){ .kind = kind, .json = mend_own(json) }));
	return (uint32_t)m->blocks.n;
}

/* Puts the list of blocks from `first` to `last` at the end of the draft's. */
static void mend_draft_link(struct mend *m, struct mend_draft *d, uint32_t first, uint32_t last)
{
	if (d->last)
		mend_block_at(m, d->last)->next = first;
	else
		d->first = first;
	d->last = last;
}

/* Returns the block; it lives until the next is added. */
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

/* What the user said decides how the turn had ended, if it is the last. */
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

static void mend_add_call(struct mend *m, struct mend_draft *d, struct json block, struct sv bytes)
{
	struct sv id = json_str_or(json_get(block, "id"), SV_EMPTY);

	if (id.len && json_is(json_get(block, "name"), JSON_STRING) &&
	    json_is(json_get(block, "input"), JSON_OBJECT) && !map_put(&m->calls, id, m))
		mend_draft_add(m, d, BLOCK_CALL, bytes)->call = mend_own(id);
	else
		m->unusable++;
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

/* The draft that `d` goes on with, or NULL. The parts of one answer stay together
 * even if results of its first calls came in between. */
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

/* Where calls were never answered, there is a place for that now. */
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

static bool mend_says_nothing(const struct mend *m, const struct mend_draft *d)
{
	bool answers = m->drafts.n && vec_last(&m->drafts)->calls;

	return d->assistant ? d->n == d->thoughts : !d->n && !answers;
}

/* Leaves out what says nothing, and joins what is left. True when the last one was
 * an answer of that kind. */
static bool mend_sift(struct mend *m, size_t *dropped)
{
	struct mend old = *m;
	bool broken_off = false;

	m->drafts.at = NULL;
	m->drafts.n = m->drafts.cap = 0;
	for (size_t i = 0; i < old.drafts.n; i++) {
		bool empty = mend_says_nothing(m, &old.drafts.at[i]);

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
	return has_calls_open(m, &last[-1]) ? TRANSCRIPT_CUT_TOOLS : TRANSCRIPT_CUT_REPLY;
}

/* Writes a block and lets go of it, so that little is ever held twice. */
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
	mend_disown(&b->json);
}

/* The results of a draft's calls, in their order. Returns how many had to be made
 * up. */
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
		jw_put_str(w, "content", sv_cstr(missing_result));
		jw_put_bool(w, "is_error", true);
		jw_end(w);
		made_up++;
	}
	return made_up;
}

/* About what the message will take, so that it need not grow by doubling. */
static size_t mend_room_for(const struct mend *m, const struct mend_draft *d,
			    const struct mend_draft *calls)
{
	size_t room = 64 + 32 * (size_t)d->n;

	for (const struct mend_block *b = mend_first_block(m, d); b; b = mend_block_at(m, b->next))
		room += b->json.len;
	for (const struct mend_block *b = calls ? mend_first_block(m, calls) : NULL; b;
	     b = mend_block_at(m, b->next))
		room += b->kind == BLOCK_CALL && mend_result_of(m, b)
				? mend_result_of(m, b)->json.len
				: 0;
	return room;
}

/* `calls` is the answer before, if it has any. Returns as mend_write_results(). */
static size_t mend_write_message(struct transcript_loaded *out, const struct mend *m,
				 const struct mend_draft *d, const struct mend_draft *calls)
{
	struct transcript_message *message = vec_add(&out->messages);
	const struct mend_block *first = mend_first_block(m, d);
	size_t made_up = 0;
	struct jw w;

	message->assistant = d->assistant;
	message->uuid = d->uuid;
	str_reserve(&message->json, mend_room_for(m, d, calls));
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
	mend_note(out, made_up, "tool call had no result; it counts as failed.",
		  "tool calls had no result; they count as failed.");
	mend_note(out, m->results.n - (calls - made_up), "tool result without a call was left out.",
		  "tool results without a call were left out.");
	mend_note(out, empty, "empty message was left out.", "empty messages were left out.");
	mend_note(out, m->unusable, "part of a message could not be used.",
		  "parts of messages could not be used.");
	out->dropped += empty;
}
