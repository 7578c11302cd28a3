/* The tree and the real bash: the words of static commands are the arguments that it passes,
 * what it refuses has no tree, and all that it runs is in the tree. Nothing here can start a
 * program: the shell's PATH leads nowhere, and its directory is the test's own. */
#include "text/bash/sh.h"
#include "base/rng.h"
#include "base/vec.h"
#include "program.h"
#include "test.h"

/* Runs every text of standard input, which NULs end, in a subshell; ends its output with END.
 * The commands of a pipeline answer at the same time, and bash writes line by line: each answer
 * is one line, with NEWLINE for those inside. */
#define EACH_TEXT                                                           \
	"LC_ALL=C.UTF-8 HOME=/h PATH=/nonexistent; exec 4>&1\n"             \
	"f() { printf '%s\\0' \"$@\" >&4; }\n"                              \
	"command_not_found_handle() { local IFS=$'\\037' all; all=\"$*\"\n" \
	"  printf '%s\\0' \"${all//$'\\n'/$'\\036'}\" >&4; return 127; }\n" \
	"while IFS= read -r -d '' text <&3; do\n"                           \
	"  (eval \"$text\") </dev/null 2>/dev/null; printf '" END "\\0'\n"  \
	"done 3<&0"
#define NEWLINE '\036'
#define END     "\002END\002"

static void run_all(struct sv texts, struct str *out)
{
	static const char *const argv[] = { "bash", "-c", EACH_TEXT, NULL };
	defer(temp_dir_remove) struct temp_dir dir;

	temp_dir_make(&dir);
	CHECK_INT(program_run(&dir, argv, texts, out), 0);
}

static struct sv next_item(struct sv *rest)
{
	struct sv item;

	if (!sv_cut(rest, '\0', &item))
		fail_msg("bash ended too soon");
	return item;
}

/* What stands alone, next to others, and in the middle of others. */
static const char *const words[] = {
	"a",
	"-x",
	"--y=1",
	"a.c",
	"a/b",
	"%",
	"+x",
	"a,b",
	":",
	"^",
	"@",
	"=",
	"a=b",
	".",
	"..",
	"-",
	/* Quotes. */
	"''",
	"\"\"",
	"'b c'",
	"\"b c\"",
	"'\"'",
	"\"'\"",
	"'$x'",
	"'`'",
	"'#'",
	"'\\'",
	"'a\nb'",
	"\"\\\"\"",
	"\"\\$x\"",
	"\"\\\\\"",
	"\"a\\b\"",
	"\"\\`\"",
	"\"a\nb\"",
	"\"$\"",
	"\"!\"",
	"\"#\"",
	"'a'\"b\"c",
	"\"\\\n\"",
	"\"a\\\nb\"",
	"'a\\\nb'",
	/* Backslashes. */
	"\\ ",
	"\\\"",
	"\\'",
	"\\$",
	"\\\\",
	"\\a",
	"\\#",
	"\\;",
	"\\&",
	"\\|",
	"\\(",
	"\\{",
	"\\~",
	"\\*",
	"\\`",
	"\\<",
	"\\!",
	"a\\\nb",
	"\\é",
	"\\\t",
	/* $'..' */
	"$'a\\nb'",
	"$'\\x41'",
	"$'\\101'",
	"$'\\u0041'",
	"$'\\u00e9'",
	"$'\\U0001f600'",
	"$'\\''",
	"$'\\\"'",
	"$'\\\\'",
	"$'\\e'",
	"$'\\q'",
	"$'\\cA'",
	"$'\\c?'",
	"$'\\x4g'",
	"$'\\x414'",
	"$'\\1011'",
	"$'\\xg'",
	"$'\\ug'",
	"$'\"'",
	"$'$x'",
	"$'\\?'",
	"$'\\a\\b\\f\\r\\t\\v'",
	"$'\\c\\\\'",
	"$''",
	"$\"a b\"",
	"$",
	"$%",
	"$/",
	/* Braces, and what only looks like them. */
	"{p,q}",
	"{p,q}{r,s}",
	"{1..3}",
	"{a..c}",
	"{}",
	"{a}",
	"{a,}",
	"{,a}",
	"x{,}y",
	"a{b,c}d",
	"{a,{b,c}}",
	"{a,b",
	"a}",
	"{1..5..2}",
	"{01..3}",
	"{a,\"b,c\"}",
	"{a\\,b,c}",
	"{a}b,c}",
	"{}a,b}",
	"{3..1}",
	"{\"a\",b}",
	"{-1..1}",
	"{-01..1}",
	"{1..3..0}",
	"{5..1..2}",
	"{1..5..-2}",
	"{a..e..2}",
	"{e..a}",
	"x@{u}",
	"h@{1}..h@{2}",
	"\"{a,b}\"",
	"{a','b}",
	"\\{a,b}",
	"{a,b\\}",
	"{a,b}=c",
	"{{a,b}}",
	"{{a,b},c",
	"{a,b}}",
	"{,}",
	"{,}{,}",
	"{a..b}{1..2}",
	"{001..10..3}",
	"{a,b}\"\"",
	"{'',a}",
	"{a,b}{c",
	"{0..0}",
	"{-0..1}",
	"{1..1}",
	/* Comments, carriage returns, other blanks. */
	"a#b",
	"a#",
	"\"a\"#b",
	"''#",
	"a\r",
	"\r",
	"\v",
	"\f",
	"a\u00a0b",
	"\u2003",
	"é",
	"✓",
	"\x01",
	"\x7f",
	/* Words that mean something elsewhere. */
	"!",
	"[",
	"]",
	"[[",
	"]]",
	"{",
	"}",
	"if",
	"then",
	"fi",
	"do",
	"done",
	"in",
	"esac",
	"time",
	"case",
	"for",
	"while",
	"function",
	"coproc",
	"select",
	"2",
	"12",
	"{fd}",
	"a~",
	"=~",
	"~\"x\"",
	"\"~\"",
	"[a",
	"a]",
	"a!",
	"-n",
	"==",
};

