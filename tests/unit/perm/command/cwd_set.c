#include "perm/command/cwd_set.h"

#include "test.h"

TEST(cd_is_followed_as_the_shell_does)
{
	static const struct {
		const char *from, *path, *to;
	} cases[] = {
		{ "/w/pro", "src", "/w/pro/src" },    { "/w/pro", "..", "/w" },
		{ "/w/pro", "/etc", "/etc" },         { "/w/pro", "../../..", "/" },
		{ "/w/pro", "./a/../b", "/w/pro/b" }, { "/", "..", "/" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct arena arena = ARENA_INIT;
		struct cwd_set at = cwd_set_of(sv_cstr(cases[i].from));
		struct cwd_set then = cwd_set_enter(&at, sv_cstr(cases[i].path), &arena);

		CHECK_INT(then.n, 1);
		CHECK_SV_EQ(then.dirs[0], sv_cstr(cases[i].to));
		arena_clear(&arena);
	}
}

TEST(directory_set_has_no_duplicates_and_is_lost_past_its_limit)
{
	struct cwd_set p = cwd_set_of(SV("/a")), b = cwd_set_of(SV("/b"));
	static const char *const more[] = { "/c", "/d", "/e" };

	p = cwd_set_union(&p, &p);
	CHECK_INT(p.n, 1);
	p = cwd_set_union(&p, &b);
	CHECK_INT(p.n, 2);
	for (size_t i = 0; i < countof(more); i++) {
		struct cwd_set next = cwd_set_of(sv_cstr(more[i]));

		CHECK(!p.is_unknown);
		p = cwd_set_union(&p, &next);
	}
	CHECK(p.is_unknown);
	CHECK_INT(p.n, 0);
}

TEST(lost_directory_is_recovered_only_by_an_absolute_path)
{
	struct arena arena = ARENA_INIT;
	struct cwd_set is_unknown = cwd_set_unknown(), then;

	then = cwd_set_enter(&is_unknown, SV("src"), &arena);
	CHECK(then.is_unknown);
	then = cwd_set_enter(&is_unknown, SV("/w"), &arena);
	CHECK(!then.is_unknown);
	CHECK_SV(then.dirs[0], "/w");
	arena_clear(&arena);
}

TEST(directory_sets_are_equal_in_any_order)
{
	struct cwd_set a = cwd_set_of(SV("/a")), b = cwd_set_of(SV("/b")),
		       is_unknown = cwd_set_unknown();
	struct cwd_set ab = cwd_set_union(&a, &b), ba = cwd_set_union(&b, &a);

	CHECK(cwd_set_equals(&ab, &ba));
	CHECK(!cwd_set_equals(&ab, &a));
	CHECK(!cwd_set_equals(&a, &b));
	CHECK(cwd_set_equals(&is_unknown, &is_unknown));
	CHECK(!cwd_set_equals(&is_unknown, &a));
}
