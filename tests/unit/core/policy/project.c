#include "core/policy/project.h"

#include <unistd.h>

#include "store/settings/settings_rig.h"

#define ALLOWS "{\"permissions\": {\"allow\": [\"Bash(ls)\"]}}"
#define EVIL   "{\"permissions\": {\"allow\": [\"Bash\"]}}"

static const struct rig *meanwhile_in;
static const char *meanwhile; /* this file changes */

/* Somebody pulls between our look at the project and our change. */
static bool put_after_a_pull(const struct settings_opts *opts, enum settings_source source,
			     struct json_steps steps, struct sv json, struct err *err)
{
	rig_write(meanwhile_in, meanwhile, EVIL);
	return settings_set(opts, source, steps, json, err);
}

static bool is_trusted(const struct rig *r, struct str *trusted_digest)
{
	defer(project_clear) struct project p = PROJECT_INIT;

	project_inspect(&p, r->config, r->project, trusted_digest);
	return p.files.trusts_project;
}

static void change(const struct rig *r, typeof(settings_set) *how, struct str *trusted_digest)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	struct err err = ERR_INIT;

	project_inspect(&p, r->config, r->project, trusted_digest);
	CHECK_OK(
		project_change(&p, how, SETTINGS_LOCAL, JSON_STEPS(SV("model")), SV("\"x\""), &err),
		err);
}

static void give_trust(const struct rig *r)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	struct err err = ERR_INIT;

	project_inspect(&p, r->config, r->project, NULL);
	CHECK_OK(project_trust(&p, true, &err), err);
}

TEST(a_change_of_our_own_keeps_the_trust)
{
	static const char *const files[] = { PROJECT, LOCAL, NULL };

	for (size_t i = 0; i < countof(files); i++) {
		RIG(r);

		if (files[i])
			rig_write(&r, files[i], ALLOWS);
		CHECK_INT(is_trusted(&r, NULL), !files[i]);
		give_trust(&r);
		change(&r, settings_set, NULL);
		CHECK(is_trusted(&r, NULL));
	}
}

TEST(a_change_of_our_own_gives_no_trust)
{
	RIG(r);

	rig_write(&r, PROJECT, ALLOWS);
	change(&r, settings_set, NULL);
	CHECK(!is_trusted(&r, NULL));
}

TEST(what_somebody_else_changes_meanwhile_is_not_trusted_with_it)
{
	static const char *const files[] = { PROJECT, LOCAL, "project/.mcp.json" };

	for (size_t i = 0; i < countof(files); i++) {
		defer(str_clear) struct str trusted_digest = STR_INIT;
		defer(project_clear) struct project p = PROJECT_INIT;
		RIG(r);

		rig_write(&r, PROJECT, ALLOWS);
		give_trust(&r);
		project_inspect(&p, r.config, r.project, NULL);
		str_add(&trusted_digest, sv_of(&p.trust.digest));
		meanwhile_in = &r;
		meanwhile = files[i];
		change(&r, put_after_a_pull, &trusted_digest);
		CHECK(!is_trusted(&r, NULL));
		CHECK(!is_trusted(&r, &trusted_digest));
	}
}

TEST(who_is_vouched_for_in_this_run_alone_is_so_after_a_change_of_ours)
{
	defer(str_clear) struct str trusted_digest = STR_INIT;
	defer(project_clear) struct project p = PROJECT_INIT;
	RIG(r);

	rig_write(&r, PROJECT, ALLOWS);
	project_inspect(&p, r.config, r.project, NULL);
	str_add(&trusted_digest, sv_of(&p.trust.digest));
	change(&r, settings_set, &trusted_digest);
	CHECK(is_trusted(&r, &trusted_digest));
	CHECK(!is_trusted(&r, NULL));
}

/* --- work trees ------------------------------------------------------------------------- */

