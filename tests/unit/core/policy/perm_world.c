#include "core/policy/perm_world.h"

#include "sys/fs.h"
#include "test.h"

/* A directory of its own for every test. */
static void begin(struct str *root)
{
	defer(str_clear) struct str temp = STR_INIT;
	struct err err;

	CHECK_OK(fs_temp_dir(&temp, &err), err);
	CHECK_OK(fs_realpath(root, temp.ptr, &err), err);
}

static void end(struct str *root)
{
	struct err err;

	CHECK_OK(fs_remove_tree(root->ptr, &err), err);
	str_clear(root);
}

static void put(const struct str *root, const char *name, const char *text)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str dir = STR_INIT;
	struct err err;

	str_addf(&path, "%s/%s", root->ptr, name);
	str_add(&dir, sv_slice(sv_of(&path), 0, sv_rfind_char(sv_of(&path), '/')));
	CHECK_OK(fs_mkdirs(dir.ptr, 0700, &err), err);
	CHECK_OK(fs_write(path.ptr, sv_cstr(text), (struct fs_write){ .mode = 0600 }, &err), err);
}

static void put_link(const struct str *root, const char *name, const char *to)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err;

	str_addf(&path, "%s/%s", root->ptr, name);
	CHECK_OK(fs_symlink(to, path.ptr, &err), err);
}

static void check_real(const struct str *root, const char *name, const char *expected)
{
	struct arena arena = ARENA_INIT;
	struct sv path = arena_printf(&arena, "%s/%s", root->ptr, name);
	struct sv real = world_here.real(world_here.arg, path, &arena);

	if (sv_starts(real, sv_of(root)))
		real = sv_skip(real, root->len + 1);
	CHECK_SV_EQ(real, sv_cstr(expected));
	arena_clear(&arena);
}

TEST(path_is_resolved_through_links_at_every_component_as_far_as_it_exists)
{
	struct str root = STR_INIT;

	begin(&root);
	put(&root, "a/b/c", "");
	put_link(&root, "link", "a/b");
	put_link(&root, "a/up", "..");
	put_link(&root, "out", "/etc");
	put_link(&root, "loop", "loop");
	put_link(&root, "dangling", "not/there");
	put_link(&root, "here", "/proc/self/cwd");
	check_real(&root, "link/c", "a/b/c");
	check_real(&root, "link/../x", "a/x");
	check_real(&root, "a/up/link/c", "a/b/c");
	check_real(&root, "out/passwd", "/etc/passwd");
	check_real(&root, "dangling/new", "not/there/new");
	check_real(&root, "./a//b/./new/x", "a/b/new/x");
	check_real(&root, "loop/x", "/");
	check_real(&root, "here/../x", "/proc/self/cwd/../x"); /* whose is not known here */
	check_real(&root, "../../../../../../../../../..", "/");
	end(&root);
}

static bool count(void *to, struct sv name)
{
	struct str *names = to;

	str_addf(names, "%.*s ", SV_ARG(name));
	return true;
}

TEST(directory_is_listed_without_what_is_below_its_entries)
{
	struct str root = STR_INIT;
	defer(str_clear) struct str names = STR_INIT;

	begin(&root);
	put(&root, ".hidden", "");
	put(&root, "dir/below", "");
	world_here.list(world_here.arg, sv_of(&root), count, &names);
	CHECK(strstr(names.ptr, ".hidden ") && strstr(names.ptr, "dir "));
	CHECK(!strstr(names.ptr, "below"));
	CHECK(world_here.is_directory(world_here.arg, sv_of(&root)));
	end(&root);
}

struct repo_case {
	const char *config;
	enum world_repo kind;
};

