/* What the settings and the policy have to say about instruction files. */
#include "context/instruction_rules.h"

#include "base/limits.h"
#include "context/instructions.h"
#include "store/settings/settings_rig.h"

/* --- patterns ------------------------------------------------------------------ */

/* One rule; false when it is none, and then `*err` says why. */
static bool excludes(const char *pattern, const char *path, struct str *notes)
{
	struct instruction_rules rules = INSTRUCTION_RULES_INIT;
	struct settings_opts opts = { .policy_dir = "/nonexistent" };
	struct err err = ERR_INIT;
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str json = STR_INIT;
	bool is_excluded;

	str_addf(&json, "{\"claudeMdExcludes\": [\"%s\"]}", pattern);
	opts.flag = str_c(&json);
	settings = settings_load(&opts, notes, &err);
	CHECK_OK(settings != NULL, err);
	instruction_rules_read(&rules, settings, "/home/[u]", notes);
	is_excluded = instruction_rules_exclude(&rules, sv_cstr(path)) != NULL;
	instruction_rules_clear(&rules);
	return is_excluded;
}

TEST(a_pattern_is_held_against_the_whole_of_an_absolute_path)
{
	static const struct {
		const char *pattern, *path;
		bool excludes;
	} rows[] = {
		{ "/a/b/CLAUDE.md", "/a/b/CLAUDE.md", true },
		{ "/a/b/CLAUDE.md", "/a/b/c/CLAUDE.md", false },
		{ "/a/b/CLAUDE.md", "/x/a/b/CLAUDE.md", false },
		{ "/a/b", "/a/b/CLAUDE.md", false },
		{ "/a/b/", "/a/b/CLAUDE.md", true },
		{ "/a/b/", "/a/b/c/d/CLAUDE.md", true },
		{ "/a/b/", "/a/bc/CLAUDE.md", false },
		{ "/a/*/CLAUDE.md", "/a/b/CLAUDE.md", true },
		{ "/a/*/CLAUDE.md", "/a/b/c/CLAUDE.md", false },
		{ "/a/**/CLAUDE.md", "/a/CLAUDE.md", true },
		{ "/a/**/CLAUDE.md", "/a/b/c/CLAUDE.md", true },
		{ "/a/**", "/a/.claude/CLAUDE.md", true },
		{ "**/vendor/**", "/a/vendor/b/AGENTS.md", true },
		{ "**/vendor/**", "/a/vendored/b/AGENTS.md", false },
		{ "vendor/*.md", "/a/vendor/AGENTS.md", true },
		{ "vendor/*.md", "/vendor/AGENTS.md", true },
		{ "vendor/*.md", "/a/vendor/b/AGENTS.md", false },
		{ "CLAUDE.local.md", "/a/b/CLAUDE.local.md", true },
		{ "CLAUDE.local.md", "/a/b/CLAUDE.md", false },
		{ "*/{x,y}/CLAUDE.md", "/a/y/CLAUDE.md", true },
		{ "/a/claude.md", "/a/CLAUDE.md", false },
		{ "~/CLAUDE.md", "/home/[u]/CLAUDE.md", true },
		{ "~/CLAUDE.md", "/home/u/CLAUDE.md", false },
		{ "~/x/", "/home/[u]/x/y/AGENTS.md", true },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str notes = STR_INIT;

		if (excludes(rows[i].pattern, rows[i].path, &notes) != rows[i].excludes)
			fail_msg("%s and %s", rows[i].pattern, rows[i].path);
		CHECK_STR(str_c(&notes), "");
	}
}

TEST(a_pattern_that_cannot_mean_anything_is_told_and_excludes_nothing)
{
	static const struct {
		const char *pattern, *note;
	} rows[] = {
		{ "", "the pattern is empty" },
		{ "!/a/CLAUDE.md", "is not supported" },
		{ "./CLAUDE.md", "absolute paths" },
		{ "../CLAUDE.md", "absolute paths" },
		{ "/a/[b/CLAUDE.md", "--settings:1: claudeMdExcludes: " },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		defer(str_clear) struct str notes = STR_INIT;

		CHECK(!excludes(rows[i].pattern, "/a/CLAUDE.md", &notes));
		if (sv_find(sv_of(&notes), sv_cstr(rows[i].note)) == SIZE_MAX)
			fail_msg("%s: %s", rows[i].pattern, str_c(&notes));
	}
}

