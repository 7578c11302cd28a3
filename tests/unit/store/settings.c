#include "store/settings.h"

#include "../sys/temp_dir.h"
#include "base/limits.h"

/* What settings.json says when it has this text; notes name it as "FILE". */
struct reading {
	struct settings settings;
	struct str notes;
};

static void reading_clear(struct reading *r)
{
	settings_clear(&r->settings);
	str_clear(&r->notes);
}

static void read_settings(struct reading *r, struct sv text)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "settings.json");
	struct err err = ERR_INIT;
	size_t at;

	*r = (struct reading){ .settings = SETTINGS_INIT };
	CHECK_OK(fs_write(path, text, (struct fs_write){ .mode = 0600 }, &err), err);
	settings_read(&r->settings, str_c(&dir), &r->notes);
	while ((at = sv_find(sv_of(&r->notes), sv_cstr(path))) != SIZE_MAX)
		str_splice(&r->notes, at, at + strlen(path), SV("FILE"));
}

#define READING(name, text)                       \
	defer(reading_clear) struct reading name; \
	read_settings(&name, SV(text))

TEST(what_is_said_of_models_is_read)
{
	READING(r, "{\n\"model\": \"opus\", \"other\": {\"model\": 3},\n"
		   "\"apiKeyHelper\": \"pass show key\",\n"
		   "\"modelPricing\": {\"multiplier\": 0.5},\n"
		   "\"awl\": {\"models\": {\"mine\": {\"context\": 8192}}}}");

	CHECK_STR(str_c(&r.notes), "");
	CHECK_STR(r.settings.model, "opus");
	CHECK_STR(r.settings.api_key_helper, "pass show key");
	CHECK(json_real_or(json_get(r.settings.pricing, "multiplier"), 0) == 0.5);
	CHECK_INT(json_int_or(json_path(r.settings.models, "mine.context"), 0), 8192);
}

TEST(what_is_not_said_is_not_set)
{
	READING(r, "{\"model\": \"\", \"awl\": {}}");

	CHECK_STR(str_c(&r.notes), "");
	CHECK(!r.settings.model && !r.settings.api_key_helper);
	CHECK(!json_exists(r.settings.pricing) && !json_exists(r.settings.models));
}

TEST(no_file_and_no_directory_for_one_are_fine)
{
	const char *const dirs[] = { NULL, "/nonexistent" };

	for (size_t i = 0; i < countof(dirs); i++) {
		defer(reading_clear) struct reading r = { .settings = SETTINGS_INIT };

		settings_read(&r.settings, dirs[i], &r.notes);
		CHECK_STR(str_c(&r.notes), "");
		CHECK(!r.settings.model);
	}
}

TEST(people_may_write_comments)
{
	READING(r, "{\n// the best\n\"model\": \"opus\", /* for now */\n}");

	CHECK_STR(str_c(&r.notes), "");
	CHECK_STR(r.settings.model, "opus");
}

TEST(a_setting_that_cannot_be_meant_is_told_with_its_line_and_the_others_hold)
{
	static const struct {
		const char *text, *note;
	} cases[] = {
		{ "{\"apiKeyHelper\": \"k\",\n\n \"model\": 3}",
		  "FILE:3: model is left out: \"model\" must be a string, not a number\n" },
		{ "{\"apiKeyHelper\": \"k\",\n\"modelPricing\":\n[]}",
		  "FILE:3: modelPricing is left out: \"modelPricing\" must be an object, not an "
		  "array\n" },
		{ "{\"apiKeyHelper\": \"k\", \"awl\":\n{\"x\": 1,\n\"models\": true}}",
		  "FILE:3: awl.models is left out: \"models\" must be an object, not a boolean\n" },
		{ "{\"apiKeyHelper\": \"k\", \"awl\": 1}",
		  "FILE:1: awl is left out: \"awl\" must be an object, not a number\n" },
		{ "{\"apiKeyHelper\": \"k\", \"model\": \"a\\u0000b\"}",
		  "FILE:1: model is left out: \"model\" has a NUL character in it\n" },
		/* Where a comment stands, lines are not counted. */
		{ "{\"apiKeyHelper\": \"k\", // my key\n\"model\": null}",
		  "FILE: model is left out: \"model\" must be a string, not null\n" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(reading_clear) struct reading r;

		read_settings(&r, sv_cstr(cases[i].text));
		CHECK_STR(str_c(&r.notes), cases[i].note);
		CHECK(!r.settings.model);
		CHECK_STR(r.settings.api_key_helper, "k");
	}
}

TEST(a_file_that_is_no_json_object_sets_nothing_and_is_told)
{
	static const struct {
		const char *text, *note;
	} cases[] = {
		{ "{\n\"model\": \"opus\"\n\"x\": 1}",
		  "No settings were read: FILE: line 3, column 1: " },
		{ "[\"model\"]",
		  "No settings were read: FILE: settings are a JSON object, not array\n" },
		{ "", "No settings were read: FILE: line 1, column 1: " },
		{ "{\"model\": \"\xff\"}", "No settings were read: FILE: line 1, column 12: " },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(reading_clear) struct reading r;

		read_settings(&r, sv_cstr(cases[i].text));
		if (!sv_starts(sv_of(&r.notes), sv_cstr(cases[i].note)))
			fail_msg("%s", str_c(&r.notes));
		CHECK(sv_ends(sv_of(&r.notes), SV("\n")));
		CHECK(!r.settings.model);
	}
}

TEST(a_file_that_is_cut_anywhere_sets_nothing)
{
	struct sv whole = SV("{\"model\":\"opus\",\"awl\":{\"models\":{\"a\":{}}}}");

	for (size_t n = 0; n < whole.len; n++) {
		defer(reading_clear) struct reading r;

		read_settings(&r, sv_slice(whole, 0, n));
		CHECK(r.notes.len > 0 && !r.settings.model && !json_exists(r.settings.models));
	}
}

TEST(a_file_that_is_none_or_too_long_is_told)
{
	TEMP_DIR(dir);
	PATH_IN(path, dir, "settings.json");
	defer(reading_clear) struct reading r = { .settings = SETTINGS_INIT };
	defer(reading_clear) struct reading huge = { .settings = SETTINGS_INIT };
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(fs_mkdirs(path, 0700, &err), err);
	settings_read(&r.settings, str_c(&dir), &r.notes);
	CHECK(sv_find(sv_of(&r.notes), SV("settings.json")) != SIZE_MAX);
	CHECK_OK(fs_remove(path, &err), err);
	while (text.len <= LIMIT_SETTINGS)
		str_adds(&text, "                                ");
	write_file(path, text.ptr, 0600);
	settings_read(&huge.settings, str_c(&dir), &huge.notes);
	CHECK(sv_find(sv_of(&huge.notes), SV("settings.json")) != SIZE_MAX);
}
