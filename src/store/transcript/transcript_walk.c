/* Finds the newest chain of a transcript without reading more of the file than necessary.
 *
 * The problem: transcripts grow to gigabytes, but the conversation to resume is at the end. Records
 * name only their parents, so a chain can be followed only backwards. Several processes may have
 * written to the file, a crash may have torn it, and copies of records may occur twice. Parallel
 * tool calls make the chain a tree: each record of a response and each result has some other
 * record of the group as its parent, so one path from the leaf misses some of them.
 *
 * The idea: read lines backwards (transcript_tail.h). The first line that qualifies is the leaf;
 * from then on wait for `wanted`, the parent of the last record taken. Any other record is a
 * stray, kept in a ring of fixed size. After the walk, gather the strays that belong to a response
 * of the chain, and then the results of all calls of the chain. Responses come first because they
 * may contribute further calls.
 *
 * Damage must not cost more than the damaged record. If the parent is not found although a damaged
 * line was met on the way, that line was probably the parent. The walk then returns to it and
 * continues with the last message before it. By then it knows every id up to the beginning, so
 * it recognises later gaps at once and reads no line more than twice.
 *
 * A boundary may have kept messages before it (transcript_kept.h). Then the walk does not end there but
 * goes on with the last of those, or with the newest that is listed, up to the first. If the chain does not
 * lead there, they are dropped. At the end, they move behind the summary.
 *
 * Invariants:
 *   - Every step but that one return moves towards the beginning of the file, so the walk ends
 *     even if parents form a cycle.
 *   - If the id of a chosen record occurs again earlier in the file, the earlier record counts:
 *     the walk drops everything from the copy on and continues from the earlier record.
 *   - Only positions and hashed ids are kept, no text. Memory use depends on the number of
 *     records, not on their size. The content is read again from the file later.
 *   - The chain stays below LIMIT_RESUME_BYTES and _RECORDS unless `all` is set; strays may add
 *     as much again. */
#include "store/transcript/transcript_walk.h"

#include "base/hash.h"
#include "base/limits.h"
#include "text/iso_time.h"

enum { WINDOW = 16 * 1024 };

static uint64_t walk_hash_id(struct sv id)
{
	return id.len ? hash_bytes(id, 1) | 1 : 0;
}

static void walk_assign(struct uuid *out, struct sv id)
{
	memcpy(out->text, id.ptr, id.len);
	out->text[id.len] = '\0';
}

/* A message that is larger than all that is loaded counts as one without content. */
static struct pick walk_pick_of(struct chain_walk *w, const struct line *line,
				const struct tail_line *where)
{
	const struct assistant_message *parsed = &line->parsed;
	struct pick pick = { .at = where->at, .len = (uint32_t)where->text.len };

	walk_assign(&pick.uuid, line_id(line->uuid));
	if (!line_is_sent(line))
		return pick;
	if (!w->all && parsed->content.len > LIMIT_RESUME_BYTES) {
		w->oversized += !w->is_returned;
		return pick;
	}
	pick.content_at = (uint32_t)(parsed->content.ptr - where->text.ptr);
	pick.content_len = (uint32_t)parsed->content.len;
	pick.assistant = line_is(line, "assistant");
	pick.answer = pick.assistant ? walk_hash_id(parsed->id) : 0;
	pick.harness = line_flag(line->meta) || line_flag(line->compact_summary);
	return pick;
}

/* --- the chain ------------------------------------------------------------------- */

static void walk_end(struct chain_walk *w, enum chain_walk_end how)
{
	w->end = how;
	w->following = false;
}

/* Drop the picks from index `n` on: those found last, which are the oldest. */
static void walk_forget(struct chain_walk *w, size_t n)
{
	while (w->picks.n > n) {
		struct pick old = vec_pop(&w->picks);

		w->weight -= old.content_len;
		map_remove(&w->chosen, sv_cstr(old.uuid.text));
	}
}

static void walk_choose(struct chain_walk *w, const struct pick *pick)
{
	vec_push(&w->picks, *pick);
	w->weight += pick->content_len;
	map_put(&w->chosen, sv_cstr(pick->uuid.text), (void *)w->picks.n);
}

