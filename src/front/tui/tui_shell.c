/* "! make test" at the prompt: the user's own command. It runs at once, without a question, because the user typed
 * it. What it printed is shown, and the model reads it with the next prompt. */
#include "base/utf8.h"
#include "front/tui/tui_internal.h"
#include "proto/input.h"
#include "sys/child.h"
#include "text/json/json_write.h"

enum { SHELL_BYTES = 30000, SHELL_MAX = 64 * 1024 * 1024, SHELL_TAIL = 4096 };

static void tui_shell_on_data(void *owner, __attribute__((unused)) enum child_stream from,
			      struct sv bytes)
{
	struct tui *t = owner;

	str_add(&t->shell.output, bytes);
	if (t->shell.output.len > 2 * SHELL_BYTES) { /* the end says most */
		str_consume(&t->shell.output, t->shell.output.len - SHELL_BYTES);
		t->shell.is_cut = true;
	}
	tui_redraw(t);
}

/* Tell the model what the user did; it makes no request for that. */
static void tui_shell_tell(struct tui *t, struct sv output)
{
	defer(str_clear) struct str text = STR_INIT, json = STR_INIT;

	str_addf(&text, "<bash-input>%s</bash-input>\n<bash-stdout>%s%.*s</bash-stdout>",
		 str_c(&t->shell.command), t->shell.is_cut ? "(the beginning is omitted)\n" : "",
		 SV_ARG(output));
	input_write_remark(&json, sv_of(&text));
	if (awl_send(t->client.session, json.ptr, json.len) != AWL_OK)
		tui_show_notice(t, t->theme->error, sv_cstr(awl_last_error()));
}

static void tui_shell_add_end(struct str *out, const struct child_result *result,
			      const struct err *why)
{
	if (why && why->kind == ERR_CANCELLED)
		str_adds(out, "Interrupted\n");
	else if (why)
		str_addf(out, "%s\n", why->text);
	else if (result->code)
		str_addf(out, "Exit code %d\n", result->code);
}

/* Fill in what is shown of the command. The document of its input must be freed. */
static struct json_doc *tui_shell_view(const struct tui *t, struct view_call *out)
{
	defer(str_clear) struct str input = STR_INIT;
	struct err ignored = ERR_INIT;
	struct json_doc *doc;
	struct jw w;

	jw_init(&w, &input, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "command", sv_of(&t->shell.command));
	jw_end(&w);
	jw_done(&w);
	doc = json_parse(sv_of(&input), 0, &ignored);
	*out = (struct view_call){ .tool = SV("Bash"),
				   .input = json_root(doc),
				   .ms = tui_now(t) - t->shell.since };
	return doc;
}

void tui_draw_shell(struct tui *t, struct page *page)
{
	struct sv output = sv_of(&t->shell.output);
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct view_call call;
	struct view view;

	if (!t->shell.op)
		return;
	doc = tui_shell_view(t, &call);
	call.tail = sv_skip(output, output.len - min_of(output.len, (size_t)SHELL_TAIL));
	tui_view(t, &view);
	page_end_row(page);
	view_call(page, &view, &call);
}

static void tui_shell_print(struct tui *t, struct sv text, bool has_failed)
{
	struct view_call call;
	defer(json_doc_freep) struct json_doc *doc = tui_shell_view(t, &call);
	struct view view;

	call.state = has_failed ? VIEW_FAILED : VIEW_DONE;
	call.text = text;
	tui_view(t, &view);
	view_call(tui_begin_block(t), &view, &call);
}

static void tui_shell_done(struct op *op, void *owner, const struct err *why)
{
	struct tui *t = owner;
	struct child_result result = child_result(op);
	defer(str_clear) struct str shown = STR_INIT;

	t->shell.op = NULL;
	if (t->client.is_leaving)
		return;
	tui_shell_add_end(&shown, &result, why);
	utf8_repair(&shown, sv_of(&t->shell.output));
	tui_shell_print(t, sv_of(&shown), why || result.code);
	tui_shell_tell(t, sv_of(&shown));
	str_clear(&t->shell.output);
	tui_redraw(t);
}

bool tui_shell(struct tui *t, struct sv text)
{
	struct sv command = sv_trim(text);
	const char *argv[] = { "bash", "-c", NULL, NULL };

	if (!sv_starts(command, SV("!")))
		return false;
	command = sv_trim(sv_skip(command, 1));
	if (!command.len || t->shell.op) {
		str_set(&t->note, command.len ? SV("Your last command still runs; Esc ends it.")
					      : SV("Type a command after the exclamation mark."));
		return true;
	}
	tui_show_prompt(t, text);
	str_truncate(&t->shell.command, 0);
	utf8_repair(&t->shell.command, command);
	argv[2] = str_c(&t->shell.command);
	t->shell.is_cut = false;
	t->shell.since = tui_now(t);
	t->shell.op = child_start(t->client.loop,
				  &(struct child_opts){ .argv = argv,
							.cwd = str_c(&t->cwd),
							.merge = true,
							.max_output = SHELL_MAX,
							.on_data = tui_shell_on_data },
				  THEN(tui_shell_done, t));
	return true;
}

void tui_shell_clear(struct tui *t)
{
	str_clear(&t->shell.command);
	str_clear(&t->shell.output);
}
