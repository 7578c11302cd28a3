#include "perm/path/path.h"

#include "base/limits.h"
#include "test.h"

TEST(path_is_inside_a_directory_by_whole_components)
{
	CHECK(path_is_inside(SV("/w/pro"), SV("/w/pro")));
	CHECK(path_is_inside(SV("/w/pro/a/b"), SV("/w/pro")));
	CHECK(path_is_inside(SV("/etc/passwd"), SV("/")));
	CHECK(path_is_inside(SV("/"), SV("/")));
	CHECK(!path_is_inside(SV("/w/proj"), SV("/w/pro")));
	CHECK(!path_is_inside(SV("/w"), SV("/w/pro")));
	CHECK(!path_is_inside(SV("/W/pro/a"), SV("/w/pro")));
}

TEST(path_that_is_not_normalised_is_inside_nothing)
{
	static const struct sv odd[] = {
		SV_INIT(""),     SV_INIT("w/a"),   SV_INIT("/w/../etc"),
		SV_INIT("/w/."), SV_INIT("/w//a"), SV_INIT("/w/a/"),
		SV_INIT("//w"),  SV_INIT("/w/.."), SV_INIT("/w/a\0/../b"),
		SV_INIT("./w"),
	};

	for (size_t i = 0; i < countof(odd); i++) {
		CHECK(!path_is_normal(odd[i]));
		CHECK(!path_is_inside(odd[i], SV("/w")));
		CHECK(!path_is_inside(odd[i], SV("/")));
		CHECK(!path_is_inside(SV("/w/a"), odd[i]));
	}
}

struct pattern_case {
	const char *pattern, *path;
};

/* In /w/pro, with /x as a second directory where a rule forbids. */
static bool matches(struct sv pattern, struct sv path, bool wide, bool is_dir)
{
	static const struct sv dirs[] = { SV_INIT("/w/pro"), SV_INIT("/x") };
	size_t steps = LIMIT_PERM_STEPS;
	struct path_scope scope = { dirs, wide ? 2 : 1, SV("/home/me"), wide, &steps };
	struct err err;

	CHECK_OK(path_pattern_check(pattern, scope.home, &err), err);
	return path_matches(&scope, pattern, path, is_dir);
}

static void check_cases(const struct pattern_case *cases, size_t n, bool wide, bool expected)
{
	for (size_t i = 0; i < n; i++) {
		if (matches(sv_cstr(cases[i].pattern), sv_cstr(cases[i].path), wide, false) ==
		    expected)
			continue;
		print_error("%s: %s\n", cases[i].pattern, cases[i].path);
		CHECK(false);
	}
}

TEST(path_pattern_matches_as_in_gitignore_for_allow_and_deny)
{
	static const struct pattern_case cases[] = {
		{ "//etc/hosts", "/etc/hosts" },
		{ "//etc", "/etc/ssl/certs" },
		{ "//**", "/etc/hosts" },
		{ "//", "/etc/hosts" },
		{ "//w/*/a", "/w/pro/a" },
		{ "~/notes", "/home/me/notes/a.txt" },
		{ "~/.*rc", "/home/me/.bashrc" },
		{ "~", "/home/me/x" },
		{ "/src/gen", "/w/pro/src/gen/a.c" },
		{ "/a.c", "/w/pro/a.c" },
		{ "src/gen/", "/w/pro/src/gen/deep/a.c" },
		{ "src/**", "/w/pro/src/a/b.c" },
		{ "src/**/b.c", "/w/pro/src/b.c" },
		{ "src/*.c", "/w/pro/src/b.c" },
		{ "./a.c", "/w/pro/a.c" },
		{ ".", "/w/pro/a.c" },
		{ "**", "/w/pro/x/a.c" },
		{ "*", "/w/pro/x/a.c" },
		{ "../other/x", "/w/other/x" },
		{ "../../top", "/top" },
		{ ".env", "/w/pro/.env" },
		{ ".env", "/w/pro/deep/er/.env" },
		{ ".env.*", "/w/pro/a/.env.production.local" },
		{ "*.key", "/w/pro/a/b.key" },
		{ "node_modules/", "/w/pro/a/node_modules/x/y.js" },
		{ "[ab].c", "/w/pro/x/b.c" },
		{ "\xc3\xa9??", "/w/pro/\xc3\xa9\xc3\xa9" }, /* as it is spelt */
	};

	check_cases(cases, countof(cases), false, true);
	check_cases(cases, countof(cases), true, true);
}

