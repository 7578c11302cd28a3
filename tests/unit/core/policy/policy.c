#include "core/policy/policy.h"

#include "hook/guards.h"
#include "store/settings/settings_rig.h"

static struct settings *load(struct rig *r)
{
	LOAD(*r);
	return move(r->settings);
}

static struct policy_opts opts_of(const struct rig *r, const struct settings *settings)
{
	return (struct policy_opts){ .settings = settings, .cwd = r->project };
}

static bool works_in(const struct perm_policy *policy, const struct rig *r, const char *name)
{
	defer(mem_freep) char *path = rig_path(r, name);

	for (size_t i = 0; i < policy->dirs.n; i++)
		if (sv_is(policy->dirs.at[i], path))
			return true;
	return false;
}

TEST(a_directory_that_the_settings_name_no_more_is_left_and_given_ones_are_kept)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(perm_policy_clear) struct perm_policy renewed = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *before = NULL;
	defer(settings_freep) struct settings *after = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);
	PATH_IN(given, r.dir, "given");
	PATH_IN(both, r.dir, "both");
	const char *const dirs[] = { given, both, NULL };

	rig_write(&r, "a/x", "");
	rig_write(&r, "b/x", "");
	rig_write(&r, "given/x", "");
	rig_write(&r, "both/x", "");
	rig_write(&r, USER,
		  "{\"permissions\": {\"additionalDirectories\": [\"../a\", \"../b\", "
		  "\"../both\"]}}");
	before = load(&r);
	opts = opts_of(&r, before);
	opts.add_dirs = dirs;
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	CHECK_INT(policy.dirs.n, 5); /* none of them twice */
	rig_write(&r, USER, "{\"permissions\": {\"additionalDirectories\": [\"../b\"]}}");
	after = load(&r);
	opts = opts_of(&r, after);
	CHECK_OK(policy_renew(&renewed, &policy, &opts, &notes, &err), err);
	CHECK(!works_in(&renewed, &r, "a"));
	CHECK(works_in(&renewed, &r, "b"));
	CHECK(works_in(&renewed, &r, "given"));
	CHECK(works_in(&renewed, &r, "both"));
	CHECK_STR(str_c(&notes), "");
}

TEST(a_directory_that_was_taken_away_does_not_come_back_with_a_reload)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(perm_policy_clear) struct perm_policy renewed = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);
	PATH_IN(gone, r.dir, "gone");
	PATH_IN(kept, r.dir, "kept");

	rig_write(&r, "gone/x", "");
	rig_write(&r, "kept/x", "");
	settings = load(&r);
	opts = opts_of(&r, settings);
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	perm_add_session_dir(&policy, sv_cstr(gone));
	perm_add_session_dir(&policy, sv_cstr(kept));
	perm_remove_dir(&policy, sv_cstr(gone));
	CHECK_OK(policy_renew(&renewed, &policy, &opts, &notes, &err), err);
	CHECK(!works_in(&renewed, &r, "gone"));
	CHECK(works_in(&renewed, &r, "kept"));
}

TEST(a_directory_that_is_a_link_out_of_the_project_is_left_out)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);
	defer(str_clear) struct str link = STR_INIT;

	rig_write(&r, "out/x", "");
	rig_write(&r, USER, "{\"permissions\": {\"additionalDirectories\": [\"./way\"]}}");
	str_addf(&link, "%s/way", r.project);
	CHECK_OK(fs_symlink("../out", link.ptr, &err), err);
	settings = load(&r);
	opts = opts_of(&r, settings);
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	CHECK_INT(policy.dirs.n, 1);
	CHECK(strstr(str_c(&notes), "a link that leads out of the project"));
}

