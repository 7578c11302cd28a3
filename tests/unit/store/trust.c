#include "store/trust.h"

#include "base/limits.h"
#include "base/mem.h"
#include "store/config_lock.h"
#include "store/settings/settings_rig.h"
#include "store/trust_scripts.h"
#include "text/hex.h"

static enum trust_state state_of(struct rig *r)
{
	defer(trust_clear) struct trust trust = TRUST_INIT;

	trust_inspect(&trust, r->config, r->project, NULL);
	return trust.state;
}

static void record(const struct rig *r, const struct trust *trust)
{
	struct err err = ERR_INIT;
	defer(fs_unlockp) struct fs_lock *turn = config_lock_take(r->config, &err);

	CHECK_OK(turn && trust_record(r->config, r->project, NULL, trust, &err), err);
}

static void give_trust(struct rig *r)
{
	defer(trust_clear) struct trust trust = TRUST_INIT;

	trust_inspect(&trust, r->config, r->project, NULL);
	record(r, &trust);
}

TEST(trust_is_in_content_and_ends_with_any_change_of_it)
{
	static const char *const files[] = { PROJECT, LOCAL, "project/.mcp.json" };

	for (size_t i = 0; i < countof(files); i++) {
		RIG(r);

		CHECK_INT(state_of(&r), TRUST_NOT_NEEDED);
		rig_write(&r, files[i], "{}");
		CHECK_INT(state_of(&r), TRUST_NEVER_GIVEN);
		give_trust(&r);
		CHECK_INT(state_of(&r), TRUST_GIVEN);
		rig_write(&r, files[i], "{ }");
		CHECK_INT(state_of(&r), TRUST_OUTDATED);
		rig_write(&r, files[i], "{}");
		CHECK_INT(state_of(&r), TRUST_GIVEN);
		rig_write(&r, files[(i + 1) % countof(files)], "{}");
		CHECK(!trust_is_given(state_of(&r)));
		record(&r, NULL);
		CHECK_INT(state_of(&r), TRUST_NEVER_GIVEN);
	}
}

TEST(a_file_that_cannot_be_read_needs_trust_all_the_same)
{
	static const char *const files[] = { PROJECT, LOCAL, "project/.mcp.json" };

	for (size_t i = 0; i < countof(files); i++) {
		defer(str_clear) struct str text = STR_INIT;
		RIG(r);

		while (text.len <= LIMIT_SETTINGS)
			str_adds(&text, "                                ");
		rig_write_sv(&r, files[i], sv_of(&text));
		CHECK_INT(state_of(&r), TRUST_NEVER_GIVEN);
	}
}

TEST(the_record_of_trust_is_readable_by_its_user_alone)
{
	defer(mem_freep) char *path = NULL;
	struct fs_info info;
	struct err err = ERR_INIT;
	RIG(r);

	rig_write(&r, PROJECT, "{}");
	give_trust(&r);
	path = rig_path(&r, "config/awl/trust.json");
	CHECK_OK(fs_info(&info, path, true, &err), err);
	CHECK_INT(info.mode & 0777, 0600);
}

/* In a sandbox one holds the place of a file that must not be made. */
TEST(a_directory_in_the_place_of_a_file_is_no_content)
{
	defer(mem_freep) char *dir = NULL;
	struct err err = ERR_INIT;
	RIG(r);

	dir = rig_path(&r, "project/.mcp.json");
	CHECK_OK(fs_mkdirs(dir, 0755, &err), err);
	CHECK_INT(state_of(&r), TRUST_NOT_NEEDED);
}

TEST(the_same_text_in_another_file_is_other_content)
{
	defer(mem_freep) char *project = NULL;
	struct err err = ERR_INIT;
	RIG(r);

	rig_write(&r, PROJECT, "{}");
	give_trust(&r);
	project = rig_path(&r, PROJECT);
	CHECK_OK(fs_remove(project, &err), err);
	rig_write(&r, LOCAL, "{}");
	CHECK_INT(state_of(&r), TRUST_OUTDATED);
}

TEST(what_changes_after_it_was_looked_at_is_not_trusted)
{
	static const char *const files[] = { PROJECT, LOCAL };

	for (size_t i = 0; i < countof(files); i++) {
		defer(trust_clear) struct trust trust = TRUST_INIT;
		RIG(r);

		rig_write(&r, files[i], "{\"permissions\": {\"allow\": [\"Bash(ls)\"]}}");
		trust_inspect(&trust, r.config, r.project, NULL);
		r.opts.looked = &trust;
		LOAD(r);
		CHECK_SETTING(r, "permissions.allow", "[\"Bash(ls)\"]");
		rig_write(&r, files[i],
			  "{\"permissions\": {\"allow\": [\"Bash\"], \"deny\": [\"Read\"]}}");
		LOAD(r);
		CHECK_SETTING(r, "permissions", "{\"deny\":[\"Read\"]}");
	}
}

