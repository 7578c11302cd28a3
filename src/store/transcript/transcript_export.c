#include "base/limits.h"
#include "store/transcript/transcript_export_int.h"
#include "sys/fs.h"
#include "text/invisible.h"
#include "text/json/json_write.h"

struct export_record {
	struct sv line;
	struct sv parent; /* uuid, in the arena of the export; may be empty */
	bool is_chosen;
};

static void export_clear(struct export *e)
{
	str_clear(&e->text);
	map_clear(&e->by_uuid);
	vec_clear(&e->records);
	arena_clear(&e->arena);
	str_clear(&e->title);
}

struct sv export_member(struct json record, const char *key)
{
	return json_str_or(json_get(record, key), SV_EMPTY);
}

/* --- the records of the conversation ------------------------------------------------------- */

static void export_add_record(struct export *e, struct sv line)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, &ignored);
	struct json root = json_root(doc);
	struct sv uuid = export_member(root, "uuid"), parent = export_member(root, "parentUuid");
	struct export_record *record;

	if (!uuid.len || json_bool_or(json_get(root, "isSidechain"), false))
		return;
	if (!parent.len) /* before a summary */
		parent = export_member(root, "logicalParentUuid");
	record = arena_calloc(&e->arena, 1, sizeof(*record));
	*record = (struct export_record){ .line = line, .parent = arena_dup(&e->arena, parent) };
	vec_push(&e->records, record);
	map_put(&e->by_uuid, uuid, record);
}

/* Choose the chain that ends with `last`. A record that was chosen ends it: there may be a circle. */
static void export_choose(struct export *e, struct sv last)
{
	struct export_record *at = last.len       ? map_get(&e->by_uuid, last)
				   : e->records.n ? e->records.at[e->records.n - 1]
						  : NULL;

	for (; at && !at->is_chosen; at = map_get(&e->by_uuid, at->parent))
		at->is_chosen = true;
}

/* --- what is in them ------------------------------------------------------------------------ */

/* The part of a text between <name> and </name>; empty: there is none. */
static struct sv export_element(struct sv text, struct sv open, struct sv close)
{
	size_t from = sv_find(text, open), to;

	if (from == SIZE_MAX)
		return SV_EMPTY;
	text = sv_skip(text, from + open.len);
	to = sv_find(text, close);
	return to == SIZE_MAX ? SV_EMPTY : sv_slice(text, 0, to);
}

/* A slash command is shown as it was typed. */
static void export_text(struct export *e, enum export_speaker speaker, struct sv text)
{
	struct sv command = export_element(text, SV("<command-name>"), SV("</command-name>"));
	defer(str_clear) struct str typed = STR_INIT;

	if (command.len && sv_starts(text, SV("<command-"))) {
		str_addf(&typed, "%.*s %.*s", SV_ARG(command),
			 SV_ARG(export_element(text, SV("<command-args>"), SV("</command-args>"))));
		text = sv_of(&typed);
	}
	if (!sv_trim(text).len)
		return;
	e->format->speaker(e, speaker);
	e->format->text(e, sv_trim(text));
}

static void export_call(struct export *e, const struct block *block)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_value(&w, block->input);
	jw_done(&w);
	e->format->speaker(e, EXPORT_ASSISTANT);
	e->format->call(e, block->tool, sv_of(&input));
}

static void export_block(struct export *e, const struct block *block, enum export_speaker speaker)
{
	switch (block->kind) {
	case BLOCK_TEXT: export_text(e, speaker, block->text); break;
	case BLOCK_TOOL_USE: export_call(e, block); break;
	case BLOCK_TOOL_RESULT:
		e->format->speaker(e, EXPORT_ASSISTANT);
		e->format->result(e, block->text, block->is_error);
		break;
	case BLOCK_THINKING:
	case BLOCK_OTHER: break;
	}
}

void export_blocks(struct export *e, struct json record)
{
	struct json message = json_get(record, "message");
	enum export_speaker speaker =
		sv_is(export_member(record, "type"), "assistant") ? EXPORT_ASSISTANT : EXPORT_USER;
	struct json_iter it = message_blocks(message);
	struct block block;
	struct sv text;

	if (json_str(message_content(message), &text))
		export_text(e, speaker, text);
	else
		while (message_next(&it, &block))
			export_block(e, &block, speaker);
}

