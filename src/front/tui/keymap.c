#include "front/tui/keymap.h"

#include "base/mem.h"
#include "text/json/json.h"
#include "text/nearest.h"

struct keymap {
	struct chords *chords;
};

static const char keymap_context_names[][14] = {
	[KEYMAP_GLOBAL] = "Global",
	[KEYMAP_CHAT] = "Chat",
	[KEYMAP_COMPLETION] = "Autocomplete",
	[KEYMAP_QUESTION] = "Confirmation",
	[KEYMAP_SEARCH] = "HistorySearch",
	[KEYMAP_TRANSCRIPT] = "Transcript",
	[KEYMAP_LIST] = "Select",
	[KEYMAP_TABS] = "Tabs",
};

/* Contexts of views that awl does not have: their bindings are accepted and have no effect. */
static const char keymap_unused_contexts[][16] = {
	"Settings",        "Help",        "Task",   "ThemePicker",
	"Attachments",     "ModelPicker", "Footer", "Plugin",
	"MessageSelector", "DiffDialog",  "Scroll", "Doctor",
};

static const struct {
	enum keymap_context context;
	char name[32];
	char keys[48]; /* sequences, separated by commas */
	char help[64];
} keymap_actions[] = {
	[ACTION_INTERRUPT] = { KEYMAP_GLOBAL, "app:interrupt", "ctrl+c",
			       "interrupt; twice: leave" },
	[ACTION_EXIT] = { KEYMAP_GLOBAL, "app:exit", "ctrl+d", "leave, on an empty prompt" },
	[ACTION_REDRAW] = { KEYMAP_GLOBAL, "app:redraw", "ctrl+l", "draw the screen again" },
	[ACTION_TODOS] = { KEYMAP_GLOBAL, "app:toggleTodos", "ctrl+t",
			   "show or hide the to-do list" },
	[ACTION_TRANSCRIPT] = { KEYMAP_GLOBAL, "app:toggleTranscript", "ctrl+o",
				"show the whole transcript" },
	[ACTION_SEARCH] = { KEYMAP_GLOBAL, "history:search", "ctrl+r", "search earlier prompts" },
	[ACTION_SUSPEND] = { KEYMAP_GLOBAL, "app:suspend", "ctrl+z", "suspend awl" },
	[ACTION_CANCEL] = { KEYMAP_CHAT, "chat:cancel", "escape",
			    "interrupt; twice: clear the prompt or go back" },
	[ACTION_SUBMIT] = { KEYMAP_CHAT, "chat:submit", "enter", "send the prompt" },
	[ACTION_NEWLINE] = { KEYMAP_CHAT, "chat:newline", "ctrl+j,shift+enter,alt+enter",
			     "begin a new line" },
	[ACTION_CYCLE_MODE] = { KEYMAP_CHAT, "chat:cycleMode", "shift+tab",
				"switch the permission mode" },
	[ACTION_MODEL] = { KEYMAP_CHAT, "chat:modelPicker", "alt+p", "choose the model" },
	[ACTION_FAST] = { KEYMAP_CHAT, "chat:fastMode", "alt+o", "turn fast mode on or off" },
	[ACTION_AGENTS] = { KEYMAP_CHAT, "chat:agents", "shift+down", "choose an agent to watch" },
	[ACTION_UNDO] = { KEYMAP_CHAT, "chat:undo", "ctrl+_,ctrl+shift+-", "undo the last edit" },
	[ACTION_EDITOR] = { KEYMAP_CHAT, "chat:externalEditor", "ctrl+g,ctrl+x ctrl+e",
			    "edit the prompt in $EDITOR" },
	[ACTION_STASH] = { KEYMAP_CHAT, "chat:stash", "ctrl+s",
			   "put the prompt aside or take it back" },
	[ACTION_OLDER] = { KEYMAP_CHAT, "history:previous", "up", "the prompt before" },
	[ACTION_NEWER] = { KEYMAP_CHAT, "history:next", "down", "the prompt after" },
	[ACTION_BACKGROUND] = { KEYMAP_CHAT, "task:background", "ctrl+b,ctrl+x ctrl+b",
				"let the running command continue in the background" },
	[ACTION_IMAGE] = { KEYMAP_CHAT, "chat:imagePaste", "ctrl+v,alt+v",
			   "add an image from the clipboard" },
	[ACTION_ACCEPT] = { KEYMAP_COMPLETION, "autocomplete:accept", "tab",
			    "take the completion" },
	[ACTION_DISMISS] = { KEYMAP_COMPLETION, "autocomplete:dismiss", "escape",
			     "close the menu" },
	[ACTION_PREVIOUS_COMPLETION] = { KEYMAP_COMPLETION, "autocomplete:previous", "up,ctrl+p",
					 "the completion above" },
	[ACTION_NEXT_COMPLETION] = { KEYMAP_COMPLETION, "autocomplete:next", "down,ctrl+n",
				     "the completion below" },
	[ACTION_YES] = { KEYMAP_QUESTION, "confirm:yes", "y,enter", "yes, or the selected answer" },
	[ACTION_NO] = { KEYMAP_QUESTION, "confirm:no", "n,escape", "no" },
	[ACTION_COMMENT] = { KEYMAP_QUESTION, "confirm:comment", "tab",
			     "add words to the selected answer" },
	[ACTION_EXPLAIN] = { KEYMAP_QUESTION, "confirm:toggleExplanation", "ctrl+e",
			     "explain why awl asks" },
	[ACTION_PREVIOUS_OPTION] = { KEYMAP_QUESTION, "confirm:previous", "up",
				     "the answer above" },
	[ACTION_NEXT_OPTION] = { KEYMAP_QUESTION, "confirm:next", "down", "the answer below" },
	[ACTION_ACCEPT_MODE] = { KEYMAP_QUESTION, "confirm:cycleMode", "shift+tab",
				 "yes, and stop asking about edits, where that is offered" },
	[ACTION_EDIT_PLAN] = { KEYMAP_QUESTION, "confirm:externalEditor", "ctrl+g",
			       "edit the plan in $EDITOR" },
	[ACTION_SEARCH_OLDER] = { KEYMAP_SEARCH, "historySearch:next", "ctrl+r",
				  "an older prompt" },
	[ACTION_SEARCH_ACCEPT] = { KEYMAP_SEARCH, "historySearch:accept", "tab,escape",
				   "edit the found prompt" },
	[ACTION_SEARCH_RUN] = { KEYMAP_SEARCH, "historySearch:execute", "enter",
				"send the found prompt" },
	[ACTION_SEARCH_CANCEL] = { KEYMAP_SEARCH, "historySearch:cancel", "ctrl+c",
				   "end the search" },
	[ACTION_TRANSCRIPT_EXIT] = { KEYMAP_TRANSCRIPT, "transcript:exit", "q,escape,ctrl+c",
				     "back to the conversation" },
	[ACTION_TRANSCRIPT_ALL] = { KEYMAP_TRANSCRIPT, "transcript:toggleShowAll", "ctrl+e",
				    "show all of it" },
	[ACTION_LIST_ACCEPT] = { KEYMAP_LIST, "select:accept", "enter", "choose" },
	[ACTION_LIST_CANCEL] = { KEYMAP_LIST, "select:cancel", "escape", "choose nothing" },
	[ACTION_LIST_PREVIOUS] = { KEYMAP_LIST, "select:previous", "up,ctrl+p", "up" },
	[ACTION_LIST_NEXT] = { KEYMAP_LIST, "select:next", "down,ctrl+n", "down" },
	[ACTION_TAB_NEXT] = { KEYMAP_TABS, "tabs:next", "tab,right", "the next question" },
	[ACTION_TAB_PREVIOUS] = { KEYMAP_TABS, "tabs:previous", "shift+tab,left",
				  "the question before" },
};

