#include "md_dump.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "test.h"
#include "text/html/entity.h"

static void check(struct sv text, const char *expected)
{
	defer(md_dump_clear) struct md_dump d = MD_DUMP_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(md_read(text, md_dump_event, &d, &err), err);
	CHECK_INT(d.open.n, 0);
	CHECK_STR(str_c(&d.out), expected);
}

static const struct {
	const char *text, *events;
} dialect[] = {
	{ "", "" },
	{ "\n \n", "" },
	{ "a\nb", "p{a~b}" },
	{ "a  \nb\\\nc", "p{a|b|c}" },
	{ "a\n\nb", "p{a} p{b}" },
	{ "# A #\n\n###### B", "h1{A} h6{B}" },
	{ "A\n===\n\nB\n---", "h1{A} h2{B}" },
	{ "a\n\n***\n", "p{a} hr{}" },
	{ "> a\n> > b", "quote{p{a} quote{p{b}}}" },
	{ "- a\n- b", "ul{li{a} li{b}}" },
	{ "- a\n\n- b", "loose-ul{li{p{a}} li{p{b}}}" },
	{ "7. a\n8. b\n   - c", "ol7{li{a} li{b ul{li{c}}}}" },
	{ "1) a\n\n   b", "loose-ol1{li{p{a} p{b}}}" },
	{ "- [ ] a\n- [x] b\n- [X] c\n- d", "ul{li {a} lix{b} lix{c} li{d}}" },
	{ "```c x=1\nint a;\n\n```", "pre[c x=1]{int a;\n\n}" },
	{ "~~~\n```\n", "pre[]{```\n}" },
	{ "    indented\n", "pre[]{indented\n}" },
	{ "<div>\n*a*\n</div>", "html{$<div>$\n$*a*$\n$</div>$\n}" },
	{ "a <b>c</b>", "p{a $<b>c$</b>}" },
	{ "|a|b|\n|:--|--:|\n|1|2|\n|3|",
	  "table2x2{head{tr{td<{a} td>{b}}} body{tr{td<{1} td>{2}} tr{td<{3} td>{}}}}" },
	{ "|a|\n|:-:|\n", "table1x0{head{tr{td^{a}}}}" },
	{ "*a* **b** ~~c~~ `d`", "p{*em{a} *strong{b} *del{c} *code{d}}" },
	{ "[a](/b \"c\") ![d](e)", "p{*a[/b|c]{a} *img[e|]{d}}" },
	{ "[a]\n\n[a]: /b 'c'", "p{*a[/b|c]{a}}" },
	{ "http://x.y/z www.a.b me@x.y <ftp://q>",
	  "p{*a[http://x.y/z|]{http://x.y/z} *a[http://www.a.b|]{www.a.b} "
	  "*a[mailto:me@x.y|]{me@x.y} *a[ftp://q|]{ftp://q}}" },
	/* Entities, escapes, and what is none. */
	{ "&lt;&copy;&#33;&#x1F600;&nope;&", "p{<\u00a9!\U0001f600&nope;&}" },
	{ "&#0; &#xD800; &#1114112;", "p{\ufffd \ufffd \ufffd}" },
	{ "\\*a\\* \\&amp;", "p{*a* &amp;}" },
	{ "`&lt;`", "p{*code{&lt;}}" },
	/* md4c ends the emphasis in the title, which nobody sees: it is left with the block. */
	{ "*a ![b](c \"d*e\") f", "p{*em{a *img[c|d*e]{b} f}}" },
	{ "[a](/&ouml;&x; \"&quot;b\\\"\")", "p{*a[/\u00f6&x;|\"b\"]{a}}" },
	{ "``` &amp;c\n```", "pre[&c]{}" },
};

TEST(markdown_is_read_as_github_reads_it)
{
	for (size_t i = 0; i < countof(dialect); i++)
		check(sv_cstr(dialect[i].text), dialect[i].events);
}

