#include "tool/edit/patch_text.h"

#include "base/limits.h"

struct reader {
	struct patch *p;
	struct sv rest;
	struct sv line;  /* the current line; empty past the end */
	size_t number;   /* its number, from 1 */
	bool ended;      /* there are no more lines */
	struct err *err; /* borrowed */
};

static bool patch_text_fail(const struct reader *r, const char *what)
{
	return err_set(r->err, ERR_PARSE, "line %zu of the patch: %s", r->number, what);
}

static void patch_text_next_line(struct reader *r)
{
	r->ended = !sv_cut_line(&r->rest, &r->line);
	r->number++;
	if (r->ended)
		r->line = SV_EMPTY;
}

static bool is_mark(const struct reader *r, const char *mark)
{
	return sv_starts(r->line, SV("***")) && sv_is(sv_trim(r->line), mark);
}

static void patch_text_skip_empty(struct reader *r)
{
	while (!r->ended && !r->line.len)
		patch_text_next_line(r);
}

/* --- lines ---------------------------------------------------------------------- */

static bool patch_text_is_content(const struct reader *r, const char *kinds)
{
	return !r->ended && (!r->line.len || (r->line.ptr[0] && strchr(kinds, r->line.ptr[0])));
}

/* Reads lines of these kinds. Empty lines between them count as `empty`; empty lines after the last
 * one are separators. */
static void patch_text_read_lines(struct reader *r, const char *kinds, char empty)
{
	size_t waiting = 0;

	for (; patch_text_is_content(r, kinds); patch_text_next_line(r)) {
		if (!r->line.len) {
			waiting++;
			continue;
		}
		for (; waiting > 0; waiting--)
			vec_push(&r->p->lines, ((struct patch_line){ empty, SV_EMPTY }));
		vec_push(&r->p->lines,
			 ((struct patch_line){ r->line.ptr[0], sv_skip(r->line, 1) }));
	}
}

/* The text after "@@". Line numbers of other patch formats are ignored. */
static struct sv patch_text_anchor_of(struct sv line)
{
	struct sv anchor = sv_skip(line, 2);
	struct sv text = sv_trim(anchor);
	bool numbers = text.len > 1 && text.ptr[0] == '-' && text.ptr[1] >= '0' &&
		       text.ptr[1] <= '9' && sv_find(text, SV(" @@")) != SIZE_MAX;

	if (numbers || !text.len)
		return SV_EMPTY;
	return sv_starts(anchor, SV(" ")) ? sv_skip(anchor, 1) : anchor;
}

static bool patch_text_read_hunk(struct reader *r)
{
	struct patch_hunk hunk = { .first = r->p->lines.n, .number = r->number };

	if (sv_starts(r->line, SV("@@"))) {
		hunk.anchor = patch_text_anchor_of(r->line);
		patch_text_next_line(r);
	}
	patch_text_read_lines(r, " -+", ' ');
	hunk.n = r->p->lines.n - hunk.first;
	if (is_mark(r, "*** End of File")) {
		hunk.at_end = true;
		patch_text_next_line(r);
	}
	if (!hunk.n && (!hunk.anchor.len || hunk.at_end || !sv_starts(r->line, SV("@@"))))
		return patch_text_fail(
			r, "the hunk before it has no lines; they begin with ' ', '-' or '+'");
	vec_push(&r->p->hunks, hunk);
	return true;
}

/* --- parts ---------------------------------------------------------------------- */

/* "*** Add File: path"; `*path` is empty if the line is something else. */
static bool patch_text_take_path(const struct reader *r, const char *mark, struct sv *path)
{
	if (!sv_starts(r->line, sv_cstr(mark)))
		return true;
	*path = sv_trim(sv_skip(r->line, strlen(mark)));
	if (!path->len)
		return patch_text_fail(r, "the path is missing");
	return sv_find_char(*path, '\0') == SIZE_MAX ||
	       patch_text_fail(r, "the path contains a NUL character");
}

static bool patch_text_read_added(struct reader *r, struct patch_part *part)
{
	part->first = r->p->lines.n;
	patch_text_read_lines(r, "+", '+');
	part->n = r->p->lines.n - part->first;
	return true;
}