TEST(path_pattern_does_not_match_elsewhere_for_allow_and_deny)
{
	static const struct pattern_case cases[] = {
		{ "//etc/hosts", "/etc/hosts.allow" }, { "//etc/hosts", "/w/pro/etc/hosts" },
		{ "/etc/hosts", "/etc/hosts" },        { "~/notes", "/w/pro/notes" },
		{ "~notes", "/home/me/notes" },        { "/a.c", "/w/pro/x/a.c" },
		{ "./a.c", "/w/pro/x/a.c" },           { "src/gen", "/w/pro/x/src/gen" },
		{ "src/*.c", "/w/pro/src/x/b.c" },     { "src", "/w/project/src" },
		{ ".env", "/w/pro/.environment" },     { "*", "/w/prox" },
		{ "../other", "/w/pro/other" },
	};

	check_cases(cases, countof(cases), false, false);
	check_cases(cases, countof(cases), true, false);
}

TEST(path_pattern_reaches_further_for_deny_than_for_allow)
{
	static const struct pattern_case cases[] = {
		{ ".env", "/x/.env" },          /* another working directory */
		{ "gen/**", "/w/pro/a/gen/b" }, /* at any depth */
		{ ".env", "/w/pro/.ENV" },      /* in any letter case */
		{ "//etc/Hosts", "/ETC/hosts" },
		{ "caf\xc3\xa9", "/w/pro/cafe\xcc\x81" }, /* and Unicode form */
		{ "\xc3\x89t\xc3\xa9/*", "/w/pro/\xc3\xa9T\xc3\x89/x" },
	};

	check_cases(cases, countof(cases), false, false);
	check_cases(cases, countof(cases), true, true);
}

TEST(path_through_a_process_link_is_recognised)
{
	static const struct {
		const char *path;
		size_t end; /* 0: it is none */
		bool is_own;
	} cases[] = {
		{ "/proc/self/cwd", 14, true },
		{ "/proc/self/cwd/../x", 14, true },
		{ "/proc/thread-self/root/etc", 22, true },
		{ "/proc/1/root", 12, false },
		{ "/proc/self/fd/3/x", 13, true },
		{ "/proc/self/task/1/cwd", 15, true },
		{ "/proc/self/environ", 0 },
		{ "/proc/self/cwdx", 0 },
		{ "/proc/self", 0 },
		{ "/proc/sys/root", 0 },
		{ "/w/proc/self/cwd", 0 },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		size_t end = 0;
		bool is_own = false, is_one;

		is_one = path_is_of_process(sv_cstr(cases[i].path), &end, &is_own);
		CHECK_INT(is_one, cases[i].end > 0);
		if (is_one)
			CHECK(end == cases[i].end && is_own == cases[i].is_own);
	}
}

TEST(path_pattern_for_directories_needs_a_directory)
{
	CHECK(!matches(SV("gen/"), SV("/w/pro/gen"), false, false));
	CHECK(matches(SV("gen/"), SV("/w/pro/gen"), false, true));
	CHECK(matches(SV("src/**"), SV("/w/pro/src"), false, true));
	CHECK(!matches(SV("src/**"), SV("/w/pro/src"), false, false));
}

TEST(path_pattern_that_could_never_match_is_refused)
{
	static const struct sv bad[] = {
		SV_INIT("a/../b"), SV_INIT("a/./b"),  SV_INIT("a//b"),   SV_INIT("///etc"),
		SV_INIT("//../x"), SV_INIT("[a"),     SV_INIT("a\\"),    SV_INIT("a\0b"),
		SV_INIT("/.."),    SV_INIT("~/../x"), SV_INIT(".././x"),
	};
	struct err err;

	for (size_t i = 0; i < countof(bad); i++) {
		if (path_pattern_check(bad[i], SV("/home/me"), &err))
			print_error("%.*s\n", SV_ARG(bad[i]));
		CHECK(!path_pattern_check(bad[i], SV("/home/me"), &err));
		CHECK_INT(err.kind, ERR_INVALID);
	}
	CHECK(!path_pattern_check(SV("~/x"), SV(""), &err));
	CHECK_ERR(err, ERR_INVALID, "home directory");
}

