/* Queries of the settings. */
#include "store/settings/settings.h"

#include "store/settings/settings_members.h"
#include "store/settings/settings_private.h"
#include "text/json/json_write.h"

static void settings_lists_free(struct settings_lists *lists)
{
	struct sv key;
	void *value;

	for (size_t i = 0; map_next(&lists->by_key, &i, &key, &value);) {
		struct settings_list *list = value;

		vec_clear(&list->items);
		free(list);
	}
	map_clear(&lists->by_key);
	free(lists);
}

void settings_free(struct settings *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->files.n; i++)
		settings_file_clear(&s->files.at[i]);
	vec_clear(&s->files);
	for (size_t i = 0; i < s->refusals.n; i++) {
		str_clear(&s->refusals.at[i].file);
		str_clear(&s->refusals.at[i].text);
	}
	vec_clear(&s->refusals);
	json_doc_free(s->merged);
	str_clear(&s->ignored);
	str_clear(&s->printed);
	free(s->helper);
	settings_lists_free(s->items);
	free(s);
}

void settings_freep(struct settings **s)
{
	settings_free(*s);
	*s = NULL;
}

bool settings_is_refused(const struct settings *s, enum settings_source source)
{
	return s->refused[source];
}

size_t settings_mistakes(const struct settings *s)
{
	size_t refused = 0;

	for (enum settings_source i = SETTINGS_GLOBAL; i < SETTINGS_SOURCES; i++)
		refused += s->refused[i];
	return s->mistakes + refused;
}

bool settings_is_chosen(const struct settings *s, enum settings_source source)
{
	return s->chosen & 1u << source;
}

struct sv settings_ignored(const struct settings *s)
{
	return sv_of(&s->ignored);
}

/* --- values ----------------------------------------------------------------------------- */

static struct json settings_follow(struct json value, struct json_steps steps)
{
	for (size_t i = 0; i < steps.n; i++)
		value = json_get_sv(value, steps.at[i]);
	return value;
}

static struct json settings_value_in(struct json root, const char *key)
{
	struct sv at[SETTING_STEPS];
	size_t n;

	if (*key && !json_len(root))
		return (struct json){ NULL };
	n = setting_steps(sv_cstr(key), at);
	return settings_follow(root, (struct json_steps){ at, n });
}

struct json settings_get(const struct settings *s, const char *key)
{
	return settings_value_in(json_root(s->merged), key);
}

const char *settings_str(const struct settings *s, const char *key)
{
	struct sv text = json_str_or(settings_get(s, key), SV_EMPTY);

	return text.len ? text.ptr : NULL;
}

static const char *settings_fallback_of(const char *key)
{
	const struct setting *row = setting_find(sv_cstr(key));

	return row ? row->fallback : "";
}

bool settings_bool(const struct settings *s, const char *key)
{
	return json_bool_or(settings_get(s, key),
			    sv_is(sv_cstr(settings_fallback_of(key)), "true"));
}

int64_t settings_int(const struct settings *s, const char *key)
{
	int64_t fallback = 0;

	if (!sv_to_int(sv_cstr(settings_fallback_of(key)), &fallback))
		fallback = 0;
	return json_int_or(settings_get(s, key), fallback);
}

/* --- files ------------------------------------------------------------------------------ */

static const struct settings_file *settings_file_with(const struct settings *s, const char *key)
{
	for (size_t i = s->files.n; i > 0; i--)
		if (json_exists(settings_value_in(json_root(s->files.at[i - 1].taken), key)))
			return &s->files.at[i - 1];
	return NULL;
}

enum settings_source settings_source_of(const struct settings *s, const char *key)
{
	const struct settings_file *file = settings_file_with(s, key);

	return file ? file->source : SETTINGS_SOURCES;
}

struct json settings_get_from(const struct settings *s, enum settings_source source,
			      const char *key)
{
	struct json value = { NULL };

	for (size_t i = s->files.n; i > 0 && !json_exists(value); i--)
		if (s->files.at[i - 1].source == source)
			value = settings_value_in(json_root(s->files.at[i - 1].taken), key);
	return value;
}

bool settings_only_plugins(const struct settings *s, const char *what)
{
	struct json value = settings_get_from(s, SETTINGS_POLICY, "strictPluginOnlyCustomization");
	struct json_iter it = json_each(value);
	struct json item;

	while (json_is(value, JSON_ARRAY) && json_next(&it, NULL, &item))
		if (sv_is(json_str_or(item, SV_EMPTY), what))
			return true;
	return json_bool_or(value, false);
}

bool settings_may_define(const struct settings *s, enum settings_source source, const char *what)
{
	return settings_is_chosen(s, source) && !settings_only_plugins(s, what);
}

bool settings_next_taken(const struct settings *s, size_t *at, struct settings_taken *out)
{
	const struct settings_file *file;

	if (*at == s->files.n)
		return false;
	file = &s->files.at[(*at)++];
	*out = (struct settings_taken){ .source = file->source,
					.file = str_c(&file->name),
					.settings = json_root(file->taken) };
	return true;
}

void settings_locate(const struct settings *s, const char *key, struct str *out)
{
	const struct settings_file *file = settings_file_with(s, key);
	struct sv at[SETTING_STEPS];
	struct json_steps steps = { at, setting_steps(sv_cstr(key), at) };
	size_t line = file ? settings_file_spot(file, steps).line : 0;

	if (file)
		str_add(out, sv_of(&file->name));
	if (line)
		str_addf(out, ":%zu", line);
}

