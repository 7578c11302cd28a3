#include "front/plain/plain_input.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "front/edit_key.h"
#include "front/paste.h"
#include "sys/timer.h"
#include "term/editor/editor.h"
#include "term/editor/line_history.h"
#include "term/tty.h"

enum {
	USUAL_COLUMNS = 80,
	ESCAPE_MS = 40, /* an ESC that nothing follows for so long is the key */
	INPUT_BYTES = 64 * 1024,
	MOST_HISTORY = 1000,
};

struct plain_input {
	struct client *client;
	const struct chat_opts *opts;
	const struct plain_input_fns *fns;
	void *arg;
	struct tty *tty;
	struct key_decoder decoder;
	struct ready *ready;
	struct task take;
	struct op *escape_timer; /* NULL: not running */
	struct editor *editor;
	struct line_history *history;
	int64_t history_since;
	bool has_history; /* with the prompts of other sessions */
	struct str paste; /* that arrives */
	bool is_cut;      /* more of it came than a prompt may have */
	size_t pastes;
	struct str draft;  /* of a prompt, while a question is open */
	bool is_answering; /* the line answers a question */
	struct str mark;
	bool is_shown;
	struct page page; /* what is on the screen, the mark included */
	struct screen_cursor cursor;
};

/* --- the line on the screen ----------------------------------------------------------- */

static void plain_input_write(struct plain_input *in, const struct str *bytes)
{
	client_write(in->client, sv_of(bytes));
}

static void plain_input_draw(struct plain_input *in, struct page *page,
			     struct screen_cursor *cursor)
{
	struct editor_look look = { .prefix = sv_of(&in->mark), .next_prefix = SV("  ") };

	tty_size(in->tty, &look.columns, &look.max_rows);
	look.max_rows = max_of(look.max_rows, (size_t)2) - 1;
	cursor->is_visible = true;
	editor_draw(in->editor, &look, page, cursor);
}

/* Whether the new rows only add text at the end of the last one. */
static bool plain_input_grows(const struct plain_input *in, const struct page *page,
			      const struct screen_cursor *cursor)
{
	size_t last = page->rows.n - 1;

	if (page->rows.n != in->page.rows.n || in->cursor.row != last || cursor->row != last ||
	    in->cursor.cell != in->page.rows.at[last].cells ||
	    cursor->cell != page->rows.at[last].cells)
		return false;
	for (size_t i = 0; i < last; i++)
		if (!sv_eq(page_row_text(page, i), page_row_text(&in->page, i)))
			return false;
	return sv_starts(page_row_text(page, last), page_row_text(&in->page, last));
}

/* Write all rows anew over the old ones. */
static void plain_input_repaint(struct plain_input *in, const struct page *page,
				const struct screen_cursor *cursor, struct str *out)
{
	size_t up = page->rows.n - 1 - cursor->row;

	if (in->cursor.row)
		str_addf(out, "\x1b[%zuA", in->cursor.row);
	str_adds(out, "\r\x1b[J");
	for (size_t i = 0; i < page->rows.n; i++) {
		str_adds(out, i ? "\n" : "");
		str_add(out, page_row_text(page, i));
	}
	if (up)
		str_addf(out, "\x1b[%zuA", up);
	str_adds(out, "\r");
	if (cursor->cell)
		str_addf(out, "\x1b[%zuC", cursor->cell);
}

/* Bring the screen up to date. */
static void plain_input_echo(struct plain_input *in)
{
	defer(str_clear) struct str bytes = STR_INIT;
	struct screen_cursor cursor = { .is_visible = false };
	struct page page = { .cells = 0 };

	if (!in->is_shown || in->client->is_leaving)
		return;
	plain_input_draw(in, &page, &cursor);
	if (plain_input_grows(in, &page, &cursor)) {
		size_t last = page.rows.n - 1;

		str_add(&bytes,
			sv_skip(page_row_text(&page, last), page_row_text(&in->page, last).len));
	} else {
		plain_input_repaint(in, &page, &cursor, &bytes);
	}
	plain_input_write(in, &bytes);
	page_clear(&in->page);
	in->page = page;
	in->cursor = cursor;
}

/* The mark alone is on the screen. */
static void plain_input_begin_row(struct plain_input *in)
{
	page_clear(&in->page);
	page_add(&in->page, sv_of(&in->mark), (struct style){ .attrs = 0 });
	page_end_row(&in->page);
	in->cursor = (struct screen_cursor){ true, 0, in->page.rows.at[0].cells };
}

