/* The journal of a session: lines of fields separated by spaces; bytes that could be taken for a
 * separator are written as %XX.
 *
 *   P TIME UUID TITLE                  a prompt begins
 *   C TIME UUID TITLE                  a command that the user runs begins
 *   U TIME UUID TARGET                 the files are about to go back to TARGET
 *   R TIME UUID TARGET                 the undo TARGET is about to be taken back
 *   B TIME COMPLETE ROOT..             observed before a change (A: after one)
 *   f MODE SIZE MTIME CTIME INODE DIGEST PACK AT PATH
 *   l MODE TARGET PATH
 *   d MODE PATH
 *   c MODE PATH                      a directory that cannot be read
 *   - PATH                             nothing is there
 *   x SIZE MTIME CTIME REASON PATH     not kept
 *   E LINES STORED                     ends a batch: how many lines, bytes stored so far */
#include "base/ascii.h"
#include "base/limits.h"
#include "store/transcript/transcript_path.h"
#include "store/undo/undo_internal.h"
#include "text/hex.h"

/* --- writing ---------------------------------------------------------------------------- */

static void undo_log_field(struct str *out, struct sv text)
{
	str_addc(out, ' ');
	if (!text.len)
		str_adds(out, "%");
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (c <= ' ' || c == '%' || c == 0x7f)
			str_addf(out, "%%%02x", c);
		else
			str_addc(out, (char)c);
	}
}

bool undo_event_is_work(const struct undo_event *event)
{
	return event->kind == UNDO_EVENT_PROMPT || event->kind == UNDO_EVENT_COMMAND;
}

void undo_log_point(struct str *out, const struct undo_event *event)
{
	str_addf(out, "%c %lld", event->kind, (long long)event->wall_ms);
	undo_log_field(out, sv_cstr(event->uuid));
	undo_log_field(out, sv_cstr(undo_event_is_work(event) ? event->text : event->target));
	str_addc(out, '\n');
}

void undo_log_state(struct str *out, struct sv path, const struct undo_state *state)
{
	switch (state->kind) {
	case UNDO_ABSENT: str_adds(out, "-"); break;
	case UNDO_DIR: str_addf(out, "%c %o", state->is_closed ? 'c' : 'd', state->mode); break;
	case UNDO_LINK:
		str_addf(out, "l %o", state->mode);
		undo_log_field(out, sv_cstr(state->text));
		break;
	case UNDO_FILE:
		str_addf(out, "f %o %lld %lld %lld %llu ", state->mode, (long long)state->size,
			 (long long)state->mtime_ns, (long long)state->ctime_ns,
			 (unsigned long long)state->inode);
		hex_encode(out, digest_sv(&state->digest));
		undo_log_field(out, sv_cstr(state->text));
		str_addf(out, " %lld", (long long)state->at);
		break;
	case UNDO_UNKEPT:
		str_addf(out, "x %lld %lld %lld", (long long)state->size,
			 (long long)state->mtime_ns, (long long)state->ctime_ns);
		undo_log_field(out, sv_cstr(state->text));
		break;
	}
	undo_log_field(out, path);
	str_addc(out, '\n');
}

static bool undo_log_open(struct undo *h, struct err *err)
{
	if (h->log)
		return true;
	if (!path_make_parents(h->log_path, err))
		return false;
	h->is_continued = fs_exists(h->log_path);
	h->log = fs_log_open(h->log_path, 0600, err);
	return h->log != NULL;
}

bool undo_log_add(struct undo *h, struct sv lines, struct err *err)
{
	defer(str_clear) struct str all = STR_INIT;

	if (!undo_log_open(h, err))
		return false;
	if (h->is_continued)
		str_addc(&all, '\n');
	str_add(&all, sv_of(&h->marks));
	str_add(&all, lines);
	if (!fs_log_add(h->log, sv_of(&all), err))
		return false;
	str_truncate(&h->marks, 0);
	h->is_continued = false;
	return true;
}

