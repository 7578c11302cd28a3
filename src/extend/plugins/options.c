#include "extend/plugins/options.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/limits.h"
#include "text/json/json_write.h"

static const char options_types[][10] = { "string", "number", "boolean", "directory", "file" };

const char *plugin_option_type_name(enum plugin_option_type type)
{
	return options_types[type];
}

/* --- values ---------------------------------------------------------------------------------- */

static bool options_add_text(struct str *out, struct json value)
{
	struct sv text;
	struct jw w;

	if (json_str(value, &text)) {
		str_add(out, text);
		return !memchr(text.ptr, '\0', text.len);
	}
	if (!json_is(value, JSON_NUMBER) && !json_is(value, JSON_BOOL))
		return false;
	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, value);
	jw_done(&w);
	return true;
}

/* A value as text; several are separated by commas. */
static struct sv options_read_text(struct json value, struct arena *arena)
{
	defer(str_clear) struct str text = STR_INIT;
	struct json_iter it = json_each(value);
	struct json item;
	bool ok = json_exists(value);

	if (!json_is(value, JSON_ARRAY))
		ok = ok && options_add_text(&text, value);
	while (ok && !it.keyed && json_next(&it, NULL, &item)) {
		if (text.len)
			str_addc(&text, ',');
		ok = options_add_text(&text, item);
	}
	return ok && text.len <= LIMIT_PLUGIN_OPTION ? arena_dup(arena, sv_of(&text))
						     : (struct sv){ NULL, 0 };
}

/* --- declarations ---------------------------------------------------------------------------- */

static bool options_key_valid(struct sv key)
{
	for (size_t i = 0; i < key.len; i++)
		if (!ascii_is_word(key.ptr[i]) && key.ptr[i] != '-')
			return false;
	return key.len && key.len <= LIMIT_PLUGIN_NAME;
}

static bool options_read_type(struct json declared, enum plugin_option_type *out)
{
	struct sv name = json_str_or(json_get(declared, "type"), SV("string"));
	enum plugin_option_type type = 0;

	while (type < OPTION_TYPES && !sv_is(name, options_types[type]))
		type++;
	*out = type;
	return type < OPTION_TYPES;
}

static bool options_read(struct plugin_option *out, struct sv key, struct json declared,
			 struct plugin_given given, struct arena *arena)
{
	struct plugin_option option = {
		.key = arena_dup(arena, key),
		.title = json_str_or(json_get(declared, "title"), SV_EMPTY),
		.description = json_str_or(json_get(declared, "description"), SV_EMPTY),
		.is_sensitive = json_bool_or(json_get(declared, "sensitive"), false),
		.is_required = json_bool_or(json_get(declared, "required"), false),
		.is_multiple = json_bool_or(json_get(declared, "multiple"), false),
		.min = json_real_or(json_get(declared, "min"), -INFINITY),
		.max = json_real_or(json_get(declared, "max"), INFINITY),
	};

	if (!options_key_valid(key) || !json_is(declared, JSON_OBJECT) ||
	    !options_read_type(declared, &option.type))
		return false;
	option.value = options_read_text(
		json_get_sv(option.is_sensitive ? given.secrets : given.options, key), arena);
	option.is_given = option.value.ptr;
	if (!option.is_given)
		option.value = options_read_text(json_get(declared, "default"), arena);
	*out = option;
	return true;
}

void plugin_options_read(plugin_options *out, struct json declared, struct plugin_given given,
			 struct arena *arena, const char *file, struct str *notes)
{
	struct json_iter it = json_each(declared);
	struct plugin_option option;
	struct json value;
	struct sv key;

	if (!json_exists(declared))
		return;
	if (!it.keyed)
		str_addf(notes, "%s: \"userConfig\" must be an object; it is ignored\n", file);
	while (it.keyed && json_next(&it, &key, &value) && out->n < LIMIT_PLUGIN_OPTIONS) {
		if (options_read(&option, key, value, given, arena))
			vec_push(out, option);
		else if (notes->len < LIMIT_COMMAND_NOTES)
			str_addf(notes,
				 "%s: userConfig.%.*s needs a name of letters, digits, '_' and "
				 "'-', and a \"type\" that is string, number, boolean, directory "
				 "or file; it is ignored\n",
				 file, SV_ARG(key));
	}
}

/* --- what is typed --------------------------------------------------------------------------- */

static bool options_is_in_range(const struct plugin_option *o, double number, struct err *err)
{
	if (number >= o->min && number <= o->max)
		return true;
	if (isinf(o->max))
		return err_set(err, ERR_INVALID, "%.*s must be at least %g", SV_ARG(o->key),
			       o->min);
	if (isinf(o->min))
		return err_set(err, ERR_INVALID, "%.*s must be at most %g", SV_ARG(o->key), o->max);
	return err_set(err, ERR_INVALID, "%.*s must be from %g to %g", SV_ARG(o->key), o->min,
		       o->max);
}

static bool options_write_number(const struct plugin_option *o, struct sv typed, struct jw *w,
				 struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	char *end;
	double number;

	str_add(&text, typed);
	number = strtod(str_c(&text), &end);
	if (!typed.len || *end || !isfinite(number))
		return err_set(err, ERR_INVALID, "%.*s must be a number", SV_ARG(o->key));
	if (!options_is_in_range(o, number, err))
		return false;
	jw_real(w, number);
	return true;
}

static bool options_write_one(const struct plugin_option *o, struct sv typed, struct jw *w,
			      struct err *err)
{
	bool is_true = sv_is(typed, "true") || sv_is(typed, "yes") || sv_is(typed, "y");

	if (o->type == OPTION_NUMBER)
		return options_write_number(o, typed, w, err);
	if (o->type == OPTION_BOOLEAN && !is_true && !sv_is(typed, "false") &&
	    !sv_is(typed, "no") && !sv_is(typed, "n"))
		return err_set(err, ERR_INVALID, "%.*s must be true or false", SV_ARG(o->key));
	if (o->type == OPTION_BOOLEAN) {
		jw_bool(w, is_true);
		return true;
	}
	if (typed.len > LIMIT_PLUGIN_OPTION || memchr(typed.ptr, '\0', typed.len))
		return err_set(err, ERR_INVALID, "%.*s is too long or has a NUL byte",
			       SV_ARG(o->key));
	jw_str(w, typed);
	return true;
}

bool plugin_option_parse(const struct plugin_option *o, struct sv typed, struct str *json,
			 struct err *err)
{
	struct sv rest = typed, part;
	bool ok = true;
	struct jw w;

	if (!typed.len)
		return err_set(err, ERR_INVALID, "%.*s is empty", SV_ARG(o->key));
	jw_init(&w, json, JW_COMPACT);
	if (!o->is_multiple) {
		ok = options_write_one(o, typed, &w, err);
	} else {
		jw_array(&w);
		while (ok && sv_cut(&rest, ',', &part))
			ok = options_write_one(o, sv_trim(part), &w, err);
		jw_end(&w);
	}
	if (ok)
		jw_done(&w);
	return ok;
}