TEST(a_mode_can_be_disabled_under_either_name)
{
	static const struct {
		const char *text, *mode;
	} cases[] = {
		{ "{\"disableAutoMode\": \"disable\"}", "auto" },
		{ "{\"permissions\": {\"disableAutoMode\": \"disable\"}}", "auto" },
		{ "{\"permissions\": {\"disableBypassPermissionsMode\": \"disable\"}}",
		  "bypassPermissions" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
		defer(settings_freep) struct settings *settings = NULL;
		defer(str_clear) struct str notes = STR_INIT;
		struct err err = ERR_INIT;
		struct policy_opts opts;
		RIG(r);

		rig_write(&r, PROJECT, cases[i].text);
		r.opts.trusts_project = false;
		settings = load(&r);
		opts = opts_of(&r, settings);
		opts.mode = cases[i].mode;
		CHECK(!policy_load(&policy, &opts, &notes, &err));
		CHECK_INT(err.kind, ERR_ACCESS);
		CHECK(strstr(err.text, cases[i].mode));
	}
}

TEST(where_only_the_policy_allows_the_command_line_does_not)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);

	rig_write(&r, POLICY,
		  "{\"allowManagedPermissionRulesOnly\": true,\n"
		  "\"permissions\": {\"allow\": [\"Bash(ls)\"]}}");
	rig_write(&r, USER, "{\"permissions\": {\"allow\": [\"Edit\"]}}");
	settings = load(&r);
	opts = opts_of(&r, settings);
	opts.allow = "Write";
	opts.deny = "WebFetch";
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	CHECK_INT(policy.allow.n, 1);
	CHECK_SV(policy.allow.at[0].tool, "Bash");
	CHECK_INT(policy.deny.n, 1);
	CHECK_STR(str_c(&notes),
		  "Only the rules of the policy can allow here, so the allow rules of the "
		  "command line are ignored.\n");
}

TEST(a_directory_of_the_settings_that_is_missing_is_told_with_its_line)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);

	rig_write(&r, USER, "{\"permissions\": {\n\"additionalDirectories\": [\"/nope\"]}}");
	settings = load(&r);
	opts = opts_of(&r, settings);
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	rig_shorten(&r, &notes);
	CHECK_STR(str_c(&notes), "DIR/config/settings.json:2: /nope: No such file or directory; "
				 "ignored\n");
}

TEST(a_name_of_a_working_directory_is_taken_and_that_of_another_is_not)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);
	PATH_IN(link, r.dir, "link");

	CHECK_OK(fs_symlink(r.project, link, &err), err);
	rig_write(&r, USER,
		  "{\"permissions\": {\"workingDirectoriesAsGiven\": [\"../link\", \"/etc\"]}}");
	settings = load(&r);
	opts = opts_of(&r, settings);
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	CHECK_INT(policy.aliases.n, 1);
	CHECK_SV_EQ(policy.aliases.at[0].named, sv_cstr(link));
	CHECK_SV_EQ(policy.aliases.at[0].real, sv_cstr(r.project));
	CHECK(strstr(str_c(&notes), "/etc is not a working directory"));
	CHECK_INT(policy.dirs.n, 1);
}

TEST(an_invalid_rule_is_ignored_and_if_it_forbids_nothing_else_is_allowed_unasked)
{
	static const struct {
		const char *list, *file;
		bool is_incomplete;
	} cases[] = {
		{ "allow", USER, false },   { "ask", USER, true },       { "deny", USER, true },
		{ "deny", PROJECT, false }, { "allow", PROJECT, false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
		defer(settings_freep) struct settings *settings = NULL;
		defer(str_clear) struct str notes = STR_INIT;
		defer(str_clear) struct str text = STR_INIT;
		struct err err = ERR_INIT;
		struct policy_opts opts;
		RIG(r);

		str_addf(&text, "{\"permissions\": {\"%s\": [\"Bash(ls\", \"Read(x)\"]}}",
			 cases[i].list);
		rig_write_sv(&r, cases[i].file, sv_of(&text));
		settings = load(&r);
		opts = opts_of(&r, settings);
		CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
		CHECK(strstr(str_c(&notes), ":1: the rule \"Bash(ls\" is not valid"));
		CHECK_INT(policy.allow.n + policy.ask.n + policy.deny.n, 1);
		CHECK_INT(policy.is_incomplete, cases[i].is_incomplete);
	}
}

TEST(many_problems_of_one_kind_are_one_note)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);

	rig_write(&r, USER,
		  "{\"permissions\": {\"allow\": [\"Bash(ls\", \"Bash(rm\"],"
		  "\"additionalDirectories\": [\"/nope\", \"/nope/either\"]}}");
	settings = load(&r);
	opts = opts_of(&r, settings);
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	CHECK_STR(str_c(&notes),
		  "2 additional directories in the settings cannot be used; 'awl config check' "
		  "says why\n"
		  "2 permission rules in the settings cannot be used; 'awl config check' says "
		  "why\n");
}

