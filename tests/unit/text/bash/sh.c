#include "text/bash/sh.h"

#include "base/limits.h"
#include "sh_dump.h"
#include "test.h"

struct tree_case {
	const char *text, *tree;
};

static void check_trees(const struct tree_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		defer(str_clear) struct str shown = STR_INIT;
		struct err err = ERR_INIT;
		struct sh_node *tree = sh_parse(sv_cstr(cases[i].text), &arena, &err);

		if (tree)
			sh_dump_node(&shown, tree);
		else
			str_addf(&shown, "%s: %s", cases[i].text, err.text);
		CHECK_STR(str_c(&shown), cases[i].tree);
	}
}

TEST(lists_pipelines_and_compound_commands_are_distinguished)
{
	static const struct tree_case cases[] = {
		{ "ls", "(list { ls })" },
		{ "ls -l src; pwd", "(list { ls -l src } { pwd })" },
		{ "a\nb", "(list { a } { b })" },
		{ "a;\n\n b #c\n# d\n", "(list { a } { b })" },
		{ "a & b", "(list (behind { a }) { b })" },
		{ "a && b || c && d && e",
		  "(list (and (or (and { a } { b }) { c }) (and { d } { e })))" },
		{ "a | b |& c", "(list (pipe { a } { b } { c }))" },
		{ "! a | b", "(list (not (pipe { a } { b })))" },
		{ "a |\n b &&\n\n c", "(list (and (pipe { a } { b }) { c }))" },
		{ "{ a; b; }", "(list (group { a } { b }))" },
		{ "(a; b)", "(list (sub { a } { b }))" },
		{ "( (a) )", "(list (sub (sub { a })))" },
		{ "{ a; } > f 2>&1", "(list (group > f 2dup 1 { a }))" },
		{ "(a) < f", "(list (sub < f { a }))" },
		{ "if a; then b; fi", "(list (if (list { a }) (list { b })))" },
		{ "if a; then b; elif c; then d; else e; fi",
		  "(list (if (list { a }) (list { b }) (list { c }) (list { d }) (list { e })))" },
		{ "while a; do b; done < f", "(list (while < f (list { a }) (list { b })))" },
		{ "until a\ndo b\ndone", "(list (while (list { a }) (list { b })))" },
		{ "for x in a b; do c; done", "(list (for x: a b (list { c })))" },
		{ "for x; do c; done", "(list (for x: (list { c })))" },
		{ "select x in a; do b; done", "(list (for x: a (list { b })))" },
		{ "for ((i=0; i<$n; i++)); do c; done",
		  "(list (for <i=0> <\\20i\\3c$n '<$n>> <\\20i++> (list { c })))" },
		{ "case $x in a|b*) c;; (d) ;; *) e\nesac",
		  "(list (case <$x> a b<*> d <*> (list { c }) (list { e })))" },
		{ "case x in esac", "(list (case x))" },
		{ "case a in b) c;& d) e;;& f) g; esac",
		  "(list (case a b d f (list { c }) (list { e }) (list { g })))" },
		{ "f() { a; }", "(list (function f: (group { a })))" },
		{ "f () ( a ) > g", "(list (function f: (sub > g { a })))" },
		{ "function f { a; }", "(list (function f: (group { a })))" },
		{ "function f() { a; }", "(list (function f: (group { a })))" },
		{ "f()\n{ a\n}; f", "(list (function f: (group { a })) { f })" },
		{ "[[ -f a ]]", "(list (test -f a))" },
		{ "[[ $a == b* && ! ( x < y ) || -n z ]]",
		  "(list (test <$a> == b<*> && ! \\28 x \\3c y \\29 || -n z))" },
		{ "[[ a =~ ^(b c|d)+$ ]]", "(list (test a =~ ^\\28b\\20c|d\\29+$))" },
		{ "[[ a\n&&\nb ]]", "(list (test a && b))" },
		{ "((a + b))", "(list (math <\\28\\28a\\20+\\20b\\29\\29>))" },
		{ "(( a[$(b)] ))",
		  "(list (math <\\28\\28\\20a[$\\28b\\29]\\20\\29\\29 '<$((list { b })>>))" },
		{ "coproc a b", "(list (coproc { a b }))" },
		{ "time a b", "(list { time a b })" },
		{ "time -p a | b", "(list (pipe { time -p a } { b }))" },
		{ "! time a", "(list (not { time a }))" },
		{ "a | time b", "(list (pipe { a } { time b }))" },
		{ "time A=1 b", "(list { A = 1 time b })" },
		{ "time { a; }", "(list (group { a }))" },
		{ "time -p { a; } | b", "(list (pipe (group { a }) { b }))" },
		{ "a 0<f 00<g", "(list { a 0< f 00< g })" },
		{ "[ -f a ] && [ x = y ]", "(list (and { [ -f a ] } { [ x = y ] }))" },
		{ ":(){ :|:& };:",
		  "(list (function :: (group (behind (pipe { : } { : })))) { : })" },
	};

	check_trees(cases, countof(cases));
}

