#include "text/front_matter.h"

#include <yaml.h>

#include "base/limits.h"
#include "base/map.h"
#include "text/front_matter_scalar.h"
#include "text/json/json_write.h"

/* An open mapping or sequence. */
struct level {
	bool is_map;
	bool keyed;      /* a key has been read, its value comes next */
	struct map keys; /* all keys so far */
};

struct builder {
	struct sv block;
	struct jw w;
	struct level levels[LIMIT_FRONT_DEPTH];
	size_t depth;
	bool done; /* the root has been closed */
};

/* The block starts on the second line of the file. */
static size_t front_matter_line_of(yaml_mark_t mark)
{
	return mark.line + 2;
}

static bool front_matter_fail_at(struct err *err, yaml_mark_t mark, const char *what)
{
	return err_set(err, ERR_PARSE, "line %zu: %s", front_matter_line_of(mark), what);
}

static void front_matter_open_level(struct builder *b, bool is_map)
{
	b->levels[b->depth++] = (struct level){ .is_map = is_map, .keys = MAP_INIT };
	if (is_map)
		jw_object(&b->w);
	else
		jw_array(&b->w);
}

static void front_matter_close_level(struct builder *b)
{
	map_clear(&b->levels[--b->depth].keys);
	b->done = b->depth == 0;
	jw_end(&b->w);
}

static void builder_clear(struct builder *b)
{
	while (b->depth > 0)
		map_clear(&b->levels[--b->depth].keys);
}

/* The level that the next event belongs to; NULL before the root. */
static struct level *front_matter_innermost(struct builder *b)
{
	return b->depth > 0 ? &b->levels[b->depth - 1] : NULL;
}

static bool front_matter_on_key(struct builder *b, const yaml_event_t *event, struct sv key,
				struct err *err)
{
	struct level *level = front_matter_innermost(b);

	/* The map needs any value that is not NULL. */
	if (map_put(&level->keys, key, b))
		return err_set(err, ERR_PARSE, "line %zu: the key \"%.*s\" appears twice",
			       front_matter_line_of(event->start_mark), SV_ARG(key));
	level->keyed = true;
	jw_key(&b->w, key);
	return true;
}

/* Note that a value begins here. The root must be a mapping, and a key must be a scalar. */
static bool front_matter_begin_value(struct builder *b, const yaml_event_t *event, struct err *err)
{
	struct level *level = front_matter_innermost(b);

	if (!level && event->type != YAML_MAPPING_START_EVENT)
		return front_matter_fail_at(err, event->start_mark,
					    "front matter must consist of \"key: value\" lines");
	if (level && level->is_map && !level->keyed)
		return front_matter_fail_at(err, event->start_mark, "a key must be plain text");
	if (level)
		level->keyed = false;
	return true;
}

static bool front_matter_on_scalar(struct builder *b, const yaml_event_t *event, struct err *err)
{
	const struct level *level = front_matter_innermost(b);
	struct sv text = sv_from((const char *)event->data.scalar.value, event->data.scalar.length);

	if (level && level->is_map && !level->keyed)
		return front_matter_on_key(b, event, text, err);
	if (!front_matter_begin_value(b, event, err))
		return false;
	if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
		front_matter_write_plain(&b->w, text);
	else
		jw_str(&b->w, text);
	return true;
}

static bool front_matter_on_start(struct builder *b, const yaml_event_t *event, struct err *err)
{
	if (!front_matter_begin_value(b, event, err))
		return false;
	if (b->depth == LIMIT_FRONT_DEPTH)
		return err_set(err, ERR_TOO_BIG, "line %zu: nested more than %d levels deep",
			       front_matter_line_of(event->start_mark), LIMIT_FRONT_DEPTH);
	front_matter_open_level(b, event->type == YAML_MAPPING_START_EVENT);
	return true;
}

/* The anchor and the tag of a node; NULL when the node has none. */
static void front_matter_decorations(const yaml_event_t *event, const void **anchor,
				     const void **tag)
{
	*anchor = *tag = NULL;
	if (event->type == YAML_SCALAR_EVENT) {
		*anchor = event->data.scalar.anchor;
		*tag = event->data.scalar.tag;
	} else if (event->type == YAML_SEQUENCE_START_EVENT) {
		*anchor = event->data.sequence_start.anchor;
		*tag = event->data.sequence_start.tag;
	} else if (event->type == YAML_MAPPING_START_EVENT) {
		*anchor = event->data.mapping_start.anchor;
		*tag = event->data.mapping_start.tag;
	} else if (event->type == YAML_ALIAS_EVENT) {
		*anchor = event->data.alias.anchor;
	}
}

static bool front_matter_on_event(struct builder *b, const yaml_event_t *event, struct err *err)
{
	const void *anchor, *tag;

	front_matter_decorations(event, &anchor, &tag);
	if (anchor)
		return front_matter_fail_at(err, event->start_mark,
					    "anchors and aliases (&a, *a) are not supported; "
					    "put the value in quotes if it is meant as text");
	if (tag)
		return front_matter_fail_at(err, event->start_mark,
					    "tags (!a) are not supported; "
					    "put the value in quotes if it is meant as text");
	switch (event->type) {
	case YAML_SCALAR_EVENT: return front_matter_on_scalar(b, event, err);
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT: return front_matter_on_start(b, event, err);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT: front_matter_close_level(b); break;
	case YAML_DOCUMENT_START_EVENT:
		if (b->done)
			return front_matter_fail_at(err, event->start_mark,
						    "front matter must be a single YAML document");
		break;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
	case YAML_ALIAS_EVENT: break;
	}
	return true;
}