/* A repository "main" with a work tree "tree", as git leaves them. */
static void make_trees(const struct rig *r)
{
	defer(str_clear) struct str pointer = STR_INIT;
	defer(str_clear) struct str back = STR_INIT;

	str_addf(&pointer, "gitdir: %s/main/.git/worktrees/tree\n", r->dir.ptr);
	str_addf(&back, "%s/tree/.git\n", r->dir.ptr);
	rig_write(r, "main/.git/HEAD", "ref: refs/heads/main\n");
	rig_write(r, "main/.git/worktrees/tree/commondir", "../..\n");
	rig_write(r, "main/.git/worktrees/tree/gitdir", str_c(&back));
	rig_write(r, "tree/.git", str_c(&pointer));
}

/* In which directory, below that of the rig, the local file of `dir` is kept. */
static void check_place(const struct rig *r, const char *dir, const char *expected)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	defer(mem_freep) char *path = rig_path(r, dir);
	defer(mem_freep) char *wanted = rig_path(r, expected);

	project_inspect(&p, r->config, path, NULL);
	CHECK_STR(p.files.repo_dir ? p.files.repo_dir : p.files.project_dir, wanted);
}

TEST(work_trees_share_the_local_file_of_the_first_checkout)
{
	RIG(r);

	make_trees(&r);
	check_place(&r, "main", "main");
	check_place(&r, "tree", "main");
	rig_write(&r, "main/.git/worktrees/tree/gitdir", "../../../../tree/.git");
	rig_write(&r, "tree/.git", "gitdir: ../main/.git/worktrees/tree");
	rig_write(&r, "tree/sub/x", "");
	check_place(&r, "tree/sub", "main");
}

TEST(a_folder_with_the_name_of_a_repository_is_none)
{
	RIG(r);
	defer(mem_freep) char *git = rig_path(&r, "main/.git");

	make_trees(&r);
	rig_write(&r, "main/sub/x", "");
	check_place(&r, "main/sub", "main");
	rig_write(&r, "other/.git/info/exclude", "");
	rig_write(&r, "other/sub/x", "");
	check_place(&r, "other/sub", "other/sub");
	if (geteuid() != 0)
		return; /* only root can give files away */
	CHECK_INT(chown(git, 1234, 0), 0);
	check_place(&r, "main/sub", "main/sub");
}

TEST(who_names_a_repository_that_does_not_name_him_is_none_of_its_work_trees)
{
	static const struct {
		const char *file, *text;
	} evil[][3] = {
		{ { "evil/.git", "gitdir: ../main/.git/worktrees/tree\n" } },
		{ { "evil/.git", "gitdir: ../main/.git\n" } },
		{ { "evil/.git", "gitdir: .x/.git/worktrees/tree\n" },
		  { "evil/.x/.git/worktrees/tree/commondir", "../../../../../main/.git\n" },
		  { "evil/.x/.git/worktrees/tree/gitdir", "../../../../../tree/.git\n" } },
		{ { "evil/.git", "gitdir: .x\n" },
		  { "evil/.x/commondir", "../../main/.git\n" },
		  { "evil/.x/gitdir", "../.git\n" } },
		{ { "evil/.git", "gitdir: " } },
		{ { "evil/.git", "ref: ../main/.git/worktrees/tree\n" } },
		{ { "evil/.git/gitdir", "../../main/.git/worktrees/tree\n" },
		  { "evil/.git/commondir", "../../main/.git\n" } },
	};

	for (size_t i = 0; i < countof(evil); i++) {
		RIG(r);

		make_trees(&r);
		for (size_t k = 0; k < countof(evil[i]) && evil[i][k].file; k++)
			rig_write(&r, evil[i][k].file, evil[i][k].text);
		check_place(&r, "evil", "evil");
	}
}

TEST(a_link_to_the_pointer_of_a_work_tree_makes_none)
{
	struct err err = ERR_INIT;
	RIG(r);
	defer(mem_freep) char *link = rig_path(&r, "evil/.git");

	make_trees(&r);
	rig_write(&r, "evil/x", "");
	CHECK_OK(fs_symlink("../tree/.git", link, &err), err);
	check_place(&r, "evil", "evil");
}