/* The search for messages that were kept is over. A chain that does not lead to the first of them is
 * not what it should be. */
static void walk_end_kept(struct chain_walk *w, bool is_whole)
{
	if (!is_whole && !w->kept.is_list)
		walk_forget(w, w->nsince);
	w->keeps = false;
	walk_end(w, WALK_BOUNDARY);
}

static bool walk_is_full(const struct chain_walk *w)
{
	return !w->all && w->picks.n > 1 &&
	       (w->weight > LIMIT_RESUME_BYTES || w->picks.n > LIMIT_RESUME_RECORDS);
}

static int walk_compare_hashes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static bool walk_is_among(const uint64_t *sorted, size_t n, uint64_t hash)
{
	return n && hash && bsearch(&hash, sorted, n, sizeof(hash), walk_compare_hashes);
}

/* Search for the record `parent` from now on. */
static void walk_want(struct chain_walk *w, struct sv parent)
{
	bool is_lost = w->is_returned && parent.len &&
		       !walk_is_among(w->ids.at, w->ids.n, walk_hash_id(parent));

	walk_assign(&w->wanted, parent);
	w->gap = is_lost ? WALK_GAP_AHEAD : WALK_NO_GAP;
	if (!w->is_returned) {
		w->damaged_at = -1;
		w->ids.n = 0;
	}
}

/* What was kept may have been recorded anew, after the boundary. */
static bool walk_lacks_kept(struct chain_walk *w)
{
	for (size_t i = 0; w->kept.is_list && i < w->picks.n; i++)
		map_remove(&w->kept.list, sv_cstr(w->picks.at[i].uuid.text));
	return w->kept.is_list ? w->kept.list.n > 0
			       : !map_get(&w->chosen, sv_cstr(w->kept.tail.text));
}

/* Go on with what the boundary keeps; false: nothing. */
static bool walk_begin_kept(struct chain_walk *w, const struct line *line,
			    const struct tail_line *where)
{
	if (w->all || w->keeps || !line_is_boundary(line))
		return false;
	kept_clear(&w->kept);
	if (!kept_read(&w->kept, line->compact_metadata) || !walk_lacks_kept(w))
		return false;
	w->keeps = true;
	w->nsince = w->picks.n;
	w->boundary_at = where->at;
	walk_want(w, sv_cstr(w->kept.tail.text));
	return true;
}

/* A record of those that were kept was taken: go on, or end with the first of them. */
static void walk_go_on_kept(struct chain_walk *w, const struct line *line)
{
	struct sv id = line_id(line->uuid);

	if (w->kept.is_list) {
		map_remove(&w->kept.list, id);
		walk_want(w, SV_EMPTY);
	}
	if (w->kept.is_list ? !w->kept.list.n : sv_is(id, w->kept.head.text))
		walk_end_kept(w, true);
	else if (walk_is_full(w) || line_is_boundary(line) ||
		 (!w->kept.is_list && !w->wanted.text[0] && w->gap == WALK_NO_GAP))
		walk_end_kept(w, false);
}

/* Take what the newest response used. One that a boundary keeps belongs to a longer conversation. */
static void walk_take_usage(struct chain_walk *w, const struct line *line)
{
	if (w->usage.len || w->keeps)
		return;
	str_add(&w->usage, line->parsed.usage);
	(void)!iso_time_parse(peek_plain(line->timestamp), &w->answered_ms);
}

/* Add a record to the chain. Its calls stay in `calls` even if the record is dropped again; a
 * result without a call is dropped later anyway. */
