/* What a scan finds in real directories. */
#include "base/limits.h"
#include "sandbox/sandbox.h"
#include "sys/temp_dir.h"

static const struct sandbox_support support = { .namespaces = true };
static const struct sandbox_command ls = { .text = SV_INIT("ls") };

struct place {
	struct str made, dir;
	struct sandbox sandbox;
};

static void place_clear(struct place *p)
{
	sandbox_config_clear(&p->sandbox.config);
	sandbox_traces_clear(&p->sandbox.traces);
	temp_dir_remove(&p->made);
	str_clear(&p->dir);
}

static void place_make(struct place *p)
{
	struct err err;

	*p = (struct place){ .made = STR_INIT };
	CHECK_OK(fs_temp_dir(&p->made, &err), err);
	CHECK_OK(fs_realpath(&p->dir, str_c(&p->made), &err), err);
	sandbox_config_init(&p->sandbox.config,
			    &(struct sandbox_dirs){ .project = sv_of(&p->dir) });
}

#define PLACE(name)                           \
	defer(place_clear) struct place name; \
	place_make(&name)

static void put(const struct place *p, const char *name)
{
	PATH_IN(path, p->dir, name);
	defer(str_clear) struct str dir = STR_INIT;
	struct err err;

	str_add(&dir, sv_slice(sv_cstr(path), 0, sv_rfind_char(sv_cstr(path), '/')));
	CHECK_OK(fs_mkdirs(str_c(&dir), 0755, &err), err);
	if (!sv_ends(sv_cstr(name), SV("/")))
		write_file(path, "", 0644);
}

#define CHECK_HAS_TEXT(text, part)                                                \
	do {                                                                      \
		if (!strstr(text, part))                                          \
			print_error("\"%s\" does not have \"%s\"\n", text, part); \
		CHECK(strstr(text, part));                                        \
	} while (0)

static void deny(struct place *p, const char *tool, const char *content)
{
	sandbox_config_rule(&p->sandbox.config, BEHAVIOR_DENY, sv_cstr(tool), sv_cstr(content),
			    SV_EMPTY, SANDBOX_FROM_USER);
}

static bool has(const struct place *p, const char *const *list, const char *name)
{
	PATH_IN(path, p->dir, name);

	for (; *list; list++)
		if (strcmp(*list, path) == 0)
			return true;
	return false;
}

TEST(sandbox_scan_finds_what_patterns_match)
{
	PLACE(p);

	put(&p, "a.pem");
	put(&p, "deep/er/down/b.pem");
	put(&p, "deep/er/down/b.txt");
	put(&p, "config/x/y.conf");
	put(&p, "sub/.env");
	put(&p, ".git/c.pem");
	deny(&p, "Read", "**/*.pem");
	deny(&p, "Read", ".env");
	deny(&p, "Edit", "/conf*/**");
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(!p.sandbox.config.is_incomplete);
	CHECK(has(&p, p.sandbox.config.policy.deny_read, "a.pem"));
	CHECK(has(&p, p.sandbox.config.policy.deny_read, "deep/er/down/b.pem"));
	CHECK(has(&p, p.sandbox.config.policy.deny_read, "sub/.env"));
	CHECK(has(&p, p.sandbox.config.policy.deny_write, "config"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write,
		   "config/x")); /* below a listed directory */
	CHECK(!has(&p, p.sandbox.config.policy.deny_read, "deep/er/down/b.txt"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_read, ".git/c.pem"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write, "a.pem"));
}

TEST(sandbox_scan_sees_new_and_removed_files)
{
	PLACE(p);
	PATH_IN(first, p.dir, "first.pem");
	struct err err;

	put(&p, "first.pem");
	deny(&p, "Read", "*.pem");
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(has(&p, p.sandbox.config.policy.deny_read, "first.pem"));
	put(&p, "second.pem");
	CHECK_OK(fs_remove(first, &err), err);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(has(&p, p.sandbox.config.policy.deny_read, "second.pem"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_read, "first.pem"));
}

TEST(sandbox_scan_begins_where_a_pattern_does)
{
	PLACE(p);
	PLACE(other);
	defer(str_clear) struct str rule = STR_INIT;

	put(&other, "keys/a.key");
	put(&other, "keys/b.txt");
	str_addf(&rule, "/%s/keys/*.key", str_c(&other.dir));
	deny(&p, "Read", str_c(&rule));
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(has(&other, p.sandbox.config.policy.deny_read, "keys/a.key"));
	CHECK(!has(&other, p.sandbox.config.policy.deny_read, "keys/b.txt"));
}