static void trust(const struct rig *r, const char *dir)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	defer(mem_freep) char *path = rig_path(r, dir);
	struct err err = ERR_INIT;

	project_inspect(&p, r->config, path, NULL);
	CHECK_OK(project_trust(&p, true, &err), err);
}

static bool trusts(const struct rig *r, const char *dir)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	defer(mem_freep) char *path = rig_path(r, dir);

	project_inspect(&p, r->config, path, NULL);
	return p.files.trusts_project;
}

TEST(trust_in_the_shared_file_is_shared_and_no_other)
{
	RIG(r);

	make_trees(&r);
	rig_write(&r, "main/.claude/settings.local.json", ALLOWS);
	CHECK(!trusts(&r, "tree"));
	trust(&r, "main");
	CHECK(trusts(&r, "tree"));
	rig_write(&r, "main/.claude/settings.json", ALLOWS);
	trust(&r, "main");
	rig_write(&r, "tree/.claude/settings.json", ALLOWS);
	CHECK(trusts(&r, "main"));
	CHECK(!trusts(&r, "tree"));
}

TEST(a_change_of_the_shared_file_keeps_the_trust_of_all_who_share_it)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	struct err err = ERR_INIT;
	RIG(r);
	defer(mem_freep) char *tree = rig_path(&r, "tree");

	make_trees(&r);
	rig_write(&r, "main/.claude/settings.json", ALLOWS);
	trust(&r, "main");
	project_inspect(&p, r.config, tree, NULL);
	CHECK_OK(project_change(&p, settings_set, SETTINGS_LOCAL, JSON_STEPS(SV("model")),
				SV("\"x\""), &err),
		 err);
	CHECK(trusts(&r, "main"));
	CHECK(trusts(&r, "tree"));
}

/* --- rules that the user gave ------------------------------------------------------------ */

#define RULES JSON_STEPS(SV("permissions"), SV("allow"))

/* Changes the rules of a file the way a user does. */
static void give(const struct rig *r, typeof(settings_set) *how, enum settings_source source,
		 const char *json)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	struct err err = ERR_INIT;

	project_inspect(&p, r->config, r->project, NULL);
	CHECK_OK(project_change(&p, how, source, RULES, sv_cstr(json), &err), err);
}

/* Loads the settings as a session does. */
static void load(struct rig *r, struct project *p)
{
	project_inspect(p, r->config, r->project, NULL);
	r->opts = p->files;
	r->opts.policy_dir = r->policy;
	LOAD(*r);
}

static void check_rules(struct rig *r, const char *expected)
{
	defer(project_clear) struct project p = PROJECT_INIT;

	load(r, &p);
	CHECK_SETTING(*r, "permissions.allow", expected);
}

TEST(a_rule_that_the_user_gave_counts_in_a_file_that_is_not_trusted_and_no_other_does)
{
	static const enum settings_source sources[] = { SETTINGS_PROJECT, SETTINGS_LOCAL };
	static const char *const files[] = { PROJECT, LOCAL };

	for (size_t i = 0; i < countof(sources); i++) {
		defer(project_clear) struct project p = PROJECT_INIT;
		const struct settings_item *items;
		RIG(r);

		rig_write(&r, files[i], EVIL);
		give(&r, settings_add_item, sources[i], "\"Bash(make)\"");
		check_rules(&r, "[\"Bash(make)\"]");
		load(&r, &p);
		CHECK(!p.files.trusts_project);
		CHECK(sv_find(settings_ignored(r.settings), SV("permissions.allow")) != SIZE_MAX);
		CHECK_INT(settings_items(r.settings, "permissions.allow", &items), 1);
		CHECK_STR(items[0].text.ptr, "Bash(make)");
		CHECK(items[0].line > 0);
	}
}

