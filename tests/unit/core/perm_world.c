#include "core/perm_world.h"

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
};

TEST(repository_that_makes_git_run_programs_is_told_from_others)
{
	struct str root = STR_INIT;

	begin(&root);
	put(&root, "hooked/post-index-change", "");
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
