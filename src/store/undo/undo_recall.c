/* Prompts are marked in the journal with the next batch, so those that came after the last one are lost when
 * the process ends. The transcript has them. */
#include "base/limits.h"
#include "base/utf8.h"
#include "store/transcript/transcript.h"
#include "store/undo/undo_internal.h"

struct recall {
	struct sv journal, marks;
	bool is_past;        /* the prompts of this process are behind us */
	VEC(struct str) old; /* marks, the newest first */
};

static bool recall_visit(void *arg, struct sv uuid, struct sv text, int64_t wall_ms)
{
	enum { TITLE_MAX = 200 };
	struct recall *r = arg;
	struct sv rest = sv_trim(text), line = SV_EMPTY;
	bool is_marked = sv_find(r->marks, uuid) != SIZE_MAX;

	if (is_marked || !r->is_past) {
		r->is_past = is_marked;
		return true;
	}
	if (sv_find(r->journal, uuid) != SIZE_MAX)
		return false;
	(void)sv_cut_line(&rest, &line);
	undo_mark(vec_add(&r->old), UNDO_PROMPT, uuid, utf8_prefix(line, TITLE_MAX), wall_ms);
	return true;
}

void undo_recall(struct undo *h, const char *transcript, struct sv marks)
{
	defer(str_clear) struct str journal = STR_INIT;
	struct recall r = { .marks = marks, .is_past = !marks.len, .old = VEC_INIT };
	bool is_new = !fs_exists(h->log_path);
	struct err ignored = ERR_INIT;

	if (!is_new && !fs_read(&journal, h->log_path, LIMIT_UNDO_LOG, &ignored))
		return;
	r.journal = sv_of(&journal);
	(void)!transcript_prompts(transcript, is_new, recall_visit, &r, &ignored);
	while (r.old.n) {
		struct str mark = vec_pop(&r.old);

		str_add(&h->marks, sv_of(&mark));
		str_clear(&mark);
	}
	vec_clear(&r.old);
}
