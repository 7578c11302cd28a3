/* The policyHelper: a program of the policy's that prints more of it. */
#include "settings_rig.h"

#define HELPER "policy/helper"

/* A policy that names the program, and forbids something itself. */
static void put_helper(struct rig *r, const char *script, const char *more)
{
	PATH_IN(path, r->dir, HELPER);
	defer(str_clear) struct str text = STR_INIT;

	rig_write(r, HELPER, script);
	CHECK_INT(chmod(path, 0700), 0);
	str_addf(&text,
		 "{\"policyHelper\": {\"path\": \"%s\"%s}, \"permissions\": {\"deny\": "
		 "[\"Bash\"]}}",
		 path, more);
	rig_write(r, POLICY, str_c(&text));
}

TEST(what_the_program_of_a_policy_prints_holds_beside_the_policy)
{
	RIG(r);

	put_helper(&r,
		   "#!/bin/sh\nprintf '{\"managedSettings\": {\"model\": \"%s\", \"permissions\": "
		   "{\"deny\": [\"Read(x)\"]}}, \"other\": 1}' \"$PWD\"\n",
		   "");
	rig_write(&r, USER, "{\"model\": \"mine\"}");
	LOAD(r);
	CHECK_SETTING(r, "model", "\"/\""); /* it is run there, and is stronger than the user */
	CHECK_SETTING(r, "permissions.deny", "[\"Read(x)\",\"Bash\"]");
	CHECK_INT(settings_source_of(r.settings, "model"), SETTINGS_POLICY);
}

TEST(the_program_of_a_policy_is_not_led_by_the_environment_of_the_user)
{
	RIG(r);

	put_helper(&r,
		   "#!/bin/sh\nprintf '{\"managedSettings\": {\"model\": \"%s %s %s\"}}' "
		   "\"${PATH%%:*}\" \"$LOGNAME\" \"$BASH_ENV\"\n",
		   "");
	CHECK_INT(setenv("BASH_ENV", "/evil", 1), 0);
	CHECK_INT(setenv("LOGNAME", "somebody", 1), 0);
	LOAD(r);
	CHECK_SETTING(r, "model", "\"/usr/local/sbin somebody \"");
	CHECK_INT(unsetenv("BASH_ENV"), 0);
	CHECK_INT(unsetenv("LOGNAME"), 0);
}

TEST(the_program_of_a_policy_gets_the_environment_of_the_engine_that_runs_it)
{
	static const char *const env[] = { "LOGNAME=given", "BASH_ENV=/evil", NULL };
	RIG(r);

	put_helper(&r,
		   "#!/bin/sh\nprintf '{\"managedSettings\": {\"model\": \"%s %s\"}}' "
		   "\"$LOGNAME\" \"$BASH_ENV\"\n",
		   "");
	CHECK_INT(setenv("LOGNAME", "somebody", 1), 0);
	r.opts.env = env;
	LOAD(r);
	CHECK_SETTING(r, "model", "\"given \"");
	CHECK_INT(unsetenv("LOGNAME"), 0);
}

TEST(nothing_runs_when_the_program_of_a_policy_fails)
{
	static const struct {
		const char *script, *more, *problem;
	} cases[] = {
		{ "#!/bin/sh\necho no network >&2; exit 3\n", "",
		  "/policy/helper: exited with status 3: no network" },
		{ "#!/bin/sh\nexit 0\n", "", "/policy/helper: " },
		{ "#!/bin/sh\necho '{}'\n", "", "no object \"managedSettings\"" },
		{ "#!/bin/sh\necho '{\"managedSettings\": []}'\n", "", "no object" },
		{ "#!/bin/sh\necho '{\"managedSettings\": {\"model\": 5}}'\n", "", "model: " },
		{ "#!/bin/sh\necho '{\"managedSettings\": {}} x'\n", "", "/policy/helper: " },
		{ "#!/bin/sh\nexec sleep 1000\n", ", \"timeoutMs\": 1",
		  "did not finish within 1 ms" },
		{ "#!/bin/sh\nyes\n", "", "/policy/helper: " },
		{ "#!/no/such/interpreter\n", "", "/policy/helper: " },
		{ "#!/bin/sh\necho '{\"managedSettings\": {}}'; kill -KILL $$\n", "",
		  "/policy/helper: exited with status 137" },
		{ "#!/bin/sh\n", ", \"timeoutMs\": \"5\"", "timeoutMs: " },
		{ "#!/bin/sh\n", ", \"timeoutMs\": 0", "timeoutMs: " },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		RIG(r);

		put_helper(&r, cases[i].script, cases[i].more);
		CHECK(!rig_load(&r));
		if (!strstr(r.err.text, cases[i].problem) || !strstr(r.err.text, "policy"))
			fail_msg("%s: %s", cases[i].script, r.err.text);
	}
}

