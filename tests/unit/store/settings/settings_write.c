#include "base/limits.h"
#include "settings_rig.h"

#define CHECK_RIG_FILE(rig, name, text)                                         \
	do {                                                                    \
		defer(mem_freep) char *path_ = rig_path(&(rig), name);          \
		defer(str_clear) struct str bytes_ = STR_INIT;                  \
		struct err err_ = ERR_INIT;                                     \
		CHECK_OK(fs_read(&bytes_, path_, LIMIT_SETTINGS, &err_), err_); \
		CHECK_STR(str_c(&bytes_), text);                                \
	} while (0)

static bool put(struct rig *r, enum settings_source source, struct json_steps steps,
		const char *json)
{
	r->err = (struct err)ERR_INIT;
	return settings_set(&r->opts, source, steps, sv_cstr(json), &r->err);
}

#define PUT(rig, source, json, ...) \
	CHECK_OK(put(&(rig), source, JSON_STEPS(__VA_ARGS__), json), (rig).err)
#define REFUSES(rig, source, json, ...) CHECK(!put(&(rig), source, JSON_STEPS(__VA_ARGS__), json))

static mode_t mode_of(const struct rig *r, const char *name)
{
	defer(mem_freep) char *path = rig_path(r, name);
	struct stat st;

	CHECK_INT(stat(path, &st), 0);
	return st.st_mode & 07777;
}

/* --- what is written ---------------------------------------------------------------------------- */

TEST(a_missing_file_is_made_for_its_owner_alone)
{
	RIG(r);

	PUT(r, SETTINGS_USER, "\"opus\"", SV("model"));
	PUT(r, SETTINGS_USER, "[\"Read\"]", SV("permissions"), SV("allow"));
	PUT(r, SETTINGS_PROJECT, "\"haiku\"", SV("model"));
	CHECK_RIG_FILE(r, USER,
		       "{\n  \"model\": \"opus\",\n  \"permissions\": {\n    \"allow\": "
		       "[\"Read\"]\n  }\n}\n");
	CHECK_RIG_FILE(r, PROJECT, "{\n  \"model\": \"haiku\"\n}\n");
	CHECK_INT(mode_of(&r, USER), 0600);
	CHECK_INT(mode_of(&r, "config"), 0700);
	CHECK_INT(mode_of(&r, PROJECT), 0600);
	LOAD(r);
	CHECK_SETTING(r, "model", "\"haiku\"");
}

