#include "front/tui/keymap.h"

#include "test.h"

static void keymap_freep(struct keymap **k)
{
	keymap_free(*k);
}

static const enum keymap_context at_prompt[] = { KEYMAP_CHAT, KEYMAP_GLOBAL };

static enum keymap_action press(struct keymap *k, unsigned mods, const char *text)
{
	struct key key = { .code = KEY_TEXT, .mods = mods, .text = sv_cstr(text) };
	enum keymap_action action;

	return keymap_key(k, at_prompt, countof(at_prompt), &key, &action) == CHORD_ACTION
		       ? action
		       : ACTION_NONE;
}

extern const char keys_docs_page[];

TEST(the_page_about_keys_has_the_tables_of_the_program)
{
	static const char begin[] = "<!-- keys -->\n", end[] = "<!-- end of keys -->";
	defer(str_clear) struct str wanted = STR_INIT;
	struct sv page = sv_cstr(keys_docs_page);
	size_t from = sv_find(page, sv_cstr(begin)), to = sv_find(page, sv_cstr(end));

	CHECK(from != SIZE_MAX && to != SIZE_MAX && from < to);
	keymap_write_docs(&wanted);
	page = sv_slice(page, from + sizeof(begin) - 1, to);
	if (!sv_eq(page, sv_of(&wanted)))
		fprintf(stderr, "put this into docs/keys.md:\n%s", wanted.ptr);
	CHECK(sv_eq(page, sv_of(&wanted)));
}

TEST(keymap_has_a_key_for_every_action)
{
	defer(keymap_freep) struct keymap *k = keymap_new();

	for (unsigned i = ACTION_NONE + 1; i < KEYMAP_ACTIONS; i++) {
		defer(str_clear) struct str keys = STR_INIT;

		keymap_describe(k, &keys, (enum keymap_action)i);
		CHECK(keys.len);
	}
}

TEST(keymap_finds_actions_by_context)
{
	defer(keymap_freep) struct keymap *k = keymap_new();
	static const enum keymap_context question[] = { KEYMAP_QUESTION, KEYMAP_GLOBAL };
	struct key escape = { .code = KEY_ESCAPE };
	enum keymap_action action;

	CHECK_INT(press(k, KEY_CTRL, "o"), ACTION_TRANSCRIPT);
	CHECK_INT(press(k, KEY_CTRL, "g"), ACTION_EDITOR);
	CHECK_INT(press(k, 0, "o"), ACTION_NONE);
	CHECK_INT(keymap_key(k, at_prompt, countof(at_prompt), &escape, &action), CHORD_ACTION);
	CHECK_INT(action, ACTION_CANCEL);
	CHECK_INT(keymap_key(k, question, countof(question), &escape, &action), CHORD_ACTION);
	CHECK_INT(action, ACTION_NO);
}

TEST(keymap_knows_sequences)
{
	defer(keymap_freep) struct keymap *k = keymap_new();
	struct key x = { .code = KEY_TEXT, .mods = KEY_CTRL, .text = SV("x") };
	enum keymap_action action;

	CHECK_INT(keymap_key(k, at_prompt, countof(at_prompt), &x, &action), CHORD_PARTIAL);
	CHECK_INT(press(k, KEY_CTRL, "e"), ACTION_EDITOR);
}

TEST(keymap_follows_the_users_file)
{
	defer(keymap_freep) struct keymap *k = keymap_new();
	defer(str_clear) struct str problems = STR_INIT;

	keymap_load(k,
		    SV("{\"$schema\": \"x\", // mine\n"
		       "\"bindings\": [{\"context\": \"Chat\", \"bindings\": {"
		       "\"ctrl+e\": \"chat:externalEditor\", \"ctrl+s\": null, \"ctrl+k ctrl+s\": "
		       "\"chat:stash\","
		       "}}, {\"context\": \"Footer\", \"bindings\": {\"x\": \"footer:next\"}}]}"),
		    &problems);
	CHECK_SV(sv_of(&problems), "");
	CHECK_INT(press(k, KEY_CTRL, "e"), ACTION_EDITOR);
	CHECK_INT(press(k, KEY_CTRL, "g"), ACTION_EDITOR);
	CHECK_INT(press(k, KEY_CTRL, "s"), ACTION_NONE);
	press(k, KEY_CTRL, "k");
	CHECK_INT(press(k, KEY_CTRL, "s"), ACTION_STASH);
}

static const struct {
	const char *file, *problem;
} mistakes[] = {
	{ "{\"ctrl+c\": \"chat:stash\"}", "ctrl+c cannot be bound: it always interrupts\n" },
	{ "{\"Ctrl+D\": null}", "Ctrl+D cannot be bound: it always leaves\n" },
	{ "{\"ctrl+m\": \"chat:stash\"}", "ctrl+m cannot be bound: terminals send it for Enter\n" },
	{ "{\"ctrl+y\": \"chat:stsh\"}",
	  "awl has no action \"chat:stsh\"; did you mean \"chat:stash\"?\n" },
	{ "{\"ctrl+y\": \"footer:next\"}", "awl has no action \"footer:next\"\n" },
	{ "{\"ctrl+y\": 5}", "ctrl+y: expected the name of an action, or null\n" },
	{ "{\"hyper+y\": \"chat:stash\"}", "\"hyper+y\" is not a key\n" },
	{ "{\"wheelup\": null}", "\"wheelup\" is not a key\n" },
};

TEST(keymap_names_what_does_not_count_and_keeps_the_rest)
{
	for (size_t i = 0; i < countof(mistakes); i++) {
		defer(keymap_freep) struct keymap *k = keymap_new();
		defer(str_clear) struct str file = STR_INIT, problems = STR_INIT;

		str_addf(&file,
			 "{\"bindings\":[{\"context\":\"Chat\",\"bindings\":%s},"
			 "{\"context\":\"Chat\",\"bindings\":{\"ctrl+y\":\"chat:stash\"}}]}",
			 mistakes[i].file);
		keymap_load(k, sv_of(&file), &problems);
		CHECK_STR(str_c(&problems), mistakes[i].problem);
		CHECK_INT(press(k, KEY_CTRL, "y"), ACTION_STASH);
		CHECK_INT(press(k, KEY_CTRL, "c"), ACTION_INTERRUPT);
	}
}

TEST(keymap_says_why_a_file_cannot_be_read)
{
	defer(keymap_freep) struct keymap *k = keymap_new();
	defer(str_clear) struct str problems = STR_INIT;

	keymap_load(k, SV("{\"bindings\": ["), &problems);
	CHECK(problems.len);
	str_truncate(&problems, 0);
	keymap_load(k, SV("{\"bindings\":[{\"context\":\"Chatt\",\"bindings\":{}}]}"), &problems);
	CHECK_SV(sv_of(&problems), "awl has no context \"Chatt\"\n");
	keymap_load(k, SV("[]"), &problems);
	keymap_load(k, SV("{\"bindings\":7}"), &problems);
	CHECK_INT(press(k, KEY_CTRL, "g"), ACTION_EDITOR);
}