/* Keys that always mean what they mean, so that there is always a way out. */
static const struct {
	const char *keys, *why;
} keymap_reserved[] = {
	{ "ctrl+c", "it always interrupts" },
	{ "ctrl+d", "it always leaves" },
	{ "ctrl+m", "terminals send it for Enter" },
};

struct keymap *keymap_new(void)
{
	struct keymap *k = xnew(struct keymap);

	k->chords = chords_new();
	for (unsigned action = ACTION_NONE + 1; action < KEYMAP_ACTIONS; action++) {
		struct sv rest = sv_cstr(keymap_actions[action].keys), keys;
		struct err err;

		while (sv_cut(&rest, ',', &keys))
			if (!chords_bind(k->chords, keymap_actions[action].context, keys, action,
					 &err))
				BUG("%s: %s", keymap_actions[action].name, err.text);
	}
	return k;
}

void keymap_free(struct keymap *k)
{
	if (!k)
		return;
	chords_free(k->chords);
	free(k);
}

enum chord_result keymap_key(struct keymap *k, const enum keymap_context *contexts, size_t n,
			     const struct key *key, enum keymap_action *action)
{
	unsigned numbers[KEYMAP_CONTEXTS], found = ACTION_NONE;
	enum chord_result result;

	for (size_t i = 0; i < n; i++)
		numbers[i] = contexts[i];
	result = chords_key(k->chords, numbers, n, key, &found);
	*action = (enum keymap_action)found;
	return result;
}

