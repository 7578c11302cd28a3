/* The status line: what a command of the user's prints below the prompt. The session runs it; this file decides
 * when: soon after a message or a change of the model, the mode or vim's mode, once for several changes, and at an
 * interval only if the user has set one. While nothing happens, nothing runs. */
#include "front/tui/conversation/tui_status_line.h"

#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_settings.h"
#include "proto/control.h"
#include "proto/reply_read.h"
#include "sys/timer.h"
#include "term/ansi.h"

struct tui_status_line {
	bool is_on, hides_vim;
	size_t padding;
	int64_t refresh_ms; /* 0: no timer */
	struct op *timer;   /* until the command runs; NULL: not running */
	struct op *refresh; /* likewise, at the user's own interval */
	unsigned request;   /* the newest */
	struct str command;
	struct str text; /* what it has printed */
	struct str seen; /* the state that it was or will be told */
	size_t messages; /* so far */
};

#define STATUS_LINE_ID "status-line-"

enum { SOON_MS = 300, SHORTEST_MS = 1000, MOST_ROWS = 8 };

void tui_status_line_load(struct tui *t)
{
	struct tui_status_line *line = t->status_line;
	defer(json_doc_freep) struct json_doc *doc = tui_setting(t, "statusLine");
	struct json root = json_root(doc);
	double seconds = json_real_or(json_get(root, "refreshInterval"), 0);

	line->is_on = sv_trim(json_str_or(json_get(root, "command"), SV_EMPTY)).len > 0;
	line->hides_vim = json_bool_or(json_get(root, "hideVimModeIndicator"), false);
	line->padding = (size_t)max_of(json_int_or(json_get(root, "padding"), 0), (int64_t)0);
	line->refresh_ms =
		seconds > 0 ? (int64_t)max_of(min_of(seconds, 1e6) * 1000, (double)SHORTEST_MS) : 0;
	str_set(&line->command, json_str_or(json_get(root, "command"), SV_EMPTY));
}

/* --- running it ------------------------------------------------------------------- */

static struct sv tui_status_line_vim(const struct tui *t)
{
	static const char *const names[] = { [VIM_INSERT] = "INSERT",
					     [VIM_NORMAL] = "NORMAL",
					     [VIM_VISUAL] = "VISUAL",
					     [VIM_VISUAL_LINE] = "VISUAL LINE" };

	return t->vim ? sv_cstr(names[vim_mode(t->vim)]) : SV_EMPTY;
}

static void tui_status_line_ask(struct tui *t)
{
	struct tui_status_line *line = t->status_line;
	defer(str_clear) struct str json = STR_INIT, id = STR_INIT;

	str_addf(&id, STATUS_LINE_ID "%u", ++line->request);
	control_request_write(
		&json, &(struct control_request){
			       .kind = CONTROL_STATUS_LINE,
			       .id = sv_of(&id),
			       .status_line = { .vim_mode = tui_status_line_vim(t),
						.columns = (int64_t)screen_columns(t->screen),
						.lines = (int64_t)screen_rows(t->screen) } });
	if (!client_send(&t->client, sv_of(&json)))
		str_set(&t->note, sv_cstr(awl_last_error()));
}

/* The interval is over, or another one takes its place. */
static void tui_status_line_on_refresh(__attribute__((unused)) struct op *op, void *owner,
				       __attribute__((unused)) const struct err *why)
{
	struct tui *t = owner;

	t->status_line->refresh = NULL;
	if (!t->client.is_leaving)
		tui_status_line_begin(t);
}

void tui_status_line_begin(struct tui *t)
{
	struct tui_status_line *line = t->status_line;

	if (!line->is_on)
		return;
	tui_status_line_ask(t);
	if (line->refresh_ms && !line->refresh)
		line->refresh = timer_start(t->client.loop, line->refresh_ms,
					    THEN(tui_status_line_on_refresh, t));
}

