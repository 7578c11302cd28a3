/* Repositories that try to have a program run. Every trap is first shown to work on
 * somebody who runs git there as usual. */
#include "base/limits.h"
#include "store/git/git_world.h"

/* The repository "r" has a file "f" in it, and $EVIL is a program that springs. */
struct trap {
	const char *name;
	const char *set;      /* in r */
	const char *spring;   /* in `folder`: what would run it */
	const char *folder;   /* NULL: r */
	const char *expected; /* NULL: all is told as if there were no trap */
};

#define EVIL_GPG_COMMIT                                                                 \
	"t=$(git rev-parse HEAD^{tree}); c=$(printf 'tree %s\\nauthor x <x> 1 +0000\\n" \
	"committer x <x> 1 +0000\\ngpgsig -----BEGIN PGP SIGNATURE-----\\n \\n x\\n "   \
	"-----END PGP SIGNATURE-----\\n\\nsigned\\n' \"$t\" | "                         \
	"git hash-object -t commit -w --stdin); git update-ref HEAD $c\n"

/* A commit whose tree is nowhere but at a remote. */
#define MISSING_TREE                                                                \
	"git config core.repositoryFormatVersion 1\n"                               \
	"git config extensions.partialClone p; git config remote.p.promisor true\n" \
	"t=$(git rev-parse HEAD^{tree})\n"                                          \
	"rm -f .git/objects/$(echo $t | cut -c1-2)/$(echo $t | cut -c3-); rm -f .git/index\n"

/* Content has to be looked at again, by its filter, when only the time is another. */
#define SPRING_FILTER "touch -d 2001-01-01 f; git status"