static const struct repo_case repos[] = {
	{ "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://x\n", REPO_PLAIN },
	{ "[core]\n\tfsmonitor = true\n", REPO_PLAIN },
	{ "[core]\n\thooksPath = .husky\n", REPO_PLAIN },
	{ "[filter \"lfs\"]\n\tsmudge = git-lfs smudge -- %f\n\trequired = true\n", REPO_PLAIN },
	{ "[core]\n\tfsmonitor = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[CORE]\n\tFsMonitor=./x\n", REPO_RUNS_PROGRAMS },
	{ "[core] fsmonitor = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[core] fsmonitor = ./x # ]\n", REPO_RUNS_PROGRAMS },
	{ "[a][core]fsmonitor=./x\n", REPO_RUNS_PROGRAMS },
	{ "[diff \"a]b\"] textconv = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[diff.a]\n\tcommand = ./x\n", REPO_RUNS_PROGRAMS },
	{ "\xef\xbb\xbf[core]\n fsmonitor = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[diff]\n\texternal = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[include]\n\tpath = ../x\n", REPO_RUNS_PROGRAMS },
	{ "[includeIf \"gitdir:/\"]\n\tpath = ../x\n", REPO_RUNS_PROGRAMS },
	{ "[filter \"x\"]\n\tclean = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[gpg]\n\tprogram = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[remote \"o\"]\n\turl = ext::sh -c x\n", REPO_RUNS_PROGRAMS },
	{ "[remote \"o\"]\n\tuploadpack = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[core]\n\thooksPath = hooked\n", REPO_RUNS_PROGRAMS },
	{ "[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n",
	  REPO_PLAIN },
	{ "[filter \"lfs\"]\n\tclean = git-lfs clean || ./x\n", REPO_RUNS_PROGRAMS },
	{ "[filter \"lfs\"]\n\tclean = git-lfs clean -- %f; ./x\n", REPO_RUNS_PROGRAMS },
	{ "[filter \"lfs\"]\n\tclean = git-lfs clean -- %f\\\n ; ./x\n", REPO_RUNS_PROGRAMS },
	{ "[core]\n\tsshCommand = ssh -i ~/.ssh/work\n", REPO_PLAIN },
	{ "[credential]\n\thelper = store\n[url \"git@x:\"]\n\tinsteadOf = x:\n", REPO_PLAIN },
	{ "[remote \"o\"]\n\tpromisor = true\n\tpartialclonefilter = blob:none\n", REPO_PLAIN },
	{ "[core]\n\tsshCommand = ./x\n[remote \"o\"]\n\tpromisor = true\n", REPO_RUNS_PROGRAMS },
	{ "[extensions]\n\tpartialClone = o\n[core]\n\tgitProxy = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[extensions]\n\tpartialClone = o\n[credential]\n\thelper = !./x\n", REPO_RUNS_PROGRAMS },
	{ "[extensions]\n\tpartialClone = o\n[url \"ext::x\"]\n\tinsteadOf = https\n",
	  REPO_RUNS_PROGRAMS },
	{ "[core]\n\tworktree = ..\n", REPO_PLAIN },
	{ "[core]\n\tworktree = /\n", REPO_RUNS_PROGRAMS },
	{ "[core]\n\tworktree = ../..\n", REPO_RUNS_PROGRAMS },
	{ "[core]\n\teditor = x \\\n[user]\n\tfsmonitor = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[core]\n\talternateRefsCommand = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[core]\n\tnotKnownYet = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[diff \"x\"]\n\txfuncname = y\n", REPO_PLAIN },
	{ "[gpg \"ssh\"]\n\tdefaultKeyCommand = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[remote \"o\"]\n\tgh-resolved = base\n\tfetch = +refs/heads/*:refs/remotes/o/*\n",
	  REPO_PLAIN },
	{ "[remote \"o\"]\n\tvcs = x\n", REPO_RUNS_PROGRAMS },
	{ "# [core]\n; fsmonitor = ./x\n[branch \"a\"]\n\tremote = o\n\tmerge = refs/heads/a\n",
	  REPO_PLAIN },
	{ "[core]\n\thooksPath = \"hook\\\\ed\"\n", REPO_RUNS_PROGRAMS },
	{ "[hook \"x\"]\n\tevent = post-index-change\n\tcommand = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[lfs]\n\trepositoryformatversion = 0\n[lfs \"https://x\"]\n\taccess = basic\n",
	  REPO_PLAIN },
	{ "[lfs \"extension.x\"]\n\tclean = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[lfs \"customtransfer.x\"]\n\tpath = ./x\n", REPO_RUNS_PROGRAMS },
	{ "[lfs]\n\tstandalonetransferagent = x\n", REPO_RUNS_PROGRAMS },
	{ "[merge \"x\"]\n\tdriver = ./x %A\n", REPO_PLAIN },
	{ "[log]\n\tdiffMerges = remerge\n[merge]\n\tff = only\n", REPO_PLAIN },
	{ "[log]\n\tdiffMerges = on\n[merge \"x\"]\n\tdriver = ./x %A\n", REPO_PLAIN },
	{ "[log]\n\tdiffMerges = r\n[merge \"ours\"]\n\tdriver = true\n", REPO_PLAIN },
	{ "[log]\n\tdiffMerges = r\n[merge \"x\"]\n\tdriver = ./x %A\n", REPO_RUNS_PROGRAMS },
	{ "[log]\n\tdiffMerges = \"re\"merge\n[merge \"x\"]\n\tdriver = ./x\n",
	  REPO_RUNS_PROGRAMS },
	{ "[diff]\n\tsubmodule = log\n", REPO_PLAIN },
	{ "[diff]\n\tsubmodule = diff\n", REPO_RUNS_PROGRAMS },
	{ "[status]\n\tsubmoduleSummary = false\n", REPO_PLAIN },
	{ "[status]\n\tsubmoduleSummary\n", REPO_RUNS_PROGRAMS },
	{ "[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n", REPO_PLAIN },
	{ "[blame]\n\tignoreRevsFile = src/x\n", REPO_PLAIN },
	{ "[blame]\n\tignoreRevsFile = /etc/passwd\n", REPO_RUNS_PROGRAMS },
	{ "[blame]\n\tignoreRevsFile = ~/.vault-token\n", REPO_RUNS_PROGRAMS },
	{ "[blame]\n\tignoreRevsFile = outlink\n", REPO_RUNS_PROGRAMS },
	{ "[fsck]\n\tskipList = ../../../../../../../etc/passwd\n", REPO_RUNS_PROGRAMS },
	{ "[remote \"o\"]\n\turl = ../x\n", REPO_PLAIN },
	{ "[remote \"o\"]\n\turl = ../x\n\tpromisor = true\n", REPO_RUNS_PROGRAMS },
	{ "[remote \"o\"]\n\turl = file:///x\n\tpromisor = true\n", REPO_RUNS_PROGRAMS },
	{ "[remote \"o\"]\n\turl = -u./x:y\n\tpromisor = true\n", REPO_RUNS_PROGRAMS },
	{ "[remote \"o\"]\n\turl = git@x.org:a/b\n\tpromisor = true\n", REPO_PLAIN },
	{ "[remote \"o\"]\n\turl = ssh://x.org/a/b\n\tpromisor = true\n", REPO_PLAIN },
	{ "[remote \"--upload-pack=./x\"]\n\tpromisor = true\n", REPO_RUNS_PROGRAMS },
	{ "[remote.--upload-pack=./x]\n\tpromisor = true\n", REPO_RUNS_PROGRAMS },
	{ "[extensions]\n\tpartialClone = --upload-pack=./x\n", REPO_RUNS_PROGRAMS },
	{ "[extensions]\n\tpartialClone = ../x\n", REPO_RUNS_PROGRAMS },
	{ "[extensions]\n\tpartialClone = my-fork.2\n", REPO_PLAIN },
};