TEST(invalid_bytes_arrive_as_replacements)
{
	check(SV("a\0b\xff \xe4\xb8"), "p{a\ufffdb\ufffd \ufffd}");
	check(SV("`\0`"), "p{*code{\ufffd}}");
	check(SV("```\0\xff\n\0\n"), "pre[\ufffd\ufffd]{\ufffd\n}");
	check(SV("[a](b\0c \"\xff\")"), "p{*a[b\ufffdc|\ufffd]{a}}");
}

TEST(bytes_after_the_text_are_not_read)
{
	check(sv_slice(SV("8. x"), 0, 1), "p{8}"); /* md4c would look at the dot */
}

TEST(the_reader_can_stop_after_any_event)
{
	static const struct sv text =
		SV_INIT("# a *b*\n\n- [c](d)\n\n|x|\n|-|\n|y|\n\n```\nz\n```\n");
	defer(md_dump_clear) struct md_dump whole = MD_DUMP_INIT;
	struct err err = ERR_INIT;
	size_t events;

	CHECK_OK(md_read(text, md_dump_event, &whole, &err), err);
	events = SIZE_MAX - whole.left;
	for (size_t n = 0; n < events; n++) {
		defer(md_dump_clear) struct md_dump part = MD_DUMP_INIT;

		part.left = n;
		CHECK_OK(md_read(text, md_dump_event, &part, &err), err);
		CHECK(part.left == SIZE_MAX); /* not called again after it said stop */
		CHECK(sv_starts(sv_of(&whole.out), sv_of(&part.out)));
	}
}

static bool count_event(void *arg, __attribute__((unused)) const struct md_event *event)
{
	++*(size_t *)arg;
	return true;
}

static bool ignore(__attribute__((unused)) void *arg,
		   __attribute__((unused)) const struct md_event *event)
{
	return true;
}

/* `n` times `part`, between `head` and `tail`. */
static struct str repeated(const char *head, const char *part, size_t n, const char *tail)
{
	struct str text = STR_INIT;

	str_adds(&text, head);
	while (n--)
		str_adds(&text, part);
	str_adds(&text, tail);
	return text;
}

