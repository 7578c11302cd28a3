/* /copy: an answer goes to the clipboard, through the desktop's own program if there is one, else through the terminal,
 * which also works over ssh. */
#include <stdlib.h>

#include "base/limits.h"
#include "front/tui/commands/tui_copy.h"

#include "base/str_list.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/tui_frame.h"
#include "front/tui/tui_internal.h"
#include "sys/child.h"
#include "text/base64.h"

struct tui_copy {
	str_list answers; /* the newest last */
	struct op *op;    /* NULL: nothing is under way */
	struct str text;
	bool leaves; /* when it is done */
};

enum { COPY_MS = 3000 };

void tui_keep_answer(struct tui *t, struct sv text)
{
	if (!text.len)
		return;
	if (t->copy->answers.n == LIMIT_KEPT_ANSWERS) {
		str_clear(&t->copy->answers.at[0]);
		vec_remove(&t->copy->answers, 0);
	}
	str_add(vec_add(&t->copy->answers), text);
}

static void tui_copy_report(struct tui *t, const char *how)
{
	defer(str_clear) struct str line = STR_INIT;

	str_addf(&line, "Copied %zu characters %s.", t->copy->text.len, how);
	tui_show_aside(t, sv_of(&line));
	str_clear(&t->copy->text);
	if (t->copy->leaves)
		tui_leave(t, EXIT_SUCCESS);
	else
		tui_redraw(t);
}

/* OSC 52; tmux passes it on if its set-clipboard option is on, as it is by default. */
static void tui_copy_by_terminal(struct tui *t)
{
	defer(str_clear) struct str bytes = STR_INIT;

	if (t->copy->text.len > LIMIT_CLIPBOARD) {
		str_set(&t->note, SV("The answer is too long for the terminal's clipboard; install "
				     "wl-copy or xclip."));
		str_clear(&t->copy->text);
		return;
	}
	str_adds(&bytes, "\033]52;c;");
	base64_encode(&bytes, sv_of(&t->copy->text), BASE64_STD);
	str_adds(&bytes, "\a");
	client_write(&t->client, sv_of(&bytes));
	tui_copy_report(t, "through the terminal, if it allows that");
}

static void tui_copy_done(struct op *op, void *owner, const struct err *why)
{
	struct tui *t = owner;

	t->copy->op = NULL;
	if (t->client.is_leaving)
		return;
	if (why || child_result(op).code)
		tui_copy_by_terminal(t);
	else
		tui_copy_report(t, "to the clipboard");
}

/* The program of the desktop; NULL: there is no desktop here. */
static const char *const *tui_copy_program(void)
{
	static const char *const wayland[] = { "wl-copy", NULL };
	static const char *const x11[] = { "xclip", "-selection", "clipboard", NULL };
	const char *ssh = getenv("SSH_CONNECTION");

	if (ssh && *ssh)
		return NULL;
	if (getenv("WAYLAND_DISPLAY"))
		return wayland;
	return getenv("DISPLAY") ? x11 : NULL;
}

void tui_copy_text(struct tui *t, struct sv text, bool leaves)
{
	const char *const *argv = tui_copy_program();

	t->copy->leaves = leaves;
	str_set(&t->copy->text, text);
	if (!argv) {
		tui_copy_by_terminal(t);
		return;
	}
	t->copy->op = child_start(t->client.loop,
				  &(struct child_opts){ .argv = argv,
							.input = sv_of(&t->copy->text),
							.deadline_ms = COPY_MS },
				  THEN(tui_copy_done, t));
}

void tui_copy(struct tui *t, struct sv rest)
{
	int64_t which = 1;

	if (rest.len && (!sv_to_int(rest, &which) || which < 1)) {
		str_set(&t->note, SV("/copy takes a number: 2 is the answer before the last one."));
		return;
	}
	if (t->copy->op || (size_t)which > t->copy->answers.n) {
		str_set(&t->note, t->copy->op ? SV("The last copy is still under way.")
					      : SV("There is no such answer yet."));
		return;
	}
	tui_copy_text(t, sv_of(&t->copy->answers.at[t->copy->answers.n - (size_t)which]), false);
}

/* --- init and free ----------------------------------------------------------------- */

void tui_copy_init(struct tui *t)
{
	t->copy = xnew(struct tui_copy);
}

void tui_copy_stop(struct tui *t)
{
	op_cancel(t->copy->op);
}

void tui_copy_free(struct tui *t)
{
	str_list_clear(&t->copy->answers);
	str_clear(&t->copy->text);
	free(t->copy);
}