TEST(every_other_byte_of_a_file_stays)
{
	static const struct {
		const char *before, *json, *after;
	} cases[] = {
		{ "{\"model\":\"a\",  \"zzz\" : [ 1.50 ] }", "\"b\"",
		  "{\"model\":\"b\",  \"zzz\" : [ 1.50 ] }" },
		{ "\xef\xbb\xbf{\r\n\t\"agent\": \"x\"\r\n}", "\"b\"",
		  "\xef\xbb\xbf{\r\n\t\"agent\": \"x\",\r\n\t\"model\": \"b\"\r\n}" },
		{ "// mine\n{\n  \"agent\": \"x\" // who\n}\n", "\"b\"",
		  "// mine\n{\n  \"agent\": \"x\",\n  \"model\": \"b\" // who\n}\n" },
		{ "{\n  \"agent\": \"x\", /* last */\n}\n", "\"b\"",
		  "{\n  \"agent\": \"x\",\n  \"model\": \"b\", /* last */\n}\n" },
		{ "{ /* model */ \"model\": /* which */ \"a\", }", "\"b\"",
		  "{ /* model */ \"model\": /* which */ \"b\", }" },
		{ "{\"a\": 1, \"model\": \"x\", \"b\": 2}", "", "{\"a\": 1, \"b\": 2}" },
		{ "{\n  // first\n  \"a\": 1,\n  \"model\": \"x\",\n  \"b\": 2\n}", "",
		  "{\n  // first\n  \"a\": 1,\n  \"b\": 2\n}" },
		{ "{\"a\": 1}", "", "{\"a\": 1}" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		RIG(r);

		rig_write(&r, USER, cases[i].before);
		PUT(r, SETTINGS_USER, cases[i].json, SV("model"));
		CHECK_RIG_FILE(r, USER, cases[i].after);
	}
}

TEST(mode_and_links_of_the_users_file_are_kept)
{
	struct err err;
	RIG(r);
	PATH_IN(file, r.dir, "dotfiles/settings.json");
	PATH_IN(link, r.dir, USER);
	struct fs_info info;

	rig_write(&r, "dotfiles/settings.json", "{\"model\": \"a\"}");
	CHECK_INT(chmod(file, 0640), 0);
	CHECK_OK(fs_mkdirs(r.config, 0755, &err), err);
	CHECK_OK(fs_symlink("../dotfiles/settings.json", link, &err), err);
	PUT(r, SETTINGS_USER, "\"b\"", SV("model"));
	CHECK_RIG_FILE(r, "dotfiles/settings.json", "{\"model\": \"b\"}");
	CHECK_INT(mode_of(&r, "dotfiles/settings.json"), 0640);
	CHECK_OK(fs_info(&info, link, false, &err), err);
	CHECK_INT(info.kind, FS_LINK);
	CHECK_INT(entries_in(r.config), 1);
}

/* --- what is refused --------------------------------------------------------------------------- */

TEST(a_file_that_is_not_valid_is_never_written)
{
	static const char *const texts[] = { "{", "[]", "{\"model\": 3}", "{\"a\": 1,, }" };

	for (size_t i = 0; i < countof(texts); i++) {
		RIG(r);

		rig_write(&r, USER, texts[i]);
		REFUSES(r, SETTINGS_USER, "\"x\"", SV("agent"));
		CHECK(sv_starts(sv_cstr(r.err.text), SV("fix this first: ")));
		CHECK_RIG_FILE(r, USER, texts[i]);
	}
}

TEST(a_blank_file_is_filled_and_its_comments_stay)
{
	RIG(r);

	rig_write(&r, USER, "");
	PUT(r, SETTINGS_USER, "\"x\"", SV("agent"));
	CHECK_RIG_FILE(r, USER, "{\n  \"agent\": \"x\"\n}\n");
	rig_write(&r, USER, "// mine\n");
	PUT(r, SETTINGS_USER, "\"x\"", SV("agent"));
	CHECK_RIG_FILE(r, USER, "// mine\n{\n  \"agent\": \"x\"\n}\n");
}

TEST(a_bad_entry_does_not_prevent_a_change_but_no_new_one_is_written)
{
	RIG(r);

	rig_write(&r, USER, "{\"permissions\": {\"allow\": [\"A\", 7]}}");
	PUT(r, SETTINGS_USER, "\"x\"", SV("agent"));
	REFUSES(r, SETTINGS_USER, "[\"A\", 7, 8]", SV("permissions"), SV("allow"));
	CHECK_ERR(r.err, ERR_INVALID, "permissions.allow: expected a list of strings, found 7");
	REFUSES(r, SETTINGS_USER, "{\"A\": []}", SV("env"));
	PUT(r, SETTINGS_USER, "[\"A\"]", SV("permissions"), SV("allow"));
}

TEST(a_value_of_a_wrong_type_or_place_is_refused)
{
	RIG(r);

	rig_write(&r, USER, "{\"model\": \"a\"}");
	REFUSES(r, SETTINGS_USER, "3", SV("model"));
	CHECK_ERR(r.err, ERR_INVALID, "model: expected a string, found 3");
	REFUSES(r, SETTINGS_USER, "\"x", SV("agent"));
	REFUSES(r, SETTINGS_USER, "\"x\"", SV("permissions"), SV("defaultMode"));
	CHECK_ERR(r.err, ERR_INVALID, "expected one of \"default\"");
	REFUSES(r, SETTINGS_USER, "true", SV("allowManagedHooksOnly"));
	CHECK_ERR(r.err, ERR_ACCESS, "only managed settings can set allowManagedHooksOnly");
	REFUSES(r, SETTINGS_USER, "true", SV("diffTool"));
	CHECK_ERR(r.err, ERR_ACCESS, "~/.claude.json");
	REFUSES(r, SETTINGS_LOCAL, "\"auto\"", SV("permissions"), SV("defaultMode"));
	CHECK_ERR(r.err, ERR_ACCESS, "has no effect in project settings");
	REFUSES(r, SETTINGS_PROJECT, "[]", SV("sandbox"), SV("credentials"), SV("files"));
	REFUSES(r, SETTINGS_FLAG, "\"x\"", SV("agent"));
	REFUSES(r, SETTINGS_POLICY, "\"x\"", SV("agent"));
	CHECK(!settings_set(&r.opts, SETTINGS_USER, (struct json_steps){ NULL, 0 }, SV("{}"),
			    &r.err));
	CHECK_RIG_FILE(r, USER, "{\"model\": \"a\"}");
	CHECK_INT(entries_in(r.project), 0);
}

TEST(what_does_not_belong_can_still_be_removed)
{
	RIG(r);

	rig_write(&r, LOCAL, "{\"apiKeyHelper\": \"x\", \"agent\": \"a\"}");
	PUT(r, SETTINGS_LOCAL, "", SV("apiKeyHelper"));
	CHECK_RIG_FILE(r, LOCAL, "{\"agent\": \"a\"}");
}

TEST(a_comment_that_is_in_the_way_is_not_lost)
{
	RIG(r);
	const char *text = "{\"env\": {   // all of them\n}}";

	rig_write(&r, USER, text);
	REFUSES(r, SETTINGS_USER, "{      \"A\": \"b\"}", SV("env"));
	CHECK_ERR(r.err, ERR_UNSUPPORTED, "edit the file by hand");
	CHECK_RIG_FILE(r, USER, text);
}

TEST(links_that_lead_out_of_the_project_are_not_followed)
{
	struct err err;
	static const struct {
		const char *target, *link;
	} cases[] = {
		{ "../../victim/settings.json", "project/.claude/settings.json" },
		{ "../../victim/none.json", "project/.claude/settings.json" },
		{ "../victim", "project/.claude" },
		{ "../project-evil", "project/.claude" },
		{ "../victim/none", "project/.claude" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		RIG(r);
		PATH_IN(claude, r.dir, "project/.claude");
		PATH_IN(link, r.dir, cases[i].link);
		PATH_IN(victim, r.dir, "victim");

		rig_write(&r, "victim/settings.json", "{\"model\": \"a\"}");
		rig_write(&r, "project-evil/settings.json", "{\"model\": \"a\"}");
		if (!sv_is(sv_cstr(claude), link))
			CHECK_OK(fs_mkdirs(claude, 0700, &err), err);
		CHECK_OK(fs_symlink(cases[i].target, link, &err), err);
		REFUSES(r, SETTINGS_PROJECT, "\"b\"", SV("model"));
		CHECK_RIG_FILE(r, "victim/settings.json", "{\"model\": \"a\"}");
		CHECK_RIG_FILE(r, "project-evil/settings.json", "{\"model\": \"a\"}");
		CHECK_INT(entries_in(victim), 1);
	}
}

TEST(a_link_inside_the_project_is_followed)
{
	struct err err;
	RIG(r);
	PATH_IN(claude, r.dir, "project/.claude");

	rig_write(&r, "project/shared/settings.json", "{}");
	CHECK_OK(fs_symlink("shared", claude, &err), err);
	PUT(r, SETTINGS_PROJECT, "\"b\"", SV("model"));
	CHECK_RIG_FILE(r, "project/shared/settings.json", "{\"model\":\"b\"}");
}

/* --- elements of lists --------------------------------------------------------------------------- */

static bool change_item(struct rig *r, bool add, const char *json)
{
	struct json_steps deny = JSON_STEPS(SV("permissions"), SV("deny"));

	r->err = (struct err)ERR_INIT;
	return (add ? settings_add_item : settings_remove_item)(&r->opts, SETTINGS_USER, deny,
								sv_cstr(json), &r->err);
}

TEST(elements_are_added_once_and_removed)
{
	RIG(r);

	CHECK_OK(change_item(&r, false, "\"x\""), r.err);
	CHECK(!fs_exists(r.config));
	CHECK_OK(change_item(&r, true, "\"A\""), r.err);
	CHECK_OK(change_item(&r, true, "\"B\""), r.err);
	CHECK_OK(change_item(&r, true, "\"A\""), r.err);
	CHECK_RIG_FILE(r, USER,
		       "{\n  \"permissions\": {\n    \"deny\": [\n      \"A\",\n      \"B\"\n    "
		       "]\n  }\n}\n");
	CHECK_OK(change_item(&r, false, "\"A\""), r.err);
	CHECK_OK(change_item(&r, false, "\"nothing\""), r.err);
	CHECK_RIG_FILE(r, USER,
		       "{\n  \"permissions\": {\n    \"deny\": [\n      \"B\"\n    ]\n  }\n}\n");
	CHECK(!change_item(&r, true, "3"));
	CHECK_ERR(r.err, ERR_INVALID, "expected a list of strings, found 3 in it");
	CHECK(!change_item(&r, true, "\"x"));
}

TEST(an_element_joins_a_list_with_comments_and_a_trailing_comma)
{
	RIG(r);

	rig_write(&r, USER,
		  "{\n  \"permissions\": {\n    \"deny\": [\n      \"A\", // never\n    ],\n  "
		  "},\n}\n");
	CHECK_OK(change_item(&r, true, "\"B\""), r.err);
	CHECK_RIG_FILE(
		r, USER,
		"{\n  \"permissions\": {\n    \"deny\": [\n      \"A\",\n      \"B\", // never\n"
		"    ],\n  },\n}\n");
}

/* --- git ------------------------------------------------------------------------------------------ */

#define EXCLUDE "project/.git/info/exclude"

TEST(the_local_file_is_kept_out_of_git_unless_it_is_already)
{
	static const struct {
		const char *file, *rules, *exclude;
	} cases[] = {
		{ NULL, NULL, "# x\n/.claude/settings.local.json\n" },
		{ "project/.gitignore", "*.local.json\n", "# x" },
		{ "project/.gitignore", ".claude/\n", "# x" },
		{ "project/.claude/.gitignore", "settings.local.json", "# x" },
		{ "project/.gitignore", "*.local.json\n!settings.local.json\n", "# x" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		RIG(r);

		rig_write(&r, EXCLUDE, "# x");
		if (cases[i].file)
			rig_write(&r, cases[i].file, cases[i].rules);
		PUT(r, SETTINGS_LOCAL, "\"a\"", SV("model"));
		CHECK_RIG_FILE(r, EXCLUDE, cases[i].exclude);
		PUT(r, SETTINGS_LOCAL, "\"b\"", SV("model"));
		PUT(r, SETTINGS_PROJECT, "\"b\"", SV("model"));
		CHECK_RIG_FILE(r, EXCLUDE, cases[i].exclude);
	}
}

TEST(nothing_is_excluded_where_git_is_a_file_or_a_link_or_not_there)
{
	struct err err;
	RIG(plain);
	RIG(tree);
	RIG(linked);
	RIG(info);
	PATH_IN(git, linked.dir, "project/.git");
	PATH_IN(git_info, info.dir, "project/.git/info");

	PUT(plain, SETTINGS_LOCAL, "\"a\"", SV("model"));
	CHECK_INT(entries_in(plain.project), 1);

	rig_write(&tree, "project/.git", "gitdir: ../other/.git/worktrees/x");
	rig_write(&tree, "other/.git/info/exclude", "");
	PUT(tree, SETTINGS_LOCAL, "\"a\"", SV("model"));
	CHECK_RIG_FILE(tree, "other/.git/info/exclude", "");

	rig_write(&linked, "victim/info/exclude", "");
	CHECK_OK(fs_symlink("../victim", git, &err), err);
	PUT(linked, SETTINGS_LOCAL, "\"a\"", SV("model"));
	CHECK_RIG_FILE(linked, "victim/info/exclude", "");

	rig_write(&info, "victim/exclude", "");
	rig_write(&info, "project/.git/HEAD", "");
	CHECK_OK(fs_symlink("../../victim", git_info, &err), err);
	PUT(info, SETTINGS_LOCAL, "\"a\"", SV("model"));
	CHECK_RIG_FILE(info, "victim/exclude", "");
}
