#include "model/wire/openai/embedded_markup.h"

#include "base/ascii.h"
#include "text/json/json_span.h"

enum { NAME_MAX_SIZE = 128, HEADER_MAX_SIZE = 256 };

#define DEEPSEEK(word) "<\xef\xbd\x9c" word "\xef\xbd\x9c>"
#define GAP            "\xe2\x96\x81"
#define DSML           \
	"\xef\xbd\x9c" \
	"DSML\xef\xbd\x9c"
#define DEEPSEEK_CALL DEEPSEEK("tool" GAP "call" GAP "begin")
#define DEEPSEEK_SEP  DEEPSEEK("tool" GAP "sep")
#define DEEPSEEK_END  DEEPSEEK("tool" GAP "call" GAP "end")
#define KIMI_CALL     "<|tool_call_begin|>"
#define KIMI_ARGS     "<|tool_call_argument_begin|>"

const struct markup_start markup_starts[] = {
	{ SV_INIT("<tool_call>"), .own_line = true },
	{ SV_INIT("<function="), .own_line = true },
	{ SV_INIT("<minimax:tool_call>"), .own_line = true },
	{ SV_INIT("<|tool_calls_section_begin|>") },
	{ SV_INIT(KIMI_CALL) },
	{ SV_INIT(DEEPSEEK("tool" GAP "calls" GAP "begin")) },
	{ SV_INIT(DEEPSEEK("tool_calls_begin")) },
	{ SV_INIT(DEEPSEEK("tool calls begin")) },
	{ SV_INIT(DEEPSEEK("tool" GAP "calls")) },
	{ SV_INIT(DEEPSEEK_CALL) },
	{ SV_INIT("<" DSML "function_calls>") },
	{ SV_INIT("<" DSML "tool_calls>") },
	{ SV_INIT("<|channel|>") },
	{ SV_INIT("<|start|>assistant") },
};
const size_t markup_starts_count = countof(markup_starts);

/* --- scanning ---------------------------------------------------------------------------------- */

/* The rest of a text. When a function below fails, `more` says whether it did only because the text
 * ended too early. */
struct scan {
	struct sv rest;
	bool more;
};

static void scan_space(struct scan *s)
{
	while (s->rest.len > 0 && ascii_is_space(s->rest.ptr[0]))
		s->rest = sv_skip(s->rest, 1);
}

static bool scan_word(struct scan *s, const char *word)
{
	struct sv wanted = sv_cstr(word);

	if (sv_starts(s->rest, wanted)) {
		s->rest = sv_skip(s->rest, wanted.len);
		return true;
	}
	s->more |= sv_starts(wanted, s->rest);
	return false;
}

/* The text before `end`, at most `max` bytes; moves past `end`. */
static bool scan_until(struct scan *s, const char *end, size_t max, struct sv *out)
{
	size_t at = sv_find(sv_slice(s->rest, 0, max), sv_cstr(end));

	if (at == SIZE_MAX) {
		s->more |= s->rest.len < max;
		return false;
	}
	*out = sv_slice(s->rest, 0, at);
	s->rest = sv_skip(s->rest, at + strlen(end));
	return true;
}

/* --- formats ----------------------------------------------------------------------------------- */

/* A format of tags around a name, keys and values. */
struct tags {
	const char *name_end;
	const char *key, *key_end;
	const char *value; /* NULL: the value follows the key at once */
	const char *value_end;
	const char *end; /* of the call */
	bool trims;      /* a line break at each end does not belong to a value */
};

struct markup {
	const char *open[6]; /* the tags that may stand around a list of calls */
	const char *close[3];
	const char *call;
	const struct tags *tags; /* NULL: the arguments are JSON */
	/* Reads the name and, unless there are tags, everything up to the JSON. */
	bool (*name)(struct scan *s, const struct tags *tags, struct sv *name);
	const char *end; /* after the JSON */
};

static bool markup_tag_name(struct scan *s, const struct tags *tags, struct sv *name)
{
	return scan_until(s, tags->name_end, NAME_MAX_SIZE, name);
}

/* GLM: the name ends with its line, or where the first key or the end of the call begins. */
static bool markup_line_name(struct scan *s, __attribute__((unused)) const struct tags *tags,
			     struct sv *name)
{
	size_t n = 0;

	while (n < s->rest.len && n < NAME_MAX_SIZE && !ascii_is_space(s->rest.ptr[n]) &&
	       s->rest.ptr[n] != '<' && s->rest.ptr[n] != '{')
		n++;
	*name = sv_slice(s->rest, 0, n);
	s->more |= n == s->rest.len;
	s->rest = sv_skip(s->rest, n);
	return n > 0 && s->rest.len > 0;
}

