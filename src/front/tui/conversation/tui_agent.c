/* What runs beside the conversation: the list of /tasks, and the screen of one agent. There the user reads what the agent
 * says and does while it works, and what is typed goes to that agent instead of the one that leads. */
#include "front/tui/conversation/tui_agent.h"

#include "base/ascii.h"
#include "front/display.h"
#include "front/edit_key.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/conversation/tui_transcript.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_live.h"
#include "front/tui/tui_terminal.h"
#include "front/tui/view/view_past.h"
#include "proto/control.h"

/* An agent that the session has started. */
struct tui_agent {
	struct str id, type, task, step; /* step: what it does now; may be empty */
	enum command_status status;
};

struct tui_agents {
	VEC(struct tui_agent) list; /* the oldest first */
	struct str viewed;          /* the id of the one on the screen; empty: none */
	struct editor *editor;      /* NULL: none was viewed yet */
	bool is_stale;              /* it has done something since it was read */
	bool follows;               /* its end is on the screen */
};

#define AGENT_MESSAGE_ID "tui-agent-message"

enum {
	AGENTS_MOST = 100,        /* that the list has: the newest */
	AGENT_BYTES = 256 * 1024, /* of a conversation that is read again with each step */
	AGENT_CELLS = 60,         /* of what an agent was started for */
	AGENT_TYPE_CELLS = 30,
	AGENT_EDITOR_ROWS = 6,
};

/* --- which there are ------------------------------------------------------------------------- */

static struct tui_agent *tui_agent_find(struct tui *t, struct sv id)
{
	for (size_t i = 0; i < t->agents->list.n; i++)
		if (sv_eq(sv_of(&t->agents->list.at[i].id), id))
			return &t->agents->list.at[i];
	return NULL;
}

static void tui_agent_clear(struct tui_agent *agent)
{
	str_clear(&agent->id);
	str_clear(&agent->type);
	str_clear(&agent->task);
	str_clear(&agent->step);
}

/* The id is part of the name of a file. */
static bool tui_agent_is_id(struct sv id)
{
	for (size_t i = 0; i < id.len; i++)
		if (!ascii_is_alnum(id.ptr[i]) && id.ptr[i] != '-' && id.ptr[i] != '_')
			return false;
	return id.len > 0;
}

/* An agent that a terminal learns of when it attaches has no beginning, only a place in the list of those that run. */
static void tui_agent_note(struct tui *t, const struct event_task *task, bool is_beginning)
{
	struct tui_agent *agent = tui_agent_find(t, task->id);

	if (!agent && (!task->agent_type.len || !tui_agent_is_id(task->id)))
		return;
	if (!agent) {
		if (t->agents->list.n >= AGENTS_MOST) {
			tui_agent_clear(&t->agents->list.at[0]);
			vec_remove(&t->agents->list, 0);
		}
		agent = vec_add(&t->agents->list);
		str_add(&agent->id, task->id);
		is_beginning = true;
	}
	if (is_beginning) {
		str_set(&agent->type, task->agent_type);
		str_set(&agent->task, task->description);
		agent->status = COMMAND_RUNNING;
	}
}

void tui_agents_on_event(struct tui *t, const struct event *event)
{
	struct tui_agent *agent = NULL;

	if (event->kind == EVENT_TASK_STARTED) {
		tui_agent_note(t, &event->task, true);
	} else if (event->kind == EVENT_TASKS) {
		for (size_t i = 0; i < event->tasks.n; i++)
			tui_agent_note(t, &event->tasks.at[i], false);
	} else if (event->kind == EVENT_TASK_PROGRESS || event->kind == EVENT_TASK_ENDED) {
		agent = tui_agent_find(t, event->task.id);
	} else if (!event->parent_tool_use_id.len) {
		return;
	}
	if (agent && event->kind == EVENT_TASK_ENDED)
		agent->status = event->task.status;
	else if (agent)
		str_set(&agent->step, event->task.description);
	if (!t->agents->viewed.len)
		return;
	t->agents->is_stale = true;
	tui_redraw(t);
}

/* --- the list -------------------------------------------------------------------------------- */

static void tui_agent_add_name(struct str *out, const struct tui_agent *agent)
{
	defer(str_clear) struct str type = STR_INIT;

	display_line(out, sv_of(&agent->task), AGENT_CELLS);
	display_line(&type, sv_of(&agent->type), AGENT_TYPE_CELLS);
	str_addf(out, " (%s)", str_c(&type));
}

static void tui_agent_add_state(struct str *out, const struct tui_agent *agent)
{
	if (agent->status != COMMAND_RUNNING)
		str_adds(out, command_status_name(agent->status));
	else if (agent->step.len)
		display_line(out, sv_of(&agent->step), AGENT_CELLS);
	else
		str_adds(out, "at work");
}

