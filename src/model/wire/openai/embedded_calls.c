#include "model/wire/openai/embedded_calls.h"

#include "base/limits.h"
#include "model/wire/openai/embedded_markup.h"
#include "text/json/json_span.h"

enum {
	VET_WINDOW = 256, /* within so many bytes a call has named its tool */
	SLICE = 512,
};

/* Tags before JSON. */
static const struct sv json_tags[] = { SV_INIT("<tool_call>"), SV_INIT("<|python_tag|>"),
				       SV_INIT("[TOOL_CALLS]") };

#define OPENING_TAG json_tags[0]
#define CLOSING_TAG SV("</tool_call>")
#define FENCE       SV("```")

void embedded_calls_init(struct embedded_calls *e, const struct model_request *request)
{
	*e = (struct embedded_calls){ .request = request,
				      .off = request->ntools == 0,
				      .text = TEXT_PLACE_INIT };
}

void embedded_calls_clear(struct embedded_calls *e)
{
	vec_clear(&e->names);
	arena_clear(&e->arena);
	str_clear(&e->pending);
	str_clear(&e->input);
	json_pool_clear(&e->pool);
}

static struct sv embedded_skip_space(struct sv s)
{
	while (s.len > 0 && ascii_is_space(s.ptr[0]))
		s = sv_skip(s, 1);
	return s;
}

/* The tools on offer. */

static struct sv embedded_read_name(struct embedded_calls *e, struct sv tool)
{
	struct json root;
	struct err why;

	if (!json_parse_in(&e->pool, tool, 0, &root, &why))
		return SV_EMPTY;
	return arena_dup(&e->arena, json_str_or(json_get(root, "name"), SV_EMPTY));
}

static void embedded_read_names(struct embedded_calls *e)
{
	for (size_t i = e->names.n; i < e->request->ntools; i++)
		vec_push(&e->names, embedded_read_name(e, e->request->tools[i]));
}

struct sv embedded_calls_tool(struct embedded_calls *e, struct sv name)
{
	embedded_read_names(e);
	for (size_t i = 0; i < e->names.n && name.len > 0; i++)
		if (sv_eq(e->names.at[i], name))
			return e->request->tools[i];
	return SV_EMPTY;
}

bool embedded_calls_may_name(struct embedded_calls *e, struct sv start)
{
	embedded_read_names(e);
	for (size_t i = 0; i < e->names.n; i++)
		if (sv_starts(e->names.at[i], start))
			return true;
	return false;
}

/* Where a call may start. */

static enum embedded_match embedded_match_start(struct sv text, struct sv start)
{
	if (sv_starts(text, start))
		return EMBEDDED_YES;
	return sv_starts(start, text) ? EMBEDDED_MAYBE : EMBEDDED_NO;
}

static enum embedded_match embedded_match_tag(const struct embedded_calls *e, struct sv text,
					      struct sv tag, bool own_line)
{
	bool allowed = own_line ? e->text.line_blank : e->text.before != '`';

	return allowed && !e->text.in_fence && text.ptr[0] == tag.ptr[0]
		       ? embedded_match_start(text, tag)
		       : EMBEDDED_NO;
}

/* Whether `text` starts with a tag, or may once more of it has arrived. */
static enum embedded_match embedded_match_tags(const struct embedded_calls *e, struct sv text)
{
	enum embedded_match best = EMBEDDED_NO;

	for (size_t i = 1; i < countof(json_tags); i++) /* the first one is also markup */
		best = max_of(best, embedded_match_tag(e, text, json_tags[i], false));
	for (size_t i = 0; i < markup_starts_count; i++)
		best = max_of(best, embedded_match_tag(e, text, markup_starts[i].text,
						       markup_starts[i].own_line));
	return best;
}

/* Whether the whole message may be a call: bare JSON, or JSON in a fence. */
static enum embedded_match embedded_match_whole(const struct embedded_calls *e, struct sv text)
{
	if (e->text.begun)
		return EMBEDDED_NO;
	return text.ptr[0] == '{' ? EMBEDDED_YES : embedded_match_start(text, FENCE);
}

static bool embedded_may_start(char c)
{
	return c == '<' || c == '[' || c == '{' || c == '`';
}

/* Returns the offset of the next place where a call starts, or may start once more has arrived; the
 * length if there is none. The text before it counts as passed. */
