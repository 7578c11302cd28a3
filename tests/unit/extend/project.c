#include "extend/project.h"

#include "../store/settings_rig.h"

#define ALLOWS "{\"permissions\": {\"allow\": [\"Bash(ls)\"]}}"
#define EVIL   "{\"permissions\": {\"allow\": [\"Bash\"]}}"

static const struct rig *meanwhile_in;
static const char *meanwhile; /* this file changes */

/* Somebody pulls between our look at the project and our change. */
static bool put_after_a_pull(const struct settings_opts *opts, enum settings_source source,
			     struct json_steps steps, struct sv json, struct err *err)
{
	rig_write(meanwhile_in, meanwhile, EVIL);
	return settings_put(opts, source, steps, json, err);
}

static bool is_trusted(const struct rig *r, struct str *vouched)
{
	defer(project_clear) struct project p = PROJECT_INIT;

	project_look(&p, r->config, r->project, vouched);
	return p.files.trusts_project;
}

static void change(const struct rig *r, typeof(settings_put) *how, struct str *vouched)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	struct err err = ERR_INIT;

	project_look(&p, r->config, r->project, vouched);
	CHECK_OK(
		project_change(&p, how, SETTINGS_LOCAL, JSON_STEPS(SV("model")), SV("\"x\""), &err),
		err);
}

static void give_trust(const struct rig *r)
{
	defer(project_clear) struct project p = PROJECT_INIT;
	struct err err = ERR_INIT;

	project_look(&p, r->config, r->project, NULL);
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
		change(&r, settings_put, NULL);
		CHECK(is_trusted(&r, NULL));
	}
}

TEST(a_change_of_our_own_gives_no_trust)
{
	RIG(r);

	rig_write(&r, PROJECT, ALLOWS);
	change(&r, settings_put, NULL);
	CHECK(!is_trusted(&r, NULL));
}

TEST(what_somebody_else_changes_meanwhile_is_not_trusted_with_it)
{
	static const char *const files[] = { PROJECT, LOCAL, "project/.mcp.json" };

	for (size_t i = 0; i < countof(files); i++) {
		defer(str_clear) struct str vouched = STR_INIT;
		defer(project_clear) struct project p = PROJECT_INIT;
		RIG(r);

		rig_write(&r, PROJECT, ALLOWS);
		give_trust(&r);
		project_look(&p, r.config, r.project, NULL);
		str_add(&vouched, sv_of(&p.trust.digest));
		meanwhile_in = &r;
		meanwhile = files[i];
		change(&r, put_after_a_pull, &vouched);
		CHECK(!is_trusted(&r, NULL));
		CHECK(!is_trusted(&r, &vouched));
	}
}

TEST(who_is_vouched_for_in_this_run_alone_is_so_after_a_change_of_ours)
{
	defer(str_clear) struct str vouched = STR_INIT;
	defer(project_clear) struct project p = PROJECT_INIT;
	RIG(r);

	rig_write(&r, PROJECT, ALLOWS);
	project_look(&p, r.config, r.project, NULL);
	str_add(&vouched, sv_of(&p.trust.digest));
	change(&r, settings_put, &vouched);
	CHECK(is_trusted(&r, &vouched));
	CHECK(!is_trusted(&r, NULL));
}
