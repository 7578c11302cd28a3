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

static void check_styled(struct prompt_style style, bool has_work, bool has_tone)
{
	defer(str_clear) struct str out = STR_INIT;

	prompt_system(&out, &(struct prompt_opts){
				    .style = style, .settings = SV("Git."), .append = "End." });
	CHECK((sv_find(sv_of(&out), SV("\n# Work\n")) != SIZE_MAX) == has_work);
	CHECK(sv_starts(sv_of(&out), SV("You are awl, a coding agent.")) == has_work);
	CHECK((sv_find(sv_of(&out), SV("\n# Tone\n")) != SIZE_MAX) == has_tone);
	CHECK(sv_find(sv_of(&out), SV("\n# Care\n")) != SIZE_MAX);
	CHECK(sv_ends(sv_of(&out), style.text.len
					   ? SV("\n\nGit.\n\n# Output style: S\n\nRhyme.\n\nEnd.")
					   : SV("\n\nGit.\n\nEnd.")));
}

TEST(an_output_style_replaces_what_it_is_about)
{
	check_styled((struct prompt_style){ .name = SV("S") }, true, true);
	check_styled((struct prompt_style){ SV("S"), SV("Rhyme."), .keeps_coding = true }, true,
		     false);
	check_styled((struct prompt_style){ SV("S"), SV("Rhyme.") }, false, false);
}

TEST(a_custom_prompt_has_no_output_style)
{
	defer(str_clear) struct str out = STR_INIT;

	prompt_system(&out, &(struct prompt_opts){ .custom = "Mine.",
						   .style = { SV("S"), SV("Rhyme.") } });
	CHECK_STR(str_c(&out), "Mine.");
}

TEST(what_cannot_be_seen_in_a_style_is_not_sent)
{
	defer(str_clear) struct str out = STR_INIT;

	prompt_system(&out, &(struct prompt_opts){ .style = { SV("S"), SV("Rhy\u200bme.") } });
	CHECK(sv_ends(sv_of(&out), SV("\n\nRhyme.")));
}
