/* The menu of completions below the prompt: names of commands after a slash at the beginning, files after an at-sign, and
 * values for the arguments of a command that an MCP server offers. It follows what is typed; files and values come from the
 * session, which looks for them meanwhile. */
#include "front/tui/prompt/tui_menu.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "front/tui/prompt/tui_history.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "proto/control.h"
#include "proto/reply_read.h"
#include "proto/slash.h"
#include "term/editor/line_history.h"
#include "term/fuzzy.h"
#include "text/shell_word.h"

enum menu_kind {
	MENU_NONE,
	MENU_COMMANDS,
	MENU_FILES,
	MENU_ARGUMENTS,
	/* For a command for the shell, once the user wants them; the query is the line up to the cursor. */
	MENU_PATHS,
	MENU_LINES
};

struct menu_item {
	struct str name, help;
	int score;
};

struct menu_command {
	struct str name, hint, help;
};

struct tui_menu {
	enum menu_kind kind;
	size_t from;      /* where the word that is completed begins */
	struct str query; /* the word without its mark */
	VEC(struct menu_item) items;
	size_t selected;
	VEC(struct menu_command) commands; /* all that there are */
	unsigned request;                  /* the newest for files */
	struct str dismissed;              /* the text for which the user closed the menu */
};

enum { MENU_ROWS = 10, NAME_CELLS = 24, MENU_FOUND = MENU_ROWS * 3, MENU_EARLIER = 10 };

#define FILES_ID "menu-files-"

/* --- items ------------------------------------------------------------------------- */

static void menu_items_clear(struct tui_menu *menu)
{
	for (size_t i = 0; i < menu->items.n; i++) {
		str_clear(&menu->items.at[i].name);
		str_clear(&menu->items.at[i].help);
	}
	menu->items.n = 0;
	menu->selected = 0;
}

static void menu_add(struct tui_menu *menu, struct sv name, struct sv help, int score)
{
	struct menu_item item = { .score = score };
	size_t at = menu->items.n;

	if (menu->items.n == LIMIT_MENU)
		return;
	str_add(&item.name, name);
	str_add(&item.help, help);
	vec_push(&menu->items, item);
	for (; at > 0 && menu->items.at[at - 1].score < score; at--)
		menu->items.at[at] = menu->items.at[at - 1];
	menu->items.at[at] = item;
}

void tui_menu_close(struct tui *t)
{
	menu_items_clear(t->menu);
	t->menu->kind = MENU_NONE;
}

/* --- commands ------------------------------------------------------------------------ */

static void menu_add_command(struct tui_menu *menu, struct sv name, struct sv hint, struct sv help)
{
	struct menu_command *command = vec_add(&menu->commands);

	str_add(&command->name, name);
	str_add(&command->hint, hint);
	str_add(&command->help, help);
}

void tui_menu_load(struct tui *t, struct json reply)
{
	struct reply_command *list = xcalloc(LIMIT_MENU_COMMANDS, sizeof(*list));
	size_t n = reply_read_commands(reply, list, LIMIT_MENU_COMMANDS);

	for (size_t i = 0; i < n; i++)
		menu_add_command(t->menu, list[i].name, list[i].argument_hint, list[i].description);
	free(list);
	for (size_t i = 0; i < SLASH_COMMANDS; i++)
		if (slash_commands[i].kind == SLASH_FRONT)
			menu_add_command(t->menu, sv_cstr(slash_commands[i].name),
					 sv_cstr(slash_commands[i].hint),
					 sv_cstr(slash_commands[i].help));
}

/* A command typed by its short name needs no menu, which would have similar names of others. */
static bool menu_is_alias(struct sv query)
{
	const struct slash_command *command = slash_find(query);

	return command && !sv_is(query, command->name);
}

static void menu_list_commands(struct tui_menu *menu)
{
	menu_items_clear(menu);
	if (menu_is_alias(sv_of(&menu->query)))
		return;
	for (size_t i = 0; i < menu->commands.n; i++) {
		const struct menu_command *command = &menu->commands.at[i];
		int score = fuzzy_score(sv_of(&command->name), sv_of(&menu->query));

		if (score >= 0)
			menu_add(menu, sv_of(&command->name), sv_of(&command->help), score);
	}
}

/* --- files ----------------------------------------------------------------------------- */

/* Only the reply to the newest request counts. */
static void tui_menu_ask(struct tui *t, struct sv query, bool completes)
{
	defer(str_clear) struct str json = STR_INIT, id = STR_INIT;

	str_addf(&id, FILES_ID "%u", ++t->menu->request);
	control_request_write(
		&json, &(struct control_request){ .kind = CONTROL_FILE_SUGGESTIONS,
						  .id = sv_of(&id),
						  .file_suggestions = { query, completes } });
	if (!client_send(&t->client, sv_of(&json)))
		tui_menu_close(t);
}