static void walk_take(struct chain_walk *w, const struct line *line, const struct tail_line *where)
{
	struct message_calls calls;
	struct sv parent = line_id(line->parent), id;
	struct pick pick;

	pick = walk_pick_of(w, line, where);
	pick.prompt = pick.content_len && !pick.assistant;
	calls = message_calls(&line->parsed, pick.assistant);
	while (pick.content_len && message_next_call(&calls, &id)) {
		pick.prompt = false;
		if (pick.assistant)
			vec_push(&w->calls, walk_hash_id(id));
	}
	if (w->all || pick.content_len)
		walk_choose(w, &pick);
	if (pick.assistant && !w->model.len)
		str_add(&w->model, line->parsed.model);
	if (pick.assistant && pick.content_len && line->parsed.usage.len)
		walk_take_usage(w, line);
	if (w->all && !parent.len)
		parent = line_id(line->logical_parent);
	walk_want(w, parent);
	if (w->keeps)
		walk_go_on_kept(w, line);
	else if (walk_begin_kept(w, line, where))
		return;
	else if (walk_is_full(w))
		walk_end(w, WALK_FULL);
	else if (!parent.len && line_has_bad_parent(line))
		w->gap = WALK_GAP_CROSSED;
	else if (!parent.len)
		walk_end(w, line_is_boundary(line) ? WALK_BOUNDARY : WALK_START);
	else if (line_is_boundary(line) && !w->all)
		walk_end(w, WALK_BOUNDARY);
}

/* --- beside the chain ------------------------------------------------------------ */

static void walk_add_stray(struct chain_walk *w, struct stray stray)
{
	if (w->strays.n < LIMIT_TRANSCRIPT_STRAYS)
		vec_push(&w->strays, stray);
	else
		w->strays.at[w->nstrays % LIMIT_TRANSCRIPT_STRAYS] = stray;
	w->nstrays++;
}

/* Add the record once per call or result; a response without calls once. */
static void walk_note_stray(struct chain_walk *w, const struct line *line,
			    const struct tail_line *where)
{
	struct stray stray = { .call = 0 };
	struct message_calls calls;
	bool any = false;
	struct sv id;

	if (!line_is_sent(line))
		return;
	if (line_flag(line->compact_summary))
		w->summary = walk_pick_of(w, line, where);
	stray.pick = walk_pick_of(w, line, where);
	stray.pick.stray = true;
	if (!stray.pick.content_len)
		return;
	calls = message_calls(&line->parsed, stray.pick.assistant);
	for (; message_next_call(&calls, &id); any = true) {
		stray.call = walk_hash_id(id);
		walk_add_stray(w, stray);
	}
	if (!any && stray.pick.answer)
		walk_add_stray(w, stray);
}

static int walk_compare_picks(const void *a, const void *b)
{
	int64_t x = ((const struct pick *)a)->at, y = ((const struct pick *)b)->at;

	return (x > y) - (x < y);
}

#define sort(v, compare)                                                     \
	do {                                                                 \
		if ((v)->n)                                                  \
			qsort((v)->at, (v)->n, sizeof((v)->at[0]), compare); \
	} while (0)

/* Return the i-th stray, counting back from the one found last. Among strays with the same id
 * the one found last, which is earlier in the file, counts. */
static struct stray *walk_stray_before(struct chain_walk *w, size_t i)
{
	return &w->strays.at[(w->nstrays - 1 - i) % LIMIT_TRANSCRIPT_STRAYS];
}

static bool walk_fits(const struct chain_walk *w, const struct pick *pick)
{
	return w->all || w->weight + pick->content_len <= 2 * LIMIT_RESUME_BYTES;
}

static void walk_gather_responses(struct chain_walk *w)
{
	for (size_t i = 0; i < w->picks.n; i++)
		if (w->picks.at[i].answer)
			vec_push(&w->answers, w->picks.at[i].answer);
	sort(&w->answers, walk_compare_hashes);
	for (size_t i = 0; i < w->strays.n; i++) {
		struct stray *s = walk_stray_before(w, i);

		if (!walk_is_among(w->answers.at, w->answers.n, s->pick.answer) ||
		    !walk_fits(w, &s->pick))
			continue;
		if (s->call)
			vec_push(&w->calls, s->call);
		if (!map_get(&w->chosen, sv_cstr(s->pick.uuid.text)))
			walk_choose(w, &s->pick);
	}
}