void tui_status_line_reload(struct tui *t)
{
	struct tui_status_line *line = t->status_line;
	defer(str_clear) struct str before = STR_INIT;
	int64_t interval = line->refresh_ms;

	str_set(&before, sv_of(&line->command));
	tui_status_line_load(t);
	if (sv_eq(sv_of(&before), sv_of(&line->command)) && interval == line->refresh_ms)
		return;
	if (!sv_eq(sv_of(&before), sv_of(&line->command))) {
		line->request++; /* a reply that is under way is that of the old one */
		str_truncate(&line->text, 0);
	}
	if (line->refresh)
		op_cancel(line->refresh);
	else
		tui_status_line_begin(t);
}

static void tui_status_line_on_time(__attribute__((unused)) struct op *op, void *owner,
				    const struct err *why)
{
	struct tui *t = owner;

	t->status_line->timer = NULL;
	if (!why && !t->client.is_leaving)
		tui_status_line_ask(t);
}

void tui_status_line_follow(struct tui *t)
{
	struct tui_status_line *line = t->status_line;
	defer(str_clear) struct str now = STR_INIT;

	if (!line->is_on || t->client.is_leaving)
		return;
	str_addf(&now, "%zu %s %s %.*s", line->messages, client_model(&t->client),
		 client_mode(&t->client), SV_ARG(tui_status_line_vim(t)));
	if (sv_eq(sv_of(&now), sv_of(&line->seen)))
		return;
	str_set(&line->seen, sv_of(&now));
	if (!line->timer)
		line->timer =
			timer_start(t->client.loop, SOON_MS, THEN(tui_status_line_on_time, t));
}

/* --- what it depends on ---------------------------------------------------------------- */

void tui_status_line_on_event(struct tui *t, const struct event *event)
{
	struct tui_status_line *line = t->status_line;

	if (!line->is_on || event->kind == EVENT_STREAM)
		return;
	if (event->kind == EVENT_USER || event->kind == EVENT_ASSISTANT ||
	    event->kind == EVENT_RESULT || event->kind == EVENT_RESET)
		line->messages++;
	tui_status_line_follow(t);
}

/* Only the reply to the newest request counts. A command that failed leaves nothing. */
void tui_status_line_on_reply(struct tui *t, const struct control_reply *reply)
{
	struct tui_status_line *line = t->status_line;
	defer(str_clear) struct str id = STR_INIT;
	struct sv text;

	str_addf(&id, STATUS_LINE_ID "%u", line->request);
	if (!sv_eq(reply->request_id, sv_of(&id)))
		return;
	text = reply->kind == REPLY_VALUE ? reply_read_text(reply->value) : SV_EMPTY;
	while (sv_ends(text, SV("\n")) || sv_ends(text, SV("\r")))
		text = sv_slice(text, 0, text.len - 1);
	if (sv_eq(text, sv_of(&line->text)))
		return;
	str_set(&line->text, text);
	tui_redraw(t);
}

bool tui_status_line_hides_vim(const struct tui *t)
{
	return t->status_line->hides_vim;
}

/* --- drawing ---------------------------------------------------------------------------- */

void tui_draw_status_line(struct tui *t, struct page *page)
{
	const struct tui_status_line *line = t->status_line;
	size_t rows = min_of((size_t)MOST_ROWS, max_of(screen_live_rows(t->screen) / 4, (size_t)1));
	size_t indent = 2 + min_of(line->padding, screen_columns(t->screen) / 2);
	struct page printed = { .cells = 0 };

	if (!line->text.len)
		return;
	ansi_add(&printed, sv_of(&line->text), t->theme->dim);
	page_end_row(&printed);
	for (size_t i = 0; i < min_of(rows, printed.rows.n); i++) {
		page_pad(page, indent, t->theme->text);
		page_copy_row(page, &printed, i);
		page_end_row(page);
	}
	page_clear(&printed);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_status_line_init(struct tui *t)
{
	t->status_line = xnew(struct tui_status_line);
}

void tui_status_line_stop(struct tui *t)
{
	op_cancel(t->status_line->timer);
	op_cancel(t->status_line->refresh);
}

void tui_status_line_free(struct tui *t)
{
	str_clear(&t->status_line->text);
	str_clear(&t->status_line->command);
	str_clear(&t->status_line->seen);
	free(t->status_line);
}