TEST(words_match_those_of_bash_before_it_runs_anything)
{
	static const struct tree_case cases[] = {
		{ "a 'b c' \"d e\" f\\ g", "(list { a b\\20c d\\20e f\\20g })" },
		{ "c\"u\"r'l'\\x", "(list { curlx })" },
		{ "a '' \"\" $''", "(list { a '' '' '' })" },
		{ "a \"$b\" $c ${d} $1 ${10} $@ \"$*\" $? $$",
		  "(list { a '<$b> <$c> <$d> <$1> <$10> <$@> '<$*> <$?> <$$> })" },
		{ "a $ \"$\" $%x $()", "(list { a $ $ $%x <$(> })" },
		{ "a ${b:-c} ${b:-$(c)} \"${b:-`c`}\" ${#b} ${!b} ${b[$(c)]} ${b//'x'/y}",
		  "(list { a <$\\7bb:-c\\7d> <$\\7bb:-$\\28c\\29\\7d <$((list { c })>> "
		  "'<$\\7bb:-`c`\\7d '<$((list { c })>> <$\\7b#b\\7d> <$\\7b!b\\7d> "
		  "<$\\7bb[$\\28c\\29]\\7d <$((list { c })>> <$\\7bb//'x'/y\\7d x> })" },
		{ "a $(b) \"$(b c)\" `b` \"`b`\"", "(list { a <$((list { b })> '<$((list { b c })> "
						   "<$((list { b })> '<$((list { b })> })" },
		{ "a `b \\`c\\``", "(list { a <$((list { b <$((list { c })> })> })" },
		{ "a <(b) >(c) d", "(list { a <<((list { b })> <>((list { c })> d })" },
		/* The second opinion splits these words, so it is repaired. */
		{ "a $b/$c/d \"$b\"/$c.x $b-$c-$d $b/$c/$d/e ~/$b/$c/d $b/$1/c $b/$c/\"d e\"",
		  "(list { a <$b>/<$c>/d '<$b>/<$c>.x <$b>-<$c>-<$d> <$b>/<$c>/<$d>/e "
		  "<~>/<$b>/<$c>/d <$b>/<$1>/c <$b>/<$c>/d\\20e })" },
		{ "$b/$c/d a", "(list { <$b>/<$c>/d a })" },
		{ "a $b/$c/$(d $e/$f/g)/h",
		  "(list { a <$b>/<$c>/<$((list { d <$e>/<$f>/g })>/h })" },
		{ "a $((1 + $(b))) \"$((x))\" $[1+2]",
		  "(list { a <$\\28\\281\\20+\\20$\\28b\\29\\29\\29 '<$((list { b })>> "
		  "'<$\\28\\28x\\29\\29> <$[1+2]> })" },
		{ "a * ?b [c]d e[!f]* **/g [h", "(list { a <*> <?>b <[c]>d e<[!f]*> <**>/g [h })" },
		{ "a '*' \\* \"?\" \\[b]", "(list { a * * ? [b] })" },
		{ "a ~ ~/b ~c ~c/d e~ \\~ '~' ~+ ~\"b\" ~$b",
		  "(list { a <~> <~>/b <~c> <~c>/d e~ ~ ~ <~+> ~b ~<$b> })" },
		{ "a b=~ b=~/c:~d b=c:~ x=y=~ --b=~",
		  "(list { a b=<~> b=<~>/c:<~d> b=c:<~> x=y=~ --b=~ })" },
		{ "a {b,c} d{e,f}g {1..3} {a..c} {3..1} {1..5..2} {01..03} {b,{c,d}}",
		  "(list { a b c deg dfg 1 2 3 a b c 3 2 1 1 3 5 01 02 03 b c d })" },
		{ "a {} {b} {b c {,} ${b}{c,d} {b,\"c,d\"} {b\\,c,d} '{b,c}' {$b,c}",
		  "(list { a \\7b\\7d \\7bb\\7d \\7bb c <$b>c <$b>d b c,d b,c d \\7bb,c\\7d <$b> c "
		  "})" },
		{ "a x{,}y {,b}\"\" @{u} HEAD@{1}..x",
		  "(list { a xy xy '' b @\\7bu\\7d HEAD@\\7b1\\7d..x })" },
		{ "a b#c \\#d \"#e\" #f", "(list { a b#c #d #e })" },
		{ "a\\\n b c\\\nd", "(list { a b cd })" },
		{ "a \"b\\\nc\" 'd\\\ne'", "(list { a bc d\\5c\\0ae })" },
		{ "a $'\\n\\t\\x41\\101\\u00e9\\cA\\'\\\"\\\\\\e\\q' $\"b\"",
		  "(list { a \\0a\\09AAé\\01'\\22\\5c\\1b\\5cq b })" },
		{ "a \"\\$ \\` \\\" \\\\ \\a\"", "(list { a $\\20`\\20\\22\\20\\5c\\20\\5ca })" },
		{ "git status\r", "(list { git status\\0d })" },
		{ "a\tb \u00a0c \u2003", "(list { a b \u00a0c \u2003 })" },
		{ "a \"b\nc\"", "(list { a b\\0ac })" },
		{ "a b=c d+=e -f=g", "(list { a b=c d+=e -f=g })" },
		{ "a @(b|c) !(d) *(e f)",
		  "(list { a <@\\28b|c\\29> <!\\28d\\29> <*\\28e\\20f\\29> })" },
		{ "a {1..3}{a,b}", "(list { a 1a 1b 2a 2b 3a 3b })" },
		{ "! a", "(list (not { a }))" },
		{ "a !b c! ! [[ }", "(list { a !b c! ! [[ \\7d })" },
	};

	check_trees(cases, countof(cases));
}

