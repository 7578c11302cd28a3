#include "context/system_prompt.h"

#include "base/utf8.h"
#include "test.h"

static void check_prompt(const char *custom, const char *append, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	prompt_system(&out, &(struct prompt_opts){ .custom = custom, .append = append });
	CHECK_STR(str_c(&out), expected);
}

TEST(a_custom_prompt_takes_the_place_of_our_own)
{
	check_prompt("Be a pirate.", NULL, "Be a pirate.");
	check_prompt("Be a pirate.\n", "Say arr.\n", "Be a pirate.\n\nSay arr.");
	check_prompt("", "Say arr.", "Say arr.");
	check_prompt("", NULL, "");
}

TEST(manners_belong_to_our_own_prompt)
{
	struct prompt_opts opts = { .settings = SV("\nAnswer in Dutch.\n"), .append = "Say arr." };
	defer(str_clear) struct str own = STR_INIT;
	defer(str_clear) struct str custom = STR_INIT;

	prompt_system(&own, &opts);
	CHECK(sv_ends(sv_of(&own), SV("\n\nAnswer in Dutch.\n\nSay arr.")));
	opts.custom = "Be a pirate.";
	prompt_system(&custom, &opts);
	CHECK_STR(str_c(&custom), "Be a pirate.\n\nSay arr.");
}

TEST(our_own_prompt_is_small_and_says_who_we_are)
{
	defer(str_clear) struct str out = STR_INIT;
	defer(str_clear) struct str longer = STR_INIT;

	prompt_system(&out, &(struct prompt_opts){ .custom = NULL });
	CHECK(sv_starts(sv_of(&out), SV("You are awl, ")));
	CHECK(out.len < 3000); /* a share of what prompt and tools may cost together */
	CHECK(utf8_valid(sv_of(&out), NULL));
	CHECK(!sv_ends(sv_of(&out), SV("\n")));
	prompt_system(&longer, &(struct prompt_opts){ .append = "Say arr." });
	CHECK(sv_starts(sv_of(&longer), sv_of(&out)));
	CHECK_SV(sv_skip(sv_of(&longer), out.len), "\n\nSay arr.");
}
