#include "store/transcript/transcript_export.h"

#include "base/limits.h"
#include "base/map.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "proto/message.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

enum { EXPORT_RESULT_BYTES = 4000 };

struct export_record {
	struct sv line;
	struct sv parent; /* uuid, in the arena of the export; may be empty */
	bool is_chosen;
};

struct export
{
	struct str text; /* of the file */
	struct map by_uuid;
	VEC(struct export_record *) records; /* as in the file */
	struct arena arena;
	struct str *out;
	const char *speaker; /* of the last heading; NULL: none yet */
};

static void export_clear(struct export *e)
{
	str_clear(&e->text);
	map_clear(&e->by_uuid);
	vec_clear(&e->records);
	arena_clear(&e->arena);
}

static struct sv export_member(struct json record, const char *key)
{
	return json_str_or(json_get(record, key), SV_EMPTY);
}

/* --- the records of the conversation ------------------------------------------------------- */

static void export_add_record(struct export *e, struct sv line)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, &ignored);
	struct json root = json_root(doc);
	struct sv uuid = export_member(root, "uuid");
	struct export_record *record;

	if (!uuid.len || json_bool_or(json_get(root, "isSidechain"), false))
		return;
	record = arena_calloc(&e->arena, 1, sizeof(*record));
	*record = (struct export_record){
		.line = line, .parent = arena_dup(&e->arena, export_member(root, "parentUuid"))
	};
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

/* --- Markdown -------------------------------------------------------------------------------- */

static void export_begin(struct export *e, const char *speaker)
{
	if (!e->speaker || !sv_is(sv_cstr(speaker), e->speaker))
		str_addf(e->out, "\n## %s\n", speaker);
	e->speaker = speaker;
}

/* A fence is longer than every run of backquotes in the text. */
static void export_add_code(struct export *e, struct sv text)
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

static void export_add_result(struct export *e, struct sv text)
{
	struct sv shown = utf8_prefix(text, EXPORT_RESULT_BYTES);

	export_add_code(e, shown);
	if (shown.len < text.len)
		str_addf(e->out, "\n(%zu of %zu bytes)\n", shown.len, text.len);
}

static void export_add_call(struct export *e, const struct block *block)
{
	defer(str_clear) struct str input = STR_INIT;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_value(&w, block->input);
	jw_done(&w);
	str_addf(e->out, "\n**%.*s**\n", SV_ARG(block->tool));
	export_add_code(e, sv_of(&input));
}

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
static void export_add_text(struct export *e, struct sv text)
{
	struct sv command = export_element(text, SV("<command-name>"), SV("</command-name>"));

	if (command.len && sv_starts(text, SV("<command-")))
		str_addf(e->out, "\n%.*s %.*s\n", SV_ARG(command),
			 SV_ARG(export_element(text, SV("<command-args>"), SV("</command-args>"))));
	else if (sv_trim(text).len)
		str_addf(e->out, "\n%.*s\n", SV_ARG(sv_trim(text)));
}

static void export_add_block(struct export *e, const struct block *block, bool is_reply)
{
	switch (block->kind) {
	case BLOCK_TEXT:
		export_begin(e, is_reply ? "Assistant" : "User");
		export_add_text(e, block->text);
		break;
	case BLOCK_TOOL_USE:
		export_begin(e, "Assistant");
		export_add_call(e, block);
		break;
	case BLOCK_TOOL_RESULT:
		export_begin(e, "Assistant");
		export_add_result(e, block->text);
		break;
	case BLOCK_THINKING:
	case BLOCK_OTHER: break;
	}
}

static void export_write(struct export *e, const struct export_record *record)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(record->line, 0, &ignored);
	struct json root = json_root(doc), message = json_get(root, "message");
	struct sv type = export_member(root, "type");
	struct json_iter it = message_blocks(message);
	struct block block;
	struct sv text;

	if (!(sv_is(type, "user") || sv_is(type, "assistant")) ||
	    json_bool_or(json_get(root, "isMeta"), false))
		return;
	if (json_str(message_content(message), &text)) {
		export_begin(e, sv_is(type, "assistant") ? "Assistant" : "User");
		export_add_text(e, text);
		return;
	}
	while (message_next(&it, &block))
		export_add_block(e, &block, sv_is(type, "assistant"));
}

bool transcript_export(struct str *out, const char *path, struct sv last, struct err *err)
{
	defer(export_clear) struct export e = { .out = out };
	struct sv rest, line;

	if (!fs_read(&e.text, path, LIMIT_MIRROR_FILE, err))
		return false;
	rest = sv_of(&e.text);
	while (sv_cut_line(&rest, &line))
		export_add_record(&e, line);
	export_choose(&e, last);
	for (size_t i = 0; i < e.records.n; i++)
		if (e.records.at[i]->is_chosen)
			export_write(&e, e.records.at[i]);
	return true;
}
