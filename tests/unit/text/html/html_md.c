#include "text/html/html_md.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "test.h"

static void convert(struct str *out, struct sv html)
{
	struct err err;
	bool cut = true;

	CHECK_OK(html_to_md(out, html, SV("https://h.example/d/p"), LIMIT_HTML, &cut, &err), err);
	CHECK(!cut);
}

struct html_case {
	const char *html, *md;
};

static void check_cases(const struct html_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		defer(str_clear) struct str out = STR_INIT;

		convert(&out, sv_cstr(cases[i].html));
		if (!sv_eq(sv_of(&out), sv_cstr(cases[i].md)))
			print_error("of %s\n", cases[i].html);
		CHECK_STR(str_c(&out), cases[i].md);
	}
}

TEST(blocks_are_separated_and_white_space_collapses)
{
	static const struct html_case cases[] = {
		{ "", "" },
		{ " \n ", "" },
		{ "plain", "plain" },
		{ "<p>a \n\t b</p><p>c", "a b\n\nc" },
		{ "<div>a</div><div>b</div>", "a\nb" },
		{ "a<br>b<br><br>c<br><br><br><br>d", "a\nb\n\nc\n\nd" },
		{ "<h1>One</h1>x<h3> Three <br> lines </h3>y",
		  "# One\n\nx\n\n### Three lines\n\ny" },
		{ "<h6>six</h6>", "###### six" },
		{ "<h2></h2>x<p></p><p> </p>y", "x\n\ny" },
		{ "<h2><div>a</div><div>b</div></h2>", "## a b" },
		{ "a<hr>b", "a\n\n---\n\nb" },
		{ "<hr>b", "b" },
		{ "a&nbsp;&nbsp;b &lt;c&gt; &eacute;&#x1F600;",
		  "a b <c> \xc3\xa9\xf0\x9f\x98\x80" },
		{ "<title> My\n page </title><p>x", "Title: My page\n\nx" },
		{ "<title> </title>x", "x" },
	};

	check_cases(cases, countof(cases));
}

TEST(emphasis_and_code_have_no_inner_blanks)
{
	static const struct html_case cases[] = {
		{ "a <b> b </b> c", "a **b** c" },
		{ "a<em>b</em>c", "a*b*c" },
		{ "<b></b><i> </i>x", "x" },
		{ "<b>a <strong>b</strong></b>", "**a b**" },
		{ "<b>a <i>b</i></b>", "**a *b***" },
		{ "<b><p>a</p><p>b</p></b>", "**a**\n\n**b**" },
		{ "<del>x</del>", "~~x~~" },
		{ "<code>a  b</code>", "`a  b`" },
		{ "<code>a`b</code> <code>``</code>", "``a`b`` ``` `` ```" },
		{ "<code> </code>x", "x" },
		{ "<kbd>Ctrl<b>C</b></kbd>", "`CtrlC`" },
	};

	check_cases(cases, countof(cases));
}

TEST(code_blocks_keep_their_bytes_and_cannot_end_early)
{
	static const struct html_case cases[] = {
		{ "<pre>\n  a\n\n\tb\n</pre>x", "```\n  a\n\n\tb\n```\n\nx" },
		{ "<pre><code class='hl language-c x'>int\n</code></pre>", "```c\nint\n```" },
		{ "<pre class=lang-js>f()</pre>", "```js\nf()\n```" },
		{ "<pre>```\nx\n````</pre>", "`````\n```\nx\n````\n`````" },
		{ "<pre>a<br>b<span hidden>c</span></pre>", "```\na\nb\n```" },
		{ "<pre> \n </pre>x", "x" },
		{ "<pre>a  \n   \nb</pre>", "```\na  \n   \nb\n```" },
		{ "<blockquote><pre>a\n\nb</pre>", "> ```\n> a\n>\n> b\n> ```" },
		{ "<ul><li>a<pre>x\ny</pre>b</ul>", "- a\n\n  ```\n  x\n  y\n  ```\n\n  b" },
	};

	check_cases(cases, countof(cases));
}

TEST(lists_nest_and_stay_tight)
{
	static const struct html_case cases[] = {
		{ "<ul><li>a<li>b</ul>c", "- a\n- b\n\nc" },
		{ "<ol><li>a<li>b</ol>", "1. a\n2. b" },
		{ "<ol start=9><li>a<li>b</ol>", "9. a\n10. b" },
		{ "<ol start=-5><li>a</ol><ol start=99999999999><li>a</ol>", "1. a\n\n1. a" },
		{ "<ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>", "- a\n  - b\n    1. c\n- d" },
		{ "<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", "- a\n\n  b\n- c" },
		{ "<ul><li></li><li> </li><li>x</ul>", "- x" },
		{ "<ul><li><ul><li>x</ul></ul>", "- - x" },
		{ "<li>stray", "- stray" },
		{ "<dl><dt>t<dd>d<p>e</dl>", "t\n: d\n\n  e" },
		{ "<ul><li>a<blockquote>q<p>r</blockquote></ul>", "- a\n\n  > q\n  >\n  > r" },
		{ "<blockquote>a<blockquote>b</blockquote></blockquote>c", "> a\n>\n> > b\n\nc" },
		{ "x<blockquote><h2>h</h2>t</blockquote>", "x\n\n> ## h\n>\n> t" },
	};

	check_cases(cases, countof(cases));
}

