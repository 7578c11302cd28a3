#include "perm/command/expand.h"

#include "perm/fake_world.h"
#include "test.h"

/* The arguments of `command`, told on one line: each followed by what is not plain about it:
 * "?" not known, "1" one word all the same, "*" by a glob. */
static void expand_to(struct str *out, const char *command, struct cwd_set cwd, struct expand *x)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	argument_list words = VEC_INIT;
	struct sh_node *list = sh_parse(sv_cstr(command), &arena, &err);

	if (!list)
		print_error("%s: %s\n", command, err.text);
	CHECK(list != NULL);
	*x = (struct expand){
		.arena = &arena, .world = &fake_project, .home = SV("/home/me"), .cwd = cwd
	};
	expand_words(x, list->kids->words, &words);
	for (size_t i = 0; i < words.n; i++) {
		const struct argument *arg = &words.at[i];

		str_addf(out, "%s%.*s%s%s%s", i ? "|" : "", SV_ARG(arg->text),
			 arg->known ? "" : "?", !arg->known && arg->single ? "1" : "",
			 arg->is_glob ? "*" : "");
	}
	x->reevaluates = x->reevaluates.len ? SV("hides") : SV_EMPTY;
	x->secret = x->secret.len ? SV("secret") : SV_EMPTY;
	vec_clear(&words);
	arena_clear(&arena);
}

static void check(const char *command, struct cwd_set cwd, const char *expected)
{
	defer(str_clear) struct str text = STR_INIT;
	struct expand x;

	expand_to(&text, command, cwd, &x);
	if (strcmp(str_c(&text), expected) != 0)
		print_error("%s\n", command);
	CHECK_STR(str_c(&text), expected);
}

TEST(words_become_the_arguments_that_the_program_gets)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "ls 'a b' \"c\"d \\e", "ls|a b|cd|e" },
		{ "ls ~ ~/x ~+/y", "ls|/home/me|/home/me/x|/home/me/pro/y" },
		{ "ls ~root", "ls|?1" },
		{ "ls $HOME/x \"${HOME}\"", "ls|/home/me/x|/home/me" },
		{ "ls $PWD", "ls|/home/me/pro" },
		{ "ls '$HOME' '~' '*'", "ls|$HOME|~|*" },
		{ "ls $x \"$x\" a$x \"$@\"", "ls|?|?1|a?|?" },
		{ "ls $(a) \"$(a)\"", "ls|?|?1" },
		{ "ls {a,b}c", "ls|ac|bc" },
		{ "ls <(a)", "ls|/dev/fd/63" },
		{ "m \"$(cat <<'E'\none\ntwo\nE\n)\"", "m|one\ntwo" },
		{ "m \"$(cat <<E\none\nE\n)\"", "m|?1" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(cases[i].command, cwd_set_of(SV("/home/me/pro")), cases[i].expected);
}

TEST(globs_expand_to_existing_names)
{
	static const struct {
		const char *command, *expected;
	} cases[] = {
		{ "l src/*.c", "l|src/a.c*|src/b.c*" },
		{ "l ./src/?.c", "l|./src/a.c*|./src/b.c*" },
		{ "l src/[b-z].c", "l|src/b.c*" },
		{ "l src/[[:alpha:]].c", "l|src/a.c*|src/b.c*" },
		{ "l src/[!a].c", "l|src/b.c*" },
		{ "l src/*.x", "l|src/*.x*" }, /* none: itself */
		{ "l .en?", "l|.env*" },       /* a dot is matched by a dot */
		{ "l *env", "l|*env*" },
		{ "l */./.bashrc", "l|out/./.bashrc*" }, /* through a link */
		{ "l s*/../README.md", "l|src/../README.md*" },
		{ "l 'src/*'.c", "l|src/*.c" },
		{ "l /etc/pass*", "l|/etc/passwd*" },
		{ "l [.=]x", "l|?1" },
		{ "l [[=e=]]x", "l|?1" },
		{ "l *$x a*$x", "l|?*|a?*" },
		{ "l .*/notes", "l|../notes*" }, /* before bash 5.2 */
		{ "l bui*/", "l|build/*" },
	};

	for (size_t i = 0; i < countof(cases); i++)
		check(cases[i].command, cwd_set_of(SV("/home/me/pro")), cases[i].expected);
}

TEST(glob_is_matched_in_every_possible_directory)
{
	struct cwd_set pro = cwd_set_of(SV("/home/me/pro")),
		       src = cwd_set_of(SV("/home/me/pro/src"));

	check("l *.[cm]*", cwd_set_union(&pro, &src), "l|README.md*|a.c*|b.c*");
	check("l *.c", cwd_set_unknown(), "l|?1*");
}

TEST(repeated_evaluation_by_bash_is_noticed)
{
	static const char *const reevaluates[] = {
		"e ${x@P}",   "e ${!x}",     "e ${x:=y}",      "e ${x=y}",  "e ${x[$y]}",
		"e ${x[a]}",  "e $((a))",    "e $((1+$x))",    "e $[a[0]]", "e \"${x@P}\"",
		"e ${x:a:b}", "e ${x[0]@P}", "e ${y:-${x@P}}",
	};
	static const char *const plain[] = {
		"e $x",      "e ${x}",       "e ${x:-y}",  "e ${x#y}", "e ${x%%y}",
		"e ${#x}",   "e ${x/a/b}",   "e ${x:1:2}", "e ${x^^}", "e ${x[@]}",
		"e ${x[0]}", "e $((1 + 2))", "e '${x@P}'",
	};
	struct cwd_set at = cwd_set_of(SV("/"));

	for (size_t i = 0; i < countof(reevaluates) + countof(plain); i++) {
		bool is_hidden = i < countof(reevaluates);
		const char *command = is_hidden ? reevaluates[i] : plain[i - countof(reevaluates)];
		defer(str_clear) struct str text = STR_INIT;
		struct expand x;

		expand_to(&text, command, at, &x);
		if ((x.reevaluates.len > 0) != is_hidden)
			print_error("%s\n", command);
		CHECK_INT(x.reevaluates.len > 0, is_hidden);
	}
}

TEST(variable_with_the_name_of_a_secret_is_noticed_in_all_its_forms)
{
	static const char *const secret[] = { "e $API_KEY", "e \"${MY_TOKEN}\"",
					      "e ${#DB_PASSWORD}", "e ${X_SECRET:-y}",
					      "e ${y:-$AUTH_TOKEN}" };
	struct cwd_set at = cwd_set_of(SV("/"));

	for (size_t i = 0; i < countof(secret); i++) {
		defer(str_clear) struct str text = STR_INIT;
		struct expand x;

		expand_to(&text, secret[i], at, &x);
		CHECK(x.secret.len > 0);
	}
}
