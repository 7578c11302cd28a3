#include "hook/hook_set.h"

#include "../store/settings/settings_rig.h"
#include "test.h"

struct sets {
	struct rig rig;
	struct hook_set *set;
	struct str notes;
};

static void sets_clear(struct sets *s)
{
	hook_set_unref(s->set);
	str_clear(&s->notes);
	rig_clear(&s->rig);
}

static void sets_load(struct sets *s, struct json host)
{
	struct err err = ERR_INIT;

	settings_free(s->rig.settings);
	str_truncate(&s->rig.notes, 0);
	s->rig.settings = settings_load(&s->rig.opts, &s->rig.notes, &err);
	CHECK_OK(s->rig.settings != NULL, err);
	hook_set_unref(s->set);
	str_truncate(&s->notes, 0);
	s->set = hook_set_new(s->rig.settings, &(struct hook_others){ .host = host }, false,
			      &s->notes);
	rig_shorten(&s->rig, &s->notes);
}

static void sets_init(struct sets *s)
{
	*s = (struct sets){ .set = NULL };
	rig_init(&s->rig);
}

#define SETS(name)                          \
	defer(sets_clear) struct sets name; \
	sets_init(&name)

static const struct json nothing = { NULL };

#define COMMAND(text)         "{\"type\":\"command\",\"command\":\"" text "\"}"
#define GROUP(matcher, hooks) "{\"matcher\":\"" matcher "\",\"hooks\":[" hooks "]}"
#define HOOKS(event, groups)  "{\"hooks\":{\"" event "\":[" groups "]}}"

/* The texts of the selected handlers, joined by blanks. */
static void sets_check(const struct sets *s, enum hook_event event, const char *match,
		       const char *expected)
{
	defer(str_clear) struct str seen = STR_INIT;
	hook_list list = VEC_INIT;

	hook_set_select(s->set, event, sv_cstr(match), &list);
	for (size_t i = 0; i < list.n; i++)
		str_addf(&seen, "%s%.*s", i ? " " : "", SV_ARG(list.at[i]->text));
	vec_clear(&list);
	CHECK_STR(str_c(&seen), expected);
}

TEST(hooks_of_all_sources_add_up_the_strongest_last)
{
	SETS(s);

	rig_write(&s.rig, POLICY, HOOKS("Stop", GROUP("", COMMAND("policy"))));
	rig_write(&s.rig, USER, HOOKS("Stop", GROUP("", COMMAND("user"))));
	rig_write(&s.rig, PROJECT, HOOKS("Stop", GROUP("", COMMAND("project"))));
	rig_write(&s.rig, LOCAL, HOOKS("Stop", GROUP("", COMMAND("local") "," COMMAND("user"))));
	s.rig.opts.flag = HOOKS("Stop", GROUP("", COMMAND("flag")));
	sets_load(&s, nothing);
	CHECK_STR(str_c(&s.notes), "");
	sets_check(&s, HOOK_STOP, "", "user project local flag policy");
	CHECK(hook_set_has(s.set, HOOK_STOP));
	CHECK(!hook_set_has(s.set, HOOK_PRE_TOOL_USE));
	CHECK_STR(hook_source_name(hook_set_at(s.set, 0)->source), "userSettings");
	CHECK(hook_set_at(s.set, 0)->line == 1);
}

TEST(hooks_can_be_switched_off_except_by_the_user_those_of_the_policy)
{
	SETS(s);

	rig_write(&s.rig, POLICY, HOOKS("Stop", GROUP("", COMMAND("policy"))));
	rig_write(
		&s.rig, USER,
		"{\"disableAllHooks\":true,\"hooks\":{\"Stop\":[" GROUP("", COMMAND("user")) "]}}");
	sets_load(&s, nothing);
	sets_check(&s, HOOK_STOP, "", "policy");
	rig_write(&s.rig, POLICY,
		  "{\"allowManagedHooksOnly\":true,\"hooks\":{\"Stop\":[" GROUP(
			  "", COMMAND("policy")) "]}}");
	rig_write(&s.rig, USER, HOOKS("Stop", GROUP("", COMMAND("user"))));
	sets_load(&s, nothing);
	sets_check(&s, HOOK_STOP, "", "policy");
	rig_write(&s.rig, POLICY,
		  "{\"disableAllHooks\":true,\"hooks\":{\"Stop\":[" GROUP("",
									  COMMAND("policy")) "]}}");
	sets_load(&s, nothing);
	sets_check(&s, HOOK_STOP, "", "");
}

TEST(a_project_that_is_not_trusted_has_no_hooks)
{
	SETS(s);

	s.rig.opts.trusts_project = false;
	rig_write(&s.rig, PROJECT, HOOKS("Stop", GROUP("", COMMAND("project"))));
	sets_load(&s, nothing);
	sets_check(&s, HOOK_STOP, "", "");
}

