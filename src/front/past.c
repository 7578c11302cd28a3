#include "front/past.h"

#include "base/mem.h"
#include "proto/message.h"
#include "sys/fs.h"

void past_clear(struct past *past)
{
	for (size_t i = 0; i < past->records.n; i++) {
		json_doc_free(past->records.at[i].doc);
		str_clear(&past->records.at[i].text);
	}
	vec_clear(&past->records);
}

static bool past_read(struct str *out, const char *path, size_t max, bool *is_cut, struct err *err)
{
	int64_t size = 0;
	defer(fs_closep) struct fs_file *file = fs_open(path, &size, err);
	size_t n;

	if (!file)
		return false;
	n = min_of((size_t)size, max);
	*is_cut = n < (size_t)size;
	str_reserve(out, n + 1);
	if (!fs_read_at(file, size - (int64_t)n, out->ptr, n, err))
		return false;
	out->len = n;
	out->ptr[n] = '\0';
	return true;
}

/* --- what a record says ------------------------------------------------------------- */

static struct sv past_member(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

/* The text between <name> and </name>; empty: there is none. */
static struct sv past_element(struct sv text, const char *name)
{
	defer(str_clear) struct str open = STR_INIT, close = STR_INIT;
	size_t from, to;

	str_addf(&open, "<%s>", name);
	str_addf(&close, "</%s>", name);
	from = sv_find(text, sv_of(&open));
	if (from == SIZE_MAX)
		return SV_EMPTY;
	text = sv_skip(text, from + open.len);
	to = sv_find(text, sv_of(&close));
	return to == SIZE_MAX ? SV_EMPTY : sv_slice(text, 0, to);
}

/* Set what the user typed. False for a text that the engine wrote. */
static bool past_read_prompt(struct past_record *record, enum past_of of)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv command;

	content_text(&text, message_content(record->message));
	command = sv_trim(past_element(sv_of(&text), "command-name"));
	if (command.len) {
		str_add(&record->text, command);
		str_addf(&record->text, " %.*s",
			 SV_ARG(sv_trim(past_element(sv_of(&text), "command-args"))));
		return true;
	}
	command = past_element(sv_of(&text), "bash-input");
	if (command.len) {
		str_addf(&record->text, "! %.*s", SV_ARG(command));
		return true;
	}
	if (!text.len || (of == PAST_OF_SESSION && sv_starts(sv_of(&text), SV("<"))))
		return false;
	str_add(&record->text, sv_of(&text));
	return true;
}

static bool past_has_results(struct json message)
{
	struct json_iter it = message_blocks(message);
	struct block block;

	while (message_next(&it, &block))
		if (block.kind == BLOCK_TOOL_RESULT)
			return true;
	return false;
}

static bool past_is_foreign(struct json line, enum past_of of)
{
	return of == PAST_OF_SESSION && json_bool_or(json_get(line, "isSidechain"), false);
}

/* Whether a record is part of what a person saw. */
static bool past_read_record(struct past_record *record, enum past_of of)
{
	struct json line = json_root(record->doc);
	struct sv type = past_member(line, "type");

	if (past_is_foreign(line, of) || json_bool_or(json_get(line, "isMeta"), false))
		return false;
	record->message = json_get(line, "message");
	record->data = json_get(line, "toolUseResult");
	if (sv_is(type, "assistant")) {
		record->kind = PAST_REPLY;
		return true;
	}
	if (!sv_is(type, "user"))
		return false;
	record->kind = past_has_results(record->message) ? PAST_RESULTS : PAST_PROMPT;
	return record->kind == PAST_RESULTS || past_read_prompt(record, of);
}

/* --- the chain ---------------------------------------------------------------------- */

/* Cut the last line off; false: none is left. A text that does not begin the file begins inside a line. */
static bool past_cut_last(struct sv *text, struct sv *line, bool is_cut)
{
	size_t at;

	while (text->len && text->ptr[text->len - 1] == '\n')
		text->len--;
	at = sv_rfind_char(*text, '\n');
	if (!text->len || (at == SIZE_MAX && is_cut))
		return false;
	*line = at == SIZE_MAX ? *text : sv_skip(*text, at + 1);
	*text = sv_slice(*text, 0, at == SIZE_MAX ? 0 : at);
	return true;
}

/* Whether a line is the next older one of the chain; then `wanted` becomes the one before it. */
static bool past_follow(struct json line, enum past_of of, struct str *wanted, bool *has_begun)
{
	struct sv uuid = past_member(line, "uuid");

	if (!uuid.len || !json_exists(json_get(line, "parentUuid")) || past_is_foreign(line, of) ||
	    (*has_begun && !sv_eq(uuid, sv_of(wanted))))
		return false;
	*has_begun = true;
	str_truncate(wanted, 0);
	str_add(wanted, past_member(line, "parentUuid"));
	return true;
}

static void past_reverse(struct past *past)
{
	for (size_t i = 0; i < past->records.n / 2; i++) {
		struct past_record *a = &past->records.at[i],
				   *b = &past->records.at[past->records.n - 1 - i], other = *a;

		*a = *b;
		*b = other;
	}
}

bool past_load(struct past *out, const char *path, enum past_of of, size_t max_bytes,
	       size_t max_records, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT, wanted = STR_INIT;
	struct sv rest, line;
	bool has_begun = false, is_cut = false;

	if (!past_read(&text, path, max_bytes, &is_cut, err))
		return false;
	*out = (struct past){ .is_cut = is_cut };
	rest = sv_of(&text);
	while (past_cut_last(&rest, &line, is_cut)) {
		struct err ignored = ERR_INIT;
		struct past_record record = { .doc = json_parse(line, 0, &ignored) };

		if (out->records.n == max_records)
			out->is_cut = true;
		if (out->records.n < max_records && record.doc &&
		    past_follow(json_root(record.doc), of, &wanted, &has_begun) &&
		    past_read_record(&record, of)) {
			vec_push(&out->records, record);
			continue;
		}
		json_doc_free(record.doc);
		str_clear(&record.text);
		if (out->is_cut && out->records.n == max_records)
			break;
	}
	past_reverse(out);
	return true;
}