/* functions.NAME:0 */
static bool markup_kimi_name(struct scan *s, __attribute__((unused)) const struct tags *tags,
			     struct sv *name)
{
	size_t colon;

	if (!scan_until(s, KIMI_ARGS, NAME_MAX_SIZE, name))
		return false;
	*name = sv_trim(*name);
	if (sv_starts(*name, SV("functions.")))
		*name = sv_skip(*name, strlen("functions."));
	colon = sv_rfind_char(*name, ':');
	*name = sv_slice(*name, 0, colon);
	return true;
}

/* NAME<sep>{..}, or function<sep>NAME and the JSON in a fence */
static bool markup_deepseek_name(struct scan *s, __attribute__((unused)) const struct tags *tags,
				 struct sv *name)
{
	struct sv first, line;

	if (!scan_until(s, DEEPSEEK_SEP, NAME_MAX_SIZE, &first))
		return false;
	scan_space(s);
	*name = first;
	if (sv_starts(s->rest, SV("{")))
		return true;
	*name = SV_EMPTY;
	if (!scan_until(s, "\n", NAME_MAX_SIZE, &line))
		return false;
	scan_space(s);
	*name = line;
	return scan_word(s, "```json");
}

static const struct tags qwen_tags = { .name_end = ">",
				       .key = "<parameter=",
				       .key_end = ">",
				       .value_end = "</parameter>",
				       .end = "</function>",
				       .trims = true };
static const struct tags glm_tags = { .key = "<arg_key>",
				      .key_end = "</arg_key>",
				      .value = "<arg_value>",
				      .value_end = "</arg_value>",
				      .end = "</tool_call>" };
static const struct tags minimax_tags = { .name_end = "\">",
					  .key = "<parameter name=\"",
					  .key_end = "\">",
					  .value_end = "</parameter>",
					  .end = "</invoke>" };
static const struct tags dsml_tags = { .name_end = "\">",
				       .key = "<" DSML "parameter name=\"",
				       .key_end = "\">",
				       .value_end = "</" DSML "parameter>",
				       .end = "</" DSML "invoke>" };

static const struct markup markups[] = {
	{ .open = { "<tool_call>" },
	  .close = { "</tool_call>" },
	  .call = "<function=",
	  .tags = &qwen_tags,
	  .name = markup_tag_name },
	{ .call = "<tool_call>", .tags = &glm_tags, .name = markup_line_name },
	{ .open = { "<minimax:tool_call>" },
	  .close = { "</minimax:tool_call>" },
	  .call = "<invoke name=\"",
	  .tags = &minimax_tags,
	  .name = markup_tag_name },
	{ .open = { "<" DSML "function_calls>", "<" DSML "tool_calls>" },
	  .close = { "</" DSML "function_calls>", "</" DSML "tool_calls>" },
	  .call = "<" DSML "invoke name=\"",
	  .tags = &dsml_tags,
	  .name = markup_tag_name },
	{ .open = { "<|tool_calls_section_begin|>" },
	  .close = { "<|tool_calls_section_end|>" },
	  .call = KIMI_CALL,
	  .name = markup_kimi_name,
	  .end = "<|tool_call_end|>" },
	{ .open = { DEEPSEEK("tool" GAP "calls" GAP "begin"), DEEPSEEK("tool_calls_begin"),
		    DEEPSEEK("tool calls begin"), DEEPSEEK("tool" GAP "calls") },
	  .close = { DEEPSEEK("tool" GAP "calls" GAP "end") },
	  .call = DEEPSEEK_CALL,
	  .name = markup_deepseek_name,
	  .end = DEEPSEEK_END },
};

static void scan_any(struct scan *s, const char *const *words)
{
	for (; *words; words++)
		if (scan_word(s, *words))
			break;
	scan_space(s);
}

/* Reads a call up to its arguments. */
static const struct markup *markup_begin(struct scan *s, struct sv *name)
{
	struct scan start = *s;

	for (size_t i = 0; i < countof(markups); i++) {
		const struct markup *m = &markups[i];

		s->rest = start.rest;
		scan_any(s, m->open);
		if (!scan_word(s, m->call))
			continue;
		scan_space(s);
		if (m->name(s, m->tags, name)) {
			*name = sv_trim(*name);
			return m;
		}
	}
	return NULL;
}

/* --- values ------------------------------------------------------------------------------------- */

static enum json_type markup_type_named(struct sv name)
{
	for (int type = JSON_NULL; type <= JSON_OBJECT; type++)
		if (sv_is(name, json_type_name((enum json_type)type)))
			return (enum json_type)type;
	return sv_is(name, "integer") ? JSON_NUMBER : JSON_MISSING;
}

