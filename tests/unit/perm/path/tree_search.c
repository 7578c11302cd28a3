#include "perm/path/tree_search.h"

#include "perm/fake_world.h"
#include "test.h"

static bool is_named(void *arg, struct sv path)
{
	return sv_ends(path, sv_cstr(arg));
}

static enum tree_answer look_for(const struct perm_world *world, const char *dir, char *name)
{
	size_t left = 1000;

	return tree_search(world, sv_cstr(dir), is_named, name, &left);
}

TEST(tree_is_searched_completely_but_not_through_links)
{
	char deep[] = "/nested/.git", through_link[] = "/out/notes", missing[] = "/nothing";

	CHECK_INT(look_for(&fake_project, "/home/me/pro", deep), TREE_YES);
	CHECK_INT(look_for(&fake_project, "/", deep), TREE_YES);
	CHECK_INT(look_for(&fake_project, "/home/me/pro", through_link), TREE_NO);
	CHECK_INT(look_for(&fake_project, "/home/me/pro", missing), TREE_NO);
	CHECK_INT(look_for(&fake_project, "/not/there", missing), TREE_NO);
}

static void list_for_ever(__attribute__((unused)) void *arg, __attribute__((unused)) struct sv dir,
			  bool (*each)(void *to, struct sv name), void *to)
{
	while (each(to, SV("x")))
		;
}

static bool is_file(__attribute__((unused)) void *arg, __attribute__((unused)) struct sv path)
{
	return false;
}

TEST(endless_tree_search_is_stopped)
{
	const struct perm_world world = { .list = list_for_ever, .is_directory = is_file };
	char name[] = "y";

	CHECK_INT(look_for(&world, "/", name), TREE_TOO_BIG);
}