TEST(a_file_that_comes_after_it_was_looked_is_not_trusted)
{
	defer(trust_clear) struct trust trust = TRUST_INIT;
	RIG(r);

	trust_inspect(&trust, r.config, r.project, NULL);
	CHECK_INT(trust.state, TRUST_NOT_NEEDED);
	r.opts.looked = &trust;
	rig_write(&r, PROJECT, "{\"model\": \"x\"}");
	LOAD(r);
	CHECK_SETTING(r, "model", "");
	CHECK_SV(settings_ignored(r.settings), "model (.claude/settings.json:1)\n");
}

TEST(a_project_that_could_not_be_found_again_is_not_recorded)
{
	struct err err = ERR_INIT;
	RIG(r);

	CHECK(!trust_record(r.config, "/some/\xff", NULL, &(struct trust)TRUST_INIT, &err));
	CHECK_INT(err.kind, ERR_INVALID);
}

TEST(a_configuration_directory_may_be_a_link)
{
	struct err err = ERR_INIT;
	RIG(r);

	rig_write(&r, "elsewhere/x", "");
	CHECK_OK(fs_symlink("elsewhere", r.config, &err), err);
	rig_write(&r, PROJECT, "{}");
	give_trust(&r);
	CHECK_INT(state_of(&r), TRUST_GIVEN);
}

/* A hook of this command. */
static void put_hook(struct rig *r, const char *command)
{
	defer(str_clear) struct str text = STR_INIT;

	str_addf(&text,
		 "{ /* runs */ \"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", "
		 "\"command\": \"%s\"}]}]}}",
		 command);
	rig_write(r, PROJECT, str_c(&text));
}