/* The types that a schema allows, as bits; 0: it does not say. */
static unsigned markup_types(struct json schema)
{
	struct json type = json_get(schema, "type"), item;
	struct json_iter it = json_each(type);
	unsigned types = 0;
	struct sv name;

	if (json_str(type, &name))
		return 1u << markup_type_named(name);
	while (json_is(type, JSON_ARRAY) && json_next(&it, NULL, &item))
		types |= 1u << markup_type_named(json_str_or(item, SV_EMPTY));
	return types;
}

/* The type of a text that is valid JSON; else JSON_MISSING. */
static enum json_type markup_json_type(struct sv text)
{
	struct json_span span;
	struct err why;

	if (text.len == 0 || !json_span_root(text, &span, &why))
		return JSON_MISSING;
	switch (text.ptr[span.from]) {
	case '{': return JSON_OBJECT;
	case '[': return JSON_ARRAY;
	case '"': return JSON_STRING;
	case 't':
	case 'f': return JSON_BOOL;
	case 'n': return JSON_NULL;
	default: return JSON_NUMBER;
	}
}

/* Strings stand in the markup as they are, other values as JSON; only the schema says which of the
 * two a value is. */
static void markup_put_value(struct jw *w, struct sv text, struct json schema)
{
	unsigned types = markup_types(schema), string = 1u << JSON_STRING;
	enum json_type type = markup_json_type(sv_trim(text));
	bool is_json = types ? types & 1u << type || !(types & string) : type != JSON_STRING;

	if (type != JSON_MISSING && types != string && is_json)
		jw_raw(w, sv_trim(text));
	else
		jw_str(w, text);
}

static struct sv markup_trim_lines(struct sv text)
{
	if (sv_starts(text, SV("\n")))
		text = sv_skip(text, 1);
	return sv_ends(text, SV("\n")) ? sv_slice(text, 0, text.len - 1) : text;
}

/* Whether what follows the end of a value continues the call. A value may contain the tag that ends
 * it: the model may be writing about this very markup. */
static bool markup_continues(struct sv after, const struct tags *tags)
{
	struct scan s = { .rest = after };

	scan_space(&s);
	return s.rest.len == 0 || scan_word(&s, tags->key) || scan_word(&s, tags->end);
}

static bool markup_cut_value(struct scan *s, const struct tags *tags, struct sv *value)
{
	struct sv end = sv_cstr(tags->value_end);
	size_t at = 0, hop;

	while ((hop = sv_find(sv_skip(s->rest, at), end)) != SIZE_MAX) {
		struct sv after = sv_skip(s->rest, at + hop + end.len);

		if (markup_continues(after, tags)) {
			*value = sv_slice(s->rest, 0, at + hop);
			s->rest = after;
			return true;
		}
		at += hop + end.len;
	}
	return false;
}

static bool markup_put_argument(struct jw *w, struct scan *s, const struct tags *tags,
				struct json properties)
{
	struct sv key, name, value;

	if (!scan_word(s, tags->key) || !scan_until(s, tags->key_end, NAME_MAX_SIZE, &key))
		return false;
	if (tags->value) {
		scan_space(s);
		if (!scan_word(s, tags->value))
			return false;
	}
	if (!markup_cut_value(s, tags, &value))
		return false;
	sv_cut(&key, '"', &name); /* DeepSeek: name="KEY" string="true" */
	jw_key(w, sv_trim(name));
	markup_put_value(w, tags->trims ? markup_trim_lines(value) : value,
			 json_get_sv(properties, sv_trim(name)));
	scan_space(s);
	return true;
}

/* At the very end of the text the tag that ends the call may be missing. */
static bool markup_put_arguments(struct embedded_calls *e, struct scan *s, const struct tags *tags,
				 struct sv tool)
{
	struct json root = { NULL }, properties;
	struct err why;
	struct jw w;

	if (!json_parse_in(&e->pool, tool, 0, &root, &why))
		return false;
	properties = json_get(json_get(root, "input_schema"), "properties");
	str_truncate(&e->input, 0);
	jw_init(&w, &e->input, JW_COMPACT);
	jw_object(&w);
	scan_space(s);
	while (s->rest.len > 0 && !scan_word(s, tags->end))
		if (!markup_put_argument(&w, s, tags, properties))
			return false;
	jw_end(&w);
	jw_done(&w);
	return true;
}

/* --- harmony ------------------------------------------------------------------------------------ */