TEST(very_many_patterns_are_not_all_kept)
{
	struct instruction_rules rules = INSTRUCTION_RULES_INIT;
	struct settings_opts opts = { .policy_dir = "/nonexistent" };
	defer(settings_freep) struct settings *settings = NULL;
	defer(str_clear) struct str json = STR_INIT;
	defer(str_clear) struct str notes = STR_INIT;
	struct err err = ERR_INIT;

	str_adds(&json, "{\"claudeMdExcludes\": [\"/first/CLAUDE.md\"");
	for (size_t i = 0; i < 200; i++)
		str_addf(&json, ", \"/%zu/%0999d/CLAUDE.md\"", i, 0);
	str_adds(&json, "]}");
	opts.flag = str_c(&json);
	settings = settings_load(&opts, &notes, &err);
	CHECK_OK(settings != NULL, err);
	instruction_rules_read(&rules, settings, NULL, &notes);
	CHECK(rules.bytes <= LIMIT_INSTRUCTION_GLOBS);
	CHECK(rules.excludes.n > 50 && rules.excludes.n < 100);
	CHECK(instruction_rules_exclude(&rules, SV("/first/CLAUDE.md")) != NULL);
	CHECK(sv_find(sv_of(&notes), SV("all patterns together are too long")) != SIZE_MAX);
	instruction_rules_clear(&rules);
}

/* --- a session's files ----------------------------------------------------------- */

static struct instructions *read_with(struct rig *r, struct instructions_opts opts)
{
	LOAD(*r);
	CHECK_STR(str_c(&r->notes), "");
	opts.config_dir = r->config;
	opts.home = str_c(&r->dir);
	opts.cwd = opts.cwd ? opts.cwd : r->project;
	opts.settings = r->settings;
	opts.policy_dir = r->policy;
	return instructions_new(&opts);
}

static struct instructions *read_all(struct rig *r)
{
	return read_with(r, (struct instructions_opts){ .off = NULL });
}

/* Without the directory that all is in. */
static void check_text(const struct rig *r, struct sv text, const char *expected)
{
	defer(str_clear) struct str shown = STR_INIT;

	str_add(&shown, text);
	rig_shorten(r, &shown);
	CHECK_STR(str_c(&shown), expected);
}

static void check_files(const struct rig *r, const struct instructions *in, const char *expected)
{
	defer(str_clear) struct str list = STR_INIT;

	for (size_t i = 0; i < instructions_count(in); i++)
		str_addf(&list, "%s%s", i ? " " : "", instructions_at(in, i)->path);
	check_text(r, sv_of(&list), expected);
}

static void write_some(struct rig *r)
{
	rig_write(r, "config/CLAUDE.md", "the user's");
	rig_write(r, "project/AGENTS.md", "agents");
	rig_write(r, "project/CLAUDE.md", "claude");
	rig_write(r, "project/a/AGENTS.md", "a");
	rig_write(r, "project/b/.claude/CLAUDE.md", "b");
	rig_write(r, "project/b/AGENTS.md", "b, agents");
	rig_write(r, "policy/CLAUDE.md", "the policy's");
}

TEST(which_names_are_read_follows_the_settings)
{
	static const struct {
		const char *settings, *read, *unwanted;
	} rows[] = {
		{ "{}",
		  "DIR/policy/CLAUDE.md DIR/config/CLAUDE.md DIR/project/AGENTS.md "
		  "DIR/project/CLAUDE.md DIR/project/a/AGENTS.md DIR/project/b/AGENTS.md "
		  "DIR/project/b/.claude/CLAUDE.md",
		  "" },
		{ "{\"instructionFiles\": \"claude-md-and-agents-md\"}",
		  "DIR/policy/CLAUDE.md DIR/config/CLAUDE.md DIR/project/AGENTS.md "
		  "DIR/project/CLAUDE.md DIR/project/a/AGENTS.md DIR/project/b/AGENTS.md "
		  "DIR/project/b/.claude/CLAUDE.md",
		  "" },
		{ "{\"instructionFiles\": \"claude-md-or-agents-md\"}",
		  "DIR/policy/CLAUDE.md DIR/config/CLAUDE.md DIR/project/CLAUDE.md "
		  "DIR/project/a/AGENTS.md DIR/project/b/.claude/CLAUDE.md",
		  "DIR/project/AGENTS.md skipped: there is a CLAUDE.md, and instructionFiles "
		  "is claude-md-or-agents-md.\n"
		  "DIR/project/b/AGENTS.md skipped: there is a CLAUDE.md, and "
		  "instructionFiles is claude-md-or-agents-md.\n" },
		{ "{\"instructionFiles\": \"claude-md\"}",
		  "DIR/policy/CLAUDE.md DIR/config/CLAUDE.md DIR/project/CLAUDE.md "
		  "DIR/project/b/.claude/CLAUDE.md",
		  "DIR/project/AGENTS.md skipped: instructionFiles is claude-md.\n"
		  "DIR/project/a/AGENTS.md skipped: instructionFiles is claude-md.\n"
		  "DIR/project/b/AGENTS.md skipped: instructionFiles is claude-md.\n" },
	};

	for (size_t i = 0; i < countof(rows); i++) {
		RIG(r);
		defer(instructions_freep) struct instructions *in = NULL;
		char *a = rig_path(&r, "project/a/x.c"), *b = rig_path(&r, "project/b/x.c");

		write_some(&r);
		rig_write(&r, USER, rows[i].settings);
		in = read_all(&r);
		instructions_touch(in, sv_cstr(a));
		instructions_touch(in, sv_cstr(b));
		check_files(&r, in, rows[i].read);
		check_text(&r, instructions_unwanted(in), rows[i].unwanted);
		CHECK_SV(instructions_notes(in), "");
		free(a);
		free(b);
	}
}

