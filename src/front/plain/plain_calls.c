#include "front/plain/plain_calls.h"

#include "front/tui/view/view.h"
#include "front/tui/view/view_past.h"
#include "text/json/json_write.h"

enum { COLUMNS = 200 }; /* longer lines are cut */

static void plain_call_clear(struct plain_call *call)
{
	str_clear(&call->id);
	str_clear(&call->tool);
	json_doc_free(call->input);
}

void plain_calls_clear(struct plain_calls *calls)
{
	for (size_t i = 0; i < calls->all.n; i++)
		plain_call_clear(&calls->all.at[i]);
	vec_clear(&calls->all);
}

void plain_calls_begin(struct plain_calls *calls, const struct block *block)
{
	struct plain_call *call = vec_add(&calls->all);

	str_add(&call->id, block->id);
	str_add(&call->tool, block->tool);
	call->input = json_copy(block->input);
}

/* The rows below the head, which was shown when the call began. */
static void plain_calls_show(const struct view_call *call, struct sv cwd, struct str *out)
{
	struct view view = { .theme = theme_find(SV("ansi"), TTY_BACKGROUND_UNKNOWN),
			     .columns = COLUMNS,
			     .cwd = cwd };
	struct page page = { .cells = 0 };

	view_call(&page, &view, call);
	for (size_t i = 1; i < page.rows.n; i++)
		str_addf(out, "%.*s\n", SV_ARG(page_row_text(&page, i)));
	page_clear(&page);
}

void plain_calls_end(struct plain_calls *calls, const struct block *result, struct json data,
		     struct sv cwd, struct str *out)
{
	for (size_t i = 0; i < calls->all.n; i++) {
		struct plain_call *call = &calls->all.at[i];
		defer(str_clear) struct str text = STR_INIT;

		if (!sv_eq(sv_of(&call->id), result->id))
			continue;
		content_text(&text, result->content);
		if (!result->is_error && view_shows_call(sv_of(&call->tool)))
			plain_calls_show(&(struct view_call){ .tool = sv_of(&call->tool),
							      .input = json_root(call->input),
							      .state = VIEW_DONE,
							      .text = sv_of(&text),
							      .data = data },
					 cwd, out);
		plain_call_clear(call);
		vec_remove(&calls->all, i);
		return;
	}
}