TEST(sandbox_scan_follows_a_pattern_upwards)
{
	PLACE(p);
	defer(str_clear) struct str project = STR_INIT;

	put(&p, "project/x");
	put(&p, "keys/a.key");
	str_addf(&project, "%s/project", str_c(&p.dir));
	sandbox_config_clear(&p.sandbox.config);
	sandbox_config_init(&p.sandbox.config,
			    &(struct sandbox_dirs){ .project = sv_of(&project) });
	deny(&p, "Read", "../keys/*.key");
	deny(&p, "Edit", "**");
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(has(&p, p.sandbox.config.policy.deny_read, "keys/a.key"));
	CHECK(has(&p, p.sandbox.config.policy.deny_write, "project/x"));
}

TEST(sandbox_scan_keeps_a_directory_from_becoming_a_repository_by_itself)
{
	PLACE(p);

	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(has(&p, p.sandbox.config.policy.deny_write, "refs"));
	put(&p, "refs/x"); /* the project has one of that name */
	sandbox_config_scan(&p.sandbox.config);
	CHECK(!has(&p, p.sandbox.config.policy.deny_write, "refs"));
	CHECK(has(&p, p.sandbox.config.policy.deny_write, "objects"));
	put(&p, "objects/x");
	sandbox_config_scan(&p.sandbox.config);
	CHECK(has(&p, p.sandbox.config.policy.deny_write, "config"));
	put(&p, ".git/HEAD"); /* now git looks no further */
	sandbox_config_scan(&p.sandbox.config);
	CHECK(!has(&p, p.sandbox.config.policy.deny_write, "config"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write, "objects"));
}

TEST(sandbox_scan_protects_repositories_and_settings_below)
{
	PLACE(p);

	put(&p, ".git/modules/lib/sub/HEAD");
	put(&p, ".git/worktrees/w/gitdir");
	put(&p, "vendor/x/.git/HEAD");
	put(&p, "vendor/y/.git");
	put(&p, "pkg/.claude/settings.json");
	put(&p, "node_modules/z/.git/HEAD");
	put(&p, "1/2/3/4/.git/HEAD");
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(has(&p, p.sandbox.config.policy.deny_write, ".git/modules/lib/sub/config"));
	CHECK(has(&p, p.sandbox.config.policy.deny_write, ".git/modules/lib/sub/hooks/"));
	CHECK(has(&p, p.sandbox.config.policy.deny_write, ".git/worktrees/w/commondir"));
	CHECK(has(&p, p.sandbox.config.policy.deny_write, "vendor/x/.git/config"));
	CHECK(has(&p, p.sandbox.config.policy.deny_write, "vendor/y/.git"));
	CHECK(has(&p, p.sandbox.config.policy.deny_write_existing, "pkg/.claude"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write_existing, "pkg/.claude/settings.json"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write, "node_modules/z/.git/config"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write, "1/2/3/4/.git/config"));
}

/* perm and the sandbox protect the same files. */
TEST(sandbox_scan_protects_what_perm_protects)
{
	static const char *const names[] = { ".npmrc",
					     "ci/Jenkinsfile.release",
					     ".hg",
					     "a/lefthook.yml",
					     ".cargo",
					     "a/b/.zed",
					     ".gitlab-ci.yml",
					     "pyrightconfig.json" };
	PLACE(p);

	for (size_t i = 0; i < countof(names); i++)
		put(&p, names[i]);
	put(&p, ".yarn/cache/x"); /* package managers rewrite these two */
	put(&p, ".pnp.cjs");
	put(&p, "src/main.c");
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	for (size_t i = 0; i < countof(names); i++)
		CHECK(has(&p, p.sandbox.config.policy.deny_write_existing, names[i]));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write_existing, ".yarn"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write_existing, ".pnp.cjs"));
	CHECK(!has(&p, p.sandbox.config.policy.deny_write_existing, "src"));
}

/* Creates a file as a command would, and checks whether that is reported. */
static void check_traces(struct place *p, const char *name, const char *reported)
{
	defer(str_clear) struct str report = STR_INIT;

	(void)sandbox_begin(&p->sandbox);
	put(p, name);
	sandbox_end(&p->sandbox, &report);
	if (reported)
		CHECK_HAS_TEXT(str_c(&report), reported);
	else
		CHECK_STR(str_c(&report), "");
}