TEST(links_are_absolute_and_lead_off_the_page)
{
	static const struct html_case cases[] = {
		{ "<a href='../x'>a</a>", "[a](https://h.example/x)" },
		{ "<a href='y (1)|<z>'>a</a>", "[a](https://h.example/d/y%20%281%29%7C%3Cz%3E)" },
		{ "<a href=mailto:a@b.example>m</a>", "[m](mailto:a@b.example)" },
		{ "<a href='#top'>top</a><a>none</a><a href=''>e</a>", "topnonee" },
		{ "<a href=javascript:x()>a</a><a href='data:text/html,x'>b</a>", "ab" },
		{ "<a href=/x></a><a href=/y> <img src=i></a>z", "z" },
		{ "<a href=/x><img alt='the  logo'></a>",
		  "[[image: the logo]](https://h.example/x)" },
		{ "<a href=/x><h2>t</h2><p>u</p></a>",
		  "## [t](https://h.example/x)\n\n[u](https://h.example/x)" },
		{ "<base href='//o.example/z/'><a href=x>a</a>", "[a](https://o.example/z/x)" },
		{ "a <img alt=' '> <img alt='cat'>", "a [image: cat]" },
	};

	check_cases(cases, countof(cases));
}

TEST(data_tables_become_tables_and_layout_tables_do_not)
{
	static const struct html_case cases[] = {
		{ "<table><tr><th>A<th>B<tr><td>1<td>2</table>x",
		  "| A | B |\n| --- | --- |\n| 1 | 2 |\n\nx" },
		{ "<table><tr><td>a|b<td><code>c|d</code></table>",
		  "| a\\|b | `c\\|d` |\n| --- | --- |" },
		{ "<table><tr><td>a<p>b<br>c<td></table>", "| a b c | |\n| --- | --- |" },
		{ "<table><tr><td colspan=2>a<td>b</table>", "| a | | b |\n| --- | --- | --- |" },
		{ "<table><tr><td>only<tr><td>one</table>", "only\none" },
		{ "<table><tr><td>l<td><table><tr><td>a<td>b</table></table>",
		  "l\n\n| a | b |\n| --- | --- |" },
		{ "<table><tr><td>1<td><pre>x</pre></table>", "1\n\n```\nx\n```" },
		{ "<table><caption>cap</caption><tr><td>a<td>b</table>",
		  "cap\n| a | b |\n| --- | --- |" },
		{ "<table><tr><td><a href=/x>a</a><td><b>b</b></table>",
		  "| [a](https://h.example/x) | **b** |\n| --- | --- |" },
	};

	check_cases(cases, countof(cases));
}

TEST(hidden_elements_are_skipped)
{
	static const char *const hidden[] = {
		"<script>no</script>",
		"<style>no</style>",
		"<noscript>no</noscript>",
		"<template>no</template>",
		"<!-- no -->",
		"<nav>no</nav>",
		"<div role=Navigation>no</div>",
		"<button>no</button>",
		"<select><option>no</select>",
		"<textarea>no</textarea>",
		"<iframe>no</iframe>",
		"<svg><text>no</text></svg>",
		"<dialog>no</dialog>",
		"<p hidden>no</p>",
		"<p hidden=until-found>no</p>",
		"<p aria-hidden=true>no</p>",
		"<p style='display:none'>no</p>",
		"<p style='color:red; DISPLAY : None !important'>no</p>",
		"<p style='display:/* x */none'>no</p>",
		"<p style='visibility:hidden'>no</p>",
		"<p style='opacity:0'>no</p>",
		"<p style='opacity:0.00'>no</p>",
		"<p style='font-size:0px'>no</p>",
		"<p style='height:0;overflow:hidden'>no</p>",
		"<p style='position:absolute;left:-9999px'>no</p>",
		"<p style='text-indent:-1000em'>no</p>",
		"<p style='clip:rect(0,0,0,0)'>no</p>",
		"<p style='color:transparent'>no</p>",
		"<div style='display:none'><p>no<b>no</b></p></div>",
	};

	for (size_t i = 0; i < countof(hidden); i++) {
		defer(str_clear) struct str html = STR_INIT;
		defer(str_clear) struct str out = STR_INIT;

		str_addf(&html, "<p>before</p>%s<p>after</p>", hidden[i]);
		convert(&out, sv_of(&html));
		if (!sv_eq(sv_of(&out), SV("before\n\nafter")))
			print_error("of %s\n", hidden[i]);
		CHECK_SV(sv_of(&out), "before\n\nafter");
	}
}

