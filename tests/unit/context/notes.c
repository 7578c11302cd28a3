#include "context/notes.h"

#include "sys/fs.h"
#include "unit/test.h"

TEST(notes_stand_between_their_tags_and_are_complete)
{
	defer(str_clear) struct str out = STR_INIT;

	CHECK(notes_read(&out, SV("Here: <notes>\n# Title\nx\n</notes> Done.")));
	CHECK_STR(out.ptr, "# Title\nx\n");
	CHECK(!notes_read(&out, SV("# Title")));
	CHECK(!notes_read(&out, SV("<notes># Title")));
	CHECK(!notes_read(&out, SV("<notes> </notes>")));
}

TEST(the_request_has_the_notes_and_names_sections_that_are_too_long)
{
	defer(str_clear) struct str out = STR_INIT, notes = STR_INIT;

	notes_request(&out, SV_EMPTY, SV("# Log\nshort\n"), SV("/n/summary.md"));
	CHECK(sv_find(sv_of(&out), SV("# Log\nshort\n")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&out), SV("/n/summary.md")) != SIZE_MAX);
	CHECK(sv_find(sv_of(&out), SV("Condense")) == SIZE_MAX);
	str_adds(&notes, "# State\nshort\n# Log\n");
	for (int i = 0; i < 1000; i++)
		str_adds(&notes, "did this\n");
	str_truncate(&out, 0);
	notes_request(&out, SV_EMPTY, sv_of(&notes), SV("/n"));
	CHECK(sv_find(sv_of(&out), SV("Condense the section \"Log\": it has about 2250 tokens")) !=
	      SIZE_MAX);
	CHECK(sv_find(sv_of(&out), SV("\"State\"")) == SIZE_MAX);
}

TEST(users_may_replace_the_template_and_the_prompt_of_notes)
{
	defer(str_clear) struct str dir = STR_INIT, path = STR_INIT, out = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(fs_temp_dir(&dir, &err), err);
	str_addf(&path, "%s/session-memory/config", dir.ptr);
	CHECK_OK(fs_mkdirs(path.ptr, 0700, &err), err);
	str_adds(&path, "/template.md");
	CHECK_OK(fs_write(path.ptr, SV("# Mine\n"), (struct fs_write){ .mode = 0600 }, &err), err);
	notes_template(&out, sv_of(&dir));
	CHECK_STR(out.ptr, "# Mine\n");
	str_truncate(&out, 0);
	str_truncate(&path, path.len - strlen("template.md"));
	str_adds(&path, "prompt.md");
	CHECK_OK(fs_write(path.ptr, SV("Update {{notesPath}}: {{currentNotes}}"),
			  (struct fs_write){ .mode = 0600 }, &err),
		 err);
	notes_request(&out, sv_of(&dir), SV("x"), SV("/n"));
	CHECK_STR(out.ptr, "Update /n: x");
	CHECK_OK(fs_remove_tree(dir.ptr, &err), err);
}

TEST(a_preview_skips_the_template)
{
	defer(str_clear) struct str out = STR_INIT, empty = STR_INIT, built_in = STR_INIT;
	size_t more;

	notes_template(&built_in, SV_EMPTY);
	CHECK(!notes_preview(&empty, sv_of(&built_in), &more));
	CHECK(notes_preview(&out, SV("# Title\n_What it is._\nThe parser\n\n# Log\n- one\n"),
			    &more));
	CHECK_STR(out.ptr, "The parser\n- one");
	CHECK_INT(more, 0);
}