void settings_note_ignored(const struct settings *s, const char *key, const struct err *why,
			   struct str *notes)
{
	settings_locate(s, key, notes);
	str_addf(notes, ": ignoring %s: %s\n", key, why->text);
}

/* One for each complaint about a file. */
static void settings_report_errors(const struct settings *s, struct arena *arena,
				   struct reply_settings *report)
{
	struct reply_settings_error *errors;
	struct sv text, line;
	size_t n = 0;

	for (size_t i = 0; i < s->refusals.n; i++)
		for (text = sv_of(&s->refusals.at[i].text); sv_cut_line(&text, &line);)
			n++;
	report->errors = errors = arena_calloc(arena, n + 1, sizeof(*errors));
	for (size_t i = 0; i < s->refusals.n; i++)
		for (text = sv_of(&s->refusals.at[i].text); sv_cut_line(&text, &line);)
			errors[report->nerrors++] = (struct reply_settings_error){
				.file = sv_of(&s->refusals.at[i].file),
				.message = line,
			};
}

struct reply_settings settings_report(const struct settings *s, struct arena *arena)
{
	struct reply_settings report = { .effective = json_root(s->merged) };
	struct reply_settings_source *sources =
		arena_calloc(arena, s->files.n + 1, sizeof(*sources));
	struct settings_taken taken;
	size_t n = 0;

	for (size_t i = 0; settings_next_taken(s, &i, &taken);)
		sources[n++] = (struct reply_settings_source){
			.name = sv_cstr(settings_source_name(taken.source)),
			.file = sv_cstr(taken.file),
			.settings = taken.settings,
		};
	report.sources = sources;
	report.nsources = n;
	settings_report_errors(s, arena, &report);
	return report;
}

void settings_write_json(const struct settings *s, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct reply_settings report = settings_report(s, &arena);
	struct jw w;

	jw_init(&w, out, JW_PRETTY);
	jw_object(&w);
	reply_settings_write(&w, &report);
	jw_end(&w);
	jw_done(&w);
}

/* --- lists ------------------------------------------------------------------------------ */

/* Visits the lines of a list's elements in order. */
struct lines {
	struct json_span_iter it;
	struct sv text;
	size_t at, line; /* counted so far */
	bool ok;
};

static void lines_begin(struct lines *l, const struct settings_file *file, struct json_steps steps)
{
	struct json_span span;
	struct err ignored = ERR_INIT;

	*l = (struct lines){ .text = sv_of(&file->text), .line = 1 };
	l->ok = json_span_find(l->text, steps, &span, &ignored) &&
		json_span_each(&l->it, l->text, span, &ignored);
}

static size_t lines_next(struct lines *l)
{
	struct json_item item;
	struct err ignored = ERR_INIT;

	l->ok = l->ok && json_span_next(&l->it, &item, &ignored) && !l->it.done;
	if (!l->ok)
		return 0;
	for (; l->at < item.value.from; l->at++)
		l->line += l->text.ptr[l->at] == '\n';
	return l->line;
}

/* Returns the line of the next element that equals `value`. The list in use is what the file says
 * without the elements that have no effect. */
static size_t lines_find(struct lines *l, struct json_iter *content, struct json value)
{
	struct json item;

	while (json_next(content, NULL, &item)) {
		size_t line = lines_next(l);

		if (json_equal(item, value))
			return line;
	}
	return 0;
}

/* Adds the elements in the order of the file, each once. */
static void settings_add_items(struct settings_list *list, const struct settings_file *file,
			       const char *key)
{
	struct sv at[SETTING_STEPS];
	struct json_steps steps = { at, setting_steps(sv_cstr(key), at) };
	struct json_iter it = json_each(settings_follow(json_root(file->taken), steps));
	struct json_iter content = json_each(settings_follow(json_root(file->content), steps));
	defer(settings_members_clear) struct settings_members seen = SETTINGS_MEMBERS_INIT;
	struct lines lines;
	struct json value;

	lines_begin(&lines, file, steps);
	while (!it.keyed && json_next(&it, NULL, &value)) {
		struct settings_item item = { .source = file->source,
					      .text = json_str_or(value, SV_EMPTY),
					      .value = value,
					      .file = str_c(&file->name),
					      .line = lines_find(&lines, &content, value),
					      .root = file->root.len ? file->root.ptr : NULL };

		if (!json_is(value, JSON_STRING) || settings_members_put(&seen, item.text, value))
			vec_push(&list->items, item);
	}
}

size_t settings_items(const struct settings *s, const char *key, const struct settings_item **out)
{
	struct settings_list *list = map_get(&s->items->by_key, sv_cstr(key));

	if (!list) {
		list = xnew(struct settings_list);
		for (size_t i = s->files.n; i > 0; i--)
			settings_add_items(list, &s->files.at[i - 1], key);
		map_put(&s->items->by_key, sv_cstr(key), list);
	}
	*out = list->items.at;
	return list->items.n;
}

void settings_locate_item(const struct settings *s, const char *key, struct sv item,
			  struct str *out)
{
	const struct settings_item *items;
	size_t n = settings_items(s, key, &items);

	for (size_t i = 0; i < n; i++) {
		if (!sv_eq(items[i].text, item) || !items[i].line)
			continue;
		str_addf(out, "%s:%zu", items[i].file, items[i].line);
		return;
	}
	settings_locate(s, key, out);
}