TEST(assignments_are_distinguished_from_words)
{
	static const struct tree_case cases[] = {
		{ "a=1", "(list { a = 1 })" },
		{ "a=1 b= c+=2 d", "(list { a = 1 b = c += 2 d })" },
		{ "a=$b\"c d\"'e' f", "(list { a = <$b>c\\20de f })" },
		{ "a=$b/$c/d e f", "(list { a = <$b>/<$c>/d e f })" },
		{ "a=$b/$c.d", "(list { a = <$b>/<$c>.d })" },
		{ "a=$b/$c/d e=$f/$g.h  i+=1 j k",
		  "(list { a = <$b>/<$c>/d e = <$f>/<$g>.h i += 1 j k })" },
		{ "a=$b/$c/d e=1", "(list { a = <$b>/<$c>/d e = 1 })" },
		{ "a=$b/$c/d e==1 f=2", "(list { a = <$b>/<$c>/d e = =1 f = 2 })" },
		{ "a=$b/$c/d 1e=1 f=2", "(list { a = <$b>/<$c>/d 1e=1 f=2 })" },
		{ "a=(b \"c d\" $e)\n", "(list { a =( b c\\20d <$e> ) })" },
		{ "a=(\n b # c\n d\n)", "(list { a =( b d ) })" },
		{ "a[1]=b a[$i+1]+=c", "(list { a[ <1> ] = b a[ <$i+1 '<$i>> ] += c })" },
		{ "a=~ b=x:~/y c=*", "(list { a = <~> b = x:<~>/y c = * })" },
		{ "a=(~ {b,c} [3]=d)", "(list { a =( <~> b c <[3]>=d ) })" },
		{ "export a=1 b", "(list { export a=1 b })" },
		{ "declare -x a=~", "(list { declare -x a=<~> })" },
		{ "declare -a a=(b $c) d", "(list { declare -a a='<\\28b\\20$c\\29 b<$c>> d })" },
		{ "readonly a+=()", "(list { readonly a+='<\\28\\29> })" },
		{ "local a=([b]=$(c))",
		  "(list { local a='<\\28[b]=$\\28c\\29\\29 '<b><[b]>=<$((list { c })>> })" },
		{ "declare -A a=([b]=c)", "(list { declare -A a='<\\28[b]=c\\29 <[b]>=c> })" },
		{ "a={b,c}", "(list { a = \\7bb,c\\7d })" },
		{ "a=<(b)", "(list { a = <<((list { b })> })" },
		{ "PATH=.:$PATH a", "(list { PATH = .:<$PATH> a })" },
	};

	check_trees(cases, countof(cases));
}

