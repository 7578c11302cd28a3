#include "tool/edit/notebook.h"

#include "test.h"

/* As Jupyter writes them: an indent of one. */
#define CODE(id, source)                                                                           \
	"  {\n   \"cell_type\": \"code\",\n   \"execution_count\": 7,\n" id                        \
	"   \"metadata\": {\"a\":1.0e5},\n   \"outputs\": [{\"x\": [ ]}],\n   \"source\": " source \
	"\n  }"
#define ID(id) "   \"id\": \"" id "\",\n"
#define BOOK(cells) \
	"{\n \"cells\": [\n" cells "\n ],\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n"

enum what { REPLACE, REPLACE_AS_MARKDOWN, INSERT, REMOVE };

struct book_case {
	const char *before;
	enum what what;
	size_t at;
	const char *source, *after;
};

static bool change(struct str *text, const struct book_case *c, struct err *err)
{
	struct sv source = sv_cstr(c->source);

	switch (c->what) {
	case REPLACE: return notebook_replace(text, c->at, SV("code"), source, err);
	case REPLACE_AS_MARKDOWN: return notebook_replace(text, c->at, SV("markdown"), source, err);
	case INSERT: return notebook_insert(text, c->at, SV("new"), SV("code"), source, err);
	case REMOVE: return notebook_remove(text, c->at, err);
	}
	return false;
}

#define A CODE(ID("a"), "[\n    \"1\\n\",\n    \"2\"\n   ]")
#define B CODE(ID("b"), "\"one string\"")
#define C CODE(ID("c"), "[]")
#define EMPTIED(id, source)                                                    \
	"  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n" id \
	"   \"metadata\": {\"a\":1.0e5},\n   \"outputs\": [],\n   \"source\": " source "\n  }"
#define NEW                                                                                      \
	"  {\n   \"cell_type\": \"code\",\n   \"execution_count\": null,\n   \"id\": \"new\",\n" \
	"   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\n    \"x\"\n   ]\n  }"

