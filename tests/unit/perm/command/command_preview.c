#include "perm/command/command_preview.h"

#include "perm/fake_world.h"
#include "test.h"

static void preview(struct str *out, const char *text)
{
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct command_preview found;

	command_analysis_read(&analysis, sv_cstr(text), SV("/home/me/pro"), SV("/home/me"),
			      &fake_project);
	if (command_preview_find(&analysis, &arena, &found)) {
		str_addf(out, "%.*s:", SV_ARG(found.path));
		for (size_t i = 0; found.argv[i]; i++)
			str_addf(out, " %s", found.argv[i]);
	}
	command_analysis_clear(&analysis);
}

TEST(an_edit_in_place_can_be_printed_instead)
{
	static const char *const cases[][2] = {
		{ "sed -i s/a/b/ x", "/home/me/pro/x: sed --sandbox s/a/b/ x" },
		{ "sed -i 's/a b/c/g' src/x", "/home/me/pro/src/x: sed --sandbox s/a b/c/g src/x" },
		{ "sed -n -i -e 1p -e 2p x", "/home/me/pro/x: sed --sandbox -n -e 1p -e 2p x" },
		{ "sed -Ei 's/(a)/\\1/' x", "/home/me/pro/x: sed --sandbox -E s/(a)/\\1/ x" },
		{ "sed --in-place --expression=1d x",
		  "/home/me/pro/x: sed --sandbox --expression=1d x" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		preview(&out, cases[i][0]);
		CHECK_STR(str_c(&out), cases[i][1]);
	}
}

TEST(nothing_else_is_taken_for_such_an_edit)
{
	static const char *const cases[] = {
		"sed s/a/b/ x",
		"sed -i.bak s/a/b/ x",
		"sed -iE s/a/b/ x",
		"sed --in-place=.bak s/a/b/ x",
		"sed -i s/a/b/ x y",
		"sed -i s/a/b/",
		"sed -i 's/a/b/w out' x",
		"sed -i 's/a/b/e' x",
		"sed -i -f script x",
		"sed -i --debug s/a/b/ x",
		"sed -i --follow-symlinks s/a/b/ x",
		"sed -i s/a/b/ x > log",
		"sed -i s/a/b/ x; ls",
		"cat x | sed -i s/a/b/ x",
		"A=1 sed -i s/a/b/ x",
		"sed -i \"s/a/$B/\" x",
		"sed -i s/a/b/ $F",
		"sed -i s/a/b/ *.c",
		"./sed -i s/a/b/ x",
		"sudo sed -i s/a/b/ x",
		"sh -c 'sed -i s/a/b/ x'",
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		preview(&out, cases[i]);
		CHECK_STR(str_c(&out), "");
	}
}