TEST(redirections_have_an_operation_and_a_descriptor)
{
	static const struct tree_case cases[] = {
		{ "a > b >> c < d >| e <> f", "(list { a > b >> c < d >| e <> f })" },
		{ "a 2> b 3>&1 2>&- <&3 4>&5-", "(list { a 2> b 3dup 1 2dup - dup 3 4dup 5- })" },
		{ "a &> b", "(list { a &> b })" },
		{ "a &>> b", "(list { a &>> b })" },
		{ "a >& b", "(list { a &> b })" },
		{ "a >& $b", "(list { a &> <$b> })" },
		{ "a >&$b <&$c", "(list { a &> <$b> dup <$c> })" },
		{ "> a", "(list { > a })" },
		{ "2> a b c", "(list { b c 2> a })" },
		{ "a {b}> c", "(list { a {b}> c })" },
		{ "a > $b > ~/c > d*", "(list { a > <$b> > <~>/c > d<*> })" },
		{ "a <<< \"b $c\" d", "(list { a d <<< b\\20'<$c> })" },
		{ "a >{b} c", "(list { a c > \\7bb\\7d })" },
		{ "a 2>&1 | b", "(list (pipe { a 2dup 1 } { b }))" },
		{ "a > >(b)", "(list { a > <>((list { b })> })" },
	};

	check_trees(cases, countof(cases));
}