TEST(an_edit_of_a_notebook_leaves_the_other_cells_as_they_were)
{
	static const struct book_case cases[] = {
		{ BOOK(A ",\n" B ",\n" C), REPLACE, 0, "x\n\"y\"\n",
		  BOOK(EMPTIED(ID("a"), "[\n    \"x\\n\",\n    \"\\\"y\\\"\\n\"\n   ]") ",\n" B
											",\n" C) },
		{ BOOK(A ",\n" B ",\n" C), REPLACE, 1, "x\ny",
		  BOOK(A ",\n" EMPTIED(ID("b"), "\"x\\ny\"") ",\n" C) },
		{ BOOK(A ",\n" B ",\n" C), REPLACE, 2, "",
		  BOOK(A ",\n" B ",\n" EMPTIED(ID("c"), "[]")) },
		{ BOOK(A ",\n" B), REPLACE_AS_MARKDOWN, 1, "# x",
		  BOOK(A ",\n  {\n   \"cell_type\": \"markdown\",\n" ID(
			  "b") "   \"metadata\": {\"a\":1.0e5},\n   \"source\": \"# x\"\n  }") },
		{ BOOK(A ",\n" B), INSERT, 0, "x", BOOK(NEW ",\n" A ",\n" B) },
		{ BOOK(A ",\n" B), INSERT, 1, "x", BOOK(A ",\n" NEW ",\n" B) },
		{ BOOK(A ",\n" B), INSERT, 2, "x", BOOK(A ",\n" B ",\n" NEW) },
		{ "{\n \"cells\": []\n}", INSERT, 0, "x", "{\n \"cells\": [\n" NEW "\n ]\n}" },
		{ BOOK(A ",\n" B ",\n" C), REMOVE, 0, "", BOOK(B ",\n" C) },
		{ BOOK(A ",\n" B ",\n" C), REMOVE, 1, "", BOOK(A ",\n" C) },
		{ BOOK(A ",\n" B ",\n" C), REMOVE, 2, "", BOOK(A ",\n" B) },
		/* On one line. */
		{ "{\"cells\":[{\"cell_type\":\"raw\",\"source\":[\"a\"]}]}", INSERT, 1, "x\ny",
		  "{\"cells\":[{\"cell_type\":\"raw\",\"source\":[\"a\"]}, {\"cell_type\": "
		  "\"code\", "
		  "\"execution_count\": null, \"id\": \"new\", \"metadata\": {}, \"outputs\": [], "
		  "\"source\": [\"x\\n\", \"y\"]}]}" },
		/* A cell that has nothing. */
		{ "{\"cells\":[{}]}", REPLACE, 0, "x",
		  "{\"cells\":[{\"source\":[\"x\"],\"cell_type\":\"code\","
		  "\"execution_count\":null,\"outputs\":[]}]}" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		defer(str_clear) struct str text = STR_INIT;
		struct err err;

		str_adds(&text, cases[i].before);
		CHECK_OK(change(&text, &cases[i], &err), err);
		CHECK_SV_EQ(sv_of(&text), sv_cstr(cases[i].after));
	}
}

TEST(a_cell_is_found_by_its_id_or_by_its_place)
{
	static const char text[] = "{\"cells\":[{\"id\":\"x\"},{},{\"id\":\"cell-0\"}]}";
	defer(notebook_clear) struct notebook nb = NOTEBOOK_INIT;
	defer(str_clear) struct str id = STR_INIT;
	struct err err;
	size_t at;

	CHECK_OK(notebook_open(&nb, sv_cstr(text), &err), err);
	CHECK(notebook_find(&nb, SV("x"), &at) && at == 0);
	CHECK(notebook_find(&nb, SV("cell-1"), &at) && at == 1);
	CHECK(notebook_find(&nb, SV("cell-0"), &at) && at == 2);
	CHECK(!notebook_find(&nb, SV("cell-3"), &at));
	CHECK(!notebook_find(&nb, SV("cell--1"), &at));
	CHECK(!notebook_find(&nb, SV("cell-"), &at));
	CHECK(!notebook_find(&nb, SV(""), &at));
	notebook_id(&id, json_at(nb.cells, 1), 1);
	CHECK_SV(sv_of(&id), "cell-1");
}

TEST(a_new_id_is_one_that_no_cell_has)
{
	defer(notebook_clear) struct notebook nb = NOTEBOOK_INIT;
	defer(str_clear) struct str first = STR_INIT;
	defer(str_clear) struct str second = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	struct err err;

	CHECK_OK(notebook_open(&nb, SV("{\"cells\":[{\"id\":\"?\"}]}"), &err), err);
	notebook_new_id(&first, &nb, SV("x"));
	CHECK_INT(first.len, 8);
	notebook_clear(&nb);
	str_addf(&text, "{\"cells\":[{\"id\":\"%s\"}]}", str_c(&first));
	CHECK_OK(notebook_open(&nb, sv_of(&text), &err), err);
	notebook_new_id(&second, &nb, SV("x"));
	CHECK(!sv_eq(sv_of(&first), sv_of(&second)));
}

struct no_book {
	const char *text, *expected;
};

TEST(what_is_no_notebook_is_refused)
{
	static const struct no_book cases[] = {
		{ "", "line 1" },
		{ "{\"cells\":[", "line 1" },
		{ "[]", "not a notebook" },
		{ "{}", "not a notebook" },
		{ "{\"cells\":{}}", "not a notebook" },
		{ "{\"nbformat\":3,\"worksheets\":[]}", "older than nbformat 4" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct notebook nb = NOTEBOOK_INIT;
		struct err err = ERR_INIT;

		CHECK(!notebook_open(&nb, sv_cstr(cases[i].text), &err));
		CHECK(sv_find(sv_cstr(err.text), sv_cstr(cases[i].expected)) != SIZE_MAX);
	}
}