static void walk_gather_results(struct chain_walk *w)
{
	sort(&w->calls, walk_compare_hashes);
	for (size_t i = 0; i < w->strays.n; i++) {
		struct stray *s = walk_stray_before(w, i);

		if (!s->pick.assistant && walk_is_among(w->calls.at, w->calls.n, s->call) &&
		    walk_fits(w, &s->pick) && !map_get(&w->chosen, sv_cstr(s->pick.uuid.text)))
			walk_choose(w, &s->pick);
	}
}

/* --- what was kept ---------------------------------------------------------------- */

/* The first message after a compaction may name the last one that was kept. Then boundary and summary are
 * not on the chain. */
static bool walk_meets_boundary(struct chain_walk *w, const struct line *line,
				const struct tail_line *where)
{
	struct kept kept;
	bool is_met;

	if (w->all || w->keeps || !line_is_boundary(line))
		return false;
	is_met = kept_read(&kept, line->compact_metadata) &&
		 kept_begins_with(&kept, sv_cstr(w->wanted.text));
	kept_clear(&kept);
	if (!is_met)
		return false;
	if (w->summary.content_len)
		walk_choose(w, &w->summary);
	return walk_begin_kept(w, line, where);
}

static void walk_reverse(struct pick *at, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct pick other = at[i];

		at[i] = at[n - 1 - i];
		at[n - 1 - i] = other;
	}
}

/* Move what was kept behind its anchor. */
static void walk_move_kept(struct chain_walk *w)
{
	size_t n = 0, to = 0;

	while (n < w->picks.n && w->picks.at[n].at < w->boundary_at)
		n++;
	for (size_t i = n; i < w->picks.n; i++)
		if (sv_is(sv_cstr(w->kept.anchor.text), w->picks.at[i].uuid.text))
			to = i + 1;
	if (!to)
		return;
	walk_reverse(w->picks.at, n);
	walk_reverse(w->picks.at + n, to - n);
	walk_reverse(w->picks.at, to);
}

/* --- the walk -------------------------------------------------------------------- */

static bool is_leaf(const struct chain_walk *w, const struct line *line)
{
	return w->leaf.len ? sv_eq(line_id(line->uuid), w->leaf) : line_is_message(line);
}

static void walk_visit(struct chain_walk *w, const struct line *line, const struct tail_line *where)
{
	struct sv id = line_id(line->uuid);
	size_t copy = 0;

	if (w->end == WALK_EMPTY && !w->following && is_leaf(w, line)) {
		w->following = true;
		walk_assign(&w->last, id);
		walk_take(w, line, where);
		return;
	}
	if (!w->following || !id.len)
		return;
	if (w->picks.n)
		copy = (size_t)map_get(&w->chosen, id);
	if (copy) {
		walk_forget(w, copy - 1);
		walk_take(w, line, where);
	} else if (sv_is(id, w->wanted.text) || (w->keeps && kept_begins_with(&w->kept, id))) {
		walk_take(w, line, where);
	} else if (walk_meets_boundary(w, line, where)) {
		return;
	} else if (w->gap == WALK_GAP_CROSSED && line_is_message(line)) {
		if (w->picks.n)
			vec_last(&w->picks)->is_gap = true;
		walk_take(w, line, where);
	} else {
		walk_note_stray(w, line, where);
	}
}

static bool walk_is_enough(const struct chain_walk *w)
{
	return w->end != WALK_EMPTY &&
	       (!w->see || w->tail.size - tail_reached(&w->tail) >= (int64_t)LIMIT_TRANSCRIPT_TAIL);
}

/* Remember where the last search may have missed its record. */
static void walk_note_damage(struct chain_walk *w, const struct tail_line *where)
{
	w->bad_lines += !w->is_returned;
	if (w->gap == WALK_GAP_AHEAD)
		w->gap = WALK_GAP_CROSSED;
	if (w->damaged_at < 0)
		w->damaged_at = where->at;
}