TEST(here_documents_contain_exactly_their_lines)
{
	static const struct tree_case cases[] = {
		{ "a <<E\nb $c $(d)\nE\n", "(list { a << b\\20'<$c>\\20'<$((list { d })>\\0a })" },
		{ "a <<E\nb\nE\nc", "(list { a << b\\0a } { c })" },
		{ "a <<'E'\n$(b) `c` \\$d\nE", "(list { a <<' $\\28b\\29\\20`c`\\20\\5c$d\\0a })" },
		{ "a <<\"E\" | b && c\nx\nE\nd",
		  "(list (and (pipe { a <<' x\\0a } { b }) { c }) { d })" },
		{ "a <<-E\n\t\tb\n\tE\nc", "(list { a << b\\0a } { c })" },
		{ "a <<-'E'\n\tb\n\t\tc\nE", "(list { a <<' b\\0ac\\0a })" },
		{ "a <<E; b\nx\nE", "(list { a << x\\0a } { b })" },
		{ "a <<E <<F\n1\nE\n2\nF\nb", "(list { a << 1\\0a << 2\\0a } { b })" },
		{ "a <<E\nE", "(list { a << '' })" },
		{ "a <<E\n EE\nE \n\tE\nE", "(list { a << \\20EE\\0aE\\20\\0a\\09E\\0a })" },
		{ "a <<E\nb\\\nc \\$d \\` \\\\ \\q \"e\"\nE",
		  "(list { a << bc\\20$d\\20`\\20\\5c\\20\\5cq\\20\\22e\\22\\0a })" },
		{ "a $(b <<E\nc)\nE\n)", "(list { a <$((list { b << c\\29\\0a })> })" },
		{ "a $(b <<E\nc\nE)", "(list { a <$((list { b << c\\0a })> })" },
		{ "a <<E > f 2>&1\nx\nE", "(list { a << x\\0a > f 2dup 1 })" },
		{ "a <<E \"b\nc\"\nx\nE\nd", "(list { a b\\0ac << x\\0a } { d })" },
		{ "{ a <<E; }\nx\nE", "(list (group { a << x\\0a }))" },
		{ "a <<\\E\n$b\nE", "(list { a <<' $b\\0a })" },
		{ "a <<'b c'\nx\nb c\n", "(list { a <<' x\\0a })" },
		{ "if a <<E; then\nx\nE\nb; fi", "(list (if (list { a << x\\0a }) (list { b })))" },
	};

	check_trees(cases, countof(cases));
}

TEST(text_without_commands_is_an_empty_list)
{
	static const struct tree_case cases[] = { { "", "(list)" },
						  { " \t\n", "(list)" },
						  { "# a\n", "(list)" } };

	check_trees(cases, countof(cases));
}

/* Anything bash takes that the reader does not is a question too many; the opposite would be
 * a command too many. */
static void check_refused(struct sv text, enum err_kind kind)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct sh_node *tree = sh_parse(text, &arena, &err);

	if (tree)
		fail_msg("not refused: %.*s", SV_ARG(text));
	CHECK_INT(err.kind, kind);
	CHECK(strlen(err.text) > 0);
}