TEST(elements_that_only_look_hidden_are_kept)
{
	static const struct html_case cases[] = {
		{ "<p style='opacity:0.5'>a</p>", "a" },
		{ "<p style='font-size:10px;margin-left:-10px'>a</p>", "a" },
		{ "<p style='display'>a</p>", "a" },
		{ "<p style=':;;none:display'>a</p>", "a" },
		{ "<p aria-hidden=false>a</p>", "a" },
		{ "<dialog open>a</dialog>", "a" },
		{ "<p style='display:block/*;display:none*/'>a</p>", "a" },
	};

	check_cases(cases, countof(cases));
}

static void repeat(struct str *out, const char *piece, size_t bytes)
{
	while (out->len < bytes)
		str_adds(out, piece);
}

/* Without a guard each of these takes gumbo from many seconds to hours. */
TEST(page_built_to_stall_the_parser_is_refused_at_once)
{
	static const char *const pieces[] = { "<div>",           "<b>",
					      "<svg><g>",        "<span a=b>",
					      "<table><tr><td>", "<template>" };
	struct err err = ERR_INIT;
	bool cut;

	for (size_t i = 0; i < countof(pieces); i++) {
		defer(str_clear) struct str html = STR_INIT;
		defer(str_clear) struct str out = STR_INIT;

		repeat(&html, pieces[i], LIMIT_HTML - 64);
		CHECK(!html_to_md(&out, sv_of(&html), SV(""), 1000, &cut, &err));
		CHECK_ERR(err, ERR_TOO_BIG, "nested too deeply");
		CHECK_INT(out.len, 0);
	}
}

TEST(excessive_attributes_are_refused_on_any_element)
{
	defer(str_clear) struct str one = STR_INIT;
	defer(str_clear) struct str many = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;
	bool cut;

	str_adds(&one, "<p");
	for (size_t i = 0; i < 100000; i++) {
		str_addf(&one, " a%zu", i);
		str_addf(&many, "<body a%zu>x", i);
	}
	CHECK(!html_to_md(&out, sv_of(&one), SV(""), 1000, &cut, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "too many attributes");
	CHECK(!html_to_md(&out, sv_of(&many), SV(""), 1000, &cut, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "too many attributes");
}

TEST(page_over_the_limit_is_refused)
{
	defer(str_clear) struct str html = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;
	bool cut;

	repeat(&html, "x", LIMIT_HTML + 1);
	CHECK(!html_to_md(&out, sv_of(&html), SV(""), 1000, &cut, &err));
	CHECK_ERR(err, ERR_TOO_BIG, "bytes");
}

/* The depth that real pages have is far from the limit. */
TEST(elements_may_nest_up_to_the_limit)
{
	defer(str_clear) struct str html = STR_INIT;
	defer(str_clear) struct str out = STR_INIT;

	for (size_t i = 0; i < LIMIT_HTML_DEPTH - 10; i++)
		str_adds(&html, "<blockquote>");
	str_adds(&html, "x");
	convert(&out, sv_of(&html));
	CHECK(sv_starts(sv_of(&out), SV("> > > ")));
	CHECK(sv_ends(sv_of(&out), SV("> x")));
}

TEST(text_is_cut_at_every_limit_between_characters)
{
	static const struct sv html =
		SV_INIT("<h1>\xc3\xa9t\xc3\xa9</h1><ul><li>\xe2\x82\xac<b>x</b>"
			"</ul><pre>\xf0\x9f\x98\x80</pre>");
	defer(str_clear) struct str whole = STR_INIT;

	convert(&whole, html);
	for (size_t max = 0; max <= whole.len; max++) {
		defer(str_clear) struct str out = STR_INIT;
		struct err err;
		bool cut;

		CHECK_OK(html_to_md(&out, html, SV(""), max, &cut, &err), err);
		CHECK(out.len <= max && max - out.len < 4);
		CHECK_INT(cut, max < whole.len);
		CHECK(utf8_valid(sv_of(&out), NULL));
		CHECK(sv_starts(sv_of(&whole), sv_of(&out)));
	}
}

TEST(page_prefixes_and_random_bytes_are_accepted)
{
	static const struct sv page = SV_INIT(
		"<!doctype html><html><head><title>T</title><body><p class=\"a b\">x &amp; "
		"\xff\xfe\x80 \xc3<!-- c --><table><tr><td>1<td>2</table><ul><li>a<ol><li>b"
		"</ol></ul><pre>c</pre><a href='x'>d\0e</a><![CDATA[f]]></svg>&#0;&#xD800;");

	for (size_t n = 0; n <= page.len; n++) {
		defer(str_clear) struct str out = STR_INIT;

		convert(&out, sv_slice(page, 0, n));
		CHECK(utf8_valid(sv_of(&out), NULL));
	}
}
