#include "extend/command_expand.h"

#include "base/limits.h"
#include "test.h"

/* The parts, each on a line: "text" or "!command". */
static void expand(struct str *out, struct command_call call)
{
	struct command_expansion parts = COMMAND_EXPANSION_INIT;
	struct err err;

	CHECK_OK(command_expand(&parts, &call, &err), err);
	for (size_t i = 0; i < parts.parts.n; i++)
		str_addf(out, "%s[%s]", parts.parts.at[i].is_shell ? "!" : "",
			 str_c(&parts.parts.at[i].text));
	command_expansion_clear(&parts);
}

static void check_call(struct command_call call, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;

	expand(&out, call);
	CHECK_STR(str_c(&out), expected);
}

static void check(const char *body, const char *arguments, const char *expected)
{
	check_call((struct command_call){ .body = sv_cstr(body), .arguments = sv_cstr(arguments) },
		   expected);
}

TEST(everything_that_was_typed_replaces_its_placeholder)
{
	check("Fix $ARGUMENTS now.", "issue 3", "[Fix issue 3 now.]");
	check("Fix $ARGUMENTS.", "", "[Fix .]");
	check("$ARGUMENTS$ARGUMENTS", " a ", "[aa]");
	check("$ARGUMENTSX and $ARGUMENT", "a", "[$ARGUMENTSX and $ARGUMENT][\n\nARGUMENTS: a]");
}

TEST(words_are_counted_from_one_unless_the_text_counts_from_zero)
{
	check("$1-$2-$3", "a 'b c'", "[a-b c-]");
	check("$0-$1", "a \"b c\"", "[a-b c]");
	check("$ARGUMENTS[0]+$ARGUMENTS[1]+$ARGUMENTS[9]", "a b", "[a+b+]");
	check("$10 $1x $1.", "a", "[ $1x a.]");
	check("it's $1", "it's", "[it's it's]");
	check("$1|$2", "a\\ b c", "[a b|c]");
}

TEST(numbers_stay_when_there_are_no_arguments_because_they_are_likely_awk)
{
	check("Run awk '{print $1}'.", "", "[Run awk '{print $1}'.]");
	check("\\$1 costs $1", "a", "[$1 costs a]");
	check("\\$ARGUMENTS \\n \\$x", "a", "[$ARGUMENTS \\n \\$x]");
}

TEST(named_arguments_and_variables_are_put_in)
{
	static const struct sv names[] = { SV_INIT("from"), SV_INIT("to") };
	static const struct command_variable variables[] = { { "CLAUDE_SKILL_DIR",
							       SV_INIT("/s") } };

	check_call(
		(struct command_call){ .body = SV("$from>$to, $tom ${CLAUDE_SKILL_DIR}/x ${HOME}"),
				       .arguments = SV("a b"),
				       .names = names,
				       .nnames = countof(names),
				       .variables = variables,
				       .nvariables = countof(variables) },
		"[a>b, $tom /s/x ${HOME}]");
}

TEST(arguments_without_a_place_come_at_the_end)
{
	check("Review.", "a b", "[Review.][\n\nARGUMENTS: a b]");
	check("Review.", "  ", "[Review.]");
}

TEST(commands_are_found_in_the_text_but_never_in_what_was_typed)
{
	check("Status: !`git status`\nNow.", "", "[Status: ]![git status][\nNow.]");
	check("!`a` x!`b` `c` !``", "", "![a][ x!`b` `c` !``]");
	check("```!\ngit log\n$1\n```\nend", "x", "![git log\nx][\nend]");
	check("Look: !`gh view $1`", "7", "[Look: ]![gh view 7]");
	check("Say $ARGUMENTS", "!`rm x`", "[Say !`rm x`]");
	check("!`open", "", "[!`open]");
}

TEST(a_text_cannot_grow_without_end)
{
	struct command_expansion parts = COMMAND_EXPANSION_INIT;
	defer(str_clear) struct str body = STR_INIT, typed = STR_INIT;
	struct err err;

	for (int i = 0; i < 1000; i++) {
		str_adds(&body, "$ARGUMENTS");
		str_adds(&typed, "0123456789");
	}
	CHECK(!command_expand(
		&parts, &(struct command_call){ .body = sv_of(&body), .arguments = sv_of(&typed) },
		&err));
	CHECK_ERR(err, ERR_TOO_BIG, "256 KiB");
	command_expansion_clear(&parts);
	str_truncate(&body, 0);
	for (int i = 0; i <= LIMIT_COMMAND_SHELLS; i++)
		str_adds(&body, "!`true` ");
	parts = (struct command_expansion)COMMAND_EXPANSION_INIT;
	CHECK(!command_expand(&parts, &(struct command_call){ .body = sv_of(&body) }, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "over 20 commands");
	command_expansion_clear(&parts);
}
