#include "store/undo/blame.h"

#include "base/limits.h"
#include "store/undo/blame_internal.h"
#include "text/diff/diff.h"

/* The authors of a content, in case that it comes back. */
struct blame_version {
	blame_lines lines;
};

/* The file at one moment of its past, line by line. */
struct blame_page {
	struct str text;
	struct digest digest;
	blame_lines lines;
	struct map known;  /* digest to struct blame_version */
	size_t remembered; /* lines in `known` */
	bool has_gap;      /* there was another content since, which is not known */
};

void blame_clear(struct blame *blame)
{
	for (size_t i = 0; i < blame->prompts.n; i++) {
		free(blame->prompts.at[i].session);
		free(blame->prompts.at[i].uuid);
		free(blame->prompts.at[i].title);
	}
	vec_clear(&blame->prompts);
	vec_clear(&blame->lines);
	str_clear(&blame->text);
}

static void blame_page_clear(struct blame_page *page)
{
	struct sv digest;
	void *value;

	for (size_t i = 0; map_next(&page->known, &i, &digest, &value);) {
		struct blame_version *version = value;

		vec_clear(&version->lines);
		free(version);
	}
	map_clear(&page->known);
	vec_clear(&page->lines);
	str_clear(&page->text);
}

/* --- from one content to the next ----------------------------------------------------------------- */

static size_t blame_count_lines(struct sv text)
{
	size_t n = text.len && text.ptr[text.len - 1] != '\n';

	for (size_t i = 0; i < text.len; i++)
		n += text.ptr[i] == '\n';
	return n;
}

static void blame_lines_add(blame_lines *lines, uint32_t prompt, size_t n)
{
	vec_reserve(lines, n);
	for (size_t i = 0; i < n; i++)
		lines->at[lines->n++] = prompt;
}

static void blame_lines_copy(blame_lines *out, const blame_lines *in, size_t from, size_t n)
{
	n = from < in->n ? min_of(n, in->n - from) : 0;
	if (!n)
		return;
	vec_reserve(out, n);
	memcpy(out->at + out->n, in->at + from, n * sizeof(*in->at));
	out->n += n;
}

/* Take over the authors of all lines but those that a hunk replaces. */
static void blame_page_edit(struct blame_page *page, const struct diff *diff, uint32_t prompt)
{
	blame_lines lines = VEC_INIT;
	size_t old = 0;

	for (size_t i = 0; i < diff->hunks.n; i++) {
		const struct diff_hunk *hunk = &diff->hunks.at[i];
		size_t start = hunk->old_lines ? hunk->old_start - 1 : hunk->old_start;

		blame_lines_copy(&lines, &page->lines, old, start - old);
		blame_lines_add(&lines, prompt, hunk->new_lines);
		old = start + hunk->old_lines;
	}
	blame_lines_copy(&lines, &page->lines, old, SIZE_MAX);
	vec_clear(&page->lines);
	page->lines = lines;
}

/* So that the same content later has the same authors. */
static void blame_page_remember(struct blame_page *page)
{
	struct blame_version *version;

	if (page->remembered + page->lines.n > LIMIT_BLAME_LINES ||
	    map_get(&page->known, digest_sv(&page->digest)))
		return;
	version = xnew(struct blame_version);
	blame_lines_copy(&version->lines, &page->lines, 0, SIZE_MAX);
	page->remembered += page->lines.n;
	map_put(&page->known, digest_sv(&page->digest), version);
}

/* The content is `text` from now on, which it takes, by the work of a prompt. */
static void blame_page_turn(struct blame_page *page, struct str *text, const struct digest *digest,
			    uint32_t prompt)
{
	const struct blame_version *known = map_get(&page->known, digest_sv(digest));
	defer(diff_clear) struct diff diff = DIFF_INIT;
	struct err ignored = ERR_INIT;

	prompt = page->has_gap ? BLAME_UNKNOWN : prompt;
	page->has_gap = false;
	if (known) {
		page->lines.n = 0;
		blame_lines_copy(&page->lines, &known->lines, 0, SIZE_MAX);
	} else if (diff_texts(&diff, sv_of(&page->text), sv_of(text), 0, &ignored)) {
		blame_page_edit(page, &diff, prompt);
	} else {
		page->lines.n = 0;
		blame_lines_add(&page->lines, prompt, blame_count_lines(sv_of(text)));
	}
	str_clear(&page->text);
	page->text = *text;
	*text = (struct str)STR_INIT;
	page->digest = *digest;
	blame_page_remember(page);
}

