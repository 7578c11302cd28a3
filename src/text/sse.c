#include "text/sse.h"

void sse_init(struct sse *sse, size_t max)
{
	*sse = (struct sse){
		.max = max,
		.type = { .now = SV_EMPTY },
		.data = { .now = SV_EMPTY },
		.retry_ms = -1,
	};
}

void sse_clear(struct sse *sse)
{
	str_clear(&sse->line);
	str_clear(&sse->type.kept);
	str_clear(&sse->data.kept);
	str_clear(&sse->id);
}

bool sse_is_pending(const struct sse *sse)
{
	return sse->line.len > 0 || sse->size > 0;
}

static bool sse_too_big(const struct sse *sse, struct err *err)
{
	return err_set(err, ERR_TOO_BIG,
		       "event stream: event exceeds %zu bytes in the line at byte %llu", sse->max,
		       (unsigned long long)sse->line_at);
}

/* Copy a borrowed value, so that it outlives its chunk. */
static void sse_keep(struct sse_value *value)
{
	if (value->now.len == 0 || value->now.ptr == value->kept.ptr)
		return;
	str_set(&value->kept, value->now);
	value->now = sv_of(&value->kept);
}

static void sse_add_data(struct sse *sse, struct sv value)
{
	struct sse_value *data = &sse->data;

	if (!sse->has_data) {
		sse->has_data = true;
		data->now = value;
		return;
	}
	if (data->now.len == 0)
		str_truncate(&data->kept, 0);
	sse_keep(data);
	str_addc(&data->kept, '\n');
	str_add(&data->kept, value);
	data->now = sv_of(&data->kept);
}

static void sse_set_id(struct sse *sse, struct sv value)
{
	if (sv_find_char(value, '\0') != SIZE_MAX)
		return;
	str_set(&sse->id, value);
}

static void sse_set_retry(struct sse *sse, struct sv value)
{
	int64_t ms;

	if (sv_to_int(value, &ms) && value.ptr[0] != '-')
		sse->retry_ms = ms;
}

/* End the event: dispatch it when it has data, and clear it. */
static bool sse_end_event(struct sse *sse, sse_emit_fn *emit, void *arg, struct err *err)
{
	struct sse_event event = {
		.type = sse->type.now.len ? sse->type.now : SV("message"),
		.data = sse->data.now,
		.id = sv_of(&sse->id),
	};
	bool dispatch = sse->has_data;

	sse->type.now = SV_EMPTY;
	sse->data.now = SV_EMPTY;
	sse->has_data = false;
	sse->size = 0;
	return !dispatch || emit(arg, &event, err);
}

enum field { FIELD_DATA, FIELD_EVENT, FIELD_ID, FIELD_RETRY, FIELD_UNKNOWN };

/* Whether the line has this name. Its value may start with one space, which does not count. */
static inline bool sse_has_name(struct sv line, struct sv name, struct sv *value)
{
	if (line.len < name.len || memcmp(line.ptr, name.ptr, name.len) != 0)
		return false;
	if (line.len > name.len && line.ptr[name.len] != ':')
		return false;
	*value = sv_skip(line, name.len + 1);
	if (value->len && value->ptr[0] == ' ')
		*value = sv_skip(*value, 1);
	return true;
}

static enum field sse_field_of(struct sv line, struct sv *value)
{
	switch (line.ptr[0]) {
	case 'd': return sse_has_name(line, SV("data"), value) ? FIELD_DATA : FIELD_UNKNOWN;
	case 'e': return sse_has_name(line, SV("event"), value) ? FIELD_EVENT : FIELD_UNKNOWN;
	case 'i': return sse_has_name(line, SV("id"), value) ? FIELD_ID : FIELD_UNKNOWN;
	case 'r': return sse_has_name(line, SV("retry"), value) ? FIELD_RETRY : FIELD_UNKNOWN;
	default: return FIELD_UNKNOWN;
	}
}

/* Process a line that is not blank. Comments, which start with ':', and unknown fields
 * store nothing, so they may keep a stream alive for any length of time; all other
 * fields count towards the cap. */
