/* Modes, hard links and what a scan cannot look into. */
#include <unistd.h>

#include "undo_yard.h"

static void yard_path(struct str *out, struct yard *y, const char *name)
{
	fs_join(out, sv_of(&y->project), sv_cstr(name));
}

static void yard_chmod(struct yard *y, const char *name, uint32_t mode)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	yard_path(&path, y, name);
	CHECK_OK(fs_chmod(path.ptr, mode, &err), err);
}

static void yard_mkdir(struct yard *y, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	yard_path(&path, y, name);
	CHECK_OK(fs_mkdirs(path.ptr, 0755, &err), err);
}

static void yard_remove(struct yard *y, const char *name)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err = ERR_INIT;

	yard_path(&path, y, name);
	CHECK_OK(fs_remove_tree(path.ptr, &err), err);
}

static void yard_check_mode(struct yard *y, const char *name, uint32_t mode)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;
	struct err err = ERR_INIT;

	yard_path(&path, y, name);
	CHECK_OK(fs_info(&info, path.ptr, false, &err), err);
	CHECK_INT(info.mode, mode);
}

static void yard_link(struct yard *y, const char *from, const char *to)
{
	defer(str_clear) struct str old = STR_INIT, new = STR_INIT;

	yard_path(&old, y, from);
	yard_path(&new, y, to);
	CHECK_INT(unlink(new.ptr), 0);
	CHECK_INT(link(old.ptr, new.ptr), 0);
}

/* What /undo would say. */
static void yard_describe(struct yard *y, const char *uuid, struct str *out)
{
	struct undo_plan plan = UNDO_PLAN_INIT;
	struct err err = ERR_INIT;
	struct sv root;
	struct undo_scope scope = yard_scope(y, &root);

	CHECK_OK(undo_plan(&plan, y->undo, sv_cstr(uuid), &scope, &err), err);
	undo_plan_describe(out, &plan, sv_of(&y->project));
	undo_plan_clear(&plan);
}

TEST(a_name_that_has_become_a_hard_link_goes_back_and_the_file_it_led_to_stays)
{
	YARD(y);

	yard_put(&y, "a", "of a");
	yard_put(&y, "b", "of b");
	yard_put(&y, "c", "of a");
	yard_chmod(&y, "c", 0600);
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_link(&y, "a", "b");
	yard_link(&y, "a", "c");
	yard_end(&y);
	yard_go(&y, "p1");
	yard_check(&y, "a", "of a");
	yard_check(&y, "b", "of b");
	yard_check(&y, "c", "of a");
	yard_check_mode(&y, "a", 0644);
	yard_check_mode(&y, "c", 0600);
}

/* --- as an ordinary user, who cannot do what modes forbid ---------------------------------- */

static void become(uid_t user)
{
	if (getuid() == 0)
		CHECK_INT(seteuid(user), 0);
}

static void become_nobody(struct yard *y)
{
	if (getuid() == 0)
		CHECK_INT(chown(y->dir.ptr, 65534, (gid_t)-1) |
				  chown(y->project.ptr, 65534, (gid_t)-1),
			  0);
	become(65534);
}

TEST(files_in_directories_that_may_not_be_written_go_back_and_their_modes_stay)
{
	YARD(y);

	become_nobody(&y);
	yard_mkdir(&y, "old");
	yard_put(&y, "old/changed", "1");
	yard_put(&y, "old/gone", "1");
	yard_chmod(&y, "old", 0555);
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_chmod(&y, "old", 0755);
	yard_put(&y, "old/changed", "2");
	yard_remove(&y, "old/gone");
	yard_chmod(&y, "old", 0555);
	yard_mkdir(&y, "new/inner");
	yard_put(&y, "new/inner/file", "1");
	yard_chmod(&y, "new/inner", 0555);
	yard_chmod(&y, "new", 0555);
	yard_end(&y);
	yard_go(&y, "p1");
	yard_check(&y, "old/changed", "1");
	yard_check(&y, "old/gone", "1");
	yard_check_mode(&y, "old", 0555);
	yard_check(&y, "new", NULL);
	yard_go(&y, "back");
	yard_check(&y, "old/changed", "2");
	yard_check(&y, "new/inner/file", "1");
	yard_check_mode(&y, "new/inner", 0555);
	yard_chmod(&y, "new/inner", 0755);
	yard_chmod(&y, "new", 0755);
	yard_chmod(&y, "old", 0755);
	become(0);
}

TEST(what_was_in_a_directory_that_could_not_be_read_is_not_deleted)
{
	YARD(y);

	become_nobody(&y);
	yard_mkdir(&y, "volume");
	yard_put(&y, "volume/theirs", "precious");
	yard_chmod(&y, "volume", 0);
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_chmod(&y, "volume", 0755);
	yard_end(&y);
	yard_go(&y, "p1");
	yard_check_mode(&y, "volume", 0);
	yard_chmod(&y, "volume", 0755);
	yard_check(&y, "volume/theirs", "precious");
	become(0);
}

TEST(what_is_in_a_directory_that_can_no_longer_be_read_is_listed)
{
	defer(str_clear) struct str description = STR_INIT;
	YARD(y);

	become_nobody(&y);
	yard_mkdir(&y, "d");
	yard_put(&y, "d/file", "old");
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_put(&y, "d/file", "new");
	yard_chmod(&y, "d", 0);
	yard_end(&y);
	yard_describe(&y, "p1", &description);
	CHECK_STR(
		str_c(&description),
		"  restore d/\n"
		"  keep d/file (what is there now cannot be kept: its directory cannot be read)\n");
	yard_go(&y, "p1");
	yard_check(&y, "d/file", "new");
	yard_go(&y, "p1");
	yard_check(&y, "d/file", "old");
	become(0);
}

/* --- what is left out --------------------------------------------------------------------- */

TEST(what_was_in_a_directory_that_was_left_out_is_not_deleted_when_a_later_scan_finds_it)
{
	YARD(y);

	yard_mkdir(&y, "data");
	yard_put(&y, ".gitignore", "data\n");
	yard_put(&y, "data/1", "1");
	yard_put(&y, "data/2", "2");
	yard_put(&y, "data/3", "3");
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_remove(&y, "data/3");
	yard_put(&y, "new", "1");
	yard_end(&y);
	yard_switch(&y, "s1");
	yard_mark(&y, "p2");
	yard_scan(&y);
	yard_put(&y, "data/2", "changed");
	yard_end(&y);
	yard_go(&y, "p1");
	yard_check(&y, "new", NULL);
	yard_check(&y, "data/1", "1");
	yard_check(&y, "data/2", "changed");
	yard_go(&y, "p2");
	yard_check(&y, "data/2", "2");
}

TEST(a_repository_that_has_come_or_gone_is_named)
{
	defer(str_clear) struct str description = STR_INIT;
	YARD(y);

	yard_mkdir(&y, "old/.git");
	yard_put(&y, "old/file", "1");
	yard_mark(&y, "p1");
	yard_scan(&y);
	yard_remove(&y, "old");
	yard_mkdir(&y, ".git");
	yard_end(&y);
	yard_describe(&y, "p1", &description);
	CHECK_STR(str_c(&description),
		  "  keep .git (what is there now cannot be kept: awl leaves .git alone)\n"
		  "  bring back old/\n"
		  "  keep old/.git (it was not kept: awl leaves .git alone)\n"
		  "  bring back old/file\n");
}
