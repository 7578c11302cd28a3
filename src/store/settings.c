#include "store/settings.h"

#include "base/limits.h"
#include "sys/fs.h"

/* From 1; 0 when it cannot be told: a file with comments is read, but has no spans. */
static size_t line_of(const struct settings *s, struct json_steps steps)
{
	struct sv text = sv_of(&s->text), before;
	struct json_span span;
	struct err ignored = ERR_INIT;
	size_t line = 1;

	if (!json_span_find(text, steps, &span, &ignored))
		return 0;
	before = sv_slice(text, 0, span.from);
	for (size_t i = 0; i < before.len; i++)
		line += before.ptr[i] == '\n';
	return line;
}

void settings_complain(const struct settings *s, struct json_steps steps, const struct err *why,
		       struct str *notes)
{
	size_t line = line_of(s, steps);

	str_add(notes, sv_of(&s->path));
	if (line)
		str_addf(notes, ":%zu", line);
	str_adds(notes, ": ");
	for (size_t i = 0; i < steps.n; i++)
		str_addf(notes, "%s%.*s", i ? "." : "", SV_ARG(steps.at[i]));
	str_addf(notes, " is left out: %s\n", why->text);
}

/* A text that can be a C string and says something; NULL without one. */
static const char *read_text(const struct settings *s, const char *key, struct str *notes)
{
	struct json root = json_root(s->doc);
	struct err err = ERR_INIT;
	struct sv text = SV_EMPTY;

	if (!json_exists(json_get(root, key)))
		return NULL;
	if (json_need_str(root, key, &text, &err) && sv_find_char(text, '\0') == SIZE_MAX)
		return text.len ? text.ptr : NULL;
	if (err.kind == ERR_NONE)
		err_set(&err, ERR_INVALID, "\"%s\" has a NUL character in it", key);
	settings_complain(s, JSON_STEPS(sv_cstr(key)), &err, notes);
	return NULL;
}

static struct json read_object(const struct settings *s, struct json parent,
			       struct json_steps steps, struct str *notes)
{
	const char *key = steps.at[steps.n - 1].ptr;
	struct json value = { NULL };
	struct err err = ERR_INIT;

	if (json_exists(json_get(parent, key)) && !json_need_object(parent, key, &value, &err))
		settings_complain(s, steps, &err, notes);
	return value;
}

static bool read_file(struct settings *s, struct err *err)
{
	if (!fs_read(&s->text, s->path.ptr, LIMIT_SETTINGS, err))
		return false;
	s->doc = json_parse(sv_of(&s->text), JSON_LENIENT, err);
	if (s->doc && !json_is(json_root(s->doc), JSON_OBJECT))
		err_set(err, ERR_INVALID, "settings are a JSON object, not %s",
			json_type_name(json_type(json_root(s->doc))));
	if (err->kind != ERR_NONE)
		err_context(err, "%s", s->path.ptr);
	return err->kind == ERR_NONE;
}

void settings_read(struct settings *out, const char *config_dir, struct str *notes)
{
	struct settings s = SETTINGS_INIT;
	struct err err = ERR_INIT;
	struct json root, ours;

	if (config_dir) {
		fs_join(&s.path, sv_cstr(config_dir), SV("settings.json"));
		if (!read_file(&s, &err) && err.kind != ERR_NOT_FOUND)
			str_addf(notes, "No settings were read: %s\n", err.text);
	}
	if (s.doc && err.kind == ERR_NONE) {
		root = json_root(s.doc);
		ours = read_object(&s, root, JSON_STEPS(SV("awl")), notes);
		s.model = read_text(&s, "model", notes);
		s.api_key_helper = read_text(&s, "apiKeyHelper", notes);
		s.pricing = read_object(&s, root, JSON_STEPS(SV("modelPricing")), notes);
		s.models = read_object(&s, ours, JSON_STEPS(SV("awl"), SV("models")), notes);
	}
	*out = s;
}

void settings_clear(struct settings *s)
{
	json_doc_free(s->doc);
	str_clear(&s->path);
	str_clear(&s->text);
	*s = (struct settings)SETTINGS_INIT;
}