static bool patch_text_read_update(struct reader *r, struct patch_part *part)
{
	if (!patch_text_take_path(r, "*** Move to:", &part->move_to))
		return false;
	if (part->move_to.len)
		patch_text_next_line(r);
	part->first = r->p->hunks.n;
	patch_text_skip_empty(r);
	while (sv_starts(r->line, SV("@@")) || patch_text_is_content(r, " -+")) {
		if (!patch_text_read_hunk(r))
			return false;
		patch_text_skip_empty(r);
	}
	part->n = r->p->hunks.n - part->first;
	/* The next part checks what else may follow. */
	return part->n || part->move_to.len || !sv_starts(r->line, SV("***")) ||
	       patch_text_fail(r, "the update before it has no hunks");
}

static bool patch_text_read_part(struct reader *r)
{
	static const char *const marks[] = { [PATCH_ADD] = "*** Add File:",
					     [PATCH_DELETE] = "*** Delete File:",
					     [PATCH_UPDATE] = "*** Update File:" };
	struct patch_part part = { .path = SV_EMPTY, .move_to = SV_EMPTY };

	for (part.kind = PATCH_ADD; part.kind <= PATCH_UPDATE; part.kind++) {
		if (!patch_text_take_path(r, marks[part.kind], &part.path))
			return false;
		if (part.path.len)
			break;
	}
	if (!part.path.len)
		return patch_text_fail(
			r, "expected \"*** Update File: path\", Add File, Delete File or End "
			   "Patch, or in an update \"@@\" or a line that begins with ' ', '-' "
			   "or '+'");
	if (r->p->parts.n == LIMIT_PATCH_PARTS)
		return patch_text_fail(r, "the patch changes too many files");
	patch_text_next_line(r);
	if ((part.kind == PATCH_ADD && !patch_text_read_added(r, &part)) ||
	    (part.kind == PATCH_UPDATE && !patch_text_read_update(r, &part)))
		return false;
	vec_push(&r->p->parts, part);
	return true;
}

/* --- the whole ------------------------------------------------------------------ */

/* Skips lines outside of a patch, up to the mark. */
static bool patch_text_go_to(struct reader *r, const char *mark)
{
	for (patch_text_next_line(r); !r->ended && !is_mark(r, mark); patch_text_next_line(r))
		if (sv_starts(r->line, SV("***")))
			return patch_text_fail(r, "send exactly one patch, from \"*** Begin "
						  "Patch\" to \"*** End Patch\"");
	return true;
}

static bool patch_text_read_all(struct reader *r)
{
	if (!patch_text_go_to(r, "*** Begin Patch"))
		return false;
	if (r->ended)
		return patch_text_fail(r, "\"*** Begin Patch\" is missing");
	patch_text_next_line(r);
	for (patch_text_skip_empty(r); !is_mark(r, "*** End Patch"); patch_text_skip_empty(r)) {
		if (r->ended)
			return patch_text_fail(
				r, "\"*** End Patch\" is missing: the patch was cut off");
		if (!patch_text_read_part(r))
			return false;
	}
	if (!r->p->parts.n)
		return patch_text_fail(r, "the patch is empty");
	return patch_text_go_to(r, ""); /* to the end */
}

bool patch_parse(struct patch *p, struct sv text, struct err *err)
{
	struct reader r = { .p = p, .rest = text, .err = err };

	if (patch_text_read_all(&r))
		return true;
	patch_clear(p);
	return false;
}

void patch_clear(struct patch *p)
{
	vec_clear(&p->parts);
	vec_clear(&p->hunks);
	vec_clear(&p->lines);
}

void patch_added(struct str *out, const struct patch *p, const struct patch_part *part)
{
	for (size_t i = 0; i < part->n; i++) {
		str_add(out, p->lines.at[part->first + i].text);
		str_addc(out, '\n');
	}
}

void patch_old_text(struct str *out, const struct patch *p, const struct patch_hunk *hunk)
{
	for (size_t i = 0; i < hunk->n; i++) {
		const struct patch_line *line = &p->lines.at[hunk->first + i];

		if (line->kind == '+')
			continue;
		str_add(out, line->text);
		str_addc(out, '\n');
	}
}
