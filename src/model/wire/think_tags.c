#include "model/wire/think_tags.h"

#define OPENING SV("<think>")
#define CLOSING SV("</think>")

/* What ends thinking. The first one is dropped, the others begin the text. */
static const struct sv ends[] = {
	SV_INIT("</think>"),
	SV_INIT("<tool_call>\n"),
	SV_INIT("<minimax:tool_call>"),
	SV_INIT("<|tool_calls_section_begin|>"),
	SV_INIT("<|tool_call_begin|>"),
	SV_INIT("<\xef\xbd\x9ctool\xe2\x96\x81"
		"calls\xe2\x96\x81"
		"begin\xef\xbd\x9c>"),
	SV_INIT("<\xef\xbd\x9c"
		"DSML\xef\xbd\x9c"),
};

void think_tags_clear(struct think_tags *t)
{
	str_clear(&t->pending);
}

/* Whether `text` is the start of `tag`, but not all of it. */
static bool think_may_be(struct sv text, struct sv tag)
{
	return text.len < tag.len && sv_starts(tag, text);
}

/* Returns the offset of the first of `tags` in `text`, or of what may be the start of one; the length
 * if there is neither. `*found` is the index of the tag, or `n`. */
static size_t think_find(struct sv text, const struct sv *tags, size_t n, size_t *found)
{
	size_t at = 0, hop;

	for (; (hop = sv_find_char(sv_skip(text, at), '<')) != SIZE_MAX; at++) {
		struct sv rest = sv_skip(text, at += hop);

		for (size_t i = 0; i < n; i++) {
			*found = sv_starts(rest, tags[i]) ? i : n;
			if (*found == i || think_may_be(rest, tags[i]))
				return at;
		}
	}
	*found = n;
	return text.len;
}

static struct sv think_trim_end(struct sv text)
{
	while (text.len > 0 && ascii_is_space(text.ptr[text.len - 1]))
		text.len--;
	return text;
}

static struct sv think_trim_start(struct sv text)
{
	while (text.len > 0 && ascii_is_space(text.ptr[0]))
		text = sv_skip(text, 1);
	return text;
}

/* Each step handles the start of `*text` in one state. It returns false when it fails or needs more
 * text; what it leaves in `*text` is pending then. */
struct think_run {
	struct think_tags *tags;
	think_fn *emit;
	void *arg;
	struct err *err;
	bool failed;
	bool last; /* no more text will arrive */
};

static bool think_emit(struct think_run *r, enum think_kind kind, struct sv text)
{
	if (text.len > 0 || kind == THINK_WAS_THINKING)
		r->failed = !r->emit(r->arg, kind, text, r->err);
	return !r->failed;
}

static bool think_step_start(struct think_run *r, struct sv *text)
{
	struct sv rest = think_trim_start(*text);

	if (!r->last && (rest.len == 0 || think_may_be(rest, OPENING)))
		return false;
	r->tags->state = THINK_IN_TEXT;
	if (sv_starts(rest, OPENING)) {
		r->tags->state = THINK_INSIDE;
		*text = sv_skip(rest, OPENING.len);
	}
	return true;
}

/* White space at both ends of the thinking is dropped, so it stays pending until more follows. */
static bool think_step_inside(struct think_run *r, struct sv *text)
{
	struct sv thinking;
	size_t found, at;

	if (!r->tags->begun)
		*text = think_trim_start(*text);
	at = think_find(*text, ends, countof(ends), &found);
	thinking = think_trim_end(sv_slice(*text, 0, at));
	r->tags->begun |= thinking.len > 0;

	if (found < countof(ends) || r->last) {
		r->tags->state = found == 0 ? THINK_IN_GAP : THINK_OFF;
		at = found < countof(ends) ? at : text->len;
		thinking = think_trim_end(sv_slice(*text, 0, at));
		*text = sv_skip(*text, at + (found == 0 ? ends[0].len : 0));
		return think_emit(r, THINK_THINKING, thinking) && text->len > 0;
	}
	*text = sv_skip(*text, thinking.len);
	think_emit(r, THINK_THINKING, thinking);
	return false;
}

static bool think_step_gap(struct think_run *r, struct sv *text)
{
	*text = think_trim_start(*text);
	if (text->len > 0)
		r->tags->state = THINK_OFF;
	return text->len > 0;
}

/* In code, or quoted, the tag is ordinary text. */
static bool think_step_text(struct think_run *r, struct sv *text)
{
	static const struct sv closing = SV_INIT("</think>");
	size_t found, at = think_find(*text, &closing, 1, &found);
	bool is_whole = found == 0 || r->last;

	text_place_pass_all(&r->tags->place, sv_slice(*text, 0, at));
	if (found == 0 && !r->tags->place.in_fence && r->tags->place.before != '`') {
		if (!think_emit(r, THINK_TEXT, sv_slice(*text, 0, at)) ||
		    !think_emit(r, THINK_WAS_THINKING, SV_EMPTY))
			return false;
		r->tags->state = THINK_IN_GAP;
		*text = sv_skip(*text, at + CLOSING.len);
		return true;
	}
	if (is_whole && at < text->len) { /* not a tag here: pass its first byte */
		text_place_pass(&r->tags->place, text->ptr[at]);
		at++;
	}
	think_emit(r, THINK_TEXT, sv_slice(*text, 0, at));
	*text = sv_skip(*text, at);
	return is_whole && !r->failed && text->len > 0;
}

static bool think_step(struct think_run *r, struct sv *text)
{
	switch (r->tags->state) {
	case THINK_AT_START: return think_step_start(r, text);
	case THINK_INSIDE: return think_step_inside(r, text);
	case THINK_IN_GAP: return think_step_gap(r, text);
	case THINK_IN_TEXT: return think_step_text(r, text);
	case THINK_OFF: break;
	}
	think_emit(r, THINK_TEXT, *text);
	*text = SV_EMPTY;
	return false;
}

static bool think_run(struct think_run *r, struct sv piece)
{
	defer(str_clear) struct str joined = r->tags->pending;
	struct sv text = piece;

	r->tags->pending = (struct str)STR_INIT;
	if (joined.len > 0) {
		str_add(&joined, piece);
		text = sv_of(&joined);
	}
	while (think_step(r, &text))
		;
	if (!r->last && text.len > 0)
		str_add(&r->tags->pending, text);
	return !r->failed;
}

bool think_tags_feed(struct think_tags *t, struct sv piece, think_fn *emit, void *arg,
		     struct err *err)
{
	struct think_run r = { .tags = t, .emit = emit, .arg = arg, .err = err };

	return piece.len == 0 || think_run(&r, piece);
}

bool think_tags_end(struct think_tags *t, think_fn *emit, void *arg, struct err *err)
{
	struct think_run r = { .tags = t, .emit = emit, .arg = arg, .err = err, .last = true };

	return think_run(&r, SV_EMPTY);
}