static const char *const lines[] = {
	"f a b",
	"f  a\tb ",
	" f a",
	"f a;",
	"f a #b",
	"f a # b\nf c",
	"f a\nf b",
	"f a; f b",
	"f a && f b",
	"f a || f b",
	"{ f a; }",
	"(f a)",
	"( (f a) )",
	"! f a",
	"f \\\na \\\n  b",
	"f\\\n a",
	"x=1 f a",
	"x=1 y= f a",
	"x=(a b) f c",
	"f a >/dev/null 2>&1; f b",
	">/dev/null f a",
	"2>/dev/null f a b",
	"f a 2>/dev/null b",
	"f a 2> /dev/null b",
	"f 2 >/dev/null; f 3",
	"f a 3>&1 b",
	"f a {x}>&1 b",
	"f a <<<b c",
	"f a <<E b\nx\nE",
	"f a <<E\nf b\nE\nf c",
	"f a <<'E'\n$(f b)\nE\nf c",
	"f a <<-E\n\tf b\n\tE\nf c",
	"f a <<E; f b\nx\nE\nf c",
	"f a <<E <<F\n1\nE\n2\nF\nf b",
	"f a <<E\n E\nE \nE\nf b",
	"f a <<E\nx\\\\\nE\nf b",
	"if f a; then f b; fi",
	"if ! f a; then f b; else f c; fi",
	"for v in a b; do f c; done",
	"for v in; do f a; done",
	"for ((i = 0; i < 2; i++)); do f a; done",
	"case a in a) f b;; *) f c;; esac",
	"case b in a) f b;; *) f c;; esac",
	"case a in (a) f b;& c) f d;; esac",
	"case a in a|b) f c;; esac",
	"g() { f a; }; g",
	"function g { f a; }; g",
	"g() ( f a ); g; g",
	"[[ a == a ]] && f b",
	"[[ a =~ ^(a|b)$ ]] && f b",
	"[[ ! a < b || -n c ]] && f d",
	"((1)) && f a",
	"((0)) || f a",
	"[ a = a ] && f b",
	"f a | while read -r x; do :; done; f b",
	"f `` a",
	"f $() a",
	"f a\\",
	"f 'a",
	"f \"a",
	"f (a)",
	"f a;;",
	"f <",
	"f a &&",
	"{ f a }",
	"if f a; fi",
	"f ${",
	"f $(",
	"f `a",
	"&& f a",
};

static void add_line(struct str *texts, const char *line)
{
	str_add(texts, sv_from(line, strlen(line) + 1));
}

