#include "store/trust.h"
#include "settings_rig.h"
#include "store/turn.h"

static enum trust_state state_of(struct rig *r)
{
	defer(trust_clear) struct trust trust = TRUST_INIT;

	trust_look(&trust, r->config, r->project, NULL);
	return trust.state;
}

static void record(const struct rig *r, const struct trust *trust)
{
	struct err err = ERR_INIT;
	defer(fs_unlockp) struct fs_lock *turn = turn_take(r->config, &err);

	CHECK_OK(turn && trust_record(r->config, r->project, NULL, trust, &err), err);
}

static void give_trust(struct rig *r)
{
	defer(trust_clear) struct trust trust = TRUST_INIT;

	trust_look(&trust, r->config, r->project, NULL);
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
		trust_look(&trust, r.config, r.project, NULL);
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

	trust_look(&trust, r.config, r.project, NULL);
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