TEST(a_misspelt_tool_in_a_rule_of_the_command_line_is_noted)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);

	settings = load(&r);
	opts = opts_of(&r, settings);
	opts.allow = "Bsh(ls) Read mcp__x__y";
	opts.deny = "Wirte";
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	CHECK_STR(
		str_c(&notes),
		"A rule of the command line: there is no tool named Bsh; did you mean Bash?\n"
		"A rule of the command line: there is no tool named Wirte; did you mean Write?\n");
}

TEST(a_directory_of_the_command_line_is_named_by_its_flag)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	const char *const dirs[] = { "/nope", NULL };
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	struct policy_opts opts;
	RIG(r);

	settings = load(&r);
	opts = opts_of(&r, settings);
	opts.add_dirs = dirs;
	CHECK(!policy_load(&policy, &opts, &notes, &err));
	CHECK_STR(err.text, "--add-dir: /nope: No such file or directory");
}

/* The rules of a session do not outlive a policy that lets nobody else allow. */
TEST(the_rules_of_a_session_end_when_only_the_policy_may_allow)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	defer(perm_policy_clear) struct perm_policy renewed = PERM_POLICY_INIT;
	defer(settings_freep) struct settings *before = NULL;
	defer(settings_freep) struct settings *after = NULL;
	const struct perm_rule of_session = { .source = PERM_FROM_SESSION };
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	struct policy_opts opts;
	RIG(r);

	before = load(&r);
	opts = opts_of(&r, before);
	CHECK_OK(policy_load(&policy, &opts, &notes, &err), err);
	CHECK_OK(perm_add_rule(&policy, BEHAVIOR_ALLOW, SV("Bash(ls)"), &of_session, &err), err);
	CHECK_OK(perm_add_rule(&policy, BEHAVIOR_DENY, SV("Bash(rm)"), &of_session, &err), err);
	rig_write(&r, POLICY, "{\"allowManagedPermissionRulesOnly\": true}");
	after = load(&r);
	opts = opts_of(&r, after);
	CHECK_OK(policy_renew(&renewed, &policy, &opts, &notes, &err), err);
	CHECK_INT(renewed.allow.n, 0);
	CHECK_INT(renewed.deny.n, 1);
}

TEST(only_the_policy_switches_off_its_own_hooks)
{
	static const char hooks[] = "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"type\": "
				    "\"command\"}]}]}%s}";
	static const struct {
		const char *policy, *user;
		size_t n;
	} cases[] = {
		{ "", "", 2 },
		{ "", ", \"disableAllHooks\": true", 1 },
		{ ", \"disableAllHooks\": true", "", 0 },
		{ ", \"allowManagedHooksOnly\": true", "", 1 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
		defer(settings_freep) struct settings *settings = NULL;
		defer(str_clear) struct str of_policy = STR_INIT;
		defer(str_clear) struct str of_user = STR_INIT;
		defer(str_clear) struct str notice = STR_INIT;
		RIG(r);

		str_adds(&of_policy, hooks);
		str_splice(&of_policy, sv_find(sv_of(&of_policy), SV("%s")),
			   sv_find(sv_of(&of_policy), SV("%s")) + 2, sv_cstr(cases[i].policy));
		str_adds(&of_user, hooks);
		str_splice(&of_user, sv_find(sv_of(&of_user), SV("%s")),
			   sv_find(sv_of(&of_user), SV("%s")) + 2, sv_cstr(cases[i].user));
		rig_write_sv(&r, POLICY, sv_of(&of_policy));
		rig_write_sv(&r, USER, sv_of(&of_user));
		settings = load(&r);
		hook_guards_add(&policy, settings);
		CHECK_INT(policy.guards.n, cases[i].n);
		hook_guards_describe(&notice, settings);
		CHECK_INT(notice.len > 0, cases[i].n > 0);
	}
}