TEST(what_commands_leave_behind_is_reported_once)
{
	PLACE(p);
	PATH_IN(head, p.dir, "linked/HEAD");
	struct err err;

	put(&p, "old/.git/HEAD");
	put(&p, ".npmrc");
	sandbox_config_finish(&p.sandbox.config, &support);
	check_traces(&p, "plain", NULL);
	check_traces(&p, "sub/.git", "/sub/.git. ");
	check_traces(&p, "deep/1/2/3/.git/config", "/deep/1/2/3/.git. ");
	check_traces(&p, "sub/.vscode/tasks.json", "/sub/.vscode. ");
	check_traces(&p, "lefthook.yml", "/lefthook.yml. ");
	check_traces(&p, "sub/.claude/settings.json", "/sub/.claude. ");
	check_traces(&p, "store/HEAD", NULL);
	check_traces(&p, "store/objects/x", NULL);
	check_traces(&p, "store/refs/x", "/store. "); /* now git takes it for a repository */
	check_traces(&p, "tree/HEAD", NULL);
	check_traces(&p, "tree/commondir", "/tree. ");
	put(&p, "linked/");
	CHECK_OK(fs_symlink("refs/heads/none", head, &err), err);
	check_traces(&p, "linked/refs/x", "/linked. ");
	check_traces(&p, "sub/.git", NULL);
	check_traces(&p, ".vscode/x", NULL); /* a placeholder: a command cannot create it */
}

TEST(commands_at_the_same_time_do_not_hide_what_one_of_them_leaves)
{
	PLACE(p);
	defer(str_clear) struct str first = STR_INIT, second = STR_INIT;

	sandbox_config_finish(&p.sandbox.config, &support);
	(void)sandbox_begin(&p.sandbox);
	put(&p, "a/.git");
	(void)sandbox_begin(&p.sandbox);
	sandbox_end(&p.sandbox, &first);
	CHECK_HAS_TEXT(str_c(&first), "/a/.git");
	sandbox_end(&p.sandbox, &second);
	CHECK_STR(str_c(&second), "");
}

TEST(sandbox_scan_reports_too_many_matches)
{
	PLACE(p);
	char name[32];

	for (int i = 0; i < LIMIT_SANDBOX_FOUND + 2; i++) {
		snprintf(name, sizeof(name), "%d.pem", i);
		put(&p, name);
	}
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(!p.sandbox.config.is_incomplete);
	deny(&p, "Read", "*.pem");
	p.sandbox.config.enabled = true;
	sandbox_config_scan(&p.sandbox.config);
	CHECK(p.sandbox.config.is_incomplete);
	CHECK(sandbox_decide(&p.sandbox, &ls).inside);
	CHECK(!sandbox_decide(&p.sandbox, &ls).needs_no_approval);
}

TEST(sandbox_scan_leaves_room_for_named_paths)
{
	PLACE(p);
	char name[64];

	for (int i = 0; i < 150; i++) {
		snprintf(name, sizeof(name), ".git/modules/%d/HEAD", i);
		put(&p, name);
	}
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(p.sandbox.config.is_incomplete);
	CHECK(p.sandbox.config.readonly.n - p.sandbox.config.nreadonly < LIMIT_SANDBOX_FOUND + 8);
	p.sandbox.config.enabled = true;
	CHECK(sandbox_decide(&p.sandbox, &ls).needs_no_approval); /* no rule is violated */
}

TEST(sandbox_scan_does_nothing_for_any_file)
{
	PLACE(p);

	put(&p, "a.pem");
	deny(&p, "Read", "*.pem");
	p.sandbox.config.any_file = true;
	sandbox_config_finish(&p.sandbox.config, &support);
	sandbox_config_scan(&p.sandbox.config);
	CHECK(!has(&p, p.sandbox.config.policy.deny_read, "a.pem"));
}

/* --- linked work trees -------------------------------------------------------------------------- */

static void write_in(const struct place *p, const char *name, const char *fmt, const char *text)
{
	PATH_IN(path, p->dir, name);
	defer(str_clear) struct str content = STR_INIT;

	put(p, name);
	str_adds(&content, fmt);
	str_adds(&content, text);
	write_file(path, str_c(&content), 0644);
}

TEST(sandbox_find_linked_repository_requires_a_link_back)
{
	PLACE(main);
	PLACE(tree);
	PLACE(stranger);
	PATH_IN(own, main.dir, ".git/worktrees/t");
	PATH_IN(back, tree.dir, ".git");
	PATH_IN(common, main.dir, ".git");
	defer(str_clear) struct str found = STR_INIT;

	write_in(&main, ".git/worktrees/t/commondir", "../..\n", "");
	write_in(&main, ".git/worktrees/t/gitdir", back, "\n");
	write_in(&tree, ".git", "gitdir: ", own);
	write_in(&stranger, ".git", "gitdir: ", own);
	CHECK(sandbox_find_linked_repository(&found, sv_of(&tree.dir)));
	CHECK_STR(str_c(&found), common);
	CHECK(!sandbox_find_linked_repository(&found, sv_of(&stranger.dir)));
	CHECK(!sandbox_find_linked_repository(&found, sv_of(&main.dir)));
	write_in(&main, ".git/worktrees/t/commondir", "/", "");
	CHECK(!sandbox_find_linked_repository(&found, sv_of(&tree.dir)));
	write_in(&tree, ".git", "elsewhere", "");
	CHECK(!sandbox_find_linked_repository(&found, sv_of(&tree.dir)));
}