/* --- a command for the shell ---------------------------------------------------------------
 *
 * Tab completes a path, as a shell does: as much as is certain, and the rest from the menu. Where no path begins with the
 * word, the whole line is completed from earlier commands. */

static struct sv menu_line(const struct tui *t)
{
	return sv_slice(editor_text(t->editor), 0, editor_cursor(t->editor));
}

bool tui_menu_complete(struct tui *t, const struct key *key)
{
	struct sv line = menu_line(t);
	struct shell_word word;

	if (key->code != KEY_TAB || key->mods || !sv_starts(line, SV("!")))
		return false;
	shell_word_read(&word, sv_skip(line, 1));
	tui_menu_close(t);
	t->menu->kind = MENU_PATHS;
	t->menu->from = word.from + 1;
	str_set(&t->menu->query, line);
	tui_menu_ask(t, sv_of(&word.text), true);
	shell_word_clear(&word);
	return true;
}

/* Put a path, or its beginning, in the place of the word. */
static void tui_menu_put(struct tui *t, struct sv path, bool is_whole)
{
	defer(str_clear) struct str text = STR_INIT;
	struct shell_word word;

	shell_word_read(&word, sv_skip(menu_line(t), 1));
	shell_word_write(&word, path, is_whole, &text);
	editor_replace(t->editor, word.from + 1, editor_cursor(t->editor), sv_of(&text));
	shell_word_clear(&word);
}

static void tui_menu_accept_shell(struct tui *t, struct sv name)
{
	if (t->menu->kind == MENU_PATHS)
		tui_menu_put(t, name, true);
	else
		editor_set(t->editor, name);
}

static struct sv menu_common(const struct sv *paths, size_t n)
{
	struct sv common = paths[0];

	for (size_t i = 1; i < n; i++) {
		size_t len = 0;

		while (len < min_of(common.len, paths[i].len) &&
		       common.ptr[len] == paths[i].ptr[len])
			len++;
		common = utf8_prefix(common, len);
	}
	return common;
}

/* Write what all of them begin with, and show them. */
static void tui_menu_offer_paths(struct tui *t, const struct sv *paths, size_t n)
{
	if (n < LIMIT_MENU) { /* else there may be others */
		tui_menu_put(t, menu_common(paths, n), false);
		str_set(&t->menu->query, menu_line(t));
	}
	for (size_t i = 0; i < n; i++)
		menu_add(t->menu, paths[i], SV_EMPTY, 0);
}

static bool menu_has(const struct tui *t, struct sv line)
{
	for (size_t i = 0; i < t->menu->items.n; i++)
		if (sv_eq(sv_of(&t->menu->items.at[i].name), line))
			return true;
	return false;
}

static void tui_menu_look_back(struct tui *t)
{
	struct sv line = sv_of(&t->menu->query);
	size_t at = SIZE_MAX;

	tui_history_load(t);
	while (t->menu->items.n < MENU_EARLIER &&
	       (at = line_history_search(t->history.lines, line, SV_EMPTY, at + 1)) != SIZE_MAX) {
		struct sv earlier = line_history_at(t->history.lines, at);

		if (!sv_eq(earlier, line) && !menu_has(t, earlier))
			menu_add(t->menu, earlier, SV_EMPTY, 0);
	}
}

static void tui_menu_take_paths(struct tui *t, const struct sv *paths, size_t n)
{
	if (n > 1) {
		tui_menu_offer_paths(t, paths, n);
		return;
	}
	if (n == 1) {
		tui_menu_put(t, paths[0], true);
	} else if (editor_cursor(t->editor) == editor_text(t->editor).len) {
		t->menu->kind = MENU_LINES;
		tui_menu_look_back(t);
		if (t->menu->items.n == 1)
			editor_set(t->editor, sv_of(&t->menu->items.at[0].name));
	}
	if (n || t->menu->items.n < 2) {
		if (!n && !t->menu->items.n)
			str_set(&t->note, SV("There is no completion."));
		tui_menu_close(t);
	}
}

/* --- the reply ---------------------------------------------------------------------------- */

void tui_menu_on_reply(struct tui *t, const struct control_reply *reply)
{
	defer(str_clear) struct str id = STR_INIT;
	struct sv paths[LIMIT_MENU];
	size_t n;

	str_addf(&id, FILES_ID "%u", t->menu->request);
	if (t->menu->kind == MENU_NONE || t->menu->kind == MENU_COMMANDS ||
	    !sv_eq(reply->request_id, sv_of(&id)))
		return;
	menu_items_clear(t->menu);
	n = reply->kind == REPLY_VALUE ? reply_read_suggestions(reply->value, paths, countof(paths))
				       : 0;
	if (t->menu->kind == MENU_PATHS) {
		tui_menu_take_paths(t, paths, n);
	} else {
		for (size_t i = 0; i < min_of(n, (size_t)MENU_FOUND); i++)
			menu_add(t->menu, paths[i], SV_EMPTY, 0);
	}
	tui_redraw_now(t);
}

