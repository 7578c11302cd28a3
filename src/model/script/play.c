#include "model/script/play.h"

void play_clear(struct play *p)
{
	arena_clear(&p->arena);
	vec_clear(&p->headers);
	vec_clear(&p->acts);
	str_clear(&p->bytes);
}

void play_header(struct play *p, struct sv name, struct sv value)
{
	vec_push(&p->headers, ((struct http_header){ .name = arena_dup(&p->arena, name),
						     .value = arena_dup(&p->arena, value) }));
}

void play_act(struct play *p, enum play_kind kind)
{
	vec_push(&p->acts, ((struct play_act){ .kind = kind }));
}

void play_wait(struct play *p, int64_t ms)
{
	if (ms != 0)
		vec_push(&p->acts, ((struct play_act){ .kind = PLAY_WAIT, .ms = ms }));
}

static bool has_bytes(const struct play_act *act)
{
	return act->kind == PLAY_BYTES || act->kind == PLAY_GARBAGE;
}

static size_t play_flushed(const struct play *p)
{
	for (size_t i = p->acts.n; i-- > 0;)
		if (has_bytes(&p->acts.at[i]))
			return p->acts.at[i].to;
	return 0;
}

void play_flush(struct play *p, enum play_kind kind)
{
	struct play_act act = { .kind = kind, .from = play_flushed(p), .to = p->bytes.len };

	if (act.to > act.from)
		vec_push(&p->acts, act);
}

void play_fail(struct play *p, const struct err *why)
{
	p->err = *why;
	play_act(p, PLAY_FAIL);
}

void play_measure(struct play *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->acts.n; i++)
		if (p->acts.at[i].kind == PLAY_BYTES)
			n += p->acts.at[i].to - p->acts.at[i].from;
	p->length = (int64_t)n;
}

/* --- changing what is there ---------------------------------------------- */

struct splitter {
	struct play *play;
	const size_t *offsets;
	size_t n, next, every;
	size_t at; /* offset in the body */
	int64_t pause_ms;
};

/* Returns the first offset after `at` at which a piece has to end; SIZE_MAX: none. */
static size_t play_next_split(struct splitter *s)
{
	size_t here = SIZE_MAX;

	while (s->next < s->n && s->offsets[s->next] <= s->at)
		s->next++;
	if (s->next < s->n)
		here = s->offsets[s->next];
	if (s->every)
		here = min_of(here, (s->at / s->every + 1) * s->every);
	return here;
}

static void play_split_act(struct splitter *s, struct play_act act)
{
	while (act.from < act.to) {
		size_t n = min_of(act.to - act.from, play_next_split(s) - s->at);
		struct play_act piece = { PLAY_BYTES, .from = act.from, .to = act.from + n };

		vec_push(&s->play->acts, piece);
		act.from += n;
		s->at += n;
		if (act.from < act.to)
			play_wait(s->play, s->pause_ms);
	}
}

void play_split(struct play *p, const size_t *offsets, size_t n, size_t every, int64_t pause_ms)
{
	struct splitter s = {
		.play = p, .offsets = offsets, .n = n, .every = every, .pause_ms = pause_ms
	};
	__typeof__(p->acts) old = p->acts;

	p->acts = (__typeof__(p->acts))VEC_INIT;
	for (size_t i = 0; i < old.n; i++)
		if (old.at[i].kind == PLAY_BYTES)
			play_split_act(&s, old.at[i]);
		else
			vec_push(&p->acts, old.at[i]);
	vec_clear(&old);
}

void play_end_at(struct play *p, size_t n, enum play_kind kind)
{
	size_t at = 0;

	for (size_t i = 0; i < p->acts.n; i++) {
		struct play_act *act = &p->acts.at[i];
		size_t len = act->kind == PLAY_BYTES ? act->to - act->from : 0;

		if (act->kind != PLAY_BYTES || at + len < n) {
			at += len;
			continue;
		}
		act->to = act->from + (n - at);
		p->acts.n = act->to > act->from ? i + 1 : i;
		play_act(p, kind);
		return;
	}
}