static void tui_agent_open(struct tui *t, struct sv id);

static void tui_agents_chosen(struct tui *t, bool is_chosen, struct sv id)
{
	if (!is_chosen)
		return;
	if (id.len)
		tui_agent_open(t, id);
	else
		client_prompt(&t->client, "/tasks");
}

bool tui_agents_open(struct tui *t)
{
	if (!t->agents->list.n)
		return false;
	tui_list_open(t, "Agents: enter shows one and lets you write to it", tui_agents_chosen);
	for (size_t i = t->agents->list.n; i > 0; i--) {
		const struct tui_agent *agent = &t->agents->list.at[i - 1];
		defer(str_clear) struct str name = STR_INIT, state = STR_INIT;

		tui_agent_add_name(&name, agent);
		tui_agent_add_state(&state, agent);
		tui_list_add(t, sv_of(&agent->id), sv_of(&name), sv_of(&state));
	}
	tui_list_add(t, SV_EMPTY, SV("All tasks"), SV("print what runs in the background"));
	return true;
}

/* --- the screen of one ------------------------------------------------------------------------- */

static bool tui_agent_fill(struct tui *t)
{
	struct past past = { .is_cut = false };
	defer(str_clear) struct str path = STR_INIT;
	struct err ignored = ERR_INIT;
	struct view view;

	tui_transcript_find(t, &path);
	if (path.len < strlen(".jsonl"))
		return false;
	str_truncate(&path, path.len - strlen(".jsonl"));
	str_addf(&path, "/subagents/agent-%s.jsonl", str_c(&t->agents->viewed));
	if (!past_load(&past, str_c(&path), PAST_OF_AGENT, AGENT_BYTES, SIZE_MAX, &ignored))
		return false;
	page_reset(&t->transcript.pager.rows);
	tui_view(t, &view);
	view.folds_code = true;
	view_past(&t->transcript.pager.rows, &view, &past);
	past_clear(&past);
	return true;
}

/* Show the events of an agent, and send it what is typed. */
static void tui_agent_open(struct tui *t, struct sv id)
{
	const struct tui_agent *agent = tui_agent_find(t, id);

	if (!agent)
		return;
	pager_reset(&t->transcript.pager);
	str_set(&t->agents->viewed, id);
	if (!tui_agent_fill(t)) {
		str_truncate(&t->agents->viewed, 0);
		str_set(&t->note,
			SV("The agent has said nothing yet, or this session is not saved."));
		return;
	}
	if (!t->agents->editor)
		t->agents->editor = editor_new();
	str_truncate(&t->transcript.pager.title, 0);
	tui_agent_add_name(&t->transcript.pager.title, agent);
	pager_go_to_end(&t->transcript.pager, screen_rows(t->screen));
	t->agents->is_stale = false;
	t->agents->follows = t->transcript.is_open = true;
	tty_set_view(t->tty, true);
}

bool tui_agent_is_open(const struct tui *t)
{
	return t->agents->viewed.len > 0;
}

struct editor *tui_agent_editor(struct tui *t)
{
	return t->agents->editor;
}

static void tui_agent_close(struct tui *t)
{
	str_truncate(&t->agents->viewed, 0);
	tui_transcript_close(t);
}

static void tui_agent_send(struct tui *t)
{
	defer(str_clear) struct str text = STR_INIT, json = STR_INIT;
	struct sv message;

	editor_expand(t->agents->editor, &text);
	message = sv_trim(sv_of(&text));
	if (!message.len)
		return;
	if (sv_starts(message, SV("/")) || sv_starts(message, SV("!"))) {
		str_set(&t->note, SV("Commands belong to the conversation: press Escape first."));
		return;
	}
	control_request_write(
		&json, &(struct control_request){ .kind = CONTROL_MESSAGE_TASK,
						  .id = SV(AGENT_MESSAGE_ID),
						  .message_task = { .id = sv_of(&t->agents->viewed),
								    .text = message } });
	if (!client_send(&t->client, sv_of(&json))) {
		str_set(&t->note, sv_cstr(awl_last_error()));
		return;
	}
	editor_reset(t->agents->editor);
	t->agents->follows = true;
	str_set(&t->note, SV("Sent. The agent reads it before its next step."));
}

bool tui_agent_on_reply(struct tui *t, const struct control_reply *reply)
{
	if (!sv_is(reply->request_id, AGENT_MESSAGE_ID))
		return false;
	if (reply->kind == REPLY_ERROR) {
		str_truncate(&t->note, 0);
		display_line(&t->note, reply->error.text, SIZE_MAX);
	}
	tui_redraw_now(t);
	return true;
}

static void tui_agent_scroll(struct tui *t, const struct key *key)
{
	(void)pager_key(&t->transcript.pager, key, screen_rows(t->screen));
	t->agents->follows =
		t->transcript.pager.top + screen_rows(t->screen) >= t->transcript.pager.rows.rows.n;
}