/* --- following what is typed ------------------------------------------------------------- */

/* Where `@"a name with blanks` before the cursor begins; SIZE_MAX: there is no such thing. */
static size_t menu_find_quoted(struct sv text)
{
	size_t quote = sv_rfind_char(text, '"');

	if (quote == SIZE_MAX || quote == 0 || text.ptr[quote - 1] != '@' ||
	    (quote > 1 && !ascii_is_space(text.ptr[quote - 2])) ||
	    sv_find_char(sv_skip(text, quote), '\n') != SIZE_MAX)
		return SIZE_MAX;
	return quote - 1;
}

/* What the word before the cursor asks for; `query` is the word without its mark, or the line with a command and its
 * arguments. */
static enum menu_kind tui_menu_wanted(struct tui *t, size_t *from, struct sv *query)
{
	struct sv text = sv_slice(editor_text(t->editor), 0, editor_cursor(t->editor));
	size_t start = text.len, quoted = menu_find_quoted(text);

	if (sv_starts(text, SV("!"))) { /* completed on demand, until the next change */
		*from = t->menu->from;
		*query = text;
		return t->menu->kind >= MENU_PATHS && sv_eq(text, sv_of(&t->menu->query))
			       ? t->menu->kind
			       : MENU_NONE;
	}
	if (quoted != SIZE_MAX) {
		*from = quoted;
		*query = sv_skip(text, quoted + 2);
		return MENU_FILES;
	}
	while (start > 0 && !ascii_is_space(text.ptr[start - 1]))
		start--;
	*from = start;
	*query = sv_skip(text, start + 1);
	if (start > 0 && sv_starts(text, SV("/mcp__")) && sv_find_char(text, '\n') == SIZE_MAX) {
		*query = text;
		return MENU_ARGUMENTS;
	}
	if (start == text.len)
		return MENU_NONE;
	if (start == 0 && text.ptr[0] == '/' && sv_find_char(*query, '/') == SIZE_MAX)
		return MENU_COMMANDS;
	return text.ptr[start] == '@' ? MENU_FILES : MENU_NONE;
}

void tui_menu_follow(struct tui *t)
{
	struct tui_menu *menu = t->menu;
	struct sv query = SV_EMPTY;
	size_t from;
	enum menu_kind kind = tui_menu_wanted(t, &from, &query);

	if (kind == menu->kind && from == menu->from && sv_eq(query, sv_of(&menu->query)))
		return;
	if (kind == MENU_NONE ||
	    (menu->dismissed.len && sv_eq(editor_text(t->editor), sv_of(&menu->dismissed)))) {
		tui_menu_close(t);
		return;
	}
	str_truncate(&menu->dismissed, 0);
	if (kind != menu->kind)
		menu_items_clear(menu);
	menu->kind = kind;
	menu->from = from;
	str_set(&menu->query, query);
	if (kind == MENU_COMMANDS)
		menu_list_commands(menu);
	else
		tui_menu_ask(t, sv_of(&menu->query), false);
}

bool tui_menu_is_open(const struct tui *t)
{
	return t->menu->kind != MENU_NONE && t->menu->items.n;
}

/* --- keys ------------------------------------------------------------------------------------ */

void tui_menu_previous(struct tui *t)
{
	t->menu->selected = (t->menu->selected + t->menu->items.n - 1) % t->menu->items.n;
}

void tui_menu_next(struct tui *t)
{
	t->menu->selected = (t->menu->selected + 1) % t->menu->items.n;
}

/* It stays closed until something else is typed. */
void tui_menu_dismiss(struct tui *t)
{
	str_set(&t->menu->dismissed, editor_text(t->editor));
	tui_menu_close(t);
}

/* Append a file or directory; a name with blanks in quotes, which stay open after a directory. */
static void menu_add_mention(struct str *out, struct sv name)
{
	bool is_quoted = sv_find_char(name, ' ') != SIZE_MAX && sv_find_char(name, '"') == SIZE_MAX;

	str_addf(out, "@%s%.*s", is_quoted ? "\"" : "", SV_ARG(name));
	if (is_quoted && !sv_ends(name, SV("/")))
		str_addc(out, '"');
}

