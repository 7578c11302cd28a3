/* Control requests about going back: rewind_files, and the list of prompts to go back to. */
#include "core/control/control.h"
#include "core/session/session_undo.h"

struct control_rewind {
	struct control_wait wait; /* must stay first */
	struct undo *history;
	struct arena arena;
	struct undo_scope scope;
	struct undo_plan plan;
	struct uuid back; /* names where we were */
	struct str target;
	struct err err; /* why it is not possible */
	bool is_rehearsal;
};

static void control_rewind_free(struct control_wait *wait)
{
	struct control_rewind *r = container_of(wait, struct control_rewind, wait);

	undo_plan_clear(&r->plan);
	arena_clear(&r->arena);
	str_clear(&r->target);
	free(r);
}

static void control_rewind_reply(struct control_wait *wait)
{
	struct control_rewind *r = container_of(wait, struct control_rewind, wait);
	struct sv *files = arena_calloc(&r->arena, r->plan.changes.n + 1, sizeof(*files));
	struct reply_rewind reply = { .files = files,
				      .added = (int64_t)r->plan.added,
				      .removed = (int64_t)r->plan.removed };

	for (size_t i = 0; i < r->plan.changes.n; i++)
		if (!r->plan.changes.at[i].problem.len)
			files[reply.nfiles++] = sv_cstr(r->plan.changes.at[i].path);
	if (r->err.kind != ERR_NONE)
		reply.error = sv_cstr(r->err.text);
	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_REWIND, .rewind = reply });
}

/* On a worker. An unknown prompt is an error only for those who mean it. */
static bool control_rewind_run(void *arg, struct err *err)
{
	struct control_rewind *r = arg;
	struct undo_point back = { .kind = UNDO_BACK,
				   .uuid = r->back.text,
				   .target = (char *)str_c(&r->target) };

	if (!undo_plan(&r->plan, r->history, sv_of(&r->target), &r->scope, &r->err)) {
		*err = r->err;
		return r->is_rehearsal && r->err.kind == ERR_NOT_FOUND;
	}
	return r->is_rehearsal || undo_apply(r->history, &r->plan, &back, r->scope.wall_ms, err);
}

void control_rewind_files(struct session *s, const struct control_request *request)
{
	static const struct control_wait_type type = { control_rewind_reply, control_rewind_free };
	struct err err = ERR_INIT;
	struct undo *history = session_undo_history(s, &err);
	struct control_rewind *r;

	if (!history) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	r = xnew(struct control_rewind);
	control_wait_init(&r->wait, s, request->id, &type);
	r->history = history;
	r->back = uuid_v4(loop_rng(s->engine->loop));
	r->is_rehearsal = request->rewind_files.is_rehearsal;
	str_add(&r->target, request->rewind_files.uuid);
	session_undo_scope(s, &r->scope, &r->arena);
	r->wait.op =
		session_undo_queue(s, control_rewind_run, r, THEN(control_wait_on_done, &r->wait));
}

/* --- the prompts ------------------------------------------------------------------------ */

struct control_prompts {
	struct control_wait wait; /* must stay first */
	struct undo *history;
	struct arena arena;
	struct undo_scope scope;
	undo_points points;
};

static void control_prompts_free(struct control_wait *wait)
{
	struct control_prompts *p = container_of(wait, struct control_prompts, wait);

	undo_points_clear(&p->points);
	arena_clear(&p->arena);
	free(p);
}

static void control_prompts_reply(struct control_wait *wait)
{
	struct control_prompts *p = container_of(wait, struct control_prompts, wait);
	struct reply_prompt *list = arena_calloc(&p->arena, p->points.n + 1, sizeof(*list));
	size_t n = 0;

	for (size_t i = p->points.n; i-- > 0;) {
		const struct undo_point *point = &p->points.at[i];

		if (undo_point_is_work(point))
			list[n++] = (struct reply_prompt){ .uuid = sv_cstr(point->uuid),
							   .title = sv_cstr(point->title),
							   .nfiles = (int64_t)point->nchanged };
	}
	control_reply(wait->session, sv_of(&wait->id),
		      (struct control_reply){ .kind = REPLY_PROMPTS, .prompts = { list, n } });
}

static bool control_prompts_run(void *arg, struct err *err)
{
	struct control_prompts *p = arg;

	return undo_list(&p->points, p->history, &p->scope, err);
}

void control_list_prompts(struct session *s, const struct control_request *request)
{
	static const struct control_wait_type type = { control_prompts_reply,
						       control_prompts_free };
	struct err err = ERR_INIT;
	struct undo *history = session_undo_history(s, &err);
	struct control_prompts *p;

	if (!history) {
		control_refuse(s, request->id, NULL, sv_cstr(err.text));
		return;
	}
	p = xnew(struct control_prompts);
	control_wait_init(&p->wait, s, request->id, &type);
	p->history = history;
	session_undo_scope(s, &p->scope, &p->arena);
	p->wait.op =
		session_undo_queue(s, control_prompts_run, p, THEN(control_wait_on_done, &p->wait));
}