TEST(ambiguous_commands_are_refused)
{
	static const char *const texts[] = {
		/* Not closed, or closed too often. */
		"a '",
		"a \"",
		"a `",
		"a $(",
		"a ${",
		"a $((",
		"a <(b",
		"(a",
		"{ a;",
		"a )",
		"}",
		"fi",
		"if a; then b",
		"while a; do b",
		"case a in b) c",
		"[[ a",
		"((1",
		"a $'",
		"a=(b",
		"f() {",
		"a \\",
		"a $(b))",
		"a \"$(b\"",
		"a `b",
		"a ${b",
		/* Out of place. */
		";",
		"a;;b",
		"a ; ; b",
		"& a",
		"a &&",
		"a | | b",
		"a >",
		"a > ; b",
		"a (b)",
		"a=(b)c",
		"if; then a; fi",
		"if a; then fi",
		"for 1 in a; do b; done",
		"a | ! b",
		"! ! a",
		"then a",
		"[ a",
		"[[ a b ]]",
		"[[ -f ]]",
		"[[ a == ]]",
		"[[ && a ]]",
		"a <<",
		"(a) b",
		"{ a; } b",
		"time -x a",
		"time time a",
		"coproc a if",
		"A=1 if",
		">a { b; }",
		"a >b c >",
		"2<3>4",
		/* Read in more than one way, by other versions or settings. */
		"a $((b); c)",
		"((a); b)",
		"$((a) )",
		"!(a)",
		"!(a|b) c",
		"@(a) b",
		"${ a; }",
		"a ${ b; }",
		"a ${| b; }",
		"a $\\\n(b)",
		"a &\\\n& b",
		"a >\\\n> b",
		"a$b\\\nc",
		"i\\\nf b; then c; fi",
		"a\\\n>b",
		"a \"${b:-'$(c)'}\"",
		"a \"${b:-'}'}\"",
		"a ${b:-<(c)}",
		"a $((b['c']))",
		"$(coproc a)",
		"ls[a b]",
		"a=(['x']=b)",
		"a=([$(b)]=c)",
		"a > {b,c}",
		"a <& b",
		"a {A..z}",
		"a {a..1}",
		"a {1..2..x}",
		"a [\"b\"]c]",
		"a ~b\\\nc",
		"for x in a\\\nb; do c; done; }",
		/* Here-documents. */
		"a <<E",
		"a <<E\n",
		"a <<E\nb",
		"a <<E\n E\n",
		"a <<E\nE b\n",
		"a <<$b\nx\n$b\n",
		"a <<''\n\n",
		"a <<E\nx\\\nE\nE\n",
		"a <<E\nE\\\n\nE\n",
		"a $(b <<E)\nx\nE\n",
		"a $(b <<E\nEx)\nE\n)",
		"a <<`b`\nx\n`b`\n",
		"a <<E\n$(b\nE\n",
		"a <<'E\n'\nE\n",
		"a <<-E\n\t$(b\n\tc)\n\tE\n",
		/* NUL characters by another way. */
		"a $'\\0'",
		"a $'\\x00'",
		"a $'\\u0000'",
		"a $'\\c@'",
		"a $'\\xff'",
	};

	for (size_t i = 0; i < countof(texts); i++)
		check_refused(sv_cstr(texts[i]), ERR_PARSE);
	check_refused(SV("a \0; b"), ERR_PARSE);
	check_refused(SV("a \xff"), ERR_PARSE);
	check_refused(SV("a '\xc3'"), ERR_PARSE);
}

static void check_repeated(const char *before, const char *unit, size_t n, const char *between,
			   const char *closing, const char *after)
{
	defer(str_clear) struct str text = STR_INIT;

	str_adds(&text, before);
	for (size_t i = 0; i < n; i++)
		str_adds(&text, unit);
	str_adds(&text, between);
	for (size_t i = 0; i < n; i++)
		str_adds(&text, closing);
	str_adds(&text, after);
	check_refused(sv_of(&text), ERR_TOO_BIG);
}

TEST(text_over_a_limit_is_refused_with_the_reason)
{
	check_repeated("a ", "x", LIMIT_SH_TEXT, "", "", "");
	check_repeated("", "( ", LIMIT_SH_DEPTH + 1, "a", ")", "");
	check_repeated("a ", "$(a ", LIMIT_SH_DEPTH + 1, "", ")", "");
	check_repeated("a ", "${x:-", LIMIT_SH_DEPTH + 1, "", "}", "");
	check_repeated("", "{ ", LIMIT_SH_DEPTH + 1, "a", ";}", "");
	check_repeated("[[ ", "( ", LIMIT_SH_DEPTH + 1, "a", " )", " ]]");
	check_repeated("a ", "{a,", LIMIT_SH_DEPTH + 1, "b", "}", "");
	check_repeated("a ", "{a,b}", 20, "", "", "");
	check_repeated("a ", "{1..100}", 4, "", "", "");
	check_repeated("a {1..100000000000000}", "", 0, "", "", "");
	check_repeated("a {", "b", LIMIT_SH_BRACED, ",c}", "", "");
	check_repeated("a ", "b ", 40000, "", "", "");
	check_repeated("a ", "=~ ", 9000, "", "", "");
	check_repeated("", "a | ", LIMIT_SH_PIPES, "b", "", "");
	check_repeated("", "a; ", LIMIT_SH_COMMANDS, "b", "", "");
	check_repeated("", "a && b || ", LIMIT_SH_DEPTH + 1, "c", "", "");
}