bool undo_log_write(struct undo *h, const struct undo_event *batch, const struct str *lines,
		    struct err *err)
{
	defer(str_clear) struct str all = STR_INIT;
	size_t n = 0;

	str_addf(&all, "%c %lld %d", batch->kind, (long long)batch->wall_ms, batch->is_complete);
	for (size_t i = 0; i < batch->roots.n; i++)
		undo_log_field(&all, sv_cstr(batch->roots.at[i]));
	str_addc(&all, '\n');
	str_add(&all, sv_of(lines));
	for (size_t i = 0; i < lines->len; i++)
		n += lines->ptr[i] == '\n';
	str_addf(&all, "E %zu %lld\n", n, (long long)h->stored);
	return undo_log_add(h, sv_of(&all), err);
}

/* --- reading ---------------------------------------------------------------------------- */

static bool undo_log_take(struct sv *rest, struct sv *out)
{
	return sv_cut(rest, ' ', out);
}

static bool undo_log_take_int(struct sv *rest, int64_t *out)
{
	struct sv text;

	return undo_log_take(rest, &text) && sv_to_int(text, out);
}

static bool undo_log_take_mode(struct sv *rest, uint32_t *out)
{
	struct sv text;

	if (!undo_log_take(rest, &text) || !text.len || text.len > 4)
		return false;
	*out = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] < '0' || text.ptr[i] > '7')
			return false;
		*out = *out * 8 + (uint32_t)(text.ptr[i] - '0');
	}
	return true;
}

/* Take an escaped field; a NUL byte never is in one. */
static bool undo_log_take_text(struct sv *rest, char **out)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv field;

	if (!undo_log_take(rest, &field))
		return false;
	for (size_t i = 0; i < field.len && !sv_is(field, "%"); i++) {
		int high, low;

		if (field.ptr[i] != '%') {
			str_addc(&text, field.ptr[i]);
			continue;
		}
		if (i + 2 >= field.len)
			return false;
		high = hex_digit(field.ptr[i + 1]);
		low = hex_digit(field.ptr[i + 2]);
		if (high < 0 || low < 0 || !(high | low))
			return false;
		str_addc(&text, (char)(high * 16 + low));
		i += 2;
	}
	*out = xstrdup(str_c(&text));
	return true;
}

static bool undo_log_take_digest(struct sv *rest, struct digest *out)
{
	struct sv text;

	if (!undo_log_take(rest, &text) || text.len != 2 * sizeof(out->bytes))
		return false;
	for (size_t i = 0; i < sizeof(out->bytes); i++) {
		int high = hex_digit(text.ptr[2 * i]), low = hex_digit(text.ptr[2 * i + 1]);

		if (high < 0 || low < 0)
			return false;
		out->bytes[i] = (uint8_t)(high * 16 + low);
	}
	return true;
}

static bool undo_log_read_place(struct undo_state *out, struct sv *rest)
{
	defer(mem_freep) char *pack = NULL;

	if (!undo_log_take_text(rest, &pack) || !undo_log_take_int(rest, &out->at) || out->at < 0 ||
	    out->size < 0 || out->size > (int64_t)LIMIT_UNDO_FILE || strchr(pack, '/'))
		return false;
	out->text = pack[0] ? move(pack) : NULL;
	return true;
}

