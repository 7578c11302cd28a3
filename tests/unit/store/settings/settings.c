#include "store/settings/settings.h"

#include "base/limits.h"
#include "settings_rig.h"

/* --- one file ------------------------------------------------------------------------------ */

TEST(no_file_and_no_directory_for_one_are_fine)
{
	RIG(r);

	LOAD(r);
	CHECK_STR(str_c(&r.notes), "");
	CHECK(!settings_str(r.settings, "model"));
	CHECK_INT(settings_source_of(r.settings, "model"), SETTINGS_SOURCES);
	r.opts = (struct settings_opts){ .policy_dir = "/nonexistent" };
	LOAD(r);
	CHECK_STR(str_c(&r.notes), "");
	CHECK_SETTING(r, "", "{}");
}

TEST(what_is_said_is_read)
{
	RIG(r);

	rig_write(&r, USER,
		  "{\n\"model\": \"opus\", \"apiKeyHelper\": \"pass show key\",\n"
		  "\"modelPricing\": {\"multiplier\": 0.5}, \"language\": \"\",\n"
		  "\"awl\": {\"models\": {\"mine.x\": {\"context\": 8192}}}}");
	LOAD(r);
	CHECK_STR(str_c(&r.notes), "");
	CHECK_STR(settings_str(r.settings, "model"), "opus");
	CHECK_STR(settings_str(r.settings, "apiKeyHelper"), "pass show key");
	CHECK(!settings_str(r.settings, "language"));
	CHECK_SETTING(r, "modelPricing", "{\"multiplier\":0.5}");
	CHECK_SETTING(r, "awl.models.mine.x", "{\"context\":8192}");
	CHECK_INT(settings_source_of(r.settings, "awl.models"), SETTINGS_USER);
}

TEST(what_is_not_said_has_the_default_of_the_table)
{
	RIG(r);

	rig_write(&r, USER, "{\"cleanupPeriodDays\": 3, \"autoCompactEnabled\": false}");
	LOAD(r);
	CHECK(settings_bool(r.settings, "alwaysThinkingEnabled"));
	CHECK(!settings_bool(r.settings, "fastMode"));
	CHECK(!settings_bool(r.settings, "disableAllHooks"));
	CHECK(!settings_bool(r.settings, "autoCompactEnabled"));
	CHECK_INT(settings_int(r.settings, "cleanupPeriodDays"), 3);
	CHECK_INT(settings_int(r.settings, "bashOutputMaxChars"), 30000);
	CHECK_INT(settings_int(r.settings, "maxProseWidth"), 0);
}

TEST(people_may_write_comments_and_trailing_commas)
{
	RIG(r);

	rig_write(&r, USER,
		  "// first\n{ /* a */ \"model\": \"a//b /* c */\", // the best \"x\n"
		  "\"permissions\": {\"allow\": [\"Read\", /* , */ \"Edit\",\n], },\n/* é */}//");
	LOAD(r);
	CHECK_STR(str_c(&r.notes), "");
	CHECK_STR(settings_str(r.settings, "model"), "a//b /* c */");
	CHECK_SETTING(r, "permissions.allow", "[\"Read\",\"Edit\"]");
}

