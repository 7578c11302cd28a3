/* Prompts on their way to the session. A prompt that is sent while a turn runs waits there for the next request; until
 * the session takes it, it is shown above the prompt and can be taken back. Commands have no name on the wire, so they
 * wait without being shown. */
#include "front/tui/prompt/tui_prompt.h"

#include "base/limits.h"
#include "base/uuid.h"
#include "front/tui/commands/tui_command.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/conversation/tui_show.h"
#include "front/tui/prompt/tui_image.h"
#include "front/tui/prompt/tui_memory.h"
#include "front/tui/prompt/tui_shell.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_leave.h"
#include "proto/control.h"
#include "proto/input.h"

/* A prompt that waits for the session to take it. */
struct tui_queued {
	struct uuid uuid;
	struct str text;
};

struct tui_queue {
	VEC(struct tui_queued) prompts;
};

static void tui_prompt_send(struct tui *t, const struct str *json)
{
	if (!client_send(&t->client, sv_of(json)))
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
}

/* Send a prompt under a name, so that the session says when it takes it. */
static void tui_prompt_send_named(struct tui *t, struct sv text, bool waits)
{
	struct uuid uuid = uuid_v4(loop_rng(t->client.loop));
	struct input_image images[TUI_IMAGES];
	size_t n = tui_images_of(t, text, images, countof(images));
	defer(str_clear) struct str json = STR_INIT;

	input_write_prompt(&json, text, images, n, sv_cstr(uuid.text));
	if (waits) {
		struct tui_queued *queued = vec_add(&t->queue->prompts);

		queued->uuid = uuid;
		str_set(&queued->text, text);
	}
	tui_prompt_send(t, &json);
}

void tui_submit(struct tui *t, struct sv text)
{
	bool is_busy = tui_is_busy(t), is_command = sv_starts(sv_trim(text), SV("/"));
	defer(str_clear) struct str copy = STR_INIT;

	if (!sv_trim(text).len)
		return;
	if (chat_is_farewell(text)) {
		tui_ask_to_leave(t, EXIT_SUCCESS);
		return;
	}
	if (tui_command(t, text) || tui_shell(t, text) || tui_memory(t, text)) {
		tui_redraw_now(t);
		return;
	}
	if (text.len > LIMIT_PROMPT) {
		str_addf(&t->note, "The prompt is longer than %zu MiB.", LIMIT_PROMPT / MIB);
		return;
	}
	if (!is_busy || is_command)
		tui_show_prompt(t, text);
	if (!is_busy)
		t->turn.since = tui_now(t);
	if (is_command) {
		str_add(&copy, text);
		client_prompt(&t->client, copy.ptr);
	} else {
		tui_prompt_send_named(t, text, is_busy);
	}
	tui_redraw_now(t);
}

static size_t tui_prompt_find(const struct tui *t, struct sv uuid)
{
	for (size_t i = 0; i < t->queue->prompts.n; i++)
		if (sv_is(uuid, t->queue->prompts.at[i].uuid.text))
			return i;
	return SIZE_MAX;
}

static void tui_prompt_drop(struct tui *t, size_t i)
{
	str_clear(&t->queue->prompts.at[i].text);
	vec_remove(&t->queue->prompts, i);
	tui_redraw(t);
}

void tui_on_prompt_state(struct tui *t, struct sv uuid, enum prompt_state state)
{
	size_t i = tui_prompt_find(t, uuid);

	if (i == SIZE_MAX || state == PROMPT_QUEUED)
		return;
	if (state == PROMPT_STARTED)
		tui_show_prompt(t, sv_of(&t->queue->prompts.at[i].text));
	tui_prompt_drop(t, i);
}

bool tui_take_back(struct tui *t)
{
	defer(str_clear) struct str json = STR_INIT;
	struct tui_queued *last;

	if (!t->queue->prompts.n)
		return false;
	last = vec_last(&t->queue->prompts);
	control_request_write(
		&json,
		&(struct control_request){ .kind = CONTROL_CANCEL_PROMPT,
					   .id = sv_cstr(last->uuid.text),
					   .cancel_prompt = { .uuid = sv_cstr(last->uuid.text) } });
	editor_set(t->editor, sv_of(&last->text));
	tui_prompt_drop(t, t->queue->prompts.n - 1);
	tui_prompt_send(t, &json);
	return true;
}

void tui_draw_queue(struct tui *t, struct page *page)
{
	for (size_t i = 0; i < t->queue->prompts.n; i++) {
		struct sv rest = sv_of(&t->queue->prompts.at[i].text), line = SV_EMPTY;

		sv_cut_line(&rest, &line);
		page_add(page, SV("  ❯ "), t->theme->dim);
		view_add_cut(page, line, t->theme->dim, screen_columns(t->screen));
		page_end_row(page);
	}
	if (t->queue->prompts.n) {
		page_add(page, SV("    waits for the next step · up to take it back"),
			 t->theme->dim);
		page_end_row(page);
	}
}

bool tui_prompts_wait(const struct tui *t)
{
	return t->queue->prompts.n;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_prompts_init(struct tui *t)
{
	t->queue = xnew(struct tui_queue);
}

void tui_prompts_free(struct tui *t)
{
	for (size_t i = 0; i < t->queue->prompts.n; i++)
		str_clear(&t->queue->prompts.at[i].text);
	vec_clear(&t->queue->prompts);
	free(t->queue);
}