static size_t embedded_find_start(struct embedded_calls *e, struct sv text,
				  enum embedded_match *match)
{
	*match = EMBEDDED_NO;
	for (size_t i = 0; i < text.len; i++) {
		struct sv rest = sv_skip(text, i);

		if (embedded_may_start(text.ptr[i]))
			*match =
				max_of(embedded_match_whole(e, rest), embedded_match_tags(e, rest));
		if (*match != EMBEDDED_NO)
			return i;
		text_place_pass(&e->text, text.ptr[i]);
	}
	return text.len;
}

/* Vetting: does what follows a tag begin like a call? */

/* Cuts the string off the start of `*s`. Names need no backslash, so escapes are not read. */
static enum embedded_match embedded_cut_string(struct sv *s, struct sv *string)
{
	size_t end;

	if (s->len == 0)
		return EMBEDDED_MAYBE;
	if (s->ptr[0] != '"')
		return EMBEDDED_NO;
	end = sv_find_char(sv_skip(*s, 1), '"');
	if (end == SIZE_MAX)
		return EMBEDDED_MAYBE;
	*string = sv_slice(*s, 1, end + 1);
	*s = sv_skip(*s, end + 2);
	return EMBEDDED_YES;
}

static enum embedded_match embedded_vet_name(struct embedded_calls *e, struct sv after_key)
{
	struct sv s = embedded_skip_space(after_key), name;
	enum embedded_match match;

	if (s.len > 0 && s.ptr[0] != ':')
		return EMBEDDED_NO;
	s = embedded_skip_space(sv_skip(s, 1));
	match = embedded_cut_string(&s, &name);
	return match == EMBEDDED_YES && !embedded_calls_tool(e, name).len ? EMBEDDED_NO : match;
}

static enum embedded_match embedded_vet_object(struct embedded_calls *e, struct sv s)
{
	static const char *const others[] = { "type", "id", "function", "arguments", "parameters" };
	struct sv key;
	enum embedded_match match;

	if (s.len > 0 && s.ptr[0] != '{')
		return EMBEDDED_NO;
	s = embedded_skip_space(sv_skip(s, 1));
	match = embedded_cut_string(&s, &key);
	if (match != EMBEDDED_YES)
		return match;
	for (size_t i = 0; i < countof(others); i++)
		if (sv_is(key, others[i]))
			return EMBEDDED_YES;
	return sv_is(key, "name") ? embedded_vet_name(e, s) : EMBEDDED_NO;
}

/* The word after a fence names the language of the block. */
static bool is_fence_word(struct sv word)
{
	static const char words[][10] = { "", "json", "tool_call" };

	return sv_is_among(sv_trim(word), words);
}

/* Skips the tag, or the fence and its line, that the text starts with. */
static struct sv embedded_skip_start(struct sv text)
{
	struct sv rest = sv_skip(text, FENCE.len), word;

	for (size_t i = 0; i < countof(json_tags); i++)
		if (sv_starts(text, json_tags[i]))
			return sv_skip(text, json_tags[i].len);
	if (!sv_starts(text, FENCE))
		return text;
	if (sv_find_char(rest, '\n') == SIZE_MAX)
		return SV_EMPTY;
	sv_cut(&rest, '\n', &word);
	return is_fence_word(word) ? rest : SV("no call");
}

static enum embedded_match embedded_vet(struct embedded_calls *e)
{
	struct sv text = sv_slice(sv_of(&e->pending), 0, VET_WINDOW);
	struct sv s = embedded_skip_space(embedded_skip_start(text));
	bool has_markup = text.ptr[0] == '<' && s.len > 0 && s.ptr[0] != '{';
	enum embedded_match match;

	if (sv_starts(text, SV("[TOOL_CALLS]")) && sv_starts(s, SV("[")))
		s = embedded_skip_space(sv_skip(s, 1));
	match = has_markup ? markup_vet(e, text) : embedded_vet_object(e, s);
	return match == EMBEDDED_MAYBE && text.len == VET_WINDOW ? EMBEDDED_NO : match;
}

/* Feeding. */

/* Appends the first `n` pending bytes to `out`. */
static void embedded_release_bytes(struct embedded_calls *e, size_t n, struct str *out)
{
	str_add(out, sv_slice(sv_of(&e->pending), 0, n));
	str_consume(&e->pending, n);
}

