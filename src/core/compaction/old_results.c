#include "core/compaction/old_results.h"

#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "proto/message.h"
#include "sys/fs.h"
#include "sys/work.h"
#include "text/json/json.h"
#include "text/json/json_write.h"

enum {
	KEPT_RESULTS = 5,   /* the newest, which the model is likely to look at again */
	WORTH_IT = 2 * KIB, /* replacing less would save hardly anything */
};

void old_results_clear(struct old_results *old)
{
	vec_clear(&old->list);
	arena_clear(&old->arena);
}

/* --- finding -------------------------------------------------------------------------------- */

struct old_finder {
	struct old_results *old;
	struct map calls; /* ids of the calls whose results may go */
	size_t skipped;   /* the newest results so far */
	size_t message;   /* the one that is being looked at */
};

static struct sv old_text(struct json object, const char *key)
{
	return json_str_or(json_get(object, key), SV_EMPTY);
}

static bool old_is_repeatable(struct sv tool)
{
	static const char names[][10] = { "Bash", "Edit",     "Glob",      "Grep",
					  "Read", "WebFetch", "WebSearch", "Write" };

	for (size_t i = 0; i < countof(names); i++)
		if (sv_is(tool, names[i]))
			return true;
	return sv_starts(tool, SV("mcp__"));
}

static void old_note_calls(struct old_finder *f, struct json content)
{
	struct json_iter it = json_each(content);
	struct json block;

	while (json_next(&it, NULL, &block))
		if (sv_is(old_text(block, "type"), "tool_use") &&
		    old_is_repeatable(old_text(block, "name")))
			map_put(&f->calls, old_text(block, "id"), f);
}

/* Whether a result is nothing but text. */
static bool old_is_text(struct json content)
{
	struct json_iter it = json_each(content);
	struct json part;

	while (json_next(&it, NULL, &part))
		if (!sv_is(old_text(part, "type"), "text"))
			return false;
	return json_is(content, JSON_STRING) || json_is(content, JSON_ARRAY);
}

static void old_take(struct old_finder *f, struct json block)
{
	struct json content = json_get(block, "content");
	struct sv id = old_text(block, "tool_use_id");
	defer(str_clear) struct str text = STR_INIT;

	if (!sv_is(old_text(block, "type"), "tool_result") || f->skipped++ < KEPT_RESULTS ||
	    !map_get(&f->calls, id) || !old_is_text(content))
		return;
	if (json_is(content, JSON_STRING))
		str_add(&text, json_str_or(content, SV_EMPTY));
	else
		content_text(&text, content);
	if (text.len < WORTH_IT)
		return;
	f->old->bytes += text.len;
	vec_push(&f->old->list,
		 ((struct old_result){ .id = arena_dup(&f->old->arena, id),
				       .message = f->message,
				       .text = arena_dup(&f->old->arena, sv_of(&text)) }));
}

static void old_take_all(struct old_finder *f, struct json content)
{
	for (size_t i = json_len(content); i > 0; i--)
		old_take(f, json_at(content, i - 1));
}

static void old_visit(struct old_finder *f, const struct history *h, bool assistant)
{
	for (size_t i = h->messages.n; i > 0; i--) {
		const struct history_message *m = &h->messages.at[i - 1];
		struct err ignored = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc = NULL;

		if (m->assistant != assistant)
			continue;
		doc = json_parse(sv_of(&m->json), 0, &ignored);
		f->message = i - 1;
		if (assistant)
			old_note_calls(f, json_get(json_root(doc), "content"));
		else
			old_take_all(f, json_get(json_root(doc), "content"));
	}
}

void old_results_find(struct old_results *old, const struct history *h)
{
	struct old_finder f = { .old = old };

	old_visit(&f, h, true);
	old_visit(&f, h, false);
	map_clear(&f.calls);
}

/* --- storing ---------------------------------------------------------------------------------- */

/* A result is named by its content: storing it again changes nothing. */
static bool old_store(struct old_results *old, struct old_result *result, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;

	str_addf(&path, "%s/old-%016llx.txt", old->dir,
		 (unsigned long long)hash_bytes(result->text, 0));
	if (!fs_exists(path.ptr) &&
	    !fs_write(path.ptr, result->text, (struct fs_write){ .mode = 0600 }, err))
		return false;
	result->path = arena_dup(&old->arena, sv_of(&path));
	return true;
}

static bool old_work(void *arg, struct err *err)
{
	struct old_results *old = arg;

	if (!fs_mkdirs(old->dir, 0700, err))
		return false;
	for (size_t i = 0; i < old->list.n; i++)
		if (!old_store(old, &old->list.at[i], err))
			return false;
	return true;
}

struct op *old_results_start(struct old_results *old, struct loop *loop, const char *dir,
			     struct then then)
{
	old->dir = dir;
	return dir ? work_start(loop, old_work, old, then) : op_settled(loop, then);
}

/* --- replacing -------------------------------------------------------------------------------- */

static void old_write_block(struct jw *w, struct json block, const struct map *paths)
{
	const struct old_result *old = map_get(paths, old_text(block, "tool_use_id"));
	struct json_iter it = json_each(block);
	struct json value;
	struct sv key;

	if (!old) {
		jw_value(w, block);
		return;
	}
	jw_object(w);
	while (json_next(&it, &key, &value)) {
		jw_key(w, key);
		if (!sv_is(key, "content"))
			jw_value(w, value);
		else if (old->path.len)
			jw_strf(w, "[Old tool result content cleared. All of it is in %.*s]",
				SV_ARG(old->path));
		else
			jw_str(w, SV("[Old tool result content cleared]"));
	}
	jw_end(w);
}

static void old_rewrite(struct str *message, const struct map *results)
{
	struct str shorter = STR_INIT;
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(sv_of(message), 0, &ignored);
	struct json_iter it = json_each(json_get(json_root(doc), "content"));
	struct json block;
	struct jw w;

	jw_init(&w, &shorter, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "role", SV("user"));
	jw_put_array(&w, "content");
	while (json_next(&it, NULL, &block))
		old_write_block(&w, block, results);
	jw_end(&w);
	jw_end(&w);
	jw_done(&w);
	str_clear(message);
	*message = shorter;
}

size_t old_results_replace(const struct old_results *old, struct history *h)
{
	size_t before = h->bytes;

	for (size_t i = 0; i < old->list.n;) {
		size_t message = old->list.at[i].message;
		struct map results = { 0 };

		for (; i < old->list.n && old->list.at[i].message == message; i++)
			map_put(&results, old->list.at[i].id, &old->list.at[i]);
		old_rewrite(&h->messages.at[message].json, &results);
		map_clear(&results);
	}
	history_recount(h);
	return before - min_of(h->bytes, before);
}