TEST(path_too_costly_to_judge_is_denied)
{
	static const struct sv dir = SV_INIT("/");

	for (size_t cost = 0; cost < 50; cost += 5) {
		for (int wide = 0; wide < 2; wide++) {
			size_t steps = cost;
			struct path_scope scope = { &dir, 1, SV_EMPTY, wide, &steps };

			CHECK_INT(path_matches(&scope, SV("a*a*a*a*a*b"),
					       SV("/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"),
					       false),
				  wide);
		}
	}
}

static void check_protected(const struct sv *paths, size_t n, bool expected)
{
	for (size_t i = 0; i < n; i++) {
		struct sv what;

		if (path_is_protected(paths[i], &what) == expected)
			continue;
		print_error("%.*s\n", SV_ARG(paths[i]));
		CHECK(false);
	}
}

TEST(path_that_other_programs_execute_is_protected_in_any_case_and_depth)
{
	static const struct sv yes[] = {
		SV_INIT("/w/.git"),
		SV_INIT("/w/.git/hooks/pre-commit"),
		SV_INIT("/w/.GIT/config"),
		SV_INIT("/w/.g\xe2\x80\x8cit/config"),
		SV_INIT("/w/.v\xc5\xbf"
			"code/tasks.json"),
		SV_INIT("/w/.windsurf/mcp.json"),
		SV_INIT("/w/Jenkinsfile.release"),
		SV_INIT("/etc/profile.d/x.sh"),
		SV_INIT("/w/sub/module/.git/config"),
		SV_INIT("/w/.claude/settings.json"),
		SV_INIT("/w/.Claude/settings.local.json"),
		SV_INIT("/w/.mcp.json"),
		SV_INIT("/w/.vscode/tasks.json"),
		SV_INIT("/w/.idea/workspace.xml"),
		SV_INIT("/w/.cursor/mcp.json"),
		SV_INIT("/w/.gemini/settings.json"),
		SV_INIT("/w/.codex/config.toml"),
		SV_INIT("/w/.github/workflows/ci.yml"),
		SV_INIT("/w/.envrc"),
		SV_INIT("/home/me/.bashrc"),
		SV_INIT("/home/me/.zshenv"),
		SV_INIT("/home/me/.profile"),
		SV_INIT("/home/me/.config/git/config"),
		SV_INIT("/home/me/.config/fish/config.fish"),
		SV_INIT("/home/me/.ssh/authorized_keys"),
		SV_INIT("/w/.gitmodules"),
		SV_INIT("/w/.npmrc"),
		SV_INIT("/w/.yarnrc.yml"),
		SV_INIT("/w/.pnp.cjs"),
		SV_INIT("/w/lefthook.yml"),
		SV_INIT("/w/.husky/pre-push"),
		SV_INIT("/w/gradle/wrapper/gradle-wrapper.properties"),
		SV_INIT("/w/.claude/worktrees/a/.git"),
		SV_INIT("/w/.claude/worktrees"),
	};
	static const struct sv no[] = {
		SV_INIT("/"),
		SV_INIT("/w/src/a.c"),
		SV_INIT("/w/.gitignore"),
		SV_INIT("/w/.github/README.md"),
		SV_INIT("/w/git/config"),
		SV_INIT("/w/a.git/config"),
		SV_INIT("/w/.github"),
		SV_INIT("/w/.env"),
		SV_INIT("/w/lefthook-docs/a.md"),
		SV_INIT("/w/config/git/x"),
		SV_INIT("/w/.claude/worktrees/a/src/a.c"),
		SV_INIT("/w/claude/settings.json"),
	};

	check_protected(yes, countof(yes), true);
	check_protected(no, countof(no), false);
}

TEST(rule_that_forbids_holds_for_a_name_as_it_is_written_and_as_it_is_folded)
{
	/* This letter has two bytes, and folded it is an "s". */
	static const char path[] = "/w/pro/a\xc5\xbf"
				   "b";

	CHECK(matches(SV("a??b"), sv_cstr(path), true, false));
	CHECK(matches(SV("asb"), sv_cstr(path), true, false));
}
