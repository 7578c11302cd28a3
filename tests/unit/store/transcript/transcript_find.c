#include "base/limits.h"
#include "records.h"

#define ID(n) n n n n n n n n "-0000-4000-8000-000000000000"
#define TITLED(text) \
	"{\"type\":\"custom-title\",\"customTitle\":\"" text "\"}\n" USER("u1", "null", "\"q\"")

/* A config directory, with sessions in it that were changed one after the other. */
struct shelf {
	struct str dir;
	int n;
};

static void put(struct shelf *s, const char *cwd, const char *id, const char *text)
{
	defer(str_clear) struct str path = STR_INIT;
	struct timespec times[2] = { { .tv_sec = 1000 + s->n }, { .tv_sec = 1000 + s->n } };
	struct err err;

	transcript_dir(&path, sv_of(&s->dir), sv_cstr(cwd));
	CHECK_OK(fs_mkdirs(str_c(&path), 0700, &err), err);
	str_addf(&path, "/%s.jsonl", id);
	write_file(str_c(&path), text, 0600);
	CHECK_INT(utimensat(AT_FDCWD, str_c(&path), times, 0), 0);
	s->n++;
}

static void shelf_clear(struct shelf *s)
{
	temp_dir_remove(&s->dir);
}

#define SHELF(name)                                        \
	defer(shelf_clear) struct shelf name = { .n = 0 }; \
	struct err name##_err;                             \
	CHECK_OK(fs_temp_dir(&name.dir, &name##_err), name##_err)

/* The id of what is found from the directory /here. */
static void check_found(struct shelf *s, const char *what, const char *id)
{
	defer(str_clear) struct str path = STR_INIT, end = STR_INIT;
	struct err err;

	CHECK_OK(transcript_find(&path, sv_of(&s->dir), SV("/here"), sv_cstr(what), &err), err);
	str_addf(&end, "/%s.jsonl", id);
	CHECK(sv_ends(sv_of(&path), sv_of(&end)));
	CHECK(fs_exists(str_c(&path)));
}

static void check_fails(struct shelf *s, const char *what, enum err_kind kind, const char *part)
{
	defer(str_clear) struct str path = STR_INIT;
	struct err err;

	CHECK(!transcript_find(&path, sv_of(&s->dir), SV("/here"), sv_cstr(what), &err));
	CHECK_ERR(err, kind, part);
	CHECK_INT(path.len, 0);
}

TEST(a_session_is_found_by_its_id_here_and_elsewhere)
{
	SHELF(s);

	put(&s, "/here", ID("a"), "");
	put(&s, "/there", ID("b"), "");
	check_found(&s, ID("a"), ID("a"));
	check_found(&s, ID("A"), ID("a"));
	check_found(&s, ID("b"), ID("b"));
	check_fails(&s, ID("c"), ERR_NOT_FOUND, ID("c"));
}

TEST(a_session_is_found_by_the_beginning_of_its_id)
{
	SHELF(s);

	put(&s, "/here", "abcdef01-0000-4000-8000-000000000000", "");
	put(&s, "/there", "abcdef01-1000-4000-8000-000000000000", "");
	put(&s, "/there", "abcdef02-0000-4000-8000-000000000000", "");
	put(&s, "/there", "abcdef02-1000-4000-8000-000000000000", "");
	check_found(&s, "abcdef01", "abcdef01-0000-4000-8000-000000000000");
	check_found(&s, "abcdef01-1", "abcdef01-1000-4000-8000-000000000000");
	check_fails(&s, "abcdef02", ERR_INVALID,
		    "abcdef02-1000-4000-8000-000000000000, abcdef02-0");
	check_fails(&s, "abcdef0", ERR_NOT_FOUND, "abcdef0");
}

TEST(the_newest_copy_of_a_session_is_the_one_that_is_meant)
{
	defer(str_clear) struct str path = STR_INIT;
	SHELF(s);
	struct err err;

	put(&s, "/old", ID("a"), "");
	put(&s, "/new", ID("a"), "");
	put(&s, "/mid", ID("b"), "");
	CHECK_OK(transcript_find(&path, sv_of(&s.dir), SV("/here"), SV(ID("a")), &err), err);
	CHECK(strstr(str_c(&path), "/projects/-new/"));
}

TEST(a_session_is_found_by_its_title)
{
	SHELF(s);

	put(&s, "/here", ID("a"), TITLED("Fix the door"));
	put(&s, "/here", ID("b"), TITLED("old") TITLED("Paint it"));
	put(&s, "/there", ID("c"), TITLED("fix the door") TITLED("Elsewhere"));
	put(&s, "/there", ID("d"), TITLED("fix the door"));
	check_found(&s, "fix THE door", ID("a"));
	check_found(&s, "paint it", ID("b"));
	check_found(&s, "elsewhere", ID("c"));
	check_fails(&s, "old", ERR_NOT_FOUND, "\"old\"");
	check_fails(&s, "fix the", ERR_NOT_FOUND, "\"fix the\"");
	check_fails(&s, "", ERR_NOT_FOUND, "");
}

TEST(a_title_is_found_at_both_ends_of_a_long_file)
{
	defer(str_clear) struct str early = STR_INIT, late = STR_INIT;
	SHELF(s);

	str_adds(&early, TITLED("early"));
	while (early.len < 3 * MIB)
		str_adds(&early, "{\"type\":\"progress\",\"uuid\":\"p\"}\n");
	str_add(&late, sv_of(&early));
	str_adds(&late, TITLED("late"));
	put(&s, "/here", ID("a"), str_c(&early));
	put(&s, "/here", ID("b"), str_c(&late));
	check_found(&s, "early", ID("a"));
	check_found(&s, "late", ID("b"));
}

TEST(a_title_of_several_sessions_lists_the_newest_five)
{
	SHELF(s);

	put(&s, "/here", ID("1"), TITLED("same"));
	put(&s, "/here", ID("2"), TITLED("same"));
	check_fails(&s, "same", ERR_INVALID, "\"same\" is 2 sessions: " ID("2") ", " ID("1"));
	put(&s, "/here", ID("3"), TITLED("same"));
	put(&s, "/here", ID("4"), TITLED("same"));
	put(&s, "/here", ID("5"), TITLED("same"));
	put(&s, "/here", ID("6"), TITLED("same"));
	check_fails(&s, "same", ERR_INVALID, "is 6 sessions: " ID("6") ", " ID("5"));
	check_fails(&s, "same", ERR_INVALID, ", " ID("2") "...");
}

TEST(a_file_is_meant_as_such)
{
	defer(str_clear) struct str path = STR_INIT, found = STR_INIT;
	SHELF(s);
	struct err err;

	put(&s, "/here", ID("a"), "");
	str_addf(&path, "%s/projects/-here/" ID("a") ".jsonl", str_c(&s.dir));
	CHECK_OK(transcript_find(&found, SV("/none"), SV("/"), sv_of(&path), &err), err);
	CHECK_STR(str_c(&found), str_c(&path));
	check_fails(&s, "no/such", ERR_NOT_FOUND, "no/such");
	check_fails(&s, "nosuch.jsonl", ERR_NOT_FOUND, "nosuch.jsonl");
	check_fails(&s, "/", ERR_INVALID, "not a regular file");
}

static void check_newest(struct shelf *s, const char *id)
{
	defer(str_clear) struct str path = STR_INIT;
	bool found = transcript_newest(&path, sv_of(&s->dir), SV("/here"));

	CHECK_INT(found, id != NULL);
	CHECK(!id || strstr(str_c(&path), id));
}

TEST(the_newest_session_is_one_of_here_in_which_something_was_said)
{
	SHELF(s);

	check_newest(&s, NULL);
	put(&s, "/here", ID("1"), "{\"type\":\"mode\",\"mode\":\"normal\"}\n");
	check_newest(&s, NULL);
	put(&s, "/here", ID("2"), TITLED("x"));
	check_newest(&s, ID("2"));
	put(&s, "/here", ID("3"), TITLED("x") "torn");
	put(&s, "/here", ID("4"),
	    "{\"isSidechain\":true,\"type\":\"user\",\"uuid\":\"s\",\"message\":{}}\n");
	put(&s, "/here", ID("5"), "");
	put(&s, "/there", ID("6"), TITLED("x"));
	check_newest(&s, ID("3"));
}
