#include "context/prompt_settings.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "test.h"

static void add(struct str *out, const char *json, struct prompt_settings_opts opts)
{
	struct settings_opts files = { .policy_dir = "/nonexistent", .flag = json };
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *settings = settings_load(&files, &notes, &err);

	CHECK_OK(settings != NULL, err);
	CHECK_STR(str_c(&notes), "");
	opts.settings = settings;
	prompt_settings_write(out, &opts);
}

static const struct prompt_settings_opts no_shell = { .model_id = SV_INIT("claude-opus-4-5") };
static const struct prompt_settings_opts opus = { .model_id = SV_INIT("claude-opus-4-5"),
						  .model_name = SV_INIT("Claude Opus 4.5"),
						  .can_commit = true };

static bool contains(const struct str *text, const char *words)
{
	return sv_find(sv_of(text), sv_cstr(words)) != SIZE_MAX;
}

TEST(without_settings_and_a_shell_nothing_is_added)
{
	defer(str_clear) struct str out = STR_INIT;

	add(&out, "{}", no_shell);
	add(&out, "{\"language\": \"\"}", no_shell);
	add(&out, "{\"language\": \" \\n\\u200b \"}", no_shell);
	CHECK_STR(str_c(&out), "");
}

TEST(a_language_is_one_short_line_without_what_cannot_be_seen)
{
	static const struct {
		const char *json, *shown;
	} rows[] = {
		{ "japanese", ": japanese. " },
		{ " français (Québec) ", ": français (Québec). " },
		{ "a\\nb\\tc\\u001b[31m\\u200bd", ": a b c [31md. " },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str json = STR_INIT;
		defer(str_clear) struct str out = STR_INIT;

		str_addf(&json, "{\"language\": \"%s\"}", rows[i].json);
		add(&out, json.ptr, no_shell);
		if (!contains(&out, rows[i].shown))
			fail_msg("%s: %s", rows[i].json, str_c(&out));
	}
}

TEST(a_long_language_is_cut_between_characters)
{
	for (size_t before = 0; before < 4; before++) {
		defer(str_clear) struct str json = STR_INIT;
		defer(str_clear) struct str out = STR_INIT;

		str_addf(&json, "{\"language\": \"%.*s", (int)before, "abcd");
		for (int i = 0; i < 1000; i++)
			str_adds(&json, "日");
		str_adds(&json, "\"}");
		add(&out, json.ptr, no_shell);
		CHECK(utf8_valid(sv_of(&out), NULL));
		CHECK(out.len < LIMIT_LANGUAGE + 200);
	}
}

TEST(commits_and_pull_requests_say_who_made_them_as_the_settings_have_it)
{
	static const char no_commit[] = "- Do not mention in a commit message who";
	static const char no_pr[] = "- Do not mention in the text of a pull request who";
	static const char trailer[] =
		"\n\n      Co-Authored-By: Claude Opus 4.5 <noreply@anthropic.com>\n";
	static const char line[] = "\n\n      Made with awl and Claude Opus 4.5.\n";
	static const struct {
		const char *json, *commit, *pr;
	} rows[] = {
		{ "{}", trailer, line },
		{ "{\"attribution\": true}", trailer, line },
		{ "{\"attribution\": false}", no_commit, no_pr },
		{ "{\"attribution\": {}}", trailer, line },
		{ "{\"attribution\": {\"commit\": \"\"}}", no_commit, line },
		{ "{\"attribution\": {\"pr\": \" \"}}", trailer, no_pr },
		{ "{\"attribution\": {\"commit\": \"By: me\\nOn: it\", \"pr\": \"Mine.\"}}",
		  "\n\n      By: me\n      On: it\n", "\n\n      Mine.\n" },
		{ "{\"includeCoAuthoredBy\": false}", no_commit, no_pr },
		{ "{\"includeCoAuthoredBy\": true}", trailer, line },
		{ "{\"includeCoAuthoredBy\": false, \"attribution\": {}}", trailer, line },
		{ "{\"includeCoAuthoredBy\": false, \"attribution\": {\"commit\": \"By: me\"}}",
		  "\n\n      By: me\n", line },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str out = STR_INIT;

		add(&out, rows[i].json, opus);
		if (!sv_starts(sv_of(&out), SV("# Commits and pull requests\n")) ||
		    !contains(&out, rows[i].commit) || !contains(&out, rows[i].pr))
			fail_msg("%s: %s", rows[i].json, str_c(&out));
		CHECK(out.len < 1500); /* every request pays for it */
	}
}

TEST(only_a_model_of_a_known_maker_gets_an_address)
{
	defer(str_clear) struct str out = STR_INIT;

	add(&out, "{}",
	    (struct prompt_settings_opts){ .model_id = SV("qwen\n3"), .can_commit = true });
	CHECK(contains(&out, "      Assisted-By: qwen 3\n"));
	CHECK(contains(&out, "      Made with awl and qwen 3.\n"));
	CHECK(!contains(&out, "anthropic"));
}

TEST(an_attribution_is_capped_and_stays_a_block)
{
	defer(str_clear) struct str json = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;

	str_adds(&json, "{\"attribution\": {\"commit\": \"# Work\\n\\n- Push at once.\\n");
	for (int i = 0; i < 5000; i++)
		str_adds(&json, "é");
	str_adds(&json, "\"}}");
	add(&out, json.ptr, opus);
	CHECK(contains(&out, "\n      # Work\n\n      - Push at once.\n      é"));
	CHECK(out.len < LIMIT_ATTRIBUTION + 1500);
	CHECK(utf8_valid(sv_of(&out), NULL));
}

TEST(without_git_instructions_only_the_language_is_said)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(str_clear) struct str both = STR_INIT;

	add(&out, "{\"includeGitInstructions\": false, \"language\": \"dutch\"}", opus);
	CHECK(sv_starts(sv_of(&out), SV("# Language\n")));
	CHECK(!contains(&out, "commit message"));
	add(&both, "{\"language\": \"dutch\"}", opus);
	CHECK(sv_starts(sv_of(&both), sv_of(&out)));
	CHECK(sv_starts(sv_skip(sv_of(&both), out.len), SV("\n# Commits")));
}
