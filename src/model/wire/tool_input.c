#include "model/wire/tool_input.h"

#include "base/ascii.h"

void tool_input_clear(struct tool_input *input)
{
	json_partial_clear(&input->json);
	json_halves_clear(&input->halves);
	str_clear(&input->rest);
	input->emitted = 0;
}

static bool tool_input_keep_rest(struct tool_input *input, struct sv piece, struct err *err)
{
	if (str_add_capped(&input->rest, piece, LIMIT_JSON_DOC))
		return true;
	return err_set(err, ERR_TOO_BIG,
		       "the input of a tool call exceeds %zu MiB and is not valid JSON",
		       LIMIT_JSON_DOC / MIB);
}

/* Whether the last thing was a comma, which may yet turn out to be one too many. */
static bool tool_input_ends_in_comma(const struct json_partial *json)
{
	unsigned level = json->depth - 1;

	if (json->state == JSON_PARTIAL_KEY)
		return true;
	return json->state == JSON_PARTIAL_VALUE && json->depth > 0 &&
	       !(json->is_object[level / 8] >> level % 8 & 1);
}

bool tool_input_feed(struct tool_input *input, struct sv piece, struct sv *out, struct err *err)
{
	struct json_partial *json = &input->json;
	size_t before = json->text.len, end;
	struct err why;

	piece = json_halves_feed(&input->halves, piece);
	if (json->why.kind) {
		*out = SV_EMPTY;
		return tool_input_keep_rest(input, piece, err);
	}
	if (!json_partial_feed(json, piece, &why) &&
	    !tool_input_keep_rest(input, sv_skip(piece, json->text.len - before), err))
		return false;
	end = tool_input_ends_in_comma(json) ? max_of(json->keep, input->emitted) : json->text.len;
	*out = sv_slice(sv_of(&json->text), input->emitted, end);
	input->emitted = end;
	return true;
}

bool tool_input_is_complete(const struct tool_input *input)
{
	return json_partial_is_complete(&input->json);
}

/* Mending. A comma, and white space after it, waits until it is known what follows. */
struct mender {
	struct str *out;
	struct str pending;
	char last; /* the last byte written that is not white space */
	bool in_string, escaped;
};

static void tool_input_mend_in_string(struct mender *m, char c)
{
	bool escaped = m->escaped;

	m->escaped = c == '\\' && !escaped;
	if (c == '"' && !escaped)
		m->in_string = false;
	if (c == '\n' && !escaped)
		str_adds(m->out, "\\n");
	else if (c == '\t' && !escaped)
		str_adds(m->out, "\\t");
	else if (c == '\r' && !escaped)
		str_adds(m->out, "\\r");
	else
		str_addc(m->out, c);
}

/* Does not repair a comma after nothing: its meaning is unclear. */
static void tool_input_mend_structure(struct mender *m, char c)
{
	bool closes = c == '}' || c == ']';

	if (ascii_is_space(c)) {
		str_addc(m->pending.len ? &m->pending : m->out, c);
		return;
	}
	if (c == ',' && m->pending.len == 0 && !strchr("{[:,", m->last)) {
		str_addc(&m->pending, c);
		return;
	}
	if (!closes)
		str_add(m->out, sv_of(&m->pending));
	str_truncate(&m->pending, 0);
	str_addc(m->out, c);
	m->last = c;
	m->in_string = c == '"';
}

static void tool_input_mend(struct str *out, struct sv text)
{
	struct mender m = { .out = out, .last = '{' };

	for (size_t i = 0; i < text.len; i++) {
		if (m.in_string)
			tool_input_mend_in_string(&m, text.ptr[i]);
		else
			tool_input_mend_structure(&m, text.ptr[i]);
	}
	str_add(out, sv_of(&m.pending));
	str_clear(&m.pending);
}

/* Whether `text` is an object, or is one with the closing brackets added. */
static bool tool_input_close_object(struct str *out, struct sv text, bool cut)
{
	defer(json_partial_clear) struct json_partial json = JSON_PARTIAL_INIT;
	defer(str_clear) struct str closed = STR_INIT;
	struct err why;

	if (!sv_starts(sv_trim(text), SV("{")) || !json_partial_feed(&json, text, &why))
		return false;
	if (!json_partial_is_complete(&json) && (cut || json.state != JSON_PARTIAL_NEXT))
		return false;
	json_partial_close(&json, &closed);
	str_add(out, text);
	str_add(out, sv_skip(sv_of(&closed), json.keep));
	return true;
}

enum tool_input_end tool_input_end(const struct tool_input *input, bool cut, struct str *out)
{
	struct sv text = sv_of(&input->json.text);
	defer(str_clear) struct str all = STR_INIT, mended = STR_INIT, closed = STR_INIT;

	if (input->rest.len == 0 &&
	    (json_partial_is_complete(&input->json) || sv_trim(text).len == 0)) {
		str_add(out, sv_skip(text, input->emitted));
		return TOOL_INPUT_SOUND;
	}
	str_add(&all, text);
	str_add(&all, sv_of(&input->rest));
	tool_input_mend(&mended, sv_of(&all));
	if (!tool_input_close_object(&closed, sv_of(&mended), cut)) {
		str_add(out, sv_skip(sv_of(&all), input->emitted));
		return TOOL_INPUT_MALFORMED;
	}
	str_add(out, sv_skip(sv_of(&closed), input->emitted));
	return TOOL_INPUT_MENDED;
}