static bool sse_take_field(struct sse *sse, struct sv line, struct err *err)
{
	struct sv value = SV_EMPTY;
	enum field field = sse_field_of(line, &value);

	if (field == FIELD_UNKNOWN)
		return true;
	if (line.len > sse->max - sse->size)
		return sse_too_big(sse, err);
	sse->size += line.len;
	switch (field) {
	case FIELD_DATA: sse_add_data(sse, value); break;
	case FIELD_EVENT: sse->type.now = value; break;
	case FIELD_ID: sse_set_id(sse, value); break;
	case FIELD_RETRY: sse_set_retry(sse, value); break;
	case FIELD_UNKNOWN: break;
	}
	return true;
}

/* Process one whole line, without its end. */
static bool sse_take_line(struct sse *sse, struct sv line, sse_emit_fn *emit, void *arg,
			  struct err *err)
{
	if (line.len > sse->max)
		return sse_too_big(sse, err);
	if (sse->line_at == 0 && sv_starts(line, SV("\xef\xbb\xbf")))
		line = sv_skip(line, 3);
	return line.len ? sse_take_field(sse, line, err) : sse_end_event(sse, emit, arg, err);
}

/* Process a line whose start came with an earlier chunk. */
static bool sse_take_split_line(struct sse *sse, struct sv rest, sse_emit_fn *emit, void *arg,
				struct err *err)
{
	if (!str_add_capped(&sse->line, rest, sse->max))
		return sse_too_big(sse, err);
	if (!sse_take_line(sse, sv_of(&sse->line), emit, arg, err))
		return false;
	sse_keep(&sse->type);
	sse_keep(&sse->data);
	str_truncate(&sse->line, 0);
	return true;
}

/* Walk the lines of a chunk. Remembering the positions of the next LF and the next CR
 * keeps the search linear when a stream uses only one of them. */
struct scan {
	const char *at, *end;
	const char *lf, *cr; /* at or after `at`, or outdated: then search again */
};

static const char *sse_seek(const char *from, const char *end, char c)
{
	const char *hit = memchr(from, c, (size_t)(end - from));

	return hit ? hit : end;
}

/* The end of the line that starts at `at`; `end` when it is not in the chunk. */
static const char *sse_line_end(struct scan *s)
{
	if (s->lf < s->at)
		s->lf = sse_seek(s->at, s->end, '\n');
	if (s->cr < s->at)
		s->cr = sse_seek(s->at, s->end, '\r');
	return min_of(s->lf, s->cr);
}

static bool sse_take_lines(struct sse *sse, struct sv in, sse_emit_fn *emit, void *arg,
			   struct err *err)
{
	struct scan s = { .at = in.ptr, .end = in.ptr + in.len };
	const char *eol;

	s.lf = sse_seek(s.at, s.end, '\n');
	s.cr = sse_seek(s.at, s.end, '\r');
	for (; s.at < s.end && (eol = sse_line_end(&s)) < s.end; s.at = eol + 1) {
		struct sv line = sv_from(s.at, (size_t)(eol - s.at));
		bool ends_cr_lf = sse->after_cr && line.len == 0 && *eol == '\n';

		sse->after_cr = *eol == '\r';
		if (!ends_cr_lf && !(sse->line.len ? sse_take_split_line(sse, line, emit, arg, err)
						   : sse_take_line(sse, line, emit, arg, err)))
			return false;
		sse->line_at = sse->fed + (uint64_t)(eol + 1 - in.ptr);
	}
	if (s.at == s.end)
		return true;
	sse->after_cr = false;
	if (!str_add_capped(&sse->line, sv_from(s.at, (size_t)(s.end - s.at)), sse->max))
		return sse_too_big(sse, err);
	return true;
}

bool sse_feed(struct sse *sse, struct sv in, sse_emit_fn *emit, void *arg, struct err *err)
{
	if (in.len == 0)
		return true;
	if (!sse_take_lines(sse, in, emit, arg, err))
		return false;
	sse_keep(&sse->type);
	sse_keep(&sse->data);
	sse->fed += in.len;
	return true;
}
