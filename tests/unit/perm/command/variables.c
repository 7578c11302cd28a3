#include "perm/command/variables.h"

#include "test.h"

/* Of x, y and i: "n" a number, "l" of a loop only. */
static void describe(struct str *out, const char *text)
{
	static const char *const names[] = { "x", "y", "i" };
	struct arena arena = ARENA_INIT;
	struct variables found;
	struct err err = ERR_INIT;
	struct sh_node *tree = sh_parse(sv_cstr(text), &arena, &err);

	CHECK(tree != NULL);
	variables_read(&found, tree, &arena);
	for (size_t i = 0; i < countof(names); i++) {
		bool is_number = variables_is_number(&found, sv_cstr(names[i]));
		bool is_looped = variables_is_looped(&found, sv_cstr(names[i]));

		if (is_number || is_looped)
			str_addf(out, "%s%s:%s%s", out->len ? " " : "", names[i],
				 is_number ? "n" : "", is_looped ? "l" : "");
	}
	if (found.is_open)
		str_adds(out, "open");
	variables_clear(&found);
	arena_clear(&arena);
}

struct names_case {
	const char *text, *expected;
};

static void check(const struct names_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str line = STR_INIT;

		describe(&line, cases[i].text);
		if (strcmp(str_c(&line), cases[i].expected) != 0)
			print_error("%s\n", cases[i].text);
		CHECK_STR(str_c(&line), cases[i].expected);
	}
}

TEST(variable_is_a_number_when_all_its_values_are)
{
	static const struct names_case cases[] = {
		{ "x=1", "x:n" },
		{ "x=-12; y=$((x + 1))", "x:n y:n" },
		{ "x=1; x=2; echo $x", "x:n" },
		{ "x=1; (x=a)", "" },
		{ "x=1; x=$(cat f)", "" },
		{ "x=1; x+=1", "" },
		{ "x=(1)", "" },
		{ "x[0]=1", "" },
		{ "x=1; read x", "" },
		{ "x=1; echo $(read x)", "" },
		{ "x=1; printf -v x a", "" },
		{ "x=1; unset x", "" },
		{ "x=1; printf -vx a", "" },
		{ "x=1; printf -- -vx", "x:n" },
		{ "x=1; time printf -vx a", "" },
		{ "x=1; command -p builtin printf -vx a", "" },
		{ "x=1; read -rax", "" },
		{ "x=1; read -d: -pwho -a x", "" },
		{ "x=1; mapfile -tn1 x", "" },
		{ "x=1; wait -npx", "" },
		{ "x=1; getopts ab x", "" },
		{ "x=1; local x=a", "" },
		{ "x=1; time x=$(cat f)", "" },
		{ "x=1; timeout 5 printf -vx a", "x:n" },
		{ "X=1; echo $X", "" },
		{ "x=1; export x=a", "" },
		{ "x=1; f() { x=a; }", "" },
		{ "x=1; ((x++))", "x:n" },
		{ "((x=1))", "x:n" },
		{ "((x))", "" },
		{ "echo $((x))", "" },
		{ "echo $((x == 1))", "" },
		{ "for ((i=0; i<3; i++)); do a; done", "i:n" },
		{ "for i in 1 2; do a; done", "i:nl" },
		{ "for i in 1 a; do a; done", "i:l" },
		{ "for i; do a; done", "i:l" },
		{ "select i in 1 2; do a; done", "" },
		{ "a {x}>f", "x:n" },
		{ "cat <<E\n$((x=1))\nE", "x:n" },
	};

	check(cases, countof(cases));
}

TEST(variable_belongs_to_a_loop_when_nothing_else_sets_it)
{
	static const struct names_case cases[] = {
		{ "for x in a; do b $x; done; for x in c; do d; done", "x:l" },
		{ "for x in a; do x=b; done", "" },
		{ "for x in a; do read x; done", "" },
		{ "for x in a; do command read -r x; done", "" },
		{ "for x in 1; do echo $((x)); done", "x:n" },
		{ "for x in a; do echo x; done", "x:l" },
		{ "for x in a; do echo $x; done", "x:l" },
		{ "for x in a; do printf '%s' \"$x\"; done", "x:l" },
	};

	check(cases, countof(cases));
}

TEST(no_variable_is_known_when_any_may_be_set)
{
	static const struct names_case cases[] = {
		{ "x=1; read $n", "open" },
		{ "x=1; $c x", "open" },
		{ "x=1; eval $c", "open" },
		{ "x=1; IFS=1", "open" },
		{ "x=1; echo ${y:=2}", "open" },
		{ "x=1; printf -v $n a", "open" },
		{ "x=1; printf \"$f\" a", "open" },
		{ "for x in a; do declare $x=1; done", "open" },
		{ "x=1; declare -n y=x", "open" },
		{ "x=1; mapfile -C f y", "open" },
		{ "x=1; trap 'x=a' DEBUG", "open" },
		{ "x=1; time eval y=1", "open" },
		{ "x=1; . ./f", "open" },
		{ "x=1; command $c", "open" },
		{ "x=1; let y=1", "open" },
		{ "x=1; printf -v\"$n\" a", "open" },
	};

	check(cases, countof(cases));
}
