#include "extend/command_list.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "test.h"

struct place {
	struct str dir, config, project;
	struct command_list list;
};

static void place_put(struct place *p, const char *path, const char *text)
{
	defer(str_clear) struct str whole = STR_INIT;
	struct sv dir;
	struct err err;

	fs_join(&whole, sv_of(&p->dir), sv_cstr(path));
	dir = sv_slice(sv_of(&whole), 0, sv_rfind_char(sv_of(&whole), '/'));
	defer(mem_freep) char *parent = sv_dup(dir);
	CHECK_OK(fs_mkdirs(parent, 0700, &err), err);
	CHECK_OK(fs_write(whole.ptr, sv_cstr(text), (struct fs_write){ 0 }, &err), err);
}

static void place_link(struct place *p, const char *target, const char *path)
{
	defer(str_clear) struct str whole = STR_INIT;
	struct err err;

	fs_join(&whole, sv_of(&p->dir), sv_cstr(path));
	CHECK_OK(fs_symlink(target, whole.ptr, &err), err);
}

static void place_init(struct place *p)
{
	struct err err;

	*p = (struct place){ .list = COMMAND_LIST_INIT };
	CHECK_OK(fs_temp_dir(&p->dir, &err), err);
	str_addf(&p->config, "%s/home/.claude", p->dir.ptr);
	str_addf(&p->project, "%s/work", p->dir.ptr);
	CHECK_OK(fs_mkdirs(p->project.ptr, 0700, &err), err);
}

static void place_clear(struct place *p)
{
	struct err err;

	command_list_clear(&p->list);
	CHECK_OK(fs_remove_tree(p->dir.ptr, &err), err);
	str_clear(&p->dir);
	str_clear(&p->config);
	str_clear(&p->project);
}

static void check_names(struct place *p, const char *expected)
{
	defer(str_clear) struct str names = STR_INIT;

	const char *const dirs[] = { p->project.ptr };

	command_list_clear(&p->list);
	command_list_load(
		&p->list,
		&(struct command_places){ .config_dir = p->config.ptr, .dirs = dirs, .ndirs = 1 });
	for (size_t i = 0; i < p->list.files.n; i++)
		str_addf(&names, "%s%.*s", i ? " " : "", SV_ARG(p->list.files.at[i].name));
	CHECK_STR(str_c(&names), expected);
}

TEST(commands_and_skills_are_named_after_their_place)
{
	defer(place_clear) struct place p;

	place_init(&p);
	place_put(&p, "work/.claude/commands/review.md", "Review.");
	place_put(&p, "work/.claude/commands/git/commit.md", "Commit.");
	place_put(&p, "work/.claude/commands/spec/SKILL.md", "Spec.");
	place_put(&p, "work/.claude/commands/notes.txt", "no");
	place_put(&p, "work/.claude/skills/pdf/SKILL.md", "---\nname: other\n---\nPdf.");
	place_put(&p, "work/.claude/skills/pdf/more.md", "no");
	place_put(&p, "work/.claude/skills/deep/er/SKILL.md", "no");
	place_put(&p, "home/.claude/commands/speckit.plan.md", "Plan.");
	check_names(&p, "git:commit pdf review spec speckit.plan");
	CHECK(command_list_find(&p.list, SV("pdf"))->skill_dir.len > 0);
	CHECK(command_list_find(&p.list, SV("review"))->skill_dir.len == 0);
	CHECK(!command_list_find(&p.list, SV("review"))->body.len);
	CHECK(!command_list_find(&p.list, SV("nosuch")));
	CHECK_STR(str_c(&p.list.notes), "");
}

TEST(skills_win_over_commands_and_the_users_own_over_the_projects)
{
	defer(place_clear) struct place p;

	place_init(&p);
	place_put(&p, "work/.claude/commands/a.md", "project command");
	place_put(&p, "work/.claude/skills/a/SKILL.md", "project skill");
	place_put(&p, "home/.claude/commands/b.md", "user command");
	place_put(&p, "work/.claude/commands/b.md", "project command");
	check_names(&p, "a b");
	CHECK_SV(command_list_find(&p.list, SV("a"))->description, "project skill");
	CHECK_SV(command_list_find(&p.list, SV("b"))->description, "user command");
}