TEST(managed_only_leaves_what_the_policy_says)
{
	RIG(r);
	defer(instructions_freep) struct instructions *in = NULL;
	char *a = rig_path(&r, "project/a/x.c");

	write_some(&r);
	rig_write(&r, POLICY,
		  "{\"instructionFiles\": \"managed-only\",\n\"claudeMd\": \"Be careful.\"}");
	in = read_all(&r);
	CHECK_INT(instructions_touch(in, sv_cstr(a)), 0);
	check_files(&r, in, "DIR/policy/managed-settings.json:2 DIR/policy/CLAUDE.md");
	CHECK(sv_find(instructions_unwanted(in),
		      SV("project/a/AGENTS.md skipped: instructionFiles is managed-only.")) !=
	      SIZE_MAX);
	free(a);
}

TEST(excluded_files_are_not_read_whoever_brings_them_in)
{
	RIG(r);
	defer(instructions_freep) struct instructions *in = NULL;
	char *b = rig_path(&r, "project/b/x.c");

	write_some(&r);
	rig_write(&r, "project/CLAUDE.md", "claude, with @docs/style.md");
	rig_write(&r, "project/docs/style.md", "style");
	rig_write(&r, USER, "{\"claudeMdExcludes\": [\"~/config/CLAUDE.md\", \"b/\"]}");
	rig_write(&r, PROJECT, "{\"claudeMdExcludes\": [\"docs/*.md\", \"policy/\"]}");
	in = read_all(&r);
	CHECK_INT(instructions_touch(in, sv_cstr(b)), 0);
	check_files(&r, in, "DIR/policy/CLAUDE.md DIR/project/AGENTS.md DIR/project/CLAUDE.md");
	check_text(&r, instructions_unwanted(in),
		   "DIR/config/CLAUDE.md skipped: claudeMdExcludes has \"~/config/CLAUDE.md\".\n"
		   "DIR/project/CLAUDE.md: @docs/style.md skipped: claudeMdExcludes has "
		   "\"docs/*.md\".\n"
		   "DIR/project/b/AGENTS.md skipped: claudeMdExcludes has \"b/\".\n"
		   "DIR/project/b/.claude/CLAUDE.md skipped: claudeMdExcludes has \"b/\".\n");
	CHECK_SV(instructions_notes(in), ""); /* wanted, so nobody needs to be told */
	free(b);
}

TEST(a_file_is_excluded_by_either_end_of_a_link)
{
	static const char *const patterns[] = { "~/project/CLAUDE.md", "~/project/real.md",
						"~/way/CLAUDE.md" };

	for (size_t i = 0; i < countof(patterns); i++) {
		RIG(r);
		defer(instructions_freep) struct instructions *in = NULL;
		defer(str_clear) struct str settings = STR_INIT;
		char *way = rig_path(&r, "way"), *file = rig_path(&r, "project/CLAUDE.md");
		struct err err;

		rig_write(&r, "project/real.md", "claude");
		CHECK_OK(fs_symlink("real.md", file, &err), err);
		CHECK_OK(fs_symlink(r.project, way, &err), err);
		str_addf(&settings, "{\"claudeMdExcludes\": [\"%s\"]}", patterns[i]);
		rig_write(&r, USER, settings.ptr);
		in = read_with(&r, (struct instructions_opts){ .cwd = way });
		check_files(&r, in, "");
		CHECK(instructions_unwanted(in).len > 0);
		free(way);
		free(file);
	}
}