void plain_input_show(struct plain_input *in, const char *mark, bool is_prompt)
{
	if (is_prompt == in->is_answering) {
		in->is_answering = !is_prompt;
		if (!is_prompt)
			editor_expand(in->editor, &in->draft);
		editor_reset(in->editor);
		if (is_prompt) {
			editor_set(in->editor, sv_of(&in->draft));
			str_truncate(&in->draft, 0);
		}
	}
	str_set(&in->mark, sv_cstr(mark));
	in->is_shown = true;
	plain_input_begin_row(in);
	if (!editor_is_empty(in->editor))
		plain_input_echo(in);
}

/* The cursor goes to the end of what was typed. */
void plain_input_hide(struct plain_input *in)
{
	defer(str_clear) struct str bytes = STR_INIT;
	size_t last;

	if (!in->is_shown)
		return;
	in->is_shown = false;
	last = in->page.rows.n - 1;
	if (in->cursor.row < last)
		str_addf(&bytes, "\x1b[%zuB", last - in->cursor.row);
	if (bytes.len)
		plain_input_write(in, &bytes);
}

/* --- keys ------------------------------------------------------------------------------- */

static void plain_input_enter(struct plain_input *in)
{
	struct sv text = editor_text(in->editor);
	bool was_shown = in->is_shown;
	defer(str_clear) struct str line = STR_INIT;

	if (editor_cursor(in->editor) == text.len && sv_ends(text, SV("\\"))) {
		editor_do(in->editor, EDIT_BACKSPACE);
		editor_do(in->editor, EDIT_NEWLINE);
		plain_input_echo(in);
		return;
	}
	editor_expand(in->editor, &line);
	editor_do(in->editor, EDIT_END);
	plain_input_echo(in);
	plain_input_hide(in);
	if (was_shown)
		client_write(in->client, SV("\n"));
	editor_reset(in->editor);
	line_history_leave(in->history);
	in->fns->line(in->arg, sv_of(&line), was_shown);
}

/* Without the prompts of other sessions, those of this one remain. */
static void plain_input_load_history(struct plain_input *in)
{
	struct err err = ERR_INIT;

	if (!in->has_history && !chat_load_prompts(&in->history, in->opts, in->client,
						   in->history_since, MOST_HISTORY, &err))
		log_debug("earlier prompts: %s", err.text);
	in->has_history = true;
}

static void plain_input_older(struct plain_input *in)
{
	struct sv draft = editor_text(in->editor), text;

	if (editor_do(in->editor, EDIT_UP) || in->is_answering)
		return;
	plain_input_load_history(in);
	if (line_history_older(in->history, draft, chat_history_prefix(draft), &text))
		editor_set(in->editor, text);
}

static void plain_input_newer(struct plain_input *in)
{
	struct sv text;

	if (!editor_do(in->editor, EDIT_DOWN) && !in->is_answering &&
	    line_history_newer(in->history, &text))
		editor_set(in->editor, text);
}

static void plain_input_key(struct plain_input *in, const struct key *key)
{
	bool is_end = key_is(key, KEY_CTRL, 'd');

	if ((key->code == KEY_ENTER && !key->mods) || key_is(key, KEY_CTRL, 'j')) {
		plain_input_enter(in);
		return;
	}
	if (is_end && editor_is_empty(in->editor)) {
		plain_input_hide(in);
		in->fns->end(in->arg);
		return;
	}
	if (is_end)
		editor_do(in->editor, EDIT_DELETE);
	else if (key->code == KEY_ENTER)
		editor_do(in->editor, EDIT_NEWLINE);
	else if (key->code == KEY_UP)
		plain_input_older(in);
	else if (key->code == KEY_DOWN)
		plain_input_newer(in);
	else if (edit_key(in->editor, key))
		line_history_leave(in->history);
	plain_input_echo(in);
}

static void plain_input_end_paste(struct plain_input *in)
{
	defer(str_clear) struct str label = STR_INIT;
	const char *note = in->is_cut ? ", without its end: it is too long" : "";

	if (paste_fold(&label, sv_of(&in->paste), in->pastes + 1, note)) {
		in->pastes++;
		editor_insert_folded(in->editor, sv_of(&label), sv_of(&in->paste));
	} else {
		editor_insert(in->editor, sv_of(&in->paste));
	}
	str_clear(&in->paste);
	in->is_cut = false;
	plain_input_echo(in);
}