static size_t depth_of(const struct sh_node *node)
{
	size_t deepest = 0;

	for (const struct sh_node *kid = node->kids; kid; kid = kid->next)
		deepest = max_of(deepest, depth_of(kid));
	return deepest + 1;
}

TEST(long_chain_is_complete_and_makes_a_flat_tree)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct sh_node *tree;
	const struct sh_node *last;

	for (int i = 1; i < LIMIT_SH_COMMANDS; i++)
		str_adds(&text, "true && ");
	str_adds(&text, "curl x");
	tree = sh_parse(sv_of(&text), &arena, &err);
	CHECK_OK(tree != NULL, err);
	CHECK(depth_of(tree) < 20);
	for (last = tree->kids; last->kind == SH_AND; last = last->kids->next)
		;
	CHECK_SV(last->text, "curl x");
}

TEST(node_has_its_source_text)
{
	static const struct tree_case cases[] = {
		{ " a b ;c", "a b" },
		{ "a b > c # d", "a b > c" },
		{ "! a | b && c", "! a | b && c" },
		{ "time a b; c", "time a b" },
		{ "A=1 b c & d", "A=1 b c &" },
		{ "{ a; } 2>b; c", "{ a; } 2>b" },
		{ "if a; then b; fi; c", "if a; then b; fi" },
		{ "f() { a; }; b", "f() { a; }" },
		{ "a <<E | b\nx\nE\nc", "a <<E | b" },
		{ "for x in a; do b; done > c; d", "for x in a; do b; done > c" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct err err = ERR_INIT;
		struct sh_node *tree = sh_parse(sv_cstr(cases[i].text), &arena, &err);

		CHECK_OK(tree != NULL, err);
		CHECK_SV_EQ(tree->kids->text, sv_cstr(cases[i].tree));
	}
}

TEST(word_is_static_when_it_needs_no_expansion)
{
	static const struct {
		const char *text, *value; /* NULL: it is not */
	} cases[] = {
		{ "a", "a" },    { "''", "" },        { "'a b'\"c\"\\d", "a bcd" },
		{ "$x", NULL },  { "\"a$x\"", NULL }, { "a*", NULL },
		{ "~", NULL },   { "a~", "a~" },      { "$(a)", NULL },
		{ "`a`", NULL }, { "$((1))", NULL },  { "'*'", "*" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct err err = ERR_INIT;
		struct sv text = arena_printf(&arena, "x %s", cases[i].text), value;
		struct sh_node *tree = sh_parse(text, &arena, &err);
		const struct sh_word *word;

		CHECK_OK(tree != NULL, err);
		word = tree->kids->words->next;
		CHECK_SV_EQ(word->written, sv_cstr(cases[i].text));
		CHECK(sh_word_static(word, &arena, &value) == (cases[i].value != NULL));
		if (cases[i].value)
			CHECK_SV_EQ(value, sv_cstr(cases[i].value));
	}
}

/* A cut anywhere in a text that is fine either is fine or is refused, and is no trouble. */
TEST(every_prefix_of_a_text_is_parsed_or_refused)
{
	static const char text[] =
		"A=1 b 'c' \"d$(e `f \\`g\\``)\" ${h:-$(i)} $((1+2)) {j,k} | l && (m; n) "
		"<<E 2>&1 & for o in p; do [[ q =~ r ]]; done\n$(s)\nE\n"
		"case t in (u|v) w;; esac; f() { x; }\n";

	for (size_t n = 0; n < sizeof(text); n++) {
		defer(arena_clear) struct arena arena = ARENA_INIT;
		struct err err = ERR_INIT;
		struct sh_node *tree = sh_parse(sv_from(text, n), &arena, &err);

		CHECK((tree != NULL) == (err.kind == ERR_NONE));
	}
}