TEST(the_word_of_the_policy_comes_first_and_says_whose_it_is)
{
	RIG(r);
	defer(instructions_freep) struct instructions *in = NULL;
	defer(str_clear) struct str out = STR_INIT;
	defer(str_clear) struct str list = STR_INIT;

	rig_write(&r, "config/CLAUDE.md", "the user's");
	rig_write(&r, "policy/CLAUDE.md", "the policy's, and @more.md");
	rig_write(&r, "policy/more.md", "more");
	rig_write(&r, POLICY, "{\"claudeMd\": \"Be care\\u200bful.\"}");
	rig_write(&r, USER, "{\"claudeMdExcludes\": [\"**\"]}");
	in = read_all(&r);
	instructions_write(&out, in, 0);
	check_text(
		&r, sv_of(&out),
		"Instructions from the administrators of this machine (policy), the user and this "
		"project. Follow them in everything you do here. If two conflict, the later one "
		"wins; what the user says in the conversation overrides both. Only the policy "
		"overrides everything.\n\n"
		"<instruction-file path=\"DIR/policy/managed-settings.json:1\" from=\"policy\">\n"
		"Be careful.\n</instruction-file>\n\n"
		"<instruction-file path=\"DIR/policy/CLAUDE.md\" from=\"policy\">\n"
		"the policy's, and @more.md\n</instruction-file>\n\n"
		"<instruction-file path=\"DIR/policy/more.md\" from=\"policy\" "
		"imported-by=\"DIR/policy/CLAUDE.md\">\nmore\n</instruction-file>\n");
	instructions_list(&list, in, 1);
	check_text(&r, sv_of(&list),
		   "Instruction files, in the order the model gets them:\n"
		   "DIR/policy/managed-settings.json:1 (11 bytes, from the policy)\n"
		   "DIR/policy/CLAUDE.md (26 bytes, from the policy, sent with the next prompt)\n"
		   "DIR/policy/more.md (4 bytes, from the policy, imported by "
		   "DIR/policy/CLAUDE.md, sent with the next prompt)\n"
		   "DIR/config/CLAUDE.md skipped: claudeMdExcludes has \"**\".\n");
}

TEST(instructions_that_anybody_could_have_written_are_nobodys_policy)
{
	RIG(r);
	defer(instructions_freep) struct instructions *in = NULL;
	char *path = rig_path(&r, "policy/CLAUDE.md");

	rig_write(&r, "policy/CLAUDE.md", "from a stranger");
	CHECK_INT(chmod(path, 0666), 0);
	in = read_all(&r);
	check_files(&r, in, "");
	check_text(&r, instructions_notes(in),
		   "Skipped the policy's instructions: DIR/policy/CLAUDE.md: writable by others "
		   "(mode 0666); run 'chmod go-w' on it or remove it.\n");
	free(path);
}

TEST(a_session_without_instructions_has_those_of_the_policy)
{
	RIG(r);
	defer(instructions_freep) struct instructions *in = NULL;
	defer(str_clear) struct str list = STR_INIT;

	rig_write(&r, "config/CLAUDE.md", "the user's");
	rig_write(&r, "project/AGENTS.md", "agents");
	in = read_with(&r, (struct instructions_opts){ .off = "so it was said" });
	check_files(&r, in, "");
	instructions_list(&list, in, 0);
	check_text(&r, sv_of(&list),
		   "No instruction files are read:\n"
		   "DIR/config/CLAUDE.md skipped: so it was said.\n"
		   "DIR/project/AGENTS.md skipped: so it was said.\n");
	instructions_freep(&in);
	rig_write(&r, POLICY, "{\"claudeMd\": \"Be careful.\"}");
	in = read_with(&r, (struct instructions_opts){ .off = "so it was said" });
	check_files(&r, in, "DIR/policy/managed-settings.json:1");
}

TEST(further_directories_are_read_at_the_start_when_asked_to)
{
	for (int reads_dirs = 0; reads_dirs < 2; reads_dirs++) {
		RIG(r);
		defer(instructions_freep) struct instructions *in = NULL;
		char *further = rig_path(&r, "further");
		const char *const dirs[] = { further, NULL };

		rig_write(&r, "project/AGENTS.md", "agents");
		rig_write(&r, "further/CLAUDE.md", "further");
		rig_write(&r, "further/below/CLAUDE.md", "below");
		in = read_with(
			&r, (struct instructions_opts){ .dirs = dirs, .reads_dirs = reads_dirs });
		check_files(&r, in,
			    reads_dirs ? "DIR/project/AGENTS.md DIR/further/CLAUDE.md"
				       : "DIR/project/AGENTS.md");
		free(further);
	}
}
