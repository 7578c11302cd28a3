#include "front/prompt_history.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/vec.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

#define HISTORY_FILE "history.jsonl"

bool prompt_history_is_wanted(void)
{
	const char *skip = getenv("CLAUDE_CODE_SKIP_PROMPT_HISTORY");

	return !skip || !*skip || sv_is(sv_cstr(skip), "0") || sv_is(sv_cstr(skip), "false");
}

/* --- writing ----------------------------------------------------------------------- */

static void prompt_history_write(struct str *out, const struct prompt_record *record)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "display", record->text);
	jw_put_object(&w, "pastedContents");
	jw_end(&w);
	jw_put_int(&w, "timestamp", record->time_ms);
	jw_put_str(&w, "project", record->project);
	jw_put_str(&w, "sessionId", record->session_id);
	jw_end(&w);
	jw_done(&w);
	str_addc(out, '\n');
}

bool prompt_history_add(const char *dir, const struct prompt_record *record, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT, line = STR_INIT;
	defer(fs_log_closep) struct fs_log *log = NULL;

	if (record->text.len > LIMIT_PROMPT_WRITTEN)
		return true;
	prompt_history_write(&line, record);
	fs_join(&path, sv_cstr(dir), SV(HISTORY_FILE));
	if (!fs_mkdirs(dir, 0700, err))
		return false;
	log = fs_log_open(str_c(&path), 0600, err);
	return log && fs_log_add(log, sv_of(&line), err);
}

/* --- reading ------------------------------------------------------------------------ */

struct prompt_list {
	struct arena arena;
	VEC(struct sv) mine, others; /* the newest first */
	const struct prompt_wanted *wanted;
	struct str project; /* as JSON */
};

/* The end of the file, beginning with a whole line. */
static bool prompt_history_tail(struct str *out, const char *path, struct err *err)
{
	int64_t size = 0, from;
	defer(fs_closep) struct fs_file *file = fs_open(path, &size, err);
	defer(mem_freep) char *bytes = NULL;
	struct sv text, head;

	if (!file)
		return false;
	from = max_of(size - (int64_t)LIMIT_PROMPTS_READ, (int64_t)0);
	bytes = xcalloc((size_t)(size - from) + 1, 1);
	if (size > from && !fs_read_at(file, from, bytes, (size_t)(size - from), err))
		return false;
	text = sv_from(bytes, (size_t)(size - from));
	if (from > 0)
		sv_cut(&text, '\n', &head);
	str_add(out, text);
	return true;
}

/* What "[Pasted text #2 +7 lines]" stands for; empty: not known. */
static struct sv prompt_history_pasted(struct json pasted, struct sv label)
{
	struct sv number = sv_skip(label, sizeof("[Pasted text #") - 1);
	size_t n = 0;

	while (n < number.len && number.ptr[n] >= '0' && number.ptr[n] <= '9')
		n++;
	return json_str_or(json_get(json_get_sv(pasted, sv_slice(number, 0, n)), "content"),
			   SV_EMPTY);
}

/* Put what was pasted in the place of its label. */
static struct sv prompt_history_expand(struct prompt_list *list, struct sv text, struct json pasted)
{
	static const struct sv label = SV_INIT("[Pasted text #");
	defer(str_clear) struct str out = STR_INIT;
	size_t at;

	while ((at = sv_find(text, label)) != SIZE_MAX) {
		size_t end = sv_find_char(sv_skip(text, at), ']');
		struct sv content = prompt_history_pasted(pasted, sv_skip(text, at));
		size_t skipped = end == SIZE_MAX || !content.len ? label.len : end + 1;

		str_add(&out, sv_slice(text, 0, at));
		str_add(&out, content.len ? content : label);
		text = sv_skip(text, at + skipped);
	}
	str_add(&out, text);
	return arena_dup(&list->arena, sv_of(&out));
}

static void prompt_history_take_line(struct prompt_list *list, struct sv line)
{
	struct err ignored = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = json_parse(line, 0, &ignored);
	struct json root = json_root(doc);
	struct sv text = json_str_or(json_get(root, "display"), SV_EMPTY);
	const struct prompt_wanted *wanted = list->wanted;
	bool is_mine = sv_eq(json_str_or(json_get(root, "project"), SV_EMPTY), wanted->project);

	if (!sv_trim(text).len || (is_mine ? list->mine.n : list->others.n) >= wanted->max)
		return;
	if (wanted->session_id.len &&
	    sv_eq(json_str_or(json_get(root, "sessionId"), SV_EMPTY), wanted->session_id) &&
	    json_int_or(json_get(root, "timestamp"), 0) >= wanted->since_ms)
		return;
	text = prompt_history_expand(list, text, json_get(root, "pastedContents"));
	if (is_mine)
		vec_push(&list->mine, text);
	else
		vec_push(&list->others, text);
}

/* Whether to read a line at all: once there are enough prompts of other projects, most lines need not be parsed. */
static bool prompt_history_may_count(const struct prompt_list *list, struct sv line)
{
	return list->others.n < list->wanted->max ||
	       sv_find(line, sv_of(&list->project)) != SIZE_MAX;
}

/* From the last line to the first, until there are enough. */
static void prompt_history_take_lines(struct prompt_list *list, struct sv text)
{
	while (text.len && list->mine.n < list->wanted->max) {
		size_t start = text.len - 1; /* the line end is not part of the line */

		while (start && text.ptr[start - 1] != '\n')
			start--;
		if (prompt_history_may_count(list, sv_skip(text, start)))
			prompt_history_take_line(list, sv_trim(sv_skip(text, start)));
		text = sv_slice(text, 0, start);
	}
}

bool prompt_history_read(const char *dir, const struct prompt_wanted *wanted,
			 prompt_history_fn *take, void *arg, struct err *err)
{
	struct prompt_list list = { .arena = ARENA_INIT, .wanted = wanted };
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct jw w;
	bool ok;

	jw_init(&w, &list.project, JW_COMPACT);
	jw_str(&w, wanted->project);
	jw_done(&w);
	fs_join(&path, sv_cstr(dir), SV(HISTORY_FILE));
	ok = prompt_history_tail(&text, str_c(&path), err);
	prompt_history_take_lines(&list, sv_of(&text));
	for (size_t i = min_of(list.others.n, wanted->max - list.mine.n); i--;)
		take(arg, list.others.at[i]);
	for (size_t i = list.mine.n; i--;)
		take(arg, list.mine.at[i]);
	vec_clear(&list.mine);
	vec_clear(&list.others);
	str_clear(&list.project);
	arena_clear(&list.arena);
	if (!ok && err->kind == ERR_NOT_FOUND) {
		*err = (struct err)ERR_INIT;
		return true;
	}
	return ok;
}