TEST(a_value_of_a_wrong_type_is_told_with_its_line_and_nothing_of_the_file_is_taken)
{
	static const struct {
		const char *text, *note;
	} cases[] = {
		{ "{\"apiKeyHelper\": \"k\",\n\n \"model\": 3}",
		  "DIR/config/settings.json:3:11: model: expected a string, found 3" },
		{ "{\"model\": \"a\\u0000b\"}",
		  "DIR/config/settings.json:1:11: model: expected a string, found \"a\\u0000b\"" },
		{ "{\"modelPricing\":\n[]}",
		  "DIR/config/settings.json:2:1: modelPricing: expected an object, found a list" },
		{ "{\"permissions\": {\"deny\": \"Bash\"}}",
		  "DIR/config/settings.json:1:26: permissions.deny: expected a list of strings, "
		  "found "
		  "\"Bash\"" },
		{ "{\"cleanupPeriodDays\": 0}", "DIR/config/settings.json:1:23: cleanupPeriodDays: "
						"expected an integer from 1, found "
						"0" },
		{ "{\"bashOutputMaxChars\": 5000.5}",
		  "DIR/config/settings.json:1:24: bashOutputMaxChars: expected an integer from "
		  "4000 "
		  "to "
		  "128000, found 5000.5" },
		{ "{\"skillListingBudgetFraction\": 1.5}",
		  "DIR/config/settings.json:1:32: skillListingBudgetFraction: expected a number "
		  "from "
		  "0 "
		  "to 1, found 1.5" },
		{ "{\"promptCacheTtl\": \"2h\"}", "DIR/config/settings.json:1:20: promptCacheTtl: "
						  "expected one of \"5m\", \"1h\", found "
						  "\"2h\"" },
		{ "{\"attribution\": 1}", "DIR/config/settings.json:1:17: attribution: expected "
					  "true or false or an object, "
					  "found 1" },
		{ "{\"disableAutoMode\": true}", "DIR/config/settings.json:1:21: disableAutoMode: "
						 "expected \"disable\", found true" },
		{ "{\"promptCacheTtl\": \"\\u001b]0;x\\u202e\"}",
		  "DIR/config/settings.json:1:20: promptCacheTtl: expected one of \"5m\", \"1h\", "
		  "found "
		  "\"\\u001b]0;x\\u{202e}\"" },
		/* Of members with one key the last counts, and it alone. */
		{ "{\"model\": \"x\",\n\"model\": 3}",
		  "DIR/config/settings.json:2:10: model: expected a string, found 3" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		RIG(r);
		const char *end = "; nothing in this file is used\n";

		rig_write(&r, USER, cases[i].text);
		LOAD(r);
		if (!sv_starts(sv_of(&r.notes), sv_cstr(cases[i].note)) ||
		    !sv_ends(sv_of(&r.notes), sv_cstr(end)))
			fail_msg("%s\n%s", cases[i].note, str_c(&r.notes));
		CHECK_SETTING(r, "", "{}");
		CHECK(settings_is_refused(r.settings, SETTINGS_USER));
		CHECK(!settings_is_refused(r.settings, SETTINGS_LOCAL));
	}
}

TEST(every_wrong_value_is_told_up_to_a_limit)
{
	static const char *const keys[] = {
		"agent",          "language",        "model",          "outputStyle",
		"advisorModel",   "apiKeyHelper",    "awsAuthRefresh", "gcpAuthRefresh",
		"plansDirectory", "minimumVersion",  "timeZone",       "timeFormat",
		"theme",          "prUrlTemplate",   "processWrapper", "fastMode",
		"verbose",        "ultracode",       "voiceEnabled",   "autoDreamEnabled",
		"enableArtifact", "enableWorkflows",
	};
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest, line;
	size_t lines = 0;
	RIG(r);

	for (size_t i = 0; i < countof(keys); i++)
		str_addf(&text, "%c\"%s\": 1\n", i ? ',' : '{', keys[i]);
	str_addc(&text, '}');
	rig_write_sv(&r, USER, sv_of(&text));
	LOAD(r);
	rest = sv_of(&r.notes);
	while (sv_cut_line(&rest, &line))
		lines++;
	CHECK_INT(lines, LIMIT_SETTINGS_NOTES + 1);
	CHECK_SV(line, "DIR/config/settings.json: and 2 more");
}

TEST(a_file_that_is_no_json_object_sets_nothing_and_is_told)
{
	static const struct {
		struct sv text;
		const char *note;
	} cases[] = {
		{ SV_INIT("{\n\"model\": \"opus\"\n\"x\": 1}"), ":3:1: " },
		{ SV_INIT("[\"model\"]"), ": settings must be a JSON object, not array" },
		{ SV_INIT("{\"model\": \"\xff\"}"), ":1:12: " },
		{ SV_INIT("{\"a\": [,]}"), ":1:8: " },
		{ SV_INIT("{\"a\": 1,,}"), ":1:9: " },
		{ SV_INIT("{,}"), ":1:2: " },
		{ SV_INIT("{\"a\":,}"), ":1:6: " },
		{ SV_INIT("{} /* no end"), ":1:4: " },
		{ SV_INIT("{}\0"), ":1:3: " },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str start = STR_INIT;
		RIG(r);

		rig_write_sv(&r, USER, cases[i].text);
		LOAD(r);
		str_addf(&start, "DIR/config/settings.json%s", cases[i].note);
		if (!sv_starts(sv_of(&r.notes), sv_of(&start)))
			fail_msg("%s\n%s", str_c(&start), str_c(&r.notes));
		CHECK(settings_is_refused(r.settings, SETTINGS_USER));
	}
}

TEST(a_blank_file_and_a_null_set_nothing_and_are_no_mistake)
{
	static const char *const texts[] = {
		"",
		" \n\t",
		"// nothing yet\n",
		"{\"model\": null, \"permissions\": {\"allow\": null}, \"env\": {\"A\": null}}",
		"{\"sandbox\": {\"network\": {\"httpProxyPort\": null}}}",
		"{\"hooks\": {\"Stop\": null}}",
	};

	for (size_t i = 0; i < countof(texts); i++) {
		RIG(r);

		rig_write(&r, USER, texts[i]);
		LOAD(r);
		CHECK_STR(str_c(&r.notes), "");
		CHECK(!settings_is_refused(r.settings, SETTINGS_USER));
		CHECK_SETTING(r, "model", "");
		CHECK_SETTING(r, "permissions.allow", "");
		CHECK_SETTING(r, "sandbox.network.httpProxyPort", "");
		CHECK_SETTING(r, "env.A", "");
		CHECK_SETTING(r, "hooks.Stop", "");
	}
}

TEST(a_null_does_not_hide_the_value_of_a_weaker_file)
{
	RIG(r);

	rig_write(&r, USER, "{\"model\": \"opus\"}");
	rig_write(&r, LOCAL, "{\"model\": null}");
	LOAD(r);
	CHECK_SETTING(r, "model", "\"opus\"");
}

TEST(one_bad_entry_costs_that_entry_and_no_other)
{
	static const struct {
		const char *text, *key, *value, *note;
	} cases[] = {
		{ "{\"permissions\": {\"allow\": [\"A\", 7, \"B\"]}}", "permissions.allow",
		  "[\"A\",\"B\"]",
		  "1:27: permissions.allow: expected a list of strings, found 7 in it; this entry "
		  "is ignored\n" },
		{ "{\"awl\": {\"models\": {\"m\": true, \"n\": {}}}}", "awl.models", "{\"n\":{}}",
		  "1:26: awl.models.m: expected an object of objects, found true in it; this "
		  "entry is ignored\n" },
		{ "{\"env\": {\"A\": [], \"B\": \"b\"}}", "env", "{\"B\":\"b\"}",
		  "1:15: env.A: expected an object of strings, found a list in it; this entry is "
		  "ignored\n" },
		{ "{\"hooks\": {\"preEditHook\": {}, \"Stop\": [{\"hooks\": []}]}}", "hooks",
		  "{\"Stop\":[{\"hooks\":[]}]}",
		  "1:27: hooks.preEditHook: is not a hook event; it is ignored\n" },
		{ "{\"hooks\": {\"Stop\": 1, \"Setup\": []}}", "hooks", "{\"Setup\":[]}",
		  "1:20: hooks.Stop: expected an object of lists, found 1 in it; this entry is "
		  "ignored\n" },
		{ "{\"hooks\": {\"Stop\": [{\"matcher\": 3, \"hooks\": []}, {\"hooks\": []}]}}",
		  "hooks", "{\"Stop\":[{\"hooks\":[]}]}",
		  "1:20: hooks.Stop: \"matcher\" must be a string; this hook is ignored\n" },
		{ "{\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"shell\"}]}]}}", "hooks.Stop",
		  "[{\"hooks\":[{\"type\":\"shell\"}]}]",
		  "1:20: hooks.Stop: the type of a hook must be command, prompt, agent, http or "
		  "mcp_tool; this hook is ignored\n" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str note = STR_INIT;
		RIG(r);

		rig_write(&r, USER, cases[i].text);
		LOAD(r);
		str_addf(&note, "DIR/config/settings.json:%s", cases[i].note);
		CHECK_STR(str_c(&r.notes), str_c(&note));
		CHECK_SETTING(r, cases[i].key, cases[i].value);
		CHECK(!settings_is_refused(r.settings, SETTINGS_USER));
		CHECK_INT(settings_mistakes(r.settings), 1);
	}
}

TEST(an_entry_that_may_have_forbidden_something_leaves_that_unknown)
{
	RIG(r);

	rig_write(&r, USER, "{\"permissions\": {\"deny\": [\"Bash\", 7]}}");
	LOAD(r);
	CHECK_SETTING(r, "permissions.deny", "[\"Bash\"]");
	CHECK(settings_is_refused(r.settings, SETTINGS_USER));
}

TEST(a_session_gets_one_note_for_each_kind_of_problem_in_a_file)
{
	RIG(r);

	rig_write(&r, USER,
		  "{\"modle\": 1, \"permissions\": {\"denny\": 1}, \"qqqq\": 1, "
		  "\"zzzz\": 1, \"diffTool\": \"auto\"}");
	LOAD(r);
	CHECK_STR(
		str_c(&r.notes),
		"DIR/config/settings.json: ignoring unknown keys: qqqq, zzzz; 'awl config check' "
		"says more\n"
		"DIR/config/settings.json: ignoring misspelt keys: modle, permissions.denny; 'awl "
		"config check' says more\n"
		"DIR/config/settings.json:1:77: diffTool: has no effect here: it belongs in "
		"~/.claude.json\n");
	CHECK_INT(settings_mistakes(r.settings), 2);
}

TEST(servers_in_the_settings_are_in_the_wrong_file)
{
	RIG(r);

	rig_write(&r, USER, "{\"mcpServers\": {\"a\": {}}}");
	LOAD(r);
	CHECK_STR(str_c(&r.notes), "DIR/config/settings.json:1:16: mcpServers: is not a setting; "
				   "did you mean the file .mcp.json?\n");
}

TEST(a_file_that_is_cut_anywhere_sets_nothing)
{
	struct sv whole = SV("{\"model\":\"opus\",/*,*/\"permissions\":{\"deny\":[\"Bash\",],},}");
	RIG(r);

	for (size_t n = 1; n < whole.len; n++) {
		rig_write_sv(&r, USER, sv_slice(whole, 0, n));
		LOAD(r);
		CHECK(r.notes.len > 0);
		CHECK_SETTING(r, "", "{}");
	}
	rig_write_sv(&r, USER, whole);
	LOAD(r);
	CHECK_SETTING(r, "", "{\"model\":\"opus\",\"permissions\":{\"deny\":[\"Bash\"]}}");
}

TEST(a_file_that_is_none_or_too_long_is_told)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	RIG(r);
	PATH_IN(path, r.dir, USER);

	CHECK_OK(fs_mkdirs(path, 0700, &err), err);
	LOAD(r);
	CHECK_STR(str_c(&r.notes),
		  "DIR/config/settings.json: is a directory; nothing in this file is used\n");
	CHECK(settings_is_refused(r.settings, SETTINGS_USER));
	CHECK_OK(fs_remove(path, &err), err);
	str_adds(&text, "{}");
	while (text.len <= LIMIT_SETTINGS)
		str_adds(&text, "                                ");
	rig_write_sv(&r, USER, sv_of(&text));
	LOAD(r);
	CHECK(sv_starts(sv_of(&r.notes), SV("DIR/config/settings.json: ")));
}

TEST(unknown_keys_are_kept_and_told_with_the_nearest)
{
	RIG(r);

	r.opts.notes_keys = true;
	rig_write(&r, USER,
		  "{\"modle\": \"opus\",\n\"permissions\": {\"denny\": []},\n\"zzz\\n\\u202e\": "
		  "{\"a\": 1},\n"
		  "\"permissions.allow\": 1, \"defaultMode\": \"plan\"}");
	LOAD(r);
	CHECK_STR(
		str_c(&r.notes),
		"DIR/config/settings.json:1:11: modle: is not a known setting; did you mean "
		"model?\n"
		"DIR/config/settings.json:2:26: permissions.denny: is not a known setting; did you "
		"mean "
		"permissions.deny?\n"
		"DIR/config/settings.json:3:16: zzz \\u{202e}: is not a known setting\n"
		"DIR/config/settings.json:4:22: permissions.allow: is not a known setting; write "
		"it as nested objects instead of a dotted key\n"
		"DIR/config/settings.json:4:40: defaultMode: is not a setting; did you mean "
		"permissions.defaultMode?\n");
	CHECK_INT(settings_mistakes(r.settings), 4);
	CHECK_SETTING(r, "modle", "\"opus\"");
	CHECK_SETTING(r, "permissions", "{\"denny\":[]}");
	CHECK_SETTING(r, "permissions.allow", "");
}

/* A NUL in a key must not make it look like another. */
TEST(a_key_is_what_it_is_to_its_last_byte)
{
	RIG(r);

	rig_write(
		&r, PROJECT,
		"{\"permissions\\u0000\": {\"deny\": 1}, \"permissions\": {\"deny\\u0000x\": 3}}");
	r.opts.trusts_project = false;
	LOAD(r);
	CHECK_SETTING(r, "", "{\"permissions\":{}}");
}

/* --- all files ------------------------------------------------------------------------------- */

TEST(the_strongest_file_wins_objects_merge_and_lists_unite)
{
	RIG(r);

	rig_write(
		&r, USER,
		"{\"model\": \"a\", \"agent\": \"u\", \"permissions\": {\"allow\": [\"A\", \"B\"]},"
		"\"hooks\": {\"Stop\": [{\"hooks\": [], \"x\": 1}]}}");
	rig_write(&r, PROJECT,
		  "{\"model\": \"b\", \"permissions\": {\"allow\": [\"B\", \"C\"]},"
		  "\"hooks\": {\"Stop\": [{\"hooks\": [], \"x\": 1}, {\"hooks\": []}], "
		  "\"Setup\": []}}");
	rig_write(&r, LOCAL, "{\"model\": \"c\", \"permissions\": {\"deny\": [\"D\"]}}");
	r.opts.flag = "{\"model\": \"d\"}";
	rig_write(&r, POLICY, "{\"permissions\": {\"allow\": [\"P\"]}}");
	LOAD(r);
	CHECK_STR(str_c(&r.notes), "");
	CHECK_SETTING(r, "model", "\"d\"");
	CHECK_SETTING(r, "agent", "\"u\"");
	CHECK_SETTING(r, "permissions.allow", "[\"P\",\"B\",\"C\",\"A\"]");
	CHECK_SETTING(r, "permissions.deny", "[\"D\"]");
	CHECK_SETTING(r, "hooks",
		      "{\"Stop\":[{\"hooks\":[],\"x\":1},{\"hooks\":[]}],\"Setup\":[]}");
	CHECK_INT(settings_source_of(r.settings, "model"), SETTINGS_FLAG);
	CHECK_INT(settings_source_of(r.settings, "permissions.deny"), SETTINGS_LOCAL);
	CHECK_INT(settings_source_of(r.settings, "permissions.allow"), SETTINGS_POLICY);
	CHECK_STR(settings_source_name(SETTINGS_POLICY), "policySettings");
}

TEST(some_keys_merge_by_a_rule_of_their_own)
{
	static const struct {
		const char *key, *user, *project, *policy, *merged;
	} cases[] = {
		{ "fallbackModel", "[\"a\"]", "[\"b\", \"c\"]", NULL, "[\"b\",\"c\"]" },
		{ "availableModels", "[\"a\"]", "[\"b\"]", NULL, "[\"b\",\"a\"]" },
		{ "availableModels", "[\"a\"]", "[\"b\"]", "[\"c\"]", "[\"c\"]" },
		{ "maxEffortLevel", "\"high\"", "\"low\"", "\"max\"", "\"low\"" },
		{ "effortLevel", "\"high\"", "\"low\"", "\"max\"", "\"max\"" },
		{ "disableAllHooks", "true", "false", NULL, "true" },
		{ "sandbox.allowUnsandboxedCommands", "false", "true", "true", "false" },
		{ "attribution", "{\"pr\": \"x\"}", "false", NULL, "false" },
		{ "attribution", "false", "{\"pr\": \"x\"}", NULL, "{\"pr\":\"x\"}" },
		{ "forceLoginOrgUUID", "[\"a\"]", NULL, "\"b\"", "\"b\"" },
		{ "extraKnownMarketplaces", "{\"a\": {\"x\": 1}}", "{\"a\": {\"y\": [1]}}", NULL,
		  "{\"a\":{\"y\":[1],\"x\":1}}" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		const char *const files[] = { cases[i].user, cases[i].project, cases[i].policy };
		const char *const names[] = { USER, PROJECT, POLICY };
		RIG(r);

		for (size_t f = 0; f < countof(files); f++) {
			defer(str_clear) struct str text = STR_INIT;
			struct sv rest = sv_cstr(cases[i].key), step;
			size_t depth = 0;

			while (sv_cut(&rest, '.', &step) && ++depth)
				str_addf(&text, "{\"%.*s\":", SV_ARG(step));
			str_adds(&text, files[f]);
			while (depth--)
				str_addc(&text, '}');
			if (files[f])
				rig_write_sv(&r, names[f], sv_of(&text));
		}
		LOAD(r);
		CHECK_STR(str_c(&r.notes), "");
		CHECK_SETTING(r, cases[i].key, cases[i].merged);
	}
}

TEST(a_second_spelling_is_the_same_key)
{
	RIG(r);

	rig_write(&r, USER, "{\"additionalMarketplaces\": {\"a\": {}}}");
	rig_write(&r, PROJECT, "{\"extraKnownMarketplaces\": {\"b\": {}}}");
	LOAD(r);
	CHECK_SETTING(r, "extraKnownMarketplaces", "{\"b\":{},\"a\":{}}");
	CHECK_SETTING(r, "additionalMarketplaces", "{\"b\":{},\"a\":{}}");
}

TEST(only_the_sources_that_are_asked_for_are_read_beside_flag_and_policy)
{
	static const struct {
		const char *sources, *agents;
	} cases[] = {
		{ NULL, "\"local\"" },
		{ "user,project", "\"project\"" },
		{ "user", "\"user\"" },
		{ " local , user", "\"local\"" },
		{ "", "" },
	};
	RIG(r);

	rig_write(&r, USER, "{\"agent\": \"user\"}");
	rig_write(&r, PROJECT, "{\"agent\": \"project\"}");
	rig_write(&r, LOCAL, "{\"agent\": \"local\"}");
	rig_write(&r, POLICY, "{\"model\": \"policy\"}");
	for (size_t i = 0; i < countof(cases); i++) {
		r.opts.sources = cases[i].sources;
		LOAD(r);
		CHECK_SETTING(r, "agent", cases[i].agents);
		CHECK_SETTING(r, "model", "\"policy\"");
	}
	r.opts.sources = "user,projct";
	CHECK(!rig_load(&r));
	CHECK_ERR(r.err, ERR_INVALID, "unknown settings source 'projct'; did you mean 'project'?");
}

TEST(the_flag_is_a_file_or_json_and_has_to_be_right)
{
	const struct settings_item *items;
	RIG(r);
	PATH_IN(path, r.dir, "some.json");
	PATH_IN(missing, r.dir, "none.json");

	rig_write(&r, "some.json",
		  "{\"model\": \"of the file\", \"permissions\": {\"ask\": [\"x\"]}}");
	r.opts.flag = path;
	LOAD(r);
	CHECK_SETTING(r, "model", "\"of the file\"");
	CHECK_INT(settings_items(r.settings, "permissions.ask", &items), 1);
	CHECK_STR(items[0].file, path);
	CHECK_STR(items[0].root, str_c(&r.dir));
	r.opts.flag = " {\"model\": \"inline\",}";
	LOAD(r);
	CHECK_SETTING(r, "model", "\"inline\"");
	r.opts.flag = missing;
	CHECK(!rig_load(&r));
	CHECK_ERR(r.err, ERR_NOT_FOUND, "--settings: ");
	r.opts.flag = "{\"model\": 3}";
	CHECK(!rig_load(&r));
	CHECK_ERR(r.err, ERR_INVALID, "--settings:1:11: model: expected a string, found 3");
	r.opts.flag = "{\"model\"";
	CHECK(!rig_load(&r));
	CHECK_ERR(r.err, ERR_INVALID, "--settings:1:9: ");
}

TEST(the_local_file_is_that_of_the_repository_around)
{
	RIG(r);
	PATH_IN(inner, r.dir, "project/sub/dir");
	struct err err;

	CHECK_OK(fs_mkdirs(inner, 0700, &err), err);
	rig_write(&r, LOCAL, "{\"model\": \"repo\", \"permissions\": {\"deny\": [\"X\"]}}");
	rig_write(&r, PROJECT, "{\"agent\": \"not this\"}");
	r.opts.repo_dir = r.project;
	r.opts.project_dir = inner;
	LOAD(r);
	CHECK_SETTING(r, "model", "\"repo\"");
	CHECK_SETTING(r, "agent", "");
}

TEST(in_the_home_directory_the_users_file_is_not_also_a_projects)
{
	RIG(r);
	PATH_IN(config, r.dir, "project/.claude");

	r.opts.config_dir = config;
	r.opts.trusts_project = false;
	rig_write(&r, PROJECT, "{\"model\": \"mine\"}");
	LOAD(r);
	CHECK_SETTING(r, "model", "\"mine\"");
	CHECK_SV(settings_ignored(r.settings), "");
}

/* --- lists with their origin ----------------------------------------------------------------- */

TEST(elements_of_a_list_come_strongest_first_with_file_line_and_root)
{
	const struct settings_item *items;
	RIG(r);
	PATH_IN(user, r.dir, USER);
	PATH_IN(project, r.dir, PROJECT);

	rig_write(&r, USER, "{\"permissions\":\n// mine\n{\"deny\": [\"A\",\n\n\"B\", \"A\"\n]}}");
	rig_write(&r, PROJECT, "{\"permissions\": {\"deny\": [\n\"B\"]}}");
	r.opts.flag = "{\"permissions\": {\"deny\": [\"F\"]}}";
	LOAD(r);
	CHECK_INT(settings_items(r.settings, "permissions.deny", &items), 4);
	CHECK_SV(items[0].text, "F");
	CHECK_STR(items[0].file, "--settings");
	CHECK_STR(items[0].root, r.project);
	CHECK_SV(items[1].text, "B");
	CHECK_INT(items[1].source, SETTINGS_PROJECT);
	CHECK_STR(items[1].file, project);
	CHECK_INT(items[1].line, 2);
	CHECK_STR(items[1].root, r.project);
	CHECK_SV(items[2].text, "A");
	CHECK_INT(items[2].line, 3);
	CHECK_STR(items[2].file, user);
	CHECK_STR(items[2].root, r.config);
	CHECK_SV(items[3].text, "B");
	CHECK_INT(items[3].line, 5);
	CHECK_INT(settings_items(r.settings, "permissions.allow", &items), 0);
	CHECK_INT(settings_items(r.settings, "permissions", &items), 0);
}

static void check_located(const struct rig *r, const char *key, const char *item,
			  const char *expected)
{
	defer(str_clear) struct str where = STR_INIT;

	settings_locate_item(r->settings, key, sv_cstr(item), &where);
	rig_shorten(r, &where);
	CHECK_STR(str_c(&where), expected);
}

TEST(an_element_is_located_in_the_strongest_file_that_has_it)
{
	RIG(r);

	rig_write(&r, USER, "{\"deniedModels\": [\n\"a\",\n\"b\"]}");
	rig_write(&r, PROJECT, "{\n\"deniedModels\": [\"b\"]}");
	LOAD(r);
	check_located(&r, "deniedModels", "a", "DIR/" USER ":2");
	check_located(&r, "deniedModels", "b", "DIR/" PROJECT ":2");
	check_located(&r, "deniedModels", "c", "DIR/" PROJECT ":2");
	check_located(&r, "availableModels", "c", "");
}

TEST(one_source_can_be_asked_alone)
{
	RIG(r);

	rig_write(&r, USER, "{\"env\": {\"A.B\": \"user\", \"C\": 1}}");
	rig_write(&r, POLICY, "{\"env\": {\"A.B\": \"policy\"}}");
	LOAD(r);
	CHECK_SV(json_str_or(settings_get_from(r.settings, SETTINGS_USER, "env.A.B"), SV_EMPTY),
		 "user");
	CHECK_SV(json_str_or(settings_get_from(r.settings, SETTINGS_POLICY, "env.A.B"), SV_EMPTY),
		 "policy");
	CHECK(!json_exists(settings_get_from(r.settings, SETTINGS_POLICY, "env.C")));
	CHECK(!json_exists(settings_get_from(r.settings, SETTINGS_LOCAL, "env")));
}

TEST(lists_inside_a_map_have_elements_too)
{
	const struct settings_item *items;
	RIG(r);

	rig_write(&r, USER, "{\"hooks\": {\"Stop\": [\n{\"matcher\": \"x\", \"hooks\": []}]}}");
	LOAD(r);
	CHECK_INT(settings_items(r.settings, "hooks.Stop", &items), 1);
	CHECK_SV(json_str_or(json_get(items[0].value, "matcher"), SV_EMPTY), "x");
	CHECK_INT(items[0].line, 2);
}

TEST(whoever_finds_a_value_wrong_can_say_where_it_is)
{
	struct err why = ERR_INIT;
	RIG(r);

	rig_write(&r, USER, "{\"model\": \"x\"}");
	rig_write(&r, LOCAL, "{\n\"model\": \"y\"}");
	LOAD(r);
	err_set(&why, ERR_INVALID, "no such model");
	settings_note_ignored(r.settings, "model", &why, &r.notes);
	rig_shorten(&r, &r.notes);
	CHECK_STR(str_c(&r.notes), "DIR/project/.claude/settings.local.json:2: ignoring model: no "
				   "such model\n");
}

TEST(all_of_it_can_be_written_with_who_says_what)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct json root;
	RIG(r);

	rig_write(&r, USER, "{\"model\": \"x\"}");
	rig_write(&r, LOCAL, "{\"model\": \"y\"}");
	LOAD(r);
	settings_write_json(r.settings, &text);
	doc = json_parse(sv_of(&text), 0, &err);
	CHECK_OK(doc != NULL, err);
	root = json_root(doc);
	CHECK_SV(json_str_or(json_path(root, "effective.model"), SV_EMPTY), "y");
	CHECK_SV(json_str_or(json_path(root, "sources[0].source"), SV_EMPTY), "userSettings");
	CHECK_SV(json_str_or(json_path(root, "sources[0].settings.model"), SV_EMPTY), "x");
	CHECK_INT(json_len(json_get(root, "sources")), 2);
}