static bool undo_log_read_state(struct undo_state *out, char kind, struct sv *rest)
{
	int64_t inode = 0;

	switch (kind) {
	case '-': out->kind = UNDO_ABSENT; return true;
	case 'c':
	case 'd':
		out->kind = UNDO_DIR;
		out->is_closed = kind == 'c';
		return undo_log_take_mode(rest, &out->mode);
	case 'l':
		out->kind = UNDO_LINK;
		return undo_log_take_mode(rest, &out->mode) && undo_log_take_text(rest, &out->text);
	case 'f':
		out->kind = UNDO_FILE;
		if (!undo_log_take_mode(rest, &out->mode) || !undo_log_take_int(rest, &out->size) ||
		    !undo_log_take_int(rest, &out->mtime_ns) ||
		    !undo_log_take_int(rest, &out->ctime_ns) || !undo_log_take_int(rest, &inode) ||
		    !undo_log_take_digest(rest, &out->digest))
			return false;
		out->inode = (uint64_t)inode;
		return undo_log_read_place(out, rest);
	case 'x':
		out->kind = UNDO_UNKEPT;
		return undo_log_take_int(rest, &out->size) &&
		       undo_log_take_int(rest, &out->mtime_ns) &&
		       undo_log_take_int(rest, &out->ctime_ns) &&
		       undo_log_take_text(rest, &out->text);
	default: return false;
	}
}

static struct undo_path *undo_past_path(struct undo_past *past, struct sv path)
{
	struct undo_path *found = map_get(&past->paths, path);

	if (!found) {
		found = xnew(struct undo_path);
		map_put(&past->paths, path, found);
	}
	return found;
}

static void undo_past_note_hiding(struct undo_past *past, const char *path)
{
	for (size_t i = 0; i < past->hiding.n; i++)
		if (strcmp(past->hiding.at[i], path) == 0)
			return;
	vec_push(&past->hiding, xstrdup(path));
}

/* Whether the line, which ends with a path, is about the only one or a directory above it. */
static bool undo_log_is_wanted(const struct undo_past *past, struct sv line)
{
	struct sv only = past->only, path = sv_skip(line, sv_rfind_char(line, ' ') + 1);

	return sv_starts(only, path) && (path.len == only.len || only.ptr[path.len] == '/');
}

static bool undo_log_read_line(struct undo_past *past, struct sv line)
{
	struct undo_version version = { .event = past->events.n - 1 };
	defer(mem_freep) char *path = NULL;
	struct sv rest = line, kind;

	if (past->only.len && !undo_log_is_wanted(past, line))
		return true;
	if (undo_log_take(&rest, &kind) && kind.len == 1 &&
	    undo_log_read_state(&version.state, kind.ptr[0], &rest) &&
	    undo_log_take_text(&rest, &path) && path[0] == '/') {
		if (undo_state_hides(&version.state))
			undo_past_note_hiding(past, path);
		vec_push(&undo_past_path(past, sv_cstr(path))->versions, version);
		return true;
	}
	undo_state_clear(&version.state);
	return false;
}

static bool undo_log_read_header(struct undo_event *out, struct sv line)
{
	struct sv rest = line, kind;
	int64_t complete = 0;

	if (!undo_log_take(&rest, &kind) || kind.len != 1 ||
	    !undo_log_take_int(&rest, &out->wall_ms))
		return false;
	out->kind = (enum undo_event_kind)kind.ptr[0];
	switch (out->kind) {
	case UNDO_EVENT_PROMPT:
	case UNDO_EVENT_COMMAND:
		return undo_log_take_text(&rest, &out->uuid) &&
		       undo_log_take_text(&rest, &out->text);
	case UNDO_EVENT_BACK:
	case UNDO_EVENT_FORTH:
		return undo_log_take_text(&rest, &out->uuid) &&
		       undo_log_take_text(&rest, &out->target);
	case UNDO_EVENT_BEFORE:
	case UNDO_EVENT_AFTER:
		if (!undo_log_take_int(&rest, &complete))
			return false;
		out->is_complete = complete == 1;
		while (rest.len) {
			char *root = NULL;

			if (!undo_log_take_text(&rest, &root))
				return false;
			vec_push(&out->roots, root);
		}
		return true;
	}
	return false;
}

static void undo_event_clear(struct undo_event *event)
{
	free(event->uuid);
	free(event->text);
	free(event->target);
	for (size_t i = 0; i < event->roots.n; i++)
		free(event->roots.at[i]);
	vec_clear(&event->roots);
}