TEST(matchers_are_names_lists_or_regular_expressions)
{
	SETS(s);

	s.rig.opts.flag = HOOKS(
		"PreToolUse",
		GROUP("", COMMAND("all")) "," GROUP("*", COMMAND("star")) "," GROUP("Bash", COMMAND("bash")) "," GROUP(
			"Edit | Write",
			COMMAND("list")) "," GROUP("mcp__.*",
						   COMMAND("regex")) "," GROUP("B.sh",
									       COMMAND("dot")));
	sets_load(&s, nothing);
	CHECK_STR(str_c(&s.notes), "");
	sets_check(&s, HOOK_PRE_TOOL_USE, "Bash", "all star bash dot");
	sets_check(&s, HOOK_PRE_TOOL_USE, "Write", "all star list");
	sets_check(&s, HOOK_PRE_TOOL_USE, "BashOutput", "all star dot");
	sets_check(&s, HOOK_PRE_TOOL_USE, "mcp__memory__read", "all star regex");
	sets_check(&s, HOOK_PRE_TOOL_USE, "Monitor", "all star bash dot");
	sets_check(&s, HOOK_PRE_TOOL_USE, "apply_patch", "all star list");
	sets_check(&s, HOOK_POST_TOOL_USE, "Bash", "");
}

TEST(identical_handlers_run_once_but_not_with_another_condition)
{
	SETS(s);

	s.rig.opts.flag =
		HOOKS("PreToolUse",
		      GROUP("Bash", COMMAND("x")) "," GROUP("", COMMAND("x")) "," GROUP(
			      "", "{\"type\":\"command\",\"command\":\"x\",\"if\":\"Bash(ls)\"}"));
	sets_load(&s, nothing);
	sets_check(&s, HOOK_PRE_TOOL_USE, "Bash", "x x");
}

TEST(a_matcher_that_cannot_be_right_is_noted)
{
	SETS(s);

	s.rig.opts.flag = HOOKS("PreToolUse", GROUP("Bash(git commit*)",
						    COMMAND("x")) "," GROUP("[", COMMAND("y")));
	sets_load(&s, nothing);
	CHECK(sv_find(sv_of(&s.notes), SV("put a rule such as Bash(git commit*) into \"if\"")) !=
	      SIZE_MAX);
	CHECK(sv_find(sv_of(&s.notes), SV("is not a regular expression")) != SIZE_MAX);
	sets_check(&s, HOOK_PRE_TOOL_USE, "Edit", "");
}

TEST(the_fields_of_a_handler_are_read)
{
	const struct hook_handler *h;
	SETS(s);

	s.rig.opts.flag =
		HOOKS("PreToolUse",
		      GROUP("Bash",
			    "{\"type\":\"http\",\"url\":\"http://h/\",\"headers\":{\"A\":\"$T\"},"
			    "\"allowedEnvVars\":[\"T\"],\"timeout\":2.5,\"onFailure\":\"continue\","
			    "\"statusMessage\":\"Checking\",\"once\":true},"
			    "{\"type\":\"command\",\"command\":\"c\",\"args\":[\"1\",\"2\"],"
			    "\"asyncRewake\":true},"
			    "{\"type\":\"prompt\",\"prompt\":\"p\",\"model\":\"m\","
			    "\"continueOnBlock\":true}"));
	sets_load(&s, nothing);
	CHECK_INT(hook_set_count(s.set), 3);
	h = hook_set_at(s.set, 0);
	CHECK_INT(h->type, HOOK_HTTP);
	CHECK_SV(h->headers[0].value, "$T");
	CHECK_SV(h->env_vars[0], "T");
	CHECK_INT(h->timeout_ms, 2500);
	CHECK_INT(h->on_failure, HOOK_ON_FAILURE_CONTINUE);
	CHECK_SV(h->status, "Checking");
	CHECK(h->runs_once);
	h = hook_set_at(s.set, 1);
	CHECK_STR(h->argv[1], "2");
	CHECK(!h->argv[2]);
	CHECK(h->runs_async && h->rewakes);
	CHECK_INT(h->timeout_ms, 600000);
	h = hook_set_at(s.set, 2);
	CHECK_SV(h->model, "m");
	CHECK(h->goes_on);
	CHECK_INT(h->timeout_ms, 30000);
}

TEST(the_time_limit_depends_on_the_event_and_is_at_most_an_hour)
{
	SETS(s);

	s.rig.opts.flag =
		"{\"hooks\":{\"SessionEnd\":[" GROUP("", COMMAND("a")) "],\"Stop\":[" GROUP(
			"", "{\"type\":\"command\",\"command\":\"b\",\"timeout\":10000}") "]}}";
	sets_load(&s, nothing);
	for (size_t i = 0; i < hook_set_count(s.set); i++) {
		const struct hook_handler *h = hook_set_at(s.set, i);

		CHECK_INT(h->timeout_ms, h->event == HOOK_STOP ? 3600000 : 1500);
	}
	CHECK(sv_find(sv_of(&s.notes), SV("a timeout is given in seconds")) != SIZE_MAX);
}