TEST(repository_that_makes_git_run_programs_is_told_from_others)
{
	struct str root = STR_INIT;

	begin(&root);
	put(&root, "hooked/post-index-change", "");
	put_link(&root, "outlink", "/etc/passwd");
	for (size_t i = 0; i < countof(repos); i++) {
		struct arena arena = ARENA_INIT;
		enum world_repo kind = REPO_PLAIN;
		struct sv top;

		put(&root, ".git/config", repos[i].config);
		put(&root, "src/x", "");
		top = world_here.repository(
			world_here.arg, arena_printf(&arena, "%s/src", root.ptr), &kind, &arena);
		CHECK_SV_EQ(top, sv_of(&root));
		if (kind != repos[i].kind)
			print_error("%s\n", repos[i].config);
		CHECK_INT(kind, repos[i].kind);
		arena_clear(&arena);
	}
	end(&root);
}

TEST(hook_that_looking_sets_off_counts_and_others_do_not)
{
	struct str root = STR_INIT;
	struct arena arena = ARENA_INIT;
	enum world_repo kind = REPO_PLAIN;

	begin(&root);
	put(&root, ".git/config", "[core]\n");
	put(&root, ".git/hooks/pre-commit", "");
	world_here.repository(world_here.arg, sv_of(&root), &kind, &arena);
	CHECK_INT(kind, REPO_PLAIN);
	put(&root, ".git/hooks/post-index-change", "");
	world_here.repository(world_here.arg, sv_of(&root), &kind, &arena);
	CHECK_INT(kind, REPO_RUNS_PROGRAMS);
	arena_clear(&arena);
	end(&root);
}

/* What awl thinks of git in a directory. */
static void check_kind(const struct str *root, const char *dir, const char *top, enum world_repo as)
{
	struct arena arena = ARENA_INIT;
	enum world_repo kind = REPO_PLAIN;
	struct sv found = world_here.repository(
		world_here.arg, arena_printf(&arena, "%s/%s", root->ptr, dir), &kind, &arena);

	CHECK_SV_EQ(found, arena_printf(&arena, "%s/%s", root->ptr, top));
	CHECK_INT(kind, as);
	arena_clear(&arena);
}

static const char evil_config[] = "[core]\n\tfsmonitor = ./x\n";