TEST(trust_ends_with_a_change_of_a_script_that_a_command_names)
{
	static const struct {
		const char *command, *script;
		bool counts;
	} cases[] = {
		{ "./do.sh", "project/do.sh", true },
		{ "sh do.sh --fast", "project/do.sh", true },
		{ "bash hook", "project/hook", true },
		{ "\\\"$CLAUDE_PROJECT_DIR\\\"/.claude/hooks/do", "project/.claude/hooks/do",
		  true },
		{ "cd /tmp && '${CLAUDE_PROJECT_DIR}/bin/do' | cat", "project/bin/do", true },
		{ "python3 -u=tools/../tools/do.py;true", "project/tools/do.py", true },
		{ "exec $(bin/do)", "project/bin/do", true },
		{ "'bin/my do'", "project/bin/my do", true },
		{ "bash -c 'sh \\\"./it is.sh\\\"'", "project/it is.sh", true },
		{ "sh bin/my\\\\ do && true", "project/bin/my do", true },
		{ "prettier package.json", "project/package.json", false },
		{ "cat ../beside/do.sh", "beside/do.sh", false },
		{ "echo 1", "project/do.sh", false },
		{ "date >>log", "project/log", false },
		{ "date > bin/log; true", "project/bin/log", false },
		{ "date > do.sh; sh do.sh", "project/do.sh", true },
		{ "cat <do.sh 2>&1", "project/do.sh", true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		RIG(r);

		rig_write(&r, cases[i].script, "one");
		put_hook(&r, cases[i].command);
		give_trust(&r);
		CHECK_INT(state_of(&r), TRUST_GIVEN);
		rig_write(&r, cases[i].script, "two");
		if (state_of(&r) != (cases[i].counts ? TRUST_OUTDATED : TRUST_GIVEN))
			print_error("%s\n", cases[i].command);
		CHECK_INT(state_of(&r), cases[i].counts ? TRUST_OUTDATED : TRUST_GIVEN);
		rig_write(&r, cases[i].script, "one");
		CHECK_INT(state_of(&r), TRUST_GIVEN);
	}
}

TEST(trust_ends_with_a_change_of_a_server_that_the_project_has_itself)
{
	RIG(r);

	rig_write(&r, "project/server/main.js", "one");
	rig_write(&r, "project/.mcp.json",
		  "{\"mcpServers\": {\"x\": {\"command\": \"node\", \"args\": [\"--quiet\", "
		  "\"server/main.js\"]}}}");
	give_trust(&r);
	CHECK_INT(state_of(&r), TRUST_GIVEN);
	rig_write(&r, "project/server/main.js", "two");
	CHECK_INT(state_of(&r), TRUST_OUTDATED);
}

TEST(trust_ends_with_a_change_of_what_a_variable_has_programs_load)
{
	RIG(r);

	rig_write(&r, "project/hook.js", "one");
	rig_write(&r, "project/lib/a.so", "one");
	rig_write(&r, PROJECT,
		  "{\"env\": {\"NODE_OPTIONS\": \"--require=./hook.js\", \"LD_PRELOAD\": "
		  "\"/no.so:lib/a.so\"}}");
	give_trust(&r);
	rig_write(&r, "project/hook.js", "two");
	CHECK_INT(state_of(&r), TRUST_OUTDATED);
	give_trust(&r);
	rig_write(&r, "project/lib/a.so", "two");
	CHECK_INT(state_of(&r), TRUST_OUTDATED);
}

TEST(scripts_too_long_to_be_read_are_known_by_their_length)
{
	defer(mem_freep) char *path = NULL;
	RIG(r);

	put_hook(&r, "./long.sh; ./do.sh");
	rig_write(&r, "project/long.sh", "");
	rig_write(&r, "project/do.sh", "one");
	path = rig_path(&r, "project/long.sh");
	CHECK_INT(truncate(path, (off_t)1 << 34), 0);
	give_trust(&r);
	CHECK_INT(state_of(&r), TRUST_GIVEN);
	rig_write(&r, "project/do.sh", "two");
	CHECK_INT(state_of(&r), TRUST_OUTDATED);
	give_trust(&r);
	CHECK_INT(truncate(path, (off_t)1 << 35), 0);
	CHECK_INT(state_of(&r), TRUST_OUTDATED);
}

TEST(a_script_that_comes_or_leads_elsewhere_is_a_change)
{
	defer(mem_freep) char *link = NULL;
	struct err err = ERR_INIT;
	RIG(r);

	put_hook(&r, "./do.sh");
	give_trust(&r);
	rig_write(&r, "a.sh", "a");
	rig_write(&r, "b.sh", "b");
	link = rig_path(&r, "project/do.sh");
	CHECK_OK(fs_symlink("../a.sh", link, &err), err);
	CHECK_INT(state_of(&r), TRUST_OUTDATED);
	give_trust(&r);
	CHECK_INT(state_of(&r), TRUST_GIVEN);
	CHECK_OK(fs_remove(link, &err), err);
	CHECK_OK(fs_symlink("../b.sh", link, &err), err);
	CHECK_INT(state_of(&r), TRUST_OUTDATED);
}

TEST(a_change_of_ours_does_not_vouch_for_a_script_that_has_changed)
{
	for (int changes = 0; changes < 2; changes++) {
		defer(trust_clear) struct trust trust = TRUST_INIT;
		defer(str_clear) struct str before = STR_INIT;
		defer(mem_freep) char *path = NULL;
		struct err err = ERR_INIT;
		RIG(r);

		rig_write(&r, "project/do.sh", "one");
		put_hook(&r, "./do.sh");
		trust_inspect(&trust, r.config, r.project, NULL);
		path = rig_path(&r, PROJECT);
		CHECK_OK(fs_read(&before, path, 10000, &err), err);
		if (changes)
			rig_write(&r, "project/do.sh", "two");
		trust_follow(&trust, TRUST_PROJECT, sv_of(&before), SV("{}"));
		CHECK(trust.is_lost == (changes != 0));
	}
}

TEST(a_record_from_before_scripts_counted_is_outdated_only_where_there_are_some)
{
	/* SHA-256 of ".claude/settings.json" and that of "{}". */
	defer(str_clear) struct str record_text = STR_INIT;
	struct digest text = sha256(SV("{}")), digest;
	struct sha256 hash;
	RIG(r);

	rig_write(&r, PROJECT, "{}");
	sha256_init(&hash);
	sha256_add(&hash, SV(".claude/settings.json"));
	sha256_add(&hash, digest_sv(&text));
	digest = sha256_end(&hash);
	str_addf(&record_text, "{\"projects\": {\"%s\": \"", r.project);
	hex_encode(&record_text, digest_sv(&digest));
	str_adds(&record_text, "\"}}");
	rig_write(&r, "config/awl/trust.json", str_c(&record_text));
	CHECK_INT(state_of(&r), TRUST_GIVEN);
}

/* The project's script is ./do.sh; where commands run, there may be another file of that name. */
TEST(a_script_by_a_relative_name_is_foreign_if_it_is_another_one_where_commands_run)
{
	static const struct {
		const char *command, *there;
		bool is_foreign;
	} cases[] = {
		{ "./do.sh", NULL, false },
		{ "./do.sh", "own", false },
		{ "./do.sh", "other", true },
		{ "sh do.sh x", "other", true },
		{ "$PWD/do.sh", "other", true },
		{ "$CLAUDE_PROJECT_DIR/do.sh", "other", false },
		{ "cat < ../work/do.sh", "other", true },
		{ "echo x > do.sh", "other", false },
		{ "jq . package.json", "other", false },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str text = STR_INIT, which = STR_INIT;
		RIG(r);
		defer(mem_freep) char *work_dir = rig_path(&r, "work");

		rig_write(&r, "project/do.sh", "own");
		rig_write(&r, "work/package.json", "other");
		if (cases[i].there)
			rig_write(&r, "work/do.sh", cases[i].there);
		str_addf(&text, "{\"hooks\": {\"Stop\": [{\"command\": \"%s\"}]}}",
			 cases[i].command);
		CHECK(trust_find_foreign_script(&which, sv_of(&text), r.project, work_dir) ==
		      cases[i].is_foreign);
		CHECK((which.len > 0) == cases[i].is_foreign);
	}
}
