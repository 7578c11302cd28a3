#include "store/transcript/transcript.h"
#include "test.h"

static void check_dir(const char *cwd, const char *expected)
{
	defer(str_clear) struct str dir = STR_INIT;

	transcript_dir(&dir, SV("/c"), sv_cstr(cwd));
	CHECK_STR(str_c(&dir), expected);
}

TEST(a_project_is_named_after_its_directory)
{
	check_dir("/home/me/my_app.v2", "/c/projects/-home-me-my-app-v2");
	check_dir("/", "/c/projects/-");
	check_dir("", "/c/projects/");
	check_dir("C:\\x y", "/c/projects/C--x-y");
}

TEST(a_character_is_as_many_dashes_as_it_is_utf16_units)
{
	check_dir("/\xc3\xbc", "/c/projects/--");
	check_dir("/\xe2\x82\xac", "/c/projects/--");
	check_dir("/\xf0\x9f\x98\x80", "/c/projects/---");
	check_dir("/\xff", "/c/projects/--");
}

TEST(a_long_key_is_cut_and_given_a_hash)
{
	defer(str_clear) struct str cwd = STR_INIT, expected = STR_INIT;

	for (int i = 0; i < 200; i++)
		str_addc(&cwd, 'a');
	str_addf(&expected, "/c/projects/%s", str_c(&cwd));
	check_dir(str_c(&cwd), str_c(&expected));
	str_addc(&cwd, 'b');
	str_adds(&expected, "-rkvsv6"); /* as JavaScript computes it */
	check_dir(str_c(&cwd), str_c(&expected));
}

TEST(the_hash_of_a_key_is_of_all_its_characters)
{
	defer(str_clear) struct str cwd = STR_INIT, expected = STR_INIT;

	str_adds(&expected, "/c/projects/");
	for (int i = 0; i < 120; i++)
		str_adds(&cwd, "/x");
	for (int i = 0; i < 100; i++)
		str_adds(&expected, "-x");
	str_adds(&cwd, "\xf0\x9f\x98\x80\xc3\xa9");
	str_adds(&expected, "-7q8aj6"); /* the number is negative there */
	check_dir(str_c(&cwd), str_c(&expected));
}

TEST(a_lock_is_beside_the_projects)
{
	defer(str_clear) struct str path = STR_INIT;

	transcript_lock_path(&path, SV("/c"), SV("id"));
	CHECK_STR(str_c(&path), "/c/awl/locks/id");
}