static void export_write(struct export *e, const struct export_record *record)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(record->line, 0, &ignored);
	struct json root = json_root(doc);
	struct sv type = export_member(root, "type");

	if ((sv_is(type, "user") || sv_is(type, "assistant")) &&
	    !json_bool_or(json_get(root, "isMeta"), false))
		e->format->record(e, root);
}

/* The newest title that the file has. */
static void export_find_title(struct export *e)
{
	struct sv rest = sv_of(&e->text), line;
	struct err ignored = ERR_INIT;

	while (sv_cut_line(&rest, &line)) {
		struct json_doc *doc = sv_find(line, SV("custom-title")) == SIZE_MAX
					       ? NULL
					       : json_parse(line, 0, &ignored);
		struct sv title = export_member(json_root(doc), "customTitle");

		if (title.len)
			str_set(&e->title, title);
		json_doc_freep(&doc);
	}
}

bool export_run(struct str *out, const struct export_format *format, const char *path,
		struct sv last, struct err *err)
{
	defer(export_clear) struct export e = { .out = out, .format = format };
	struct sv rest, line;

	if (!fs_read(&e.text, path, LIMIT_MIRROR_FILE, err))
		return false;
	e.id = transcript_file_id(sv_cstr(path));
	export_find_title(&e);
	rest = sv_of(&e.text);
	while (sv_cut_line(&rest, &line))
		export_add_record(&e, line);
	export_choose(&e, last);
	format->begin(&e);
	for (size_t i = 0; i < e.records.n; i++)
		if (e.records.at[i]->is_chosen)
			export_write(&e, e.records.at[i]);
	format->end(&e);
	return true;
}

bool export_run_visible(struct str *out, const struct export_format *format, const char *path,
			struct sv last, struct err *err)
{
	defer(str_clear) struct str page = STR_INIT;

	if (!export_run(&page, format, path, last, err))
		return false;
	invisible_escape(out, sv_of(&page), invisible_is);
	return true;
}

/* --- Markdown ------------------------------------------------------------------------------- */

static void export_markdown_speaker(struct export *e, enum export_speaker speaker)
{
	if (e->speaker != speaker)
		str_addf(e->out, "\n## %s\n", speaker == EXPORT_USER ? "User" : "Assistant");
	e->speaker = speaker;
}

/* A fence is longer than every run of backquotes in the text. */
static void export_markdown_code(struct export *e, struct sv text)
{
	size_t run = 0, longest = 2;

	for (size_t i = 0; i < text.len; i++) {
		run = text.ptr[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	str_addc(e->out, '\n');
	for (size_t i = 0; i <= longest; i++)
		str_addc(e->out, '`');
	str_addf(e->out, "\n%.*s\n", SV_ARG(sv_trim(text)));
	for (size_t i = 0; i <= longest; i++)
		str_addc(e->out, '`');
	str_addc(e->out, '\n');
}

static void export_markdown_result(struct export *e, struct sv text,
				   __attribute__((unused)) bool is_error)
{
	struct sv shown = utf8_prefix(text, EXPORT_RESULT_BYTES);

	export_markdown_code(e, shown);
	if (shown.len < text.len)
		str_addf(e->out, "\n(%zu of %zu bytes)\n", shown.len, text.len);
}

static void export_markdown_call(struct export *e, struct sv tool, struct sv input)
{
	str_addf(e->out, "\n**%.*s**\n", SV_ARG(tool));
	export_markdown_code(e, input);
}

static void export_markdown_text(struct export *e, struct sv text)
{
	str_addf(e->out, "\n%.*s\n", SV_ARG(text));
}

static void export_markdown_edge(__attribute__((unused)) struct export *e)
{
}

static const struct export_format export_markdown_format = { .begin = export_markdown_edge,
							     .record = export_blocks,
							     .speaker = export_markdown_speaker,
							     .text = export_markdown_text,
							     .call = export_markdown_call,
							     .result = export_markdown_result,
							     .end = export_markdown_edge };

bool transcript_export(struct str *out, const char *path, struct sv last, struct err *err)
{
	return export_run_visible(out, &export_markdown_format, path, last, err);
}