void keymap_describe(const struct keymap *k, struct str *out, enum keymap_action action)
{
	chords_describe(k->chords, out, keymap_actions[action].context, action);
}

static void keymap_write_row(struct str *out, enum keymap_action action)
{
	struct sv rest = sv_cstr(keymap_actions[action].keys), keys;
	bool is_first = true;

	str_adds(out, "| ");
	while (sv_cut(&rest, ',', &keys)) {
		str_addf(out, "%s`%.*s`", is_first ? "" : ", ", SV_ARG(keys));
		is_first = false;
	}
	str_addf(out, " | `%s` | %s |\n", keymap_actions[action].name, keymap_actions[action].help);
}

void keymap_write_docs(struct str *out)
{
	for (unsigned context = 0; context < KEYMAP_CONTEXTS; context++) {
		str_addf(out, "%s`%s`\n\n| keys | action | what it does |\n|---|---|---|\n",
			 context ? "\n" : "", keymap_context_names[context]);
		for (unsigned i = ACTION_NONE + 1; i < KEYMAP_ACTIONS; i++)
			if (keymap_actions[i].context == context)
				keymap_write_row(out, (enum keymap_action)i);
	}
}

/* --- the user's file -------------------------------------------------------------- */

/* KEYMAP_CONTEXTS: none of this name. */
static enum keymap_context keymap_find_context(struct sv name)
{
	unsigned i = 0;

	while (i < KEYMAP_CONTEXTS && !sv_is(name, keymap_context_names[i]))
		i++;
	return (enum keymap_context)i;
}

static bool keymap_is_unused_context(struct sv name)
{
	return sv_is_among(name, keymap_unused_contexts);
}

/* An action can be bound in other contexts than its own, where it means the same. */
static enum keymap_action keymap_find_action(struct sv name)
{
	unsigned i = KEYMAP_ACTIONS;

	while (--i > ACTION_NONE && !sv_is(name, keymap_actions[i].name))
		;
	return (enum keymap_action)i;
}

static void keymap_no_action(struct str *problems, struct sv name)
{
	struct nearest best = NEAREST_INIT;

	for (unsigned i = ACTION_NONE + 1; i < KEYMAP_ACTIONS; i++)
		nearest_offer(&best, name, sv_cstr(keymap_actions[i].name));
	str_addf(problems, "awl has no action \"%.*s\"", SV_ARG(name));
	if (best.word.len)
		str_addf(problems, "; did you mean \"%.*s\"?", SV_ARG(best.word));
	str_addc(problems, '\n');
}

static const char *keymap_why_reserved(struct sv keys)
{
	for (size_t i = 0; i < countof(keymap_reserved); i++)
		if (sv_eq_nocase(keys, sv_cstr(keymap_reserved[i].keys)))
			return keymap_reserved[i].why;
	return NULL;
}

static void keymap_bind(struct keymap *k, enum keymap_context context, struct sv keys,
			struct json value, struct str *problems)
{
	const char *why = keymap_why_reserved(keys);
	enum keymap_action action = ACTION_NONE;
	struct sv name;
	struct err err;

	if (why) {
		str_addf(problems, "%.*s cannot be bound: %s\n", SV_ARG(keys), why);
		return;
	}
	if (json_str(value, &name)) {
		action = keymap_find_action(name);
		if (!action) {
			keymap_no_action(problems, name);
			return;
		}
	} else if (!json_is(value, JSON_NULL)) {
		str_addf(problems, "%.*s: expected the name of an action, or null\n", SV_ARG(keys));
		return;
	}
	if (!chords_bind(k->chords, context, keys, action, &err))
		str_addf(problems, "%s\n", err.text);
}

static void keymap_load_block(struct keymap *k, struct json block, struct str *problems)
{
	struct sv name = json_str_or(json_get(block, "context"), SV("Global")), keys;
	enum keymap_context context = keymap_find_context(name);
	struct json_iter it = json_each(json_get(block, "bindings"));
	struct json value;

	if (context == KEYMAP_CONTEXTS) {
		if (!keymap_is_unused_context(name))
			str_addf(problems, "awl has no context \"%.*s\"\n", SV_ARG(name));
		return;
	}
	while (json_next(&it, &keys, &value))
		keymap_bind(k, context, keys, value, problems);
}

void keymap_load(struct keymap *keymap, struct sv json, struct str *problems)
{
	struct err err;
	defer(json_doc_freep) struct json_doc *doc = json_parse(json, JSON_LENIENT, &err);
	struct json_iter it = json_each(json_get(json_root(doc), "bindings"));
	struct json block;

	if (!doc) {
		str_addf(problems, "%s\n", err.text);
		return;
	}
	while (json_next(&it, NULL, &block))
		keymap_load_block(keymap, block, problems);
}