static void add_lines(struct str *texts)
{
	size_t n = countof(words);

	for (size_t i = 0; i < countof(lines); i++)
		add_line(texts, lines[i]);
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str line = STR_INIT;

		str_addf(&line, "f %s", words[i]);
		add_line(texts, str_c(&line));
		for (size_t k = 1; k <= 4; k++) {
			const char *next = words[(i + k * 17) % n];

			str_truncate(&line, 0);
			str_addf(&line, k % 2 ? "f %s %s" : "f %s%s", words[i], next);
			add_line(texts, str_c(&line));
		}
	}
}

/* Of a simple command all of whose words are static, its arguments; false for others. */
static bool arguments(const struct sh_node *tree, struct arena *arena, struct str *out)
{
	const struct sh_node *command = tree->kids;
	struct sv value;

	if (!command || command->next || command->kind != SH_SIMPLE)
		return false;
	for (const struct sh_word *word = command->words->next; word; word = word->next) {
		if (!sh_word_static(word, arena, &value))
			return false;
		str_add(out, value);
		str_addc(out, '\0');
	}
	return true;
}

TEST(static_words_are_the_arguments_that_bash_passes)
{
	defer(str_clear) struct str texts = STR_INIT, out = STR_INIT;
	struct sv rest, answers, text;
	size_t compared = 0, refused = 0;

	add_lines(&texts);
	run_all(sv_of(&texts), &out);
	rest = sv_of(&texts);
	answers = sv_of(&out);
	while (rest.len > 0 && sv_cut(&rest, '\0', &text)) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(str_clear) struct str ours = STR_INIT;
		struct err err = ERR_INIT;
		struct sh_node *tree = sh_parse(text, &arena, &err);
		size_t end = sv_find(answers, SV(END));
		struct sv theirs = sv_slice(answers, 0, end);

		CHECK(end != SIZE_MAX);
		answers = sv_skip(answers, end + strlen(END) + 1);
		refused += !tree;
		if (!tree || !arguments(tree, &arena, &ours))
			continue;
		if (ours.len == 0)
			str_addc(&ours, '\0'); /* printf says something all the same */
		if (!sv_eq(sv_of(&ours), theirs))
			print_error("of %.*s\n", SV_ARG(text));
		CHECK_SV_EQ(sv_of(&ours), theirs);
		compared++;
	}
	CHECK(compared > 700);
	CHECK(refused < compared / 5);
}

/* Without one byte, with one twice. */
TEST(input_that_bash_rejects_has_no_tree)
{
	static const char whole[] = "A=1 b 'c' \"d$(e)\" ${f:-g} $((1)) | { h; } && (i) || j\n"
				    "for k in l; do [[ m == n ]]; done; case o in p) q;; esac\n"
				    "if r; then s; fi <<E\nt\nE\nu() { v; }; w > x 2>&1 <<<y";
	defer(temp_dir_remove) struct temp_dir dir;
	size_t taken = 0;

	temp_dir_make(&dir);
	for (size_t i = 0; i < 2 * strlen(whole); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(str_clear) struct str text = STR_INIT, out = STR_INIT;
		struct err err = ERR_INIT;
		size_t at = i / 2;
		const char *argv[] = { "bash", "-n", "-c", NULL, NULL };

		str_add(&text, sv_from(whole, at));
		if (i % 2)
			str_add(&text, sv_from(whole + at, 1));
		str_adds(&text, whole + at + (i % 2 ? 0 : 1));
		if (!sh_parse(sv_of(&text), &arena, &err))
			continue;
		argv[3] = str_c(&text);
		if (program_run(&dir, argv, SV_EMPTY, &out) != 0)
			fail_msg("bash refuses: %s", str_c(&text));
		taken++;
	}
	CHECK(taken > 100);
}

/* The commands of a tree, one as a line of its words; those that are not static are "*". */
struct commands {
	struct arena *arena;
	VEC(struct sv) lines;
};

static void add_commands(struct commands *c, const struct sh_node *node);

static void add_parts(struct commands *c, const struct sh_part *part)
{
	for (; part; part = part->next) {
		add_commands(c, part->script);
		add_parts(c, part->parts);
	}
}

static void add_words(struct commands *c, const struct sh_word *word)
{
	for (; word; word = word->next)
		add_parts(c, word->parts);
}

static void add_simple(struct commands *c, const struct sh_word *word)
{
	struct str line = STR_INIT;
	struct sv value;

	for (; word; word = word->next) {
		str_adds(&line, line.len > 0 ? "\037" : "");
		str_add(&line, sh_word_static(word, c->arena, &value) ? value : SV("*"));
	}
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] == '\n')
			line.ptr[i] = NEWLINE;
	vec_push(&c->lines, arena_dup(c->arena, sv_of(&line)));
	str_clear(&line);
}

