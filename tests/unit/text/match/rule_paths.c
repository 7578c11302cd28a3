#include "text/match/rule_paths.h"

#include "test.h"

TEST(a_rule_is_for_the_files_that_its_paths_match)
{
	static const struct {
		const char *front, *path;
		bool matches;
	} cases[] = {
		{ "", "a/b.c", true },
		{ "---\ndescription: x\n---\n", "a/b.c", true },
		{ "---\npaths:\n  - \"src/**/*.ts\"\n---\n", "src/a/b.ts", true },
		{ "---\npaths:\n  - \"src/**/*.ts\"\n---\n", "src/b.ts", true },
		{ "---\npaths:\n  - \"src/**/*.ts\"\n---\n", "lib/b.ts", false },
		{ "---\npaths: [\"src/**/*.{ts,tsx}\", \"docs/*\"]\n---\n", "src/a.tsx", true },
		{ "---\npaths: [\"src/**/*.{ts,tsx}\", \"docs/*\"]\n---\n", "docs/x.md", true },
		{ "---\npaths: [\"src/**/*.{ts,tsx}\", \"docs/*\"]\n---\n", "src/a.js", false },
		{ "---\npaths: \"src/*.{c,h}, *.md\"\n---\n", "src/a.h", true },
		{ "---\npaths: \"src/*.{c,h}, *.md\"\n---\n", "deep/down/a.md", true },
		{ "---\npaths: \"src/*.{c,h}, *.md\"\n---\n", "a.h", false },
		{ "---\npaths: src/api/**\n---\n", "src/api/v1/x", true },
		{ "---\npaths: ./src/*.c\n---\n", "src/a.c", true },
		{ "---\npaths: \"**/*\"\n---\n", "any/thing", true },
		{ "---\npaths: \"**\"\n---\n", "any/thing", true },
		{ "---\npaths: []\n---\n", "any/thing", true },
		{ "---\npaths:\n---\n", "any/thing", true },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(rule_paths_clear) struct rule_paths paths = RULE_PATHS_INIT;
		defer(str_clear) struct str text = STR_INIT;
		struct err err = ERR_INIT;
		struct sv body;

		str_addf(&text, "%sRule\n", cases[i].front);
		CHECK_OK(rule_paths_read(&paths, sv_of(&text), &body, &err), err);
		CHECK_SV(body, "Rule\n");
		if (rule_paths_match(&paths, sv_cstr(cases[i].path)) != cases[i].matches)
			fail_msg("%s %s", cases[i].front, cases[i].path);
	}
}

TEST(a_rule_whose_front_matter_is_broken_is_for_every_file)
{
	static const char *const texts[] = { "---\npaths: [\n---\nRule\n",
					     "---\npaths: \"src/[\"\n---\nRule\n" };

	for (size_t i = 0; i < countof(texts); i++) {
		defer(rule_paths_clear) struct rule_paths paths = RULE_PATHS_INIT;
		struct err err = ERR_INIT;
		struct sv body;

		CHECK(!rule_paths_read(&paths, sv_cstr(texts[i]), &body, &err));
		CHECK(!paths.is_limited);
		CHECK_SV_EQ(body, sv_cstr(texts[i]));
	}
}
