#include "context/announcements.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "test.h"

static void add(struct str *out, const char *json)
{
	struct settings_opts files = { .policy_dir = "/nonexistent", .flag = json };
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *settings = settings_load(&files, &notes, &err);

	CHECK_OK(settings != NULL, err);
	announcements_add(out, settings);
}

TEST(announcements_are_shown_by_lines_without_what_could_harm_a_terminal)
{
	defer(str_clear) struct str out = STR_INIT;

	add(&out, "{}");
	add(&out, "{\"companyAnnouncements\": []}");
	CHECK_STR(str_c(&out), "");
	add(&out, "{\"companyAnnouncements\": [\"Welcome!\", \" \", \"One\\r\\n\\nTwo\\n\", "
		  "\"\\u001b[2Jred\\u200b\"]}");
	CHECK_STR(str_c(&out), "Welcome!\nOne\nTwo\n\\x1b[2Jred\n");
}

TEST(many_and_long_announcements_are_cut)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;
	struct sv rest, line;
	size_t n = 0;

	str_adds(&json, "{\"companyAnnouncements\": [\"x\"");
	for (int i = 0; i < 100; i++) {
		str_addf(&json, ", \"%d", i);
		for (int k = 0; k < 300; k++)
			str_adds(&json, "日");
		str_adds(&json, "\"");
	}
	str_adds(&json, "]}");
	add(&out, json.ptr);
	CHECK(utf8_valid(sv_of(&out), NULL));
	rest = sv_of(&out);
	for (; sv_cut_line(&rest, &line); n++)
		CHECK(line.len <= LIMIT_ANNOUNCEMENT);
	CHECK_INT(n, LIMIT_ANNOUNCEMENTS);
}