static void add_commands(struct commands *c, const struct sh_node *node)
{
	for (; node; node = node->next) {
		if (node->kind == SH_SIMPLE && node->words)
			add_simple(c, node->words);
		add_words(c, node->words);
		for (const struct sh_assign *a = node->assigns; a; a = a->next) {
			add_words(c, a->value);
			add_words(c, a->elements);
		}
		for (const struct sh_redirect *r = node->redirects; r; r = r->next)
			add_words(c, r->to);
		add_commands(c, node->kids);
	}
}

/* A "*" stands for any number of words. */
static bool matches(struct sv pattern, struct sv line)
{
	size_t star = sv_find_char(pattern, '*');

	if (star == SIZE_MAX)
		return sv_eq(pattern, line);
	return line.len + 1 >= star && sv_starts(line, sv_slice(pattern, 0, star ? star - 1 : 0));
}

static bool is_known(const struct commands *c, struct sv line)
{
	for (size_t i = 0; i < c->lines.n; i++)
		if (matches(c->lines.at[i], line) || (sv_starts(c->lines.at[i], SV("time\037")) &&
						      matches(sv_skip(c->lines.at[i], 5), line)))
			return true;
	return false;
}

static const char *const pieces[] = {
	"c1",
	"c2 a",
	"'c 3'",
	"\"c4\" $x",
	"c5 $(c6 b)",
	"c7 `c8 \\`c9\\``",
	"{ c1;",
	"}",
	"(",
	")",
	"if c1",
	"then",
	"fi",
	"<<E\nc9\nE\n",
	"<<'E'\n$(c9)\nE\n",
	"<<E\n$(c3 \"d\")\nE\n",
	"> f",
	"2>&1",
	"#",
	"\\\n",
	"!",
	"a=1",
	"\"",
	"'",
	"$(",
	"`",
	"[[ a",
	"]]",
	"for v in a b; do",
	"done",
	"case a in",
	"a)",
	";;",
	"esac",
	"c{8,9}",
	"fn() {",
	"time",
	"\\",
	"$'c1'",
	"\"$(c3 \"x\")\"",
	"${x:-$(c4)}",
	"$((1))",
	"((",
	"))",
	"\n",
	"x#",
	"~",
	"=",
	"{",
	"&&",
	"|",
	"|&",
	"; ",
	"E\n",
	"a=$(c5)",
	"a=(b $(c6))",
	"declare -a d=(e $(c8) [f]=g)",
	"\"`c7`\"",
	"else",
	"[",
	"]",
};
static const char *const joints[] = { " ", " ", " ", "; ", "\n", " && ", " | ", "", " || " };

static void random_text(struct rng *rng, struct str *out)
{
	size_t n = 1 + rng_below(rng, 7);

	while (n-- > 0) {
		str_adds(out, pieces[rng_below(rng, countof(pieces))]);
		if (n > 0)
			str_adds(out, joints[rng_below(rng, countof(joints))]);
	}
}

static void add_random_texts(struct str *texts, size_t wanted)
{
	struct rng rng;

	rng_seed(&rng, 6);
	while (wanted > 0) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(str_clear) struct str text = STR_INIT;
		struct err err = ERR_INIT;

		random_text(&rng, &text);
		if (!sh_parse(sv_of(&text), &arena, &err))
			continue;
		add_line(texts, str_c(&text));
		wanted--;
	}
}

TEST(tree_contains_everything_that_bash_runs)
{
	defer(str_clear) struct str texts = STR_INIT, out = STR_INIT;
	struct sv rest, answers, text, line;
	size_t ran = 0;

	add_random_texts(&texts, 500);
	run_all(sv_of(&texts), &out);
	rest = sv_of(&texts);
	answers = sv_of(&out);
	while (rest.len > 0 && sv_cut(&rest, '\0', &text)) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct commands c = { .arena = &arena, .lines = VEC_INIT };
		struct err err = ERR_INIT;

		add_commands(&c, sh_parse(text, &arena, &err));
		while (line = next_item(&answers), !sv_is(line, END)) {
			if (!is_known(&c, line))
				fail_msg("%.*s\nran: %.*s", SV_ARG(text), SV_ARG(line));
			ran++;
		}
		vec_clear(&c.lines);
	}
	CHECK(ran > 300);
}