static const struct trap traps[] = {
	{ "file monitor", "git config core.fsmonitor \"$EVIL\"", "git status" },
	{ "hook", "cp \"$EVIL\" .git/hooks/post-index-change", SPRING_FILTER },
	{ "hooks elsewhere",
	  "mkdir h; cp \"$EVIL\" h/post-index-change; git config core.hooksPath h; echo h > "
	  ".git/info/exclude",
	  SPRING_FILTER },
	{ "clean filter",
	  "git config filter.x.clean \"$EVIL\"; echo 'f filter=x' > .git/info/attributes",
	  SPRING_FILTER },
	{ "required filter",
	  "git config filter.x.clean \"$EVIL\"; git config filter.x.required true\n"
	  "echo 'f filter=x' > .git/info/attributes",
	  SPRING_FILTER },
	{ "filter process",
	  "git config filter.x.process \"$EVIL\"; git config filter.x.required true\n"
	  "echo 'f filter=x' > .git/info/attributes",
	  SPRING_FILTER },
	{ "filter with an odd name",
	  "git config \"filter.a .B'\\\"\\\\-c.clean\" \"$EVIL\"\n"
	  "echo 'f filter=z' > .git/info/attributes\n"
	  "git config filter.z.clean \"$EVIL\"",
	  SPRING_FILTER },
	{ "filter in capitals",
	  "git config FILTER.Xy.CLEAN \"$EVIL\"; echo 'f filter=Xy' > .git/info/attributes",
	  SPRING_FILTER },
	{ "filter whose name ends an override",
	  "git config filter.a=b.clean \"$EVIL\"; echo 'f filter=a=b' > .git/info/attributes",
	  SPRING_FILTER, NULL, "Status: unknown\n" },
	{ "filter by .gitattributes",
	  "git config filter.x.clean \"$EVIL\"; echo '* filter=x' > .gitattributes\n"
	  "echo .gitattributes > .git/info/exclude",
	  SPRING_FILTER },
	{ "filter in an included file",
	  "printf '[filter \"x\"]\\n\\tclean = %s\\n' \"$EVIL\" > .git/more\n"
	  "git config include.path more; echo 'f filter=x' > .git/info/attributes",
	  SPRING_FILTER },
	{ "filter in a file included on this branch",
	  "printf '[filter \"x\"]\\n\\tclean = %s\\n' \"$EVIL\" > .git/more\n"
	  "git config includeIf.onbranch:work.path more; echo 'f filter=x' > .git/info/attributes",
	  SPRING_FILTER },
	{ "filter in the settings of the worktree",
	  "git config core.repositoryFormatVersion 1; git config extensions.worktreeConfig true\n"
	  "git config --worktree filter.x.clean \"$EVIL\"; echo 'f filter=x' > "
	  ".git/info/attributes",
	  SPRING_FILTER },
	{ "pager", "git config core.pager \"$EVIL\"", "git log" },
	{ "pager of a command", "git config pager.log \"$EVIL\"", "git log" },
	{ "signature",
	  EVIL_GPG_COMMIT "git config gpg.program \"$EVIL\"; git config log.showSignature true",
	  "git log" },
	{ "signature in a format",
	  EVIL_GPG_COMMIT "git config gpg.program \"$EVIL\"; git config format.pretty '%G?'",
	  "git log" },
	{ "submodule",
	  "git init -q s; (cd s; git commit -q --allow-empty -m s; git config core.fsmonitor "
	  "\"$EVIL\"; echo > n)\n"
	  "git -c advice.addEmbeddedRepo=false add s 2>/dev/null; git commit -q -m 'with s'",
	  "git status" },
	{ "fetch of what is missing",
	  MISSING_TREE
	  "git config remote.p.url \"$HOME\"; git config remote.p.uploadpack \"$EVIL\"",
	  "git status || true", NULL, "Branch: work\nStatus: unknown\n" },
	{ "fetch by a program",
	  MISSING_TREE
	  "git config remote.p.url \"ext::$EVIL\"; git config protocol.ext.allow always",
	  "git status || true", NULL, "Branch: work\nStatus: unknown\n" },
	{ "fetch by ssh",
	  MISSING_TREE
	  "git config remote.p.url ssh://localhost/x; git config core.sshCommand \"$EVIL\"",
	  "git status || true", NULL, "Branch: work\nStatus: unknown\n" },
	{ "bare repository inside",
	  "git init -q --bare b; cd b; git config core.bare false; git config core.worktree .\n"
	  "git config core.fsmonitor \"$EVIL\"; echo b > ../.git/info/exclude",
	  "git status", "r/b" },
	{ "bare repository behind a broken one",
	  "mkdir q; cd q; git init -q --bare .; git config core.bare false\n"
	  "git config core.worktree .; git config core.fsmonitor \"$EVIL\"; mkdir .git\n"
	  "echo q > ../.git/info/exclude",
	  "git status", "r/q" },
	{ "repository by a file",
	  "git init -q --separate-git-dir ../elsewhere ../by; cd ../by\n"
	  "git config core.fsmonitor \"$EVIL\"",
	  "git status", "by", "Branch: m" },
	{ "git in the folder", "cp \"$EVIL\" git; echo git > .git/info/exclude",
	  "PATH=.:$PATH; git status" },
	{ "git in a folder of the repository",
	  "mkdir bin; cp \"$EVIL\" bin/git; echo bin > .git/info/exclude",
	  "PATH=$PWD/bin:$PATH; git status" },
};

static bool is_sprung(struct git_world *w)
{
	struct err err;
	bool sprung = fs_exists(w->pwned);

	CHECK_OK(fs_remove(w->pwned, &err), err);
	return sprung;
}

static void make_evil(struct git_world *w)
{
	PATH_IN(evil, w->dir, "evil");

	write_file(evil, "#!/bin/sh\ntouch \"$PWNED\"\n", 0755);
	git_world_set(w, "EVIL", evil);
}

/* As a careless user would have it; other variables of the kind are dropped. */
static void set_path(struct git_world *w)
{
	defer(str_clear) struct str path = STR_INIT;

	str_addf(&path, ".:bin:%s/r/bin:%s", str_c(&w->dir), getenv("PATH"));
	for (size_t i = 0; w->env.at[i]; i++) {
		if (strncmp(w->env.at[i], "PATH=", 5) == 0) {
			free(w->env.at[i]);
			w->env.at[i] = xmemdup("X=", 3);
		}
	}
	git_world_set(w, "PATH", str_c(&path));
}