/* An argument comes with the whole line. A directory is followed by what is in it, everything else by a blank. */
void tui_menu_accept(struct tui *t)
{
	struct tui_menu *menu = t->menu;
	struct sv name = sv_of(&menu->items.at[menu->selected].name);
	defer(str_clear) struct str text = STR_INIT;

	if (menu->kind >= MENU_PATHS) {
		tui_menu_accept_shell(t, name);
		tui_menu_close(t);
		return;
	}
	if (menu->kind == MENU_FILES)
		menu_add_mention(&text, name);
	else
		str_addf(&text, "%s%.*s", menu->kind == MENU_COMMANDS ? "/" : "", SV_ARG(name));
	if (!sv_ends(sv_of(&text), SV("/")))
		str_addc(&text, ' ');
	editor_replace(t->editor, menu->kind == MENU_ARGUMENTS ? 0 : menu->from,
		       editor_cursor(t->editor), sv_of(&text));
	tui_menu_close(t);
	tui_menu_follow(t);
}

static const struct menu_command *menu_find(const struct tui_menu *menu, struct sv name)
{
	for (size_t i = 0; i < menu->commands.n; i++)
		if (sv_eq(sv_of(&menu->commands.at[i].name), name))
			return &menu->commands.at[i];
	return NULL;
}

bool tui_menu_enter(struct tui *t)
{
	struct tui_menu *menu = t->menu;
	const struct menu_command *command;
	bool is_whole;

	if (!tui_menu_is_open(t))
		return false;
	if (menu->kind == MENU_FILES && !menu->selected &&
	    sv_eq(sv_of(&menu->query), sv_of(&menu->items.at[0].name))) {
		tui_menu_close(t); /* all of it is typed */
		return false;
	}
	if (menu->kind == MENU_FILES || menu->kind >= MENU_PATHS ||
	    (menu->kind == MENU_ARGUMENTS && menu->selected)) {
		tui_menu_accept(t);
		return true;
	}
	if (menu->kind == MENU_ARGUMENTS) { /* what is typed may be right as it is */
		tui_menu_close(t);
		return false;
	}
	is_whole = menu_find(menu, sv_of(&menu->query));
	command = menu_find(menu, sv_of(&menu->items.at[menu->selected].name));
	if (!is_whole || menu->selected)
		tui_menu_accept(t);
	tui_menu_close(t);
	return !is_whole && command && command->hint.len;
}

/* --- rows -------------------------------------------------------------------------------------- */

/* Of a line with arguments, only what the last one would be. */
static struct sv menu_shown(const struct tui_menu *menu, const struct menu_item *item)
{
	return sv_skip(sv_of(&item->name),
		       menu->kind == MENU_ARGUMENTS ? min_of(menu->from, item->name.len) : 0);
}

static void tui_draw_menu_item(struct tui *t, struct page *page, const struct menu_item *item,
			       bool is_selected)
{
	struct style style = is_selected ? t->theme->selected : t->theme->text;
	size_t columns = screen_columns(t->screen);

	page_add(page, is_selected ? SV("❯ ") : SV("  "), style);
	view_add_cut(page, t->menu->kind == MENU_COMMANDS ? SV("/") : SV_EMPTY, style, columns);
	view_add_cut(page, menu_shown(t->menu, item), style, columns);
	if (item->help.len) {
		page_pad(page, min_of(max_of(page->cells + 2, (size_t)NAME_CELLS), columns),
			 t->theme->dim);
		view_add_cut(page, sv_of(&item->help), t->theme->dim, columns);
	}
	page_end_row(page);
}

void tui_draw_menu(struct tui *t, struct page *page, size_t max_rows)
{
	const struct tui_menu *menu = t->menu;
	size_t n = menu->items.n, space = min_of(max_of(max_rows, (size_t)2), (size_t)MENU_ROWS);
	size_t first = 0;

	if (n > space)
		space--; /* for the row that counts them */
	if (menu->selected >= space)
		first = menu->selected - space + 1;
	for (size_t i = first; i < n && i < first + space; i++)
		tui_draw_menu_item(t, page, &menu->items.at[i], i == menu->selected);
	if (n > space) {
		page_addf(page, t->theme->dim, "  %zu of %zu", menu->selected + 1, n);
		page_end_row(page);
	}
}

/* --- init and free ----------------------------------------------------------------- */

void tui_menu_init(struct tui *t)
{
	t->menu = xnew(struct tui_menu);
}

void tui_menu_free(struct tui *t)
{
	tui_menu_close(t);
	vec_clear(&t->menu->items);
	for (size_t i = 0; i < t->menu->commands.n; i++) {
		str_clear(&t->menu->commands.at[i].name);
		str_clear(&t->menu->commands.at[i].hint);
		str_clear(&t->menu->commands.at[i].help);
	}
	vec_clear(&t->menu->commands);
	str_clear(&t->menu->query);
	str_clear(&t->menu->dismissed);
	free(t->menu);
}