static void blame_page_empty(struct blame_page *page)
{
	str_truncate(&page->text, 0);
	page->lines.n = 0;
	page->digest = (struct digest){ { 0 } };
	page->has_gap = false;
}

/* --- the whole past ----------------------------------------------------------------------------------- */

/* Whose work a content is. If this session was idle, then another one may have been at work. */
static uint32_t blame_find_prompt(const struct blame_past *past, const struct blame_seen *seen)
{
	if (seen->prompt != BLAME_UNKNOWN)
		return seen->prompt;
	for (size_t i = 0; i < past->seen.n; i++) {
		const struct blame_seen *other = &past->seen.at[i];

		if (other->journal != seen->journal && other->prompt != BLAME_UNKNOWN &&
		    other->since_ms < seen->wall_ms && seen->wall_ms <= other->wall_ms)
			return other->prompt;
	}
	return BLAME_UNKNOWN;
}

static void blame_page_see(struct blame_page *page, const struct blame_past *past,
			   const struct blame_seen *seen)
{
	const struct blame_journal *journal = &past->journals.at[seen->journal];
	const struct undo_limits limits = { .file_bytes = LIMIT_UNDO_FILE };
	defer(str_clear) struct str text = STR_INIT;
	struct err ignored = ERR_INIT;
	struct undo *history;

	if (seen->state.kind != UNDO_FILE) {
		page->has_gap = seen->state.kind == UNDO_UNKEPT;
		if (!page->has_gap)
			blame_page_empty(page);
		return;
	}
	if (memcmp(&page->digest, &seen->state.digest, sizeof(page->digest)) == 0)
		return;
	history = undo_new(journal->dir, journal->session, NULL, &limits);
	if (undo_object_read(&text, history, &seen->state, &ignored))
		blame_page_turn(page, &text, &seen->state.digest, blame_find_prompt(past, seen));
	else
		page->has_gap = true;
	undo_free(history);
}

/* Take the prompts over, without those that have no line. */
static void blame_take_prompts(struct blame *out, struct blame_past *past)
{
	defer(mem_freep) uint32_t *numbers = xcalloc(past->prompts.n + 1, sizeof(*numbers));

	for (size_t i = 0; i < out->lines.n; i++)
		if (out->lines.at[i] != BLAME_UNKNOWN)
			past->prompts.at[out->lines.at[i]].nlines++;
	for (size_t i = 0; i < past->prompts.n; i++) {
		if (!past->prompts.at[i].nlines)
			continue;
		numbers[i] = (uint32_t)out->prompts.n;
		vec_push(&out->prompts, past->prompts.at[i]);
		past->prompts.at[i] = (struct blame_prompt){ 0 };
	}
	for (size_t i = 0; i < out->lines.n; i++)
		if (out->lines.at[i] != BLAME_UNKNOWN)
			out->lines.at[i] = numbers[out->lines.at[i]];
}

bool blame_file(struct blame *out, struct sv config_dir, const char *path, struct err *err)
{
	defer(blame_past_clear) struct blame_past past = { .journals = VEC_INIT };
	defer(blame_page_clear) struct blame_page page = { .known = MAP_INIT };
	defer(str_clear) struct str text = STR_INIT;
	struct digest digest;

	if (!fs_read(&text, path, LIMIT_DIFF_INPUT, err))
		return false;
	blame_past_load(&past, config_dir, path);
	for (size_t i = 0; i < past.seen.n; i++)
		blame_page_see(&page, &past, &past.seen.at[i]);
	digest = sha256(sv_of(&text));
	if (!past.seen.n || page.has_gap || memcmp(&digest, &page.digest, sizeof(digest)) != 0)
		blame_page_turn(&page, &text, &digest, past.open);
	out->text = page.text;
	page.text = (struct str)STR_INIT;
	out->lines = page.lines;
	page.lines = (blame_lines)VEC_INIT;
	blame_take_prompts(out, &past);
	return true;
}