/* Process a line. Blank lines are ignored and do not count as damaged. */
static void walk_look_at(struct chain_walk *w, const struct tail_line *where)
{
	struct line line;
	bool is_read;

	if (!where->too_long && !sv_trim(where->text).len)
		return;
	is_read = w->is_side ? line_read_side(&line, where->text) : line_read(&line, where->text);
	if (!is_read || line_has_bad_id(&line)) {
		walk_note_damage(w, where);
	} else if (!line_flag(line.side_chain)) {
		if (w->see && !w->is_returned)
			w->see(w->arg, &line, where);
		if (w->damaged_at >= 0 && !w->is_returned && line_id(line.uuid).len)
			vec_push(&w->ids, walk_hash_id(line_id(line.uuid)));
		walk_visit(w, &line, where);
	}
}

static bool walk_lines(struct chain_walk *w, struct err *err)
{
	struct tail_line where = { .end = false };

	while (!where.end && !walk_is_enough(w)) {
		if (!tail_prev(&w->tail, &where, err))
			return false;
		if (!where.end)
			walk_look_at(w, &where);
	}
	return true;
}

/* Continue before the damaged line, as if it were the record that was not found. */
static bool walk_return(struct chain_walk *w, struct err *err)
{
	sort(&w->ids, walk_compare_hashes);
	w->is_returned = true;
	w->gap = WALK_GAP_CROSSED;
	tail_seek(&w->tail, w->damaged_at);
	return walk_lines(w, err);
}

static bool walk_all_lines(struct chain_walk *w, struct err *err)
{
	if (!walk_lines(w, err) || (w->following && w->damaged_at >= 0 && !walk_return(w, err)))
		return false;
	if (w->following && w->keeps)
		walk_end_kept(w, false);
	else if (w->following)
		walk_end(w, w->gap == WALK_GAP_CROSSED ? WALK_START : WALK_MISSING);
	return true;
}

/* Free what only the walk needs, before the messages need memory. */
static void walk_forget_strays(struct chain_walk *w)
{
	vec_clear(&w->strays);
	vec_clear(&w->answers);
	vec_clear(&w->calls);
	vec_clear(&w->ids);
	map_clear(&w->chosen);
	kept_clear(&w->kept);
}

bool chain_walk_run(struct chain_walk *w, const char *path, struct err *err)
{
	if (!tail_open(&w->tail, path, err) || !walk_all_lines(w, err))
		return false;
	if (w->leaf.len && w->end == WALK_EMPTY)
		return err_set(err, ERR_NOT_FOUND, "%s: no record %.*s", path, SV_ARG(w->leaf));
	walk_gather_responses(w);
	walk_gather_results(w);
	sort(&w->picks, walk_compare_picks);
	walk_move_kept(w);
	walk_forget_strays(w);
	return true;
}

void chain_walk_clear(struct chain_walk *w)
{
	walk_forget_strays(w);
	vec_clear(&w->picks);
	str_clear(&w->model);
	str_clear(&w->usage);
	str_clear(&w->window);
	tail_close(&w->tail);
}

/* Read a part of the file through a window: most records are small and close to each other. */
static bool walk_read_part(struct chain_walk *w, int64_t at, size_t n, struct sv *out,
			   struct err *err)
{
	int64_t left = w->tail.size - at;

	if (at < w->window_at || at + (int64_t)n > w->window_at + (int64_t)w->window.len) {
		size_t size = (size_t)min_of((int64_t)max_of(n, (size_t)WINDOW), left);

		str_truncate(&w->window, 0);
		str_reserve(&w->window, size);
		if (!fs_read_at(w->tail.file, at, w->window.ptr, size, err))
			return false;
		w->window.len = size;
		w->window.ptr[size] = '\0';
		w->window_at = at;
	}
	*out = sv_from(w->window.ptr + (at - w->window_at), n);
	return true;
}

bool chain_walk_content(struct chain_walk *w, const struct pick *pick, struct sv *out,
			struct err *err)
{
	return walk_read_part(w, pick->at + pick->content_at, pick->content_len, out, err);
}

bool chain_walk_line(struct chain_walk *w, const struct pick *pick, struct sv *out, struct err *err)
{
	return walk_read_part(w, pick->at, pick->len, out, err);
}
