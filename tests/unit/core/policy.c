#include "core/policy.h"

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