/* Keys that move in the conversation unless they move in what is being written. */
static bool tui_agent_scrolls(struct tui *t, const struct key *key)
{
	if (key->code == KEY_PAGE_UP || key->code == KEY_PAGE_DOWN)
		return true;
	if (key->code == KEY_UP || key->code == KEY_DOWN)
		return !editor_do(t->agents->editor, key->code == KEY_UP ? EDIT_UP : EDIT_DOWN);
	return (key->code == KEY_HOME || key->code == KEY_END) &&
	       editor_is_empty(t->agents->editor);
}

/* What a key is bound to; ACTION_NONE if it is bound to nothing, or begins or ends a chord. */
static enum keymap_action tui_agent_action(struct tui *t, const struct key *key)
{
	static const enum keymap_context contexts[] = { KEYMAP_CHAT, KEYMAP_GLOBAL };
	enum keymap_action action = ACTION_NONE;

	if (keymap_key(t->keymap, contexts, countof(contexts), key, &action) != CHORD_ACTION)
		return ACTION_NONE;
	return action;
}

void tui_agent_key(struct tui *t, const struct key *key)
{
	enum keymap_action action;

	if (tui_agent_scrolls(t, key)) {
		tui_agent_scroll(t, key);
		return;
	}
	if (key->code == KEY_UP || key->code == KEY_DOWN)
		return;
	action = tui_agent_action(t, key);
	if (action == ACTION_SUBMIT)
		tui_agent_send(t);
	else if (action == ACTION_NEWLINE)
		editor_do(t->agents->editor, EDIT_NEWLINE);
	else if (action == ACTION_SUSPEND)
		tui_suspend(t);
	else if (action == ACTION_CANCEL || action == ACTION_INTERRUPT || action == ACTION_EXIT ||
		 action == ACTION_TRANSCRIPT)
		tui_agent_close(t);
	else
		(void)edit_key(t->agents->editor, key);
}

/* Below the conversation: who reads what is typed, and the prompt. */
static void tui_agent_draw_prompt(struct tui *t, struct page *page, struct screen_cursor *cursor)
{
	struct editor_look look = { .columns = screen_columns(t->screen),
				    .max_rows = AGENT_EDITOR_ROWS,
				    .prefix = SV("❯ "),
				    .next_prefix = SV("  "),
				    .prefix_style = t->theme->accent,
				    .text = t->theme->text,
				    .label = t->theme->accent,
				    .hint = t->theme->dim,
				    .placeholder = SV("Write to this agent") };
	defer(str_clear) struct str line = STR_INIT;

	tui_draw_rule(t, page, t->theme->accent);
	cursor->is_visible = true;
	editor_draw(t->agents->editor, &look, page, cursor);
	if (t->note.len)
		str_addf(&line, "  %s", str_c(&t->note));
	else
		str_addf(&line, "  to %s · esc %s", str_c(&t->transcript.pager.title),
			 t->dialog.is_open ? "to answer a question" : "back to the conversation");
	view_add_cut(page, sv_of(&line), t->note.len ? t->theme->warning : t->theme->dim,
		     screen_columns(t->screen));
	page_end_row(page);
}

void tui_draw_agent(struct tui *t)
{
	const struct tui_agent *agent = tui_agent_find(t, sv_of(&t->agents->viewed));
	size_t rows = screen_rows(t->screen), body;
	struct screen_cursor cursor = { .is_visible = false }, ignored;
	struct page page = { .cells = 0 }, prompt = { .cells = 0 };
	defer(str_clear) struct str state = STR_INIT;

	if (t->agents->is_stale)
		(void)tui_agent_fill(t);
	t->agents->is_stale = false;
	tui_agent_draw_prompt(t, &prompt, &cursor);
	body = rows > prompt.rows.n + 1 ? rows - prompt.rows.n : 2;
	if (t->agents->follows)
		pager_go_to_end(&t->transcript.pager, body);
	if (agent)
		tui_agent_add_state(&state, agent);
	pager_draw(&t->transcript.pager, t->theme, screen_columns(t->screen), body, str_c(&state),
		   &page, &ignored);
	cursor.row += page.rows.n;
	page_copy(&page, &prompt, 0, prompt.rows.n);
	screen_view(t->screen, &page, cursor);
	page_clear(&page);
	page_clear(&prompt);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_agents_init(struct tui *t)
{
	t->agents = xnew(struct tui_agents);
}

void tui_agents_free(struct tui *t)
{
	for (size_t i = 0; i < t->agents->list.n; i++)
		tui_agent_clear(&t->agents->list.at[i]);
	vec_clear(&t->agents->list);
	str_clear(&t->agents->viewed);
	editor_free(t->agents->editor);
	free(t->agents);
}