TEST(text_over_the_limit_is_refused)
{
	defer(str_clear) struct str text = repeated("", "a", LIMIT_MARKDOWN, "");
	struct err err = ERR_INIT;

	CHECK_OK(md_read(sv_of(&text), ignore, NULL, &err), err);
	str_addc(&text, 'a');
	CHECK(!md_read(sv_of(&text), ignore, NULL, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "16777217 bytes");
}

TEST(text_that_expands_too_much_is_refused)
{
	defer(str_clear) struct str refs = repeated("", "[a] ", 20000, "\n\n[a]: /");
	defer(str_clear) struct str columns = repeated("|", "a|", 5000, "\n|");
	defer(str_clear) struct str lines = repeated("", "[a](\n", 50000, "");
	defer(str_clear) struct str crs = repeated("", "www.a.b:\r", 50000, "");
	struct err err = ERR_INIT;
	size_t events = 0;

	for (int i = 0; i < 20000; i++)
		str_addc(&refs, 'u');
	CHECK(!md_read(sv_of(&refs), ignore, NULL, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "expands");
	for (int i = 0; i < 5000; i++)
		str_adds(&columns, "---|");
	for (int i = 0; i < 5000; i++)
		str_adds(&columns, "\n|b|");
	/* Newer md4c takes only so many columns for a table, and all is text. */
	if (md_read(sv_of(&columns), count_event, &events, &err))
		CHECK(events < columns.len);
	else
		CHECK_ERR(err, ERR_TOO_BIG, "expands");
	CHECK(!md_read(sv_of(&lines), ignore, NULL, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "too many links");
	CHECK(!md_read(sv_of(&crs), ignore, NULL, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "too many links");
}

TEST(big_but_ordinary_text_is_read)
{
	defer(str_clear) struct str list = repeated("", "- [a](http://b.c/d)\n", 50000, "");
	defer(str_clear) struct str prose =
		repeated("", "Some text: [a](b).\nMore.\n\n", 50000, "");
	defer(str_clear) struct str nested = repeated("", "> ", 100000, "x");
	struct err err = ERR_INIT;

	CHECK_OK(md_read(sv_of(&list), ignore, NULL, &err), err);
	CHECK_OK(md_read(sv_of(&prose), ignore, NULL, &err), err);
	CHECK_OK(md_read(sv_of(&nested), ignore, NULL, &err), err);
}

/* Where `text` is cut, marked with '^'. */
static void check_cuts(const char *marked)
{
	defer(str_clear) struct str text = STR_INIT;
	size_t expected = 0;

	for (const char *at = marked; *at; at++) {
		if (*at == '^')
			expected = text.len;
		else
			str_addc(&text, *at);
	}
	if (md_stable_prefix(sv_of(&text)) != expected)
		fail_msg("cut at %zu, not %zu, of\n%s", md_stable_prefix(sv_of(&text)), expected,
			 text.ptr);
}

TEST(finished_blocks_are_cut_off)
{
	static const char *const cases[] = {
		"",
		"a",
		"a\n",
		"a\n\n",
		"a\n\n^b",
		"a\n\nb\n\n^c\n",
		"a\n\n b", /* indented by no more than one: might be told, is not */
		"# a\n\n^b",
		"> a\n\n^> b",
		"    code\n\n    more", /* blank lines do not end it */
		"    code\n\n^text",
		"a\r\n\r\n^b",
		"a\r\r^b",
		"a\n \t \n^b",
		"\n\n^a",
		"|a|\n|---|\n|b|\n\n^c",
		"<div>\n\n^a",
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_cuts(cases[i]);
}

TEST(fences_are_cut_only_after_their_end)
{
	static const char *const cases[] = {
		"```\na\n\nb",
		"```\na\n\nb\n```\n\n^c",
		"a\n\n^```\na\n\nb\n```\n\n",
		"````\n```\n\nb\n\n```\n\n",
		"````\n```\n\nb\n`````\n\n^a",
		"~~~\n```\n\nb\n~~~ x\n\nc",
		"```\n\n  ```  \n\n^a",
		"```\n\n    ```\n\na",
		"``` a`b\n\n^c", /* no fence */
		"> ```\n\n^a",   /* ends with its quote */
		"a\n```\n\nb\n```\n\n^c",
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_cuts(cases[i]);
}

TEST(lists_are_cut_only_when_something_else_follows)
{
	static const char *const cases[] = {
		"- a\n\n",
		"- a\n\n- b",
		"- a\n\n*", /* an item, or emphasis? */
		"- a\n\n^**b**",
		"- a\n\n1", /* an item, or a number? */
		"- a\n\n12.",
		"- a\n\n^12 apples",
		"- a\n\n^1.5",
		"- a\n\n  b\n\n    c",
		"- a\n\n^b",
		"- a\nlazy\n\n^b",
		"1. a\nlazy\n2. b\n\n^c",
		"1. a\n\n   ```\n   x\n\n   y\n   ```\n\n2. b\n\n^c",
		"1. a\n```\n\nx\n```\n\n^b",
		"- a\n\n- - -", /* not a list, but who knows what comes */
		"- a\n\n^---",
		"- a\n---\n\n^b",
		"para\n- a\n\n^b",
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_cuts(cases[i]);
}

TEST(ambiguous_text_is_not_cut)
{
	static const char *const cases[] = {
		"a\n\n^<!-- x\n\ny -->\n\nz",
		"a\n\n^<pre>\n\ny\n</pre>\n\nz",
		"a\n\n^-\n\n  b\n\nc",
		"a\n\n^-\tb\n\nc",
		"a\n\n^b\n2. c\n\nd",
		"a\n\n^- b\nlazy\n\n  c\n\nd",
		"a\n\n^```\n```\t\n\nb",
		"a\n\n^- ```\n\n```\n\nb", /* md4c: the end of the first */
		"a\n\n^<div>\n```\n\nb",
		"a\n\n^|b|\n|---|\n```\n\nc", /* md4c: a row */
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_cuts(cases[i]);
}

TEST(nothing_is_cut_after_a_link_definition)
{
	static const char *const cases[] = {
		"a\n\n^[b]: c\n\nd",      "a\n\n^> - [b]: c\n\nd",
		"a\n\n^[b\nc]: d\n\ne",   "[b] c: d\n\n^e", /* none */
		"[b]\n\nc]: d\n\n^e",                       /* none either */
		"```\n[b]: c\n```\n\n^d",                   /* code */
	};

	for (size_t i = 0; i < countof(cases); i++)
		check_cuts(cases[i]);
}

static const struct sv growing[] = {
	SV_INIT("Here is the fix:\n\n```c\nint x;\n\nint y;\n```\n\nThen run `make`:\n\n"
		"- one\n- two\n  more\n\n  and more\n\n- three\n\n# Done\n\n> quoted\n> "
		"text\n\nBye.\n"),
	SV_INIT("1. First:\n\n   ```sh\n   ls\n\n   cd\n   ```\n\n2. Second\n   - x\n   - y\n\n"
		"After **all**\nthat.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\nEnd\n===\n\nx\n"),
	SV_INIT("a\r\n\r\n* b\r\n* c\r\n\r\n**d**\r\n\r\n1. e\r\n1. f\r\n\r\n2 "
		"g\r\n\r\n***\r\n\r\nh"),
	SV_INIT("- [ ] a\n- [x] b\n\n~~c~~\n\n    code\n\n    code\n\ntext "
		"<b>x</b>\n\n<div>\n\ny\n\n"
		"</div>\n\n&amp; http://a.b\n\n---\n\n\xff\xe4\xb8\n\nz\n"),
};

/* As a terminal does it: what is finished is read once, the rest every time. */
TEST(cutting_a_growing_text_gives_the_same_events)
{
	for (size_t g = 0; g < countof(growing); g++) {
		defer(md_dump_clear) struct md_dump whole = MD_DUMP_INIT;
		defer(md_dump_clear) struct md_dump done = MD_DUMP_INIT;
		struct err err = ERR_INIT;
		size_t drawn = 0, cuts = 0;

		CHECK_OK(md_read(growing[g], md_dump_event, &whole, &err), err);
		for (size_t n = 0; n <= growing[g].len; n++) {
			struct sv rest = sv_skip(sv_slice(growing[g], 0, n), drawn);
			size_t cut = md_stable_prefix(rest);

			if (cut == 0)
				continue;
			CHECK(md_stable_prefix(sv_slice(growing[g], 0, n)) == drawn + cut);
			CHECK_OK(md_read(sv_slice(rest, 0, cut), md_dump_event, &done, &err), err);
			drawn += cut;
			cuts++;
		}
		CHECK(cuts >= 4);
		CHECK_OK(md_read(sv_skip(growing[g], drawn), md_dump_event, &done, &err), err);
		CHECK_STR(str_c(&done.out), str_c(&whole.out));
	}
}

TEST(known_entities_are_decoded_and_others_kept)
{
	static const struct {
		const char *entity, *expected; /* NULL: unknown */
	} cases[] = {
		{ "&AElig;", "\u00c6" },
		{ "&zwnj;", "\u200c" },
		{ "&amp;", "&" },
		{ "&apos;", "'" },
		{ "&hellip;", "\u2026" },
		{ "&#65;", "A" },
		{ "&#x41;", "A" },
		{ "&#X1f600;", "\U0001f600" },
		{ "&#0;", "\ufffd" },
		{ "&#99999999999;", "\ufffd" },
		{ "&#xffffffffff;", "\ufffd" },
		{ "&#;", NULL },
		{ "&#x;", NULL },
		{ "&#1a;", NULL },
		{ "&#xg;", NULL },
		{ "&AMP;", NULL },
		{ "&am;", NULL },
		{ "&ampx;", NULL },
		{ "&;", NULL },
		{ "amp", NULL },
		{ "&", NULL },
		{ "", NULL },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str out = STR_INIT;

		CHECK(entity_decode(&out, sv_cstr(cases[i].entity)) == (cases[i].expected != NULL));
		CHECK_STR(str_c(&out), cases[i].expected ? cases[i].expected : "");
	}
}
