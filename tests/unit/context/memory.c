#include "context/memory.h"

#include "sys/fs.h"
#include "unit/test.h"

TEST(a_short_index_is_sent_as_it_is)
{
	defer(str_clear) struct str out = STR_INIT;

	memory_cut(&out, SV("\n- [A](a.md): one\n- [B](b.md): two\n"));
	CHECK_STR(out.ptr, "- [A](a.md): one\n- [B](b.md): two");
}

TEST(an_index_of_more_than_200_lines_is_cut_with_a_warning)
{
	defer(str_clear) struct str out = STR_INIT, index = STR_INIT;

	for (int i = 1; i <= 201; i++)
		str_addf(&index, "- line %d\n", i);
	memory_cut(&out, sv_of(&index));
	CHECK(sv_find(sv_of(&out), SV("- line 200\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&out), SV("- line 201")) == SIZE_MAX);
	CHECK(sv_find(sv_of(&out), SV("> WARNING: MEMORY.md")) != SIZE_MAX);
}

TEST(an_index_of_more_than_25000_bytes_is_cut_at_a_line)
{
	defer(str_clear) struct str out = STR_INIT, index = STR_INIT;

	for (int i = 0; i < 150; i++)
		str_addf(&index, "%0199d\n", i);
	memory_cut(&out, sv_of(&index));
	CHECK(out.len < 25400);
	CHECK(sv_find(sv_of(&out), SV("124\n\n> WARNING")) != SIZE_MAX);
}

TEST(the_model_is_shown_the_index_and_people_the_topics)
{
	defer(str_clear) struct str dir = STR_INIT, path = STR_INIT, page = STR_INIT,
				    list = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	memory_write(&page, MEMORY_OF_PROJECT, sv_of(&dir));
	CHECK(sv_ends(sv_of(&page), SV("There is nothing in it yet.")));
	memory_list(&list, sv_of(&dir));
	CHECK(sv_ends(sv_of(&list), SV("nothing yet.")));
	str_addf(&path, "%s/MEMORY.md", dir.ptr);
	CHECK_OK(fs_write(path.ptr, SV("- [Style](style.md): tabs\n"),
			  (struct fs_write){ .mode = 0600 }, &err),
		 err);
	str_truncate(&path, 0);
	str_addf(&path, "%s/style.md", dir.ptr);
	CHECK_OK(fs_write(path.ptr,
			  SV("---\nname: style\ndescription: How to indent\ntype: "
			     "feedback\n---\nTabs.\n"),
			  (struct fs_write){ .mode = 0600 }, &err),
		 err);
	str_truncate(&page, 0);
	str_truncate(&list, 0);
	memory_write(&page, MEMORY_OF_PROJECT, sv_of(&dir));
	CHECK(sv_ends(sv_of(&page), SV("MEMORY.md says:\n\n- [Style](style.md): tabs")));
	memory_list(&list, sv_of(&dir));
	CHECK(sv_find(sv_of(&list), SV("\n  style.md, feedback: How to indent")) != SIZE_MAX);
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
}