TEST(nothing_that_a_repository_names_is_run)
{
	for (size_t i = 0; i < countof(traps); i++) {
		const struct trap *t = &traps[i];
		const char *folder = t->folder ? t->folder : "r";
		GIT_WORLD(w);

		make_evil(&w);
		git_world_repo(&w);
		git_world_run(&w, "r", t->set);
		git_world_try(&w, folder, t->spring, true);
		if (!is_sprung(&w)) {
			print_error("the trap does not work: %s\n", t->name);
			fail();
		}
		git_world_run(&w, "r", "touch -d 2002-02-02 f"); /* set it again */
		set_path(&w);
		git_world_look(&w, folder);
		if (!git_world_shows(
			    &w, t->expected ? t->expected
					    : "Branch: work\nStatus: clean\nLast commits:\n") ||
		    is_sprung(&w)) {
			print_error("%s\n", t->name);
			fail();
		}
	}
}

/* Puts `dir` in place of every "%". */
static void set_variable(struct git_world *w, const char *name, const char *pattern)
{
	defer(str_clear) struct str value = STR_INIT;

	for (; *pattern; pattern++) {
		if (*pattern == '%')
			str_add(&value, sv_of(&w->dir));
		else
			str_addc(&value, *pattern);
	}
	git_world_set(w, name, str_c(&value));
}

TEST(variables_of_the_environment_do_not_reach_git)
{
	static const struct {
		const char *name, *value;
	} cases[][3] = {
		{ { "GIT_DIR", "%/other/.git" }, { "GIT_WORK_TREE", "%/other" } },
		{ { "GIT_CONFIG_COUNT", "1" },
		  { "GIT_CONFIG_KEY_0", "core.fsmonitor" },
		  { "GIT_CONFIG_VALUE_0", "%/evil" } },
		{ { "GIT_CONFIG_PARAMETERS", "'core.fsmonitor'='%/evil'" } },
		{ { "GIT_CONFIG_GLOBAL", "%/other/.git/config" } },
		{ { "GIT_TRACE", "%/pwned" } },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		GIT_WORLD(w);

		make_evil(&w);
		git_world_repo(&w);
		git_world_run(&w, "",
			      "git init -q other; cd other; git config core.fsmonitor \"$EVIL\"");
		for (size_t k = 0; k < countof(cases[i]) && cases[i][k].name; k++)
			set_variable(&w, cases[i][k].name, cases[i][k].value);
		git_world_try(&w, "r", "git status", true);
		CHECK(is_sprung(&w));
		git_world_look(&w, "r");
		CHECK(git_world_shows(&w, "Branch: work\nStatus: clean\n"));
		CHECK(!is_sprung(&w));
	}
}

TEST(too_many_filters_leave_the_status_unknown)
{
	for (int over = 0; over < 2; over++) {
		GIT_WORLD(w);
		defer(str_clear) struct str settings = STR_INIT;
		PATH_IN(config, w.dir, "r/.git/more");

		make_evil(&w);
		git_world_repo(&w);
		for (int i = 0; i < LIMIT_GIT_OVERRIDES + over; i++)
			str_addf(&settings, "[filter \"x%d\"]\n\tclean = \"$EVIL\"\n", i);
		write_file(config, str_c(&settings), 0644);
		git_world_run(&w, "r",
			      "git config include.path more; touch -d 2001-01-01 f\n"
			      "echo \"f filter=x255\" > .git/info/attributes");
		git_world_look(&w, "r");
		CHECK(git_world_shows(&w, over ? "Status: unknown\n" : "Status: clean\n"));
		CHECK(!is_sprung(&w));
	}
}

TEST(settings_too_long_to_list_leave_the_status_unknown)
{
	GIT_WORLD(w);
	defer(str_clear) struct str settings = STR_INIT;
	PATH_IN(config, w.dir, "r/.git/more");

	git_world_repo(&w);
	for (int i = 0; settings.len < 2 * LIMIT_GIT_KEPT; i++)
		str_addf(&settings, "[a \"%0100d\"]\n\tb = c\n", i);
	write_file(config, str_c(&settings), 0644);
	git_world_run(&w, "r", "git config include.path more");
	git_world_look(&w, "r");
	CHECK(git_world_shows(&w, "Branch: work\nStatus: unknown\n"));
}

TEST(a_repository_cannot_have_another_folder_looked_at)
{
	GIT_WORLD(w);

	git_world_repo(&w);
	git_world_run(&w, "", "mkdir private; echo > private/diary");
	git_world_run(&w, "r",
		      "git config core.worktree \"$HOME/private\"; git status | grep -q diary");
	git_world_look(&w, "r");
	CHECK(git_world_shows(&w, "Branch: work\nStatus: clean\n"));
}