TEST(a_rule_that_the_user_gave_stays_when_trust_ends)
{
	RIG(r);

	rig_write(&r, PROJECT, ALLOWS);
	give_trust(&r);
	give(&r, settings_add_item, SETTINGS_LOCAL, "\"Bash(make)\"");
	rig_write(&r, PROJECT, EVIL);
	check_rules(&r, "[\"Bash(make)\"]");
}

TEST(a_rule_that_is_removed_from_the_file_ends_and_nobody_can_bring_it_back)
{
	RIG(r);

	rig_write(&r, PROJECT, "{}");
	give(&r, settings_add_item, SETTINGS_LOCAL, "\"Bash(a)\"");
	give(&r, settings_add_item, SETTINGS_LOCAL, "\"Bash(b)\"");
	give(&r, settings_remove_item, SETTINGS_LOCAL, "\"Bash(a)\"");
	check_rules(&r, "[\"Bash(b)\"]");
	rig_write(&r, LOCAL, "{\"permissions\": {\"allow\": [\"Bash(a)\", \"Bash(b)\"]}}");
	check_rules(&r, "[\"Bash(b)\"]");
	rig_write(&r, LOCAL, "{}"); /* the user has an editor, too */
	check_rules(&r, "");
	give(&r, settings_add_item, SETTINGS_LOCAL, "\"Bash(c)\"");
	rig_write(&r, LOCAL, "{\"permissions\": {\"allow\": [\"Bash(b)\", \"Bash(c)\"]}}");
	check_rules(&r, "[\"Bash(c)\"]");
}

TEST(a_list_that_the_user_set_counts_as_given_until_it_is_set_or_removed_again)
{
	RIG(r);

	rig_write(&r, PROJECT, EVIL);
	give(&r, settings_set, SETTINGS_LOCAL, "[\"Bash(a)\", \"Bash(b)\"]");
	check_rules(&r, "[\"Bash(a)\",\"Bash(b)\"]");
	give(&r, settings_set, SETTINGS_LOCAL, "[\"Bash(b)\"]");
	rig_write(&r, LOCAL, "{\"permissions\": {\"allow\": [\"Bash(a)\", \"Bash(b)\"]}}");
	check_rules(&r, "[\"Bash(b)\"]");
	give(&r, settings_set, SETTINGS_LOCAL, "");
	rig_write(&r, LOCAL, "{\"permissions\": {\"allow\": [\"Bash(a)\", \"Bash(b)\"]}}");
	check_rules(&r, "");
}

TEST(a_rule_for_one_project_does_not_count_in_another)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	RIG(r);
	defer(mem_freep) char *other = rig_path(&r, "other");

	rig_write(&r, PROJECT, "{}");
	give(&r, settings_add_item, SETTINGS_LOCAL, "\"Bash(a)\"");
	rig_write(&r, "other/.claude/settings.local.json",
		  "{\"permissions\": {\"allow\": [\"Bash(a)\"]}}");
	project_inspect(&p, r.config, other, NULL);
	r.opts = p.files;
	LOAD(r);
	CHECK_SETTING(r, "permissions.allow", "");
}

TEST(the_record_of_given_rules_is_readable_by_its_user_alone)
{
	defer(mem_freep) char *path = NULL;
	struct fs_info info;
	struct err err = ERR_INIT;
	RIG(r);

	give(&r, settings_add_item, SETTINGS_LOCAL, "\"Bash(a)\"");
	path = rig_path(&r, "config/awl/approved.json");
	CHECK_OK(fs_info(&info, path, true, &err), err);
	CHECK_INT(info.mode & 0777, 0600);
}

TEST(a_record_that_cannot_be_read_is_not_overwritten_and_gives_nothing)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	struct err err = ERR_INIT;
	RIG(r);

	rig_write(&r, "config/awl/approved.json", "{ broken");
	rig_write(&r, LOCAL, EVIL);
	project_inspect(&p, r.config, r.project, NULL);
	CHECK(!project_change(&p, settings_add_item, SETTINGS_LOCAL, RULES, SV("\"Bash(a)\""),
			      &err));
	CHECK(strstr(err.text, "approved.json"));
	check_rules(&r, "");
}
