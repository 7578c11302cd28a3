#include "store/last_edit.h"

#include "../sys/temp_dir.h"
#include "test.h"

#define NOTES(name)                                  \
	defer(temp_dir_remove) struct str name = {}; \
	last_edit_make(&name)

static const struct last_edit_author finder = { .session = SV_INIT("s1"),
						.root = SV_INIT("/project"),
						.agent = SV_INIT("finder") };
static const struct last_edit_author leader = { .session = SV_INIT("s1"),
						.root = SV_INIT("/project") };
static const struct last_edit_author stranger = { .session = SV_INIT("s2"),
						  .root = SV_INIT("/elsewhere") };

static void last_edit_make(struct str *dir)
{
	struct err err;

	CHECK_OK(fs_temp_dir(dir, &err), err);
}

static void last_edit_check(const struct str *dir, const char *bytes,
			    const struct last_edit_author *self, const char *who)
{
	defer(str_clear) struct str out = STR_INIT;

	CHECK(last_edit_find(&out, dir->ptr, SV("/project/a.c"), sv_cstr(bytes), self) == !!*who);
	CHECK_STR(str_c(&out), who);
}

TEST(last_edit_names_an_agent_of_the_session_its_leader_and_another_session)
{
	NOTES(dir);

	last_edit_put(dir.ptr, SV("/project/a.c"), SV("new"), &finder);
	last_edit_check(&dir, "new", &leader, "the agent finder");
	last_edit_check(&dir, "new", &stranger,
			"the agent finder of another awl session (s1, in /project)");
	last_edit_put(dir.ptr, SV("/project/a.c"), SV("newer"), &leader);
	last_edit_check(&dir, "newer", &finder, "the main agent");
	last_edit_check(&dir, "newer", &stranger, "another awl session (s1, in /project)");
}

TEST(last_edit_names_nobody_for_own_work_and_for_content_of_somebody_else)
{
	NOTES(dir);

	last_edit_check(&dir, "new", &leader, "");
	last_edit_put(dir.ptr, SV("/project/a.c"), SV("new"), &finder);
	last_edit_check(&dir, "new", &finder, "");
	last_edit_check(&dir, "typed by the user", &leader, "");
}

TEST(last_edit_lock_is_held_by_one_and_makes_its_directory)
{
	NOTES(dir);
	defer(str_clear) struct str below = STR_INIT, path = STR_INIT;
	struct err err;
	struct fs_lock *lock;

	fs_join(&below, sv_of(&dir), SV("awl/edits"));
	fs_join(&path, sv_of(&below), SV("lock"));
	lock = last_edit_lock(str_c(&below));
	CHECK(lock != NULL);
	CHECK(!fs_lock(str_c(&path), &err) && err.kind == ERR_BUSY);
	fs_unlock(lock);
	lock = last_edit_lock(str_c(&below));
	CHECK(lock != NULL);
	fs_unlock(lock);
}

TEST(last_edit_without_a_place_for_notes_keeps_nobody_from_working)
{
	CHECK(!last_edit_lock("/proc/none"));
	last_edit_put("/proc/none", SV("/project/a.c"), SV("new"), &finder);
}