TEST(bare_repository_may_have_its_settings_elsewhere_or_a_head_that_leads_nowhere)
{
	struct str root = STR_INIT;

	begin(&root);
	put(&root, "store/objects/x", "");
	put(&root, "store/refs/x", "");
	put(&root, "store/config", "[core]\n");
	put(&root, "store /config", evil_config);
	put(&root, "store2/config", evil_config);
	put(&root, "plain/HEAD", "ref: refs/heads/main\n");
	put(&root, "plain/commondir", "../store\n");
	put(&root, "evil/HEAD", "ref: refs/heads/main\n");
	put(&root, "evil/commondir", "../store2\n");
	put(&root, "blank/HEAD", "ref: refs/heads/main\n");
	put(&root, "blank/commondir", "../store \n");
	put(&root, "linked/refs/x", "");
	put(&root, "linked/objects/x", "");
	put(&root, "linked/config", evil_config);
	put_link(&root, "linked/HEAD", "refs/heads/main");
	check_kind(&root, "plain", "plain", REPO_PLAIN);
	check_kind(&root, "evil", "evil", REPO_RUNS_PROGRAMS);
	check_kind(&root, "blank", "blank", REPO_RUNS_PROGRAMS);
	check_kind(&root, "linked/refs", "linked", REPO_RUNS_PROGRAMS);
	end(&root);
}

static void put_repository(const struct str *root, const char *dir, const char *config)
{
	static const char *const files[][2] = { { "HEAD", "ref: refs/heads/main\n" },
						{ "objects/x", "" },
						{ "refs/x", "" } };
	defer(str_clear) struct str path = STR_INIT;

	for (size_t i = 0; i < countof(files); i++) {
		str_truncate(&path, 0);
		str_addf(&path, "%s/%s", dir, files[i][0]);
		put(root, path.ptr, files[i][1]);
	}
	str_truncate(&path, 0);
	str_addf(&path, "%s/config", dir);
	put(root, path.ptr, config);
}

TEST(every_repository_that_git_may_choose_counts)
{
	struct str root = STR_INIT;

	begin(&root);
	/* Files of the work tree that look like a repository hide nothing. */
	put_repository(&root, "both/.git", evil_config);
	put_repository(&root, "both", "[core]\n");
	check_kind(&root, "both", "both", REPO_RUNS_PROGRAMS);
	/* git skips a directory .git that is not complete. */
	put_repository(&root, "outer/.git", evil_config);
	put(&root, "outer/in/.git/config", "[core]\n");
	put(&root, "outer/half/.git/HEAD", "no reference\n");
	put(&root, "outer/half/.git/refs/x", "");
	put(&root, "outer/half/.git/objects/x", "");
	check_kind(&root, "outer/in", "outer/in", REPO_RUNS_PROGRAMS);
	check_kind(&root, "outer/half", "outer/half", REPO_RUNS_PROGRAMS);
	/* It looks no further than a complete one. */
	put_repository(&root, "outer/own/.git", "[core]\n");
	check_kind(&root, "outer/own", "outer/own", REPO_PLAIN);
	put_repository(&root, "outer/own/store", "[core]\n");
	put(&root, "outer/tree/.git", "gitdir: ../own/store\n");
	check_kind(&root, "outer/tree", "outer/tree", REPO_PLAIN);
	put_repository(&root, "outer/own/store ", evil_config);
	put(&root, "outer/tree/.git", "gitdir: ../own/store \n");
	check_kind(&root, "outer/tree", "outer/tree", REPO_RUNS_PROGRAMS);
	end(&root);
}

TEST(bare_repository_and_a_file_that_names_one_are_repositories)
{
	struct str root = STR_INIT;
	struct arena arena = ARENA_INIT;
	enum world_repo kind = REPO_PLAIN;
	struct sv top;

	begin(&root);
	put(&root, "bare/HEAD", "");
	put(&root, "bare/objects/x", "");
	put(&root, "bare/refs/x", "");
	put(&root, "bare/config", "[core]\n\tfsmonitor = ./x\n");
	put(&root, "tree/.git", "gitdir: ../bare\n");
	top = world_here.repository(world_here.arg, arena_printf(&arena, "%s/bare/refs", root.ptr),
				    &kind, &arena);
	CHECK(sv_ends(top, SV("/bare")));
	CHECK_INT(kind, REPO_RUNS_PROGRAMS);
	kind = REPO_PLAIN;
	top = world_here.repository(world_here.arg, arena_printf(&arena, "%s/tree", root.ptr),
				    &kind, &arena);
	CHECK(sv_ends(top, SV("/tree")));
	CHECK_INT(kind, REPO_RUNS_PROGRAMS);
	arena_clear(&arena);
	end(&root);
}
