#include "store/plans.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "test.h"

TEST(a_slug_is_three_words_and_no_plan_has_it_yet)
{
	defer(str_clear) struct str dir = STR_INIT, first = STR_INIT, second = STR_INIT,
				    path = STR_INIT;
	struct rng rng;
	struct err err;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	rng_seed(&rng, 1);
	plan_slug_choose(&first, sv_of(&dir), &rng);
	CHECK(plan_slug_valid(sv_of(&first)));
	plan_path(&path, sv_of(&dir), sv_of(&first));
	CHECK_OK(plan_write(path.ptr, SV("1. Do it."), &err), err);
	rng_seed(&rng, 1);
	plan_slug_choose(&second, sv_of(&dir), &rng);
	CHECK(plan_slug_valid(sv_of(&second)));
	CHECK(!sv_eq(sv_of(&first), sv_of(&second)));
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
}

TEST(a_slug_cannot_lead_out_of_its_directory)
{
	static const char *const bad[] = { "",     "-",     "a-",  "-a",   "a--b", "../a",    "a/b",
					   "a.md", "A-b-c", "a b", "a\nb", ".",    "\xc3\xa9" };
	defer(str_clear) struct str longest = STR_INIT;

	CHECK(plan_slug_valid(SV("calm-sorting-lantern")));
	CHECK(plan_slug_valid(SV("calm-sorting-lantern-2")));
	for (size_t i = 0; i < countof(bad); i++)
		CHECK(!plan_slug_valid(sv_cstr(bad[i])));
	for (size_t i = 0; i <= LIMIT_PLAN_SLUG; i++)
		str_addc(&longest, 'a');
	CHECK(!plan_slug_valid(sv_of(&longest)));
}

TEST(a_plan_is_kept_for_the_user_alone_and_no_link_is_followed)
{
	defer(str_clear) struct str dir = STR_INIT, path = STR_INIT, link = STR_INIT,
				    plan = STR_INIT;
	struct fs_info info;
	struct err err;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	str_addf(&path, "%s/plans/a.md", dir.ptr);
	str_addf(&link, "%s/plans/b.md", dir.ptr);
	CHECK(!plan_read(&plan, path.ptr));
	CHECK_OK(plan_write(path.ptr, SV("1. Do it."), &err), err);
	CHECK(plan_read(&plan, path.ptr));
	CHECK_STR(plan.ptr, "1. Do it.");
	CHECK_OK(fs_info(&info, path.ptr, false, &err), err);
	CHECK_INT(info.mode & 0777, 0600);
	CHECK_OK(fs_symlink("a.md", link.ptr, &err), err);
	CHECK(!plan_read(&plan, link.ptr));
	CHECK(!plan_write(link.ptr, SV("x"), &err));
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
}