/* Find the end of the batch that begins with `text`; how many lines it has. False: it is torn. */
static bool undo_log_find_end(struct sv text, size_t *lines, int64_t *stored)
{
	struct sv rest = text, line, field;
	int64_t claimed = 0;

	for (*lines = 0; sv_cut(&rest, '\n', &line); ++*lines) {
		char kind = line.len ? line.ptr[0] : 0;

		if (kind == 'E') {
			return rest.ptr != line.ptr + line.len && undo_log_take(&line, &field) &&
			       undo_log_take_int(&line, &claimed) &&
			       undo_log_take_int(&line, stored) && claimed == (int64_t)*lines;
		}
		if (!kind || (kind >= 'A' && kind <= 'Z'))
			return false;
	}
	return false;
}

/* Read one point, or one batch as a whole or not at all. */
static void undo_log_read_event(struct undo_past *past, struct sv *rest)
{
	struct undo_event event = { .roots = VEC_INIT };
	struct sv line;
	size_t lines = 0;
	int64_t stored = past->stored;
	bool is_batch, is_whole;

	if (!sv_cut(rest, '\n', &line) || !line.len)
		return;
	is_whole = undo_log_read_header(&event, line);
	is_batch = is_whole && (event.kind == UNDO_EVENT_BEFORE || event.kind == UNDO_EVENT_AFTER);
	if (!is_whole || (is_batch && !undo_log_find_end(*rest, &lines, &stored))) {
		past->bad += !sv_starts(line, SV("E ")) && line.ptr[0] != '-' &&
			     (!line.len || !ascii_is_lower(line.ptr[0]));
		undo_event_clear(&event);
		return;
	}
	vec_push(&past->events, event);
	for (size_t i = 0; i < lines && sv_cut(rest, '\n', &line); i++) {
		if (undo_log_read_line(past, line))
			continue;
		past->bad++;
		vec_last(&past->events)->is_complete = false;
	}
	if (is_batch)
		(void)sv_cut(rest, '\n', &line);
	past->stored = stored;
}

static bool undo_log_mentions(struct sv text, struct sv path)
{
	defer(str_clear) struct str end = STR_INIT;

	str_addf(&end, " %.*s\n", SV_ARG(path));
	return sv_find(text, sv_of(&end)) != SIZE_MAX;
}

bool undo_past_load(struct undo_past *out, const char *path, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest;

	if (!fs_exists(path))
		return true;
	if (!fs_read(&text, path, LIMIT_UNDO_LOG, err))
		return err_context(err, "cannot read the file history");
	rest = sv_of(&text);
	if (out->only.len && !undo_log_mentions(rest, out->only))
		return true;
	while (rest.len)
		undo_log_read_event(out, &rest);
	return true;
}

bool undo_past_load_path(struct undo_past *out, const char *path, struct sv only, struct err *err)
{
	defer(str_clear) struct str written = STR_INIT;
	bool ok;

	undo_log_field(&written, only);
	out->only = sv_skip(sv_of(&written), 1);
	ok = undo_past_load(out, path, err);
	out->only = SV_EMPTY;
	return ok;
}

static void undo_path_free(struct undo_path *path)
{
	for (size_t i = 0; i < path->versions.n; i++)
		undo_state_clear(&path->versions.at[i].state);
	vec_clear(&path->versions);
	free(path);
}

void undo_past_free(struct undo_past *past)
{
	struct sv path;
	void *value;

	if (!past)
		return;
	for (size_t i = 0; i < past->events.n; i++)
		undo_event_clear(&past->events.at[i]);
	vec_clear(&past->events);
	for (size_t i = 0; map_next(&past->paths, &i, &path, &value);)
		undo_path_free(value);
	map_clear(&past->paths);
	for (size_t i = 0; i < past->hiding.n; i++)
		free(past->hiding.at[i]);
	vec_clear(&past->hiding);
	free(past);
}

void undo_past_freep(struct undo_past **past)
{
	undo_past_free(*past);
}