TEST(a_program_that_others_could_have_made_is_not_run)
{
	static const struct {
		const char *path;
		mode_t mode;
	} cases[] = { { HELPER, 0722 }, { HELPER, 0770 }, { "policy", 0702 } };
	static const char script[] =
		"#!/bin/sh\ntouch \"$0.ran\"; echo '{\"managedSettings\": {}}'\n";

	for (size_t i = 0; i < countof(cases); i++) {
		RIG(r);
		PATH_IN(changed, r.dir, cases[i].path);
		PATH_IN(ran, r.dir, HELPER ".ran");

		put_helper(&r, script, "");
		CHECK_INT(chmod(changed, cases[i].mode), 0);
		CHECK(!rig_load(&r));
		CHECK_ERR(r.err, ERR_ACCESS, "writable by others");
		CHECK(!fs_exists(ran));
	}
}

TEST(a_link_is_no_program_of_a_policy_and_neither_is_what_is_not_there)
{
	struct err err = ERR_INIT;
	RIG(r);
	PATH_IN(path, r.dir, HELPER);

	put_helper(&r, "#!/bin/sh\n", "");
	CHECK_OK(fs_remove(path, &err), err);
	CHECK(!rig_load(&r));
	CHECK_ERR(r.err, ERR_NOT_FOUND, "does not exist");
	CHECK_OK(fs_symlink("/bin/true", path, &err), err);
	CHECK(!rig_load(&r));
	CHECK_ERR(r.err, ERR_ACCESS, "not a regular file");
}

TEST(a_policy_that_names_its_program_badly_is_no_policy)
{
	static const char *const cases[] = {
		"{\"policyHelper\": \"/bin/true\"}",
		"{\"policyHelper\": [\"/bin/true\"]}",
		"{\"policyHelper\": {\"path\": 5}}",
		"{\"policyHelper\": {\"path\": null}}",
		"{\"policyHelper\": {\"path\": \"\"}}",
		"{\"policyHelper\": {\"path\": \"helper\"}}",
		"{\"policyHelper\": {\"path\": \"/bin/true\\u0000\"}}",
		"{\"policyHelper\": {\"timeoutMs\": 5}}",
		"{\"policyHelper\": {}}",
	};

	for (size_t i = 0; i < countof(cases); i++) {
		RIG(r);

		rig_write(&r, POLICY, cases[i]);
		if (rig_load(&r))
			print_error("%s\n", cases[i]);
		CHECK(!r.settings);
	}
}

TEST(a_program_that_was_asked_is_not_asked_again)
{
	defer(settings_freep) struct settings *asked = NULL;
	RIG(r);

	put_helper(&r, "#!/bin/sh\necho '{\"managedSettings\": {\"model\": \"first\"}}'\n", "");
	LOAD(r);
	asked = move(r.settings);
	rig_write(&r, HELPER, "#!/bin/sh\nexit 1\n");
	r.opts.helper_from = asked;
	LOAD(r);
	CHECK_SETTING(r, "model", "\"first\"");
	rig_write(&r, POLICY, "{\"policyHelper\": {\"path\": \"/bin/true\"}}");
	CHECK(!rig_load(&r));
	CHECK_ERR(r.err, ERR_STALE, "restart awl");
}
