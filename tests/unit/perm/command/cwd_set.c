#include "perm/command/cwd_set.h"

#include "test.h"

TEST(place_is_where_cd_leads_as_the_shell_counts)
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
		struct place at = place_at(sv_cstr(cases[i].from));
		struct place then = place_enter(&at, sv_cstr(cases[i].path), &arena);

		CHECK_INT(then.n, 1);
		CHECK_SV_EQ(then.dirs[0], sv_cstr(cases[i].to));
		arena_clear(&arena);
	}
}

TEST(place_holds_each_directory_once_and_is_lost_past_its_limit)
{
	struct place p = place_at(SV("/a")), b = place_at(SV("/b"));
	static const char *const more[] = { "/c", "/d", "/e" };

	p = place_either(&p, &p);
	CHECK_INT(p.n, 1);
	p = place_either(&p, &b);
	CHECK_INT(p.n, 2);
	for (size_t i = 0; i < countof(more); i++) {
		struct place next = place_at(sv_cstr(more[i]));

		CHECK(!p.lost);
		p = place_either(&p, &next);
	}
	CHECK(p.lost);
	CHECK_INT(p.n, 0);
}

TEST(lost_place_is_found_again_by_a_whole_path_only)
{
	struct arena arena = ARENA_INIT;
	struct place lost = place_anywhere(), then;

	then = place_enter(&lost, SV("src"), &arena);
	CHECK(then.lost);
	then = place_enter(&lost, SV("/w"), &arena);
	CHECK(!then.lost);
	CHECK_SV(then.dirs[0], "/w");
	arena_clear(&arena);
}

TEST(places_are_the_same_whatever_their_order)
{
	struct place a = place_at(SV("/a")), b = place_at(SV("/b")), lost = place_anywhere();
	struct place ab = place_either(&a, &b), ba = place_either(&b, &a);

	CHECK(place_is(&ab, &ba));
	CHECK(!place_is(&ab, &a));
	CHECK(!place_is(&a, &b));
	CHECK(place_is(&lost, &lost));
	CHECK(!place_is(&lost, &a));
}