/* The messages of gpt-oss: a header with the channel and perhaps a recipient, then the text. */
static bool markup_header(struct scan *s, struct sv *header)
{
	static const char *const kinds[] = { "<|channel|>analysis", "<|channel|>commentary",
					     "<|channel|>final", " to=" };
	bool started = scan_word(s, "<|start|>assistant"), known = false;

	for (size_t i = 0; i < countof(kinds) - !started; i++) {
		struct scan kind = *s;

		known |= scan_word(&kind, kinds[i]);
		s->more |= kind.more;
	}
	return known && scan_until(s, "<|message|>", HEADER_MAX_SIZE, header);
}

/* The name after "to=functions."; empty: the message is not a call. */
static struct sv markup_recipient(struct sv header)
{
	struct sv to = SV("to=functions.");
	size_t at = sv_find(header, to), n = 0;

	if (at == SIZE_MAX)
		return SV_EMPTY;
	header = sv_skip(header, at + to.len);
	while (n < header.len && !ascii_is_space(header.ptr[n]) && header.ptr[n] != '<')
		n++;
	return sv_slice(header, 0, n);
}

static struct sv markup_cut_message(struct scan *s)
{
	static const char *const ends[] = { "<|end|>", "<|call|>", "<|return|>", "<|start|>" };
	size_t end = s->rest.len, skip = 0;
	struct sv text;

	for (size_t i = 0; i < countof(ends); i++) {
		size_t at = sv_find(s->rest, sv_cstr(ends[i]));

		if (at >= end)
			continue;
		end = at;
		skip = sv_is(sv_cstr(ends[i]), "<|start|>") ? 0 : strlen(ends[i]);
	}
	text = sv_slice(s->rest, 0, end);
	s->rest = sv_skip(s->rest, end + skip);
	return text;
}

static bool markup_cut_harmony(struct embedded_calls *e, struct scan *s, struct embedded_part *part)
{
	struct sv header, name, text;

	if (!markup_header(s, &header))
		return false;
	name = markup_recipient(header);
	text = markup_cut_message(s);
	if (name.len) {
		part->name = name;
		part->input = sv_trim(text);
		return embedded_calls_tool(e, name).len > 0 &&
		       markup_json_type(part->input) == JSON_OBJECT;
	}
	if (sv_find(header, SV("analysis")) != SIZE_MAX)
		part->thinking = text;
	else
		part->text = text;
	return true;
}

/* --- the whole ----------------------------------------------------------------------------------- */

static bool is_harmony(struct sv text)
{
	return sv_starts(text, SV("<|channel|>")) || sv_starts(text, SV("<|start|>"));
}

enum embedded_match markup_vet(struct embedded_calls *e, struct sv text)
{
	struct scan s = { .rest = text };
	struct sv name = SV_EMPTY;
	bool ok = is_harmony(text) ? markup_header(&s, &name)
				   : markup_begin(&s, &name) && embedded_calls_tool(e, name).len;

	if (ok)
		return EMBEDDED_YES;
	return s.more && embedded_calls_may_name(e, name) ? EMBEDDED_MAYBE : EMBEDDED_NO;
}

static bool markup_cut_json(struct scan *s, const struct markup *m, struct sv *input)
{
	size_t length;

	scan_space(s);
	length = sv_starts(s->rest, SV("{")) ? embedded_object_length(s->rest) : SIZE_MAX;
	if (length == SIZE_MAX)
		return false;
	*input = sv_slice(s->rest, 0, length);
	s->rest = sv_skip(s->rest, length);
	scan_space(s);
	if (scan_word(s, "```"))
		scan_space(s);
	return markup_json_type(*input) == JSON_OBJECT &&
	       (scan_word(s, m->end) || s->rest.len == 0);
}

static bool markup_cut_call(struct embedded_calls *e, struct scan *s, struct embedded_part *part)
{
	const struct markup *m = markup_begin(s, &part->name);
	struct sv tool = m ? embedded_calls_tool(e, part->name) : SV_EMPTY;

	if (tool.len == 0)
		return false;
	if (!m->tags ? !markup_cut_json(s, m, &part->input)
		     : !markup_put_arguments(e, s, m->tags, tool))
		return false;
	if (m->tags)
		part->input = sv_of(&e->input);
	scan_space(s);
	scan_any(s, m->close);
	e->place = sv_starts(s->rest, sv_cstr(m->call)) ? EMBEDDED_MARKUP : EMBEDDED_TAGGED;
	return true;
}

bool markup_cut(struct embedded_calls *e, struct sv *rest, struct embedded_part *part)
{
	struct scan s = { .rest = *rest };

	if (is_harmony(*rest) ? !markup_cut_harmony(e, &s, part) : !markup_cut_call(e, &s, part))
		return false;
	*rest = s.rest;
	return true;
}