static void plain_input_on_event(void *arg, const struct key_event *event)
{
	struct plain_input *in = arg;

	if (in->client->is_leaving)
		return;
	switch (event->kind) {
	case KEY_EVENT_KEY: plain_input_key(in, &event->key); break;
	case KEY_EVENT_PASTE:
		in->is_cut |= !str_add_capped(&in->paste, event->paste, LIMIT_PROMPT);
		break;
	case KEY_EVENT_PASTE_END: plain_input_end_paste(in); break;
	case KEY_EVENT_FOCUS:
	case KEY_EVENT_REPLY: break;
	}
}

/* --- reading ------------------------------------------------------------------------------ */

static void plain_input_on_time(__attribute__((unused)) struct op *op, void *owner,
				const struct err *why)
{
	struct plain_input *in = owner;

	in->escape_timer = NULL;
	if (!why && !in->client->is_leaving)
		key_decoder_flush(&in->decoder, plain_input_on_event, in);
}

/* Read what has been typed; false: the terminal is gone. */
static bool plain_input_read(struct plain_input *in)
{
	defer(mem_freep) char *bytes = xmalloc(INPUT_BYTES);
	ssize_t n = read(STDIN_FILENO, bytes, INPUT_BYTES);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (n > 0)
		key_decoder_feed(&in->decoder, sv_from(bytes, (size_t)n), plain_input_on_event, in);
	return n > 0;
}

void plain_input_catch_up(struct plain_input *in)
{
	while (!in->client->is_leaving && in->ready && ready_now(STDIN_FILENO, POLL_READABLE))
		if (!plain_input_read(in)) {
			ready_free(move(in->ready));
			in->fns->end(in->arg);
			return;
		}
	if (!in->escape_timer && !in->client->is_leaving && key_decoder_waits(&in->decoder))
		in->escape_timer =
			timer_start(in->client->loop, ESCAPE_MS, THEN(plain_input_on_time, in));
}

static void plain_input_take(struct task *task)
{
	plain_input_catch_up(container_of(task, struct plain_input, take));
}

static void plain_input_on_ready(void *arg, __attribute__((unused)) int fd,
				 __attribute__((unused)) int events)
{
	struct plain_input *in = arg;

	loop_post(in->client->loop, &in->take);
}

bool plain_input_clear(struct plain_input *in)
{
	bool had_text = !editor_is_empty(in->editor);

	plain_input_hide(in);
	editor_reset(in->editor);
	line_history_leave(in->history);
	return had_text;
}

size_t plain_input_columns(const struct plain_input *in)
{
	size_t columns = USUAL_COLUMNS, rows;

	if (in)
		tty_size(in->tty, &columns, &rows);
	return columns;
}

void plain_input_remember(struct plain_input *in, struct sv prompt)
{
	line_history_add(in->history, prompt);
}

struct plain_input *plain_input_open(struct client *client, const struct chat_opts *opts,
				     const struct plain_input_fns *fns, void *arg)
{
	struct tty_env env = { .term = getenv("TERM") };
	struct err err = ERR_INIT;
	struct plain_input *in;
	struct tty *tty;

	if (!tty_can_draw(&env) || !tty_open_lines(&tty, STDIN_FILENO, STDOUT_FILENO, &err))
		return NULL;
	in = xnew(struct plain_input);
	in->client = client;
	in->opts = opts;
	in->fns = fns;
	in->arg = arg;
	in->tty = tty;
	key_decoder_init(&in->decoder);
	in->take.run = plain_input_take;
	in->editor = editor_new();
	in->history = line_history_new(MOST_HISTORY);
	in->history_since = loop_wall(client->loop);
	in->ready = ready_new(client->loop, STDIN_FILENO, POLL_READABLE, plain_input_on_ready, in);
	ready_want(in->ready, true);
	return in;
}

void plain_input_stop(struct plain_input *in)
{
	if (!in)
		return;
	op_cancel(in->escape_timer);
	ready_free(move(in->ready));
	tty_close(move(in->tty));
}

void plain_input_free(struct plain_input *in)
{
	if (!in)
		return;
	key_decoder_clear(&in->decoder);
	editor_free(in->editor);
	line_history_free(in->history);
	str_clear(&in->paste);
	str_clear(&in->draft);
	str_clear(&in->mark);
	page_clear(&in->page);
	free(in);
}