/* It only looked like a call: pass its first byte on as text and search again after it. */
static void embedded_give_up(struct embedded_calls *e, struct str *out)
{
	e->holding = false;
	text_place_pass(&e->text, e->pending.ptr[0]);
	embedded_release_bytes(e, 1, out);
}

static void embedded_look_for_start(struct embedded_calls *e, struct str *out)
{
	enum embedded_match match;

	embedded_release_bytes(e, embedded_find_start(e, sv_of(&e->pending), &match), out);
	e->holding = match == EMBEDDED_YES;
	e->vetted = false;
}

static void embedded_feed_slice(struct embedded_calls *e, struct sv slice, struct str *out)
{
	enum embedded_match match = EMBEDDED_NO;

	str_add(&e->pending, slice);
	while (e->pending.len > 0 && match == EMBEDDED_NO) {
		if (!e->holding)
			embedded_look_for_start(e, out);
		if (!e->holding)
			return;
		match = e->vetted ? EMBEDDED_YES : embedded_vet(e);
		e->vetted = match == EMBEDDED_YES;
		if (match == EMBEDDED_NO)
			embedded_give_up(e, out);
	}
	if (e->pending.len <= LIMIT_MODEL_EMBEDDED)
		return;
	e->overflowed = true;
	embedded_calls_release(e, out);
}

bool embedded_calls_pass(struct embedded_calls *e, struct sv piece)
{
	if (e->off)
		return true;
	if (e->pending.len > 0)
		return false;
	for (size_t i = 0; i < piece.len; i++)
		if (embedded_may_start(piece.ptr[i]))
			return false;
	text_place_pass_all(&e->text, piece);
	return true;
}

/* Works in slices, so that giving up on a byte moves little memory. */
void embedded_calls_feed(struct embedded_calls *e, struct sv piece, struct str *out)
{
	for (; piece.len > 0 && !e->off; piece = sv_skip(piece, SLICE))
		embedded_feed_slice(e, sv_slice(piece, 0, SLICE), out);
	str_add(out, piece);
}

void embedded_calls_release(struct embedded_calls *e, struct str *out)
{
	embedded_release_bytes(e, e->pending.len, out);
	e->holding = false;
	e->off = true;
}

/* The end. */

size_t embedded_object_length(struct sv text)
{
	bool in_string = false;
	size_t depth = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (in_string && c == '\\')
			i++;
		else if (c == '"')
			in_string = !in_string;
		else if (!in_string && c == '{')
			depth++;
		else if (!in_string && c == '}' && --depth == 0)
			return i + 1;
	}
	return SIZE_MAX;
}

static bool embedded_find_input(struct sv object, struct json root, struct sv *input)
{
	static const struct sv keys[] = { SV_INIT("arguments"), SV_INIT("parameters") };
	struct json_span span;
	struct err why;

	for (size_t i = 0; i < countof(keys); i++) {
		struct json value = json_get_sv(root, keys[i]);

		if (json_str(value, input))
			return true;
		if (json_is(value, JSON_OBJECT) &&
		    json_span_find(object, JSON_STEPS(keys[i]), &span, &why)) {
			*input = json_span_sv(object, span);
			return true;
		}
	}
	return false;
}

/* {"name": .., "arguments": ..}, or that as the "function" of an object. */
static bool embedded_read_call(struct embedded_calls *e, struct sv object,
			       struct embedded_part *part)
{
	struct json root, function;
	struct json_span span;
	struct err why;

	embedded_read_names(e); /* before `object`, because both use the pool */
	if (!json_parse_in(&e->pool, object, 0, &root, &why))
		return false;
	function = json_get(root, "function");
	if (json_is(function, JSON_OBJECT) &&
	    json_span_find(object, JSON_STEPS(SV("function")), &span, &why)) {
		object = json_span_sv(object, span);
		root = function;
	}
	return (json_str(json_get(root, "name"), &part->name) || json_str(function, &part->name)) &&
	       embedded_calls_tool(e, part->name).len &&
	       embedded_find_input(object, root, &part->input);
}

/* Reads the object at the start of `*rest` as a call, and moves past it. */
static bool embedded_cut_call(struct embedded_calls *e, struct sv *rest, struct embedded_part *part)
{
	size_t length;

	*rest = embedded_skip_space(*rest);
	length = sv_starts(*rest, SV("{")) ? embedded_object_length(*rest) : SIZE_MAX;
	if (length == SIZE_MAX || !embedded_read_call(e, sv_slice(*rest, 0, length), part))
		return false;
	*rest = embedded_skip_space(sv_skip(*rest, length));
	return true;
}