static struct sv front_matter_line_at(struct sv text, size_t number)
{
	struct sv line = SV_EMPTY;

	for (size_t i = 0; i <= number && sv_cut_line(&text, &line); i++)
		;
	return line;
}

/* The usual cause of a problem, by words in libyaml's message. */
static const struct {
	const char *words, *hint;
} hints[] = {
	{ "mapping values are not allowed", "a value with \": \" in it must be in quotes" },
	{ "end of stream", "a quote or bracket that opens here is never closed" },
	{ "',' or", "a quote or bracket that opens here is never closed" },
	{ "document start", "there is text after the end of the YAML" },
	{ "", "put the value in quotes if it is meant as text" },
};

static const char *front_matter_hint_for(const char *problem, struct sv line)
{
	size_t i = 0;

	while (i < line.len && line.ptr[i] == ' ')
		i++;
	if (i < line.len && line.ptr[i] == '\t')
		return "indent with spaces, not tabs";
	for (i = 0; !strstr(problem, hints[i].words);)
		i++;
	return hints[i].hint;
}

/* libyaml's reader reports only the offset. */
static size_t front_matter_lines_before(struct sv text, size_t offset)
{
	struct sv before = sv_slice(text, 0, offset);
	size_t lines = 0;

	for (size_t i = 0; i < before.len; i++)
		lines += before.ptr[i] == '\n';
	return lines;
}

static bool front_matter_fail_yaml(const struct builder *b, const yaml_parser_t *parser,
				   struct err *err)
{
	const char *problem = parser->problem ? parser->problem : "malformed YAML";
	yaml_mark_t mark = parser->problem_mark;

	if (parser->error == YAML_MEMORY_ERROR)
		BUG("libyaml is out of memory");
	if (parser->error == YAML_READER_ERROR) {
		mark.line = front_matter_lines_before(b->block, parser->problem_offset);
		return front_matter_fail_at(err, mark, problem);
	}
	/* Point to the place where an unclosed quote or bracket was opened: that is
	 * where to fix it. */
	if (parser->context && (strstr(problem, "end of stream") || strstr(problem, "',' or")))
		mark = parser->context_mark;
	return err_set(err, ERR_PARSE, "line %zu: %s; %s", front_matter_line_of(mark), problem,
		       front_matter_hint_for(problem, front_matter_line_at(b->block, mark.line)));
}

/* Read one event and handle it. */
static bool front_matter_step(struct builder *b, yaml_parser_t *parser, bool *end, struct err *err)
{
	defer(yaml_event_delete) yaml_event_t event;

	if (!yaml_parser_parse(parser, &event)) {
		event.type = YAML_NO_EVENT; /* nothing to delete */
		return front_matter_fail_yaml(b, parser, err);
	}
	*end = event.type == YAML_STREAM_END_EVENT;
	return front_matter_on_event(b, &event, err);
}

static bool front_matter_read_block(struct builder *b, struct err *err)
{
	defer(yaml_parser_delete) yaml_parser_t parser;
	bool end = false;

	if (!yaml_parser_initialize(&parser))
		BUG("libyaml is out of memory");
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)b->block.ptr, b->block.len);
	while (!end)
		if (!front_matter_step(b, &parser, &end, err))
			return false;
	return true;
}

static struct json_doc *front_matter_parse_block(struct sv block, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(builder_clear) struct builder b = { .block = block };

	jw_init(&b.w, &json, JW_COMPACT);
	if (!front_matter_read_block(&b, err))
		return NULL;
	if (!b.done) { /* the block has nothing but comments */
		jw_object(&b.w);
		jw_end(&b.w);
	}
	jw_done(&b.w);
	return json_parse(sv_of(&json), 0, err);
}

static bool is_fence(struct sv line)
{
	return sv_starts(line, SV("---")) && sv_trim(sv_skip(line, 3)).len == 0;
}

/* Find the lines between the first two `---` lines, and the text after them. */
static bool front_matter_find_block(struct sv text, struct sv *block, struct sv *body)
{
	struct sv rest = text, line;
	const char *start;

	if (!sv_cut_line(&rest, &line) || !is_fence(line))
		return false;
	start = rest.ptr;
	while (sv_cut_line(&rest, &line)) {
		if (!is_fence(line))
			continue;
		*block = sv_from(start, (size_t)(line.ptr - start));
		*body = sv_from(rest.ptr, rest.len);
		return true;
	}
	return false;
}

bool front_matter_parse(struct front_matter *out, struct sv text, struct err *err)
{
	struct front_matter front = { .meta = NULL, .body = text };
	struct sv block;

	if (sv_starts(text, SV("\xef\xbb\xbf")))
		front.body = sv_skip(text, 3);
	if (front_matter_find_block(front.body, &block, &front.body)) {
		if (block.len > LIMIT_FRONT_MATTER)
			return err_set(err, ERR_TOO_BIG,
				       "front matter of %zu bytes is too long; the limit is %zu",
				       block.len, LIMIT_FRONT_MATTER);
		front.meta = front_matter_parse_block(block, err);
		if (!front.meta)
			return false;
	}
	*out = front;
	return true;
}

void front_matter_clear(struct front_matter *front)
{
	json_doc_freep(&front->meta);
	front->body = SV_EMPTY;
}