TEST(the_host_registers_callbacks_and_the_policy_can_refuse_them)
{
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(SV("{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hookCallbackIds\":"
			      "[\"hook_0\",\"hook_1\"],\"timeout\":7,\"onFailure\":\"block\"}],"
			      "\"Invented\":[{\"hookCallbackIds\":[\"x\"]}]}"),
			   0, &err);
	SETS(s);

	sets_load(&s, json_root(doc));
	sets_check(&s, HOOK_PRE_TOOL_USE, "Bash", "hook_0 hook_1");
	CHECK_INT(hook_set_at(s.set, 0)->timeout_ms, 7000);
	CHECK_INT(hook_set_at(s.set, 0)->on_failure, HOOK_ON_FAILURE_BLOCK);
	CHECK_STR(str_c(&s.notes), "Invented is not a hook event; the host's hooks for it are "
				   "ignored\n");
	rig_write(&s.rig, POLICY, "{\"allowManagedHooksOnly\":true}");
	sets_load(&s, json_root(doc));
	sets_check(&s, HOOK_PRE_TOOL_USE, "Bash", "");
}

TEST(settings_limit_the_urls_and_variables_of_http_hooks)
{
	SETS(s);

	sets_load(&s, nothing);
	CHECK(hook_set_allows_url(s.set, SV("http://any/")));
	CHECK(hook_set_allows_variable(s.set, SV("T")));
	rig_write(&s.rig, USER,
		  "{\"allowedHttpHookUrls\":[\"https://h.example/*\",\"https://*.in.example/*\","
		  "\"http://localhost*\"],\"httpHookAllowedEnvVars\":[\"T\"]}");
	sets_load(&s, nothing);
	CHECK(hook_set_allows_url(s.set, SV("https://h.example/x")));
	CHECK(!hook_set_allows_url(s.set, SV("https://other.example/x")));
	CHECK(hook_set_allows_url(s.set, SV("https://a.in.example/")));
	CHECK(!hook_set_allows_url(s.set, SV("https://out.example/x.in.example/")));
	CHECK(!hook_set_allows_url(s.set, SV("https://x@a.in.example/")));
	CHECK(hook_set_allows_url(s.set, SV("http://localhost:8080/hook")));
	CHECK(hook_set_allows_variable(s.set, SV("T")));
	CHECK(!hook_set_allows_variable(s.set, SV("U")));
}

/* --- guests ------------------------------------------------------------------------------------- */

static bool sets_invite(struct sets *s, const char *owner, const char *json, struct err *err)
{
	const struct hook_guest guest = { .source = HOOK_FROM_AGENT,
					  .owner = sv_cstr(owner),
					  .file = SV("/a.md"),
					  .json = sv_cstr(json) };

	hook_set_unref(s->set);
	str_truncate(&s->notes, 0);
	s->set = hook_set_new_guest(s->rig.settings, &guest, &s->notes, err);
	return s->set != NULL;
}

TEST(the_end_of_a_sub_agent_is_no_end_of_the_session)
{
	SETS(s);
	struct err err = ERR_INIT;

	sets_load(&s, nothing);
	CHECK(sets_invite(&s, "", "{\"Stop\":[" GROUP("", COMMAND("x")) "]}", &err));
	CHECK(hook_set_has(s.set, HOOK_STOP) && !hook_set_has(s.set, HOOK_SUBAGENT_STOP));
	CHECK(sets_invite(&s, "a1", "{\"Stop\":[" GROUP("", COMMAND("x")) "]}", &err));
	CHECK(!hook_set_has(s.set, HOOK_STOP) && hook_set_has(s.set, HOOK_SUBAGENT_STOP));
	CHECK_STR(hook_source_name(hook_set_at(s.set, 0)->source), "agent");
}

TEST(what_is_wrong_with_hooks_of_a_guest_is_noted_and_a_guard_is_required)
{
	SETS(s);
	struct err err = ERR_INIT;

	sets_load(&s, nothing);
	CHECK(sets_invite(&s, "",
			  "{\"Stopp\":[],\"Stop\":{},\"PostToolUse\":[" GROUP(
				  "", "{\"type\":\"command\"}") "]}",
			  &err));
	CHECK(!hook_set_count(s.set));
	CHECK_STR(str_c(&s.notes),
		  "/a.md: Stopp is not a hook event\n"
		  "/a.md: hooks.Stop: expected a list of objects with \"matcher\" and \"hooks\"\n"
		  "/a.md: hooks.PostToolUse: a hook of type command needs \"command\"\n");
	CHECK(!sets_invite(&s, "", "{\"PreToolUse\":[" GROUP("(", COMMAND("x")) "]}", &err));
	CHECK(sv_starts(sv_cstr(err.text), SV("hooks.PreToolUse: ")));
	CHECK(!sets_invite(&s, "", "{\"PreToolUse\":{}}", &err));
	CHECK(!sets_invite(&s, "", "[]", &err));
}

TEST(hooks_of_guests_can_be_switched_off)
{
	SETS(s);
	struct err err = ERR_INIT;

	rig_write(&s.rig, POLICY, "{\"allowManagedHooksOnly\":true}");
	sets_load(&s, nothing);
	CHECK(sets_invite(&s, "", "{\"Stop\":[" GROUP("", COMMAND("x")) "]}", &err));
	CHECK(!hook_set_count(s.set));
}