/* <tool_call>{..}</tool_call>; at the very end the closing tag may be missing. */
static bool embedded_next_tagged(struct embedded_calls *e, struct sv *rest,
				 struct embedded_part *part)
{
	*rest = sv_skip(*rest, OPENING_TAG.len);
	if (!embedded_cut_call(e, rest, part))
		return false;
	if (sv_starts(*rest, CLOSING_TAG))
		*rest = embedded_skip_space(sv_skip(*rest, CLOSING_TAG.len));
	else if (rest->len > 0)
		return false;
	return true;
}

/* [{..}, {..}] */
static bool embedded_next_in_list(struct embedded_calls *e, struct sv *rest,
				  struct embedded_part *part)
{
	if (!embedded_cut_call(e, rest, part))
		return false;
	if (!sv_starts(*rest, SV("]")) && !sv_starts(*rest, SV(",")))
		return false;
	e->place = rest->ptr[0] == ']' ? EMBEDDED_TAGGED : EMBEDDED_LIST;
	*rest = embedded_skip_space(sv_skip(*rest, 1));
	return true;
}

/* {..}; {..} */
static bool embedded_next_in_sequence(struct embedded_calls *e, struct sv *rest,
				      struct embedded_part *part)
{
	e->place = EMBEDDED_SEQUENCE;
	if (!embedded_cut_call(e, rest, part))
		return false;
	if (sv_starts(*rest, SV(";")))
		*rest = embedded_skip_space(sv_skip(*rest, 1));
	return true;
}

/* The one call that is all of the message. */
static bool embedded_next_whole(struct embedded_calls *e, struct sv *rest,
				struct embedded_part *part)
{
	bool fenced = sv_starts(*rest, FENCE);

	*rest = embedded_skip_start(*rest);
	if (!embedded_cut_call(e, rest, part))
		return false;
	if (fenced && sv_starts(*rest, FENCE))
		*rest = embedded_skip_space(sv_skip(*rest, FENCE.len));
	else if (fenced)
		return false;
	return rest->len == 0;
}

static bool embedded_next_call(struct embedded_calls *e, struct sv *rest,
			       struct embedded_part *part)
{
	struct sv inside = embedded_skip_space(embedded_skip_start(*rest));

	if (e->place == EMBEDDED_LIST)
		return embedded_next_in_list(e, rest, part);
	if (e->place == EMBEDDED_SEQUENCE)
		return embedded_next_in_sequence(e, rest, part);
	if (sv_starts(*rest, OPENING_TAG) && sv_starts(inside, SV("{")))
		return embedded_next_tagged(e, rest, part);
	if (rest->ptr[0] == '<' && !sv_starts(*rest, SV("<|python_tag|>")))
		return markup_cut(e, rest, part);
	if (e->at == 0 && (rest->ptr[0] == '{' || rest->ptr[0] == '`'))
		return embedded_next_whole(e, rest, part);
	*rest = inside;
	if (!sv_starts(inside, SV("[")))
		return embedded_next_in_sequence(e, rest, part);
	*rest = sv_skip(inside, 1);
	return embedded_next_in_list(e, rest, part);
}

/* Text between two calls. */
static bool embedded_next_text(struct embedded_calls *e, struct sv rest, struct embedded_part *part)
{
	enum embedded_match match;
	size_t n = e->place == EMBEDDED_TAGGED ? embedded_find_start(e, rest, &match) : 0;

	part->text = sv_slice(rest, 0, n);
	e->at += n;
	return n > 0;
}

bool embedded_calls_next(struct embedded_calls *e, struct embedded_part *part)
{
	struct sv pending = sv_of(&e->pending), rest = sv_skip(pending, e->at);

	*part = (struct embedded_part){ .text = SV_EMPTY };
	if (rest.len == 0)
		return false;
	if (e->at > 0 && embedded_next_text(e, rest, part))
		return true;
	rest = sv_skip(pending, e->at);
	if (e->holding && embedded_next_call(e, &rest, part)) {
		e->at = pending.len - rest.len;
		e->text.begun = e->text.line_blank = true; /* another tag may follow at once */
		return true;
	}
	*part = (struct embedded_part){ .text = sv_skip(pending, e->at) };
	e->at = pending.len;
	return true;
}