TEST(links_are_followed_but_not_out_of_a_project)
{
	defer(place_clear) struct place p;

	place_init(&p);
	place_put(&p, "work/agents/x.md", "shared");
	place_put(&p, "work/agents/skill/SKILL.md", "shared");
	place_put(&p, "secret.md", "secret");
	place_put(&p, "work/.claude/commands/own.md", "own");
	place_put(&p, "work/.claude/skills/own/SKILL.md", "own");
	place_put(&p, "home/.claude/commands/y.md", "y");
	place_link(&p, "../../agents/x.md", "work/.claude/commands/x.md");
	place_link(&p, "../../agents/skill", "work/.claude/skills/linked");
	place_link(&p, "../../../secret.md", "work/.claude/commands/secret.md");
	place_link(&p, "nowhere.md", "work/.claude/commands/gone.md");
	place_link(&p, ".", "work/.claude/commands/loop");
	place_link(&p, "../../../secret.md", "home/.claude/commands/mine.md");
	command_list_load(&p.list,
			  &(struct command_places){ .config_dir = p.config.ptr,
						    .dirs = (const char *[]){ p.project.ptr },
						    .ndirs = 1 });
	CHECK(command_list_find(&p.list, SV("x")));
	CHECK(command_list_find(&p.list, SV("linked")));
	CHECK(command_list_find(&p.list, SV("mine")));
	CHECK(!command_list_find(&p.list, SV("secret")));
	CHECK(strstr(str_c(&p.list.notes),
		     "secret.md: this command is skipped: it leads out of the project"));
	CHECK(p.list.files.n <= LIMIT_COMMANDS);
}

TEST(a_search_ends_after_so_many_files_and_folders)
{
	enum { FOLDERS = 101, FILES = LIMIT_SEARCH_ENTRIES / 100 };
	defer(place_clear) struct place p;
	defer(str_clear) struct str path = STR_INIT;

	place_init(&p);
	place_put(&p, "home/.claude/commands/a.md", "first");
	for (int i = 0; i < FILES; i++) {
		str_clear(&path);
		str_addf(&path, "elsewhere/%d.txt", i);
		place_put(&p, path.ptr, "");
	}
	for (int i = 0; i < FOLDERS; i++) {
		str_clear(&path);
		str_addf(&path, "home/.claude/commands/b%d", i);
		place_link(&p, "../../../elsewhere", path.ptr);
	}
	place_put(&p, "home/.claude/commands/c.md", "last");
	command_list_load(&p.list, &(struct command_places){ .config_dir = p.config.ptr });
	CHECK(command_list_find(&p.list, SV("a")) && !command_list_find(&p.list, SV("c")));
	CHECK(strstr(str_c(&p.list.notes),
		     "commands: this command is skipped: more than 10000 files"));
}

TEST(what_cannot_be_typed_or_read_is_skipped_with_a_note)
{
	defer(place_clear) struct place p;
	defer(str_clear) struct str big = STR_INIT;

	place_init(&p);
	for (size_t i = 0; i <= LIMIT_COMMAND_TEXT; i++)
		str_addc(&big, 'x');
	place_put(&p, "work/.claude/commands/two words.md", "no");
	place_put(&p, "work/.claude/commands/-x.md", "no");
	place_put(&p, "work/.claude/commands/big.md", str_c(&big));
	place_put(&p, "work/.claude/commands/blank.md", "\n\n");
	place_put(&p, "work/.claude/skills/small/skill.md", "---\nname: small\n---\nx");
	place_put(&p, "work/.claude/skills/flat.md", "---\nname: flat\n---\nx");
	place_put(&p, "work/.claude/skills/README.md", "# Skills");
	place_put(&p, "work/.claude/commands/hidden.md", "---\nuser-invocable: false\n---\nx");
	check_names(&p, "hidden");
	CHECK(!command_list_find(&p.list, SV("hidden")));
	CHECK(strstr(str_c(&p.list.notes),
		     "two words.md: this command is skipped: its name cannot be typed"));
	CHECK(strstr(str_c(&p.list.notes), "big.md: this command is skipped: too large"));
	CHECK(strstr(str_c(&p.list.notes), "blank.md: this command is skipped: it is empty"));
	CHECK(strstr(str_c(&p.list.notes),
		     "small/skill.md: this skill is skipped: its name must be "
		     "SKILL.md"));
	CHECK(strstr(
		str_c(&p.list.notes),
		"flat.md: this skill is skipped: a skill is the file SKILL.md in a directory"));
	CHECK(!strstr(str_c(&p.list.notes), "README.md"));
}

TEST(the_number_of_commands_is_limited)
{
	defer(place_clear) struct place p;

	place_init(&p);
	for (int i = 0; i < LIMIT_COMMANDS + 10; i++) {
		char path[64];

		snprintf(path, sizeof(path), "work/.claude/commands/c%d.md", i);
		place_put(&p, path, "x");
	}
	command_list_load(&p.list, &(struct command_places){
					   .dirs = (const char *[]){ p.project.ptr }, .ndirs = 1 });
	CHECK_INT(p.list.files.n, LIMIT_COMMANDS);
}
