/* Time passes only in waits, so deadlines are checked only there: a wait ends when it is over or at
 * the first deadline, whichever is earlier. */
#include "model/script/player.h"

#include "base/limits.h"
#include "base/mem.h"
#include "sys/timer.h"

struct player {
	struct op op;
	struct play play;
	size_t at; /* the act to play */
	struct task step;
	struct op *timer;
	http_head_fn *on_head;
	http_body_fn *on_body;
	int64_t first_byte_ms, idle_ms;
	size_t left;          /* bytes that the body may still have */
	int64_t all_over;     /* the total deadline */
	int64_t last_byte_at; /* when the last bytes arrived, or reading resumed */
	int64_t wait_until;   /* end of the current wait; -1: none */
	bool headed, paused, ended;
	struct err why; /* ERR_NONE: success */
};

static struct player *player_of(struct op *op)
{
	return container_of(op, struct player, op);
}

/* --- ends ---------------------------------------------------------------- */

/* Finishes the op once the timer is done, too. */
static void player_settle(struct player *p)
{
	if (p->op.finished)
		return;
	op_cancel(p->timer);
	if (!p->timer)
		op_finish(&p->op, p->why.kind == ERR_NONE ? NULL : &p->why);
}

static void player_end(struct player *p, enum err_kind kind, const char *what)
{
	p->ended = true;
	if (kind != ERR_NONE)
		err_set(&p->why, kind, "%s", what);
	player_settle(p);
}

/* --- waits --------------------------------------------------------------- */

struct moment {
	int64_t at;
	enum err_kind kind; /* ERR_NONE: the wait is over */
	const char *what;
};

static void player_earlier(struct moment *m, int64_t from, int64_t ms, enum err_kind kind,
			   const char *what)
{
	if (ms >= 0 && from < INT64_MAX - ms && from + ms < m->at)
		*m = (struct moment){ .at = from + ms, .kind = kind, .what = what };
}

/* The first deadline of a paused play. */
static struct moment player_last_moment(const struct player *p)
{
	struct moment m = { .at = INT64_MAX };

	player_earlier(&m, p->all_over, 0, ERR_TIMEOUT, "not complete in time");
	return m;
}

/* When the current wait ends: by itself, or at a deadline. */
static struct moment player_next_moment(const struct player *p)
{
	struct moment m = player_last_moment(p);

	player_earlier(&m, p->wait_until, 0, ERR_NONE, "");
	if (!p->headed)
		player_earlier(&m, p->last_byte_at, p->first_byte_ms, ERR_TIMEOUT_FIRST_BYTE,
			       "no response in time");
	else if (!p->paused)
		player_earlier(&m, p->last_byte_at, p->idle_ms, ERR_TIMEOUT_IDLE,
			       "the response stalled");
	return m;
}

static void player_on_timer(__attribute__((unused)) struct op *op, void *owner,
			    __attribute__((unused)) const struct err *why)
{
	struct player *p = owner;

	p->timer = NULL;
	if (p->ended || p->op.cancelled)
		player_settle(p);
	else
		loop_post(p->op.loop, &p->step);
}

/* Returns true if the wait is over and the play continues. */
static bool player_has_come(struct player *p, struct moment m)
{
	int64_t now = loop_now(p->op.loop);

	if (m.at <= now && m.kind == ERR_NONE)
		return true;
	if (m.at <= now) {
		player_end(p, m.kind, m.what);
		return false;
	}
	op_cancel(p->timer); /* it waits for another moment; we get here again when it is done */
	if (!p->timer && m.at < INT64_MAX)
		p->timer = timer_start(p->op.loop, m.at - now, THEN(player_on_timer, p));
	return false;
}

/* --- acts ---------------------------------------------------------------- */

static void player_play_head(struct player *p)
{
	struct http_head head = { .status = p->play.status,
				  .version = 11,
				  .headers = p->play.headers.at,
				  .nheaders = p->play.headers.n };

	p->headed = true;
	p->last_byte_at = loop_now(p->op.loop);
	if (p->on_head)
		p->on_head(p->op.then.owner, &head);
}

static void player_play_bytes(struct player *p, const struct play_act *act)
{
	struct sv piece = sv_slice(sv_of(&p->play.bytes), act->from, act->to);

	if (piece.len > p->left) {
		player_end(p, ERR_TOO_BIG, "the response exceeds the requested limit");
		return;
	}
	p->left -= piece.len;
	p->last_byte_at = loop_now(p->op.loop);
	if (p->on_body)
		p->on_body(p->op.then.owner, piece);
}

static void player_begin_wait(struct player *p, int64_t ms)
{
	p->wait_until = ms < 0 ? INT64_MAX : loop_now(p->op.loop) + ms;
}

/* The owner may pause or cancel from inside its callbacks. */
static void player_play_one(struct player *p)
{
	const struct play_act *act = &p->play.acts.at[p->at++];

	switch (act->kind) {
	case PLAY_HEAD: player_play_head(p); break;
	case PLAY_BYTES: player_play_bytes(p, act); break;
	case PLAY_WAIT: player_begin_wait(p, act->ms); break;
	case PLAY_END: player_end(p, ERR_NONE, ""); break;
	case PLAY_GARBAGE: player_end(p, ERR_PROTOCOL, "the response is not valid HTTP"); break;
	case PLAY_CUT:
	case PLAY_RESET:
		player_end(p, ERR_RESET, "the connection was reset during the response");
		break;
	case PLAY_FAIL: player_end(p, p->play.err.kind, p->play.err.text); break;
	}
}

static bool player_may_play(const struct player *p)
{
	const struct play_act *act = &p->play.acts.at[p->at];

	/* A failure is reported even while the reader pauses. */
	return !p->paused || act->kind >= PLAY_CUT || act->kind == PLAY_WAIT;
}

static void player_run_step(struct task *task)
{
	struct player *p = container_of(task, struct player, step);

	if (p->ended || p->op.cancelled) {
		player_settle(p);
		return;
	}
	if (p->wait_until >= 0 && !player_has_come(p, player_next_moment(p)))
		return;
	p->wait_until = -1;
	if (!player_may_play(p)) {
		player_has_come(p, player_last_moment(p));
		return;
	}
	player_play_one(p);
	if (!p->ended)
		loop_post(p->op.loop, &p->step);
}

/* --- the op -------------------------------------------------------------- */

static void player_cancel(struct op *op)
{
	loop_post(op->loop, &player_of(op)->step);
}

static void player_free(struct op *op)
{
	struct player *p = player_of(op);

	play_clear(&p->play);
	free(p);
}

static const struct op_type player_type = { .name = "player",
					    .cancel = player_cancel,
					    .free = player_free };

static int64_t player_or_default(int64_t ms, int64_t standard)
{
	return ms ? ms : standard;
}

struct op *player_start(struct loop *loop, struct play *play, const struct http_request *request,
			struct then then)
{
	struct player *p = xnew(struct player);
	int64_t now = loop_now(loop);

	op_init(&p->op, &player_type, loop, then);
	p->play = *play;
	*play = (struct play)PLAY_INIT;
	p->step.run = player_run_step;
	p->on_head = request->on_head;
	p->on_body = request->on_body;
	p->first_byte_ms = player_or_default(request->first_byte_ms, HTTP_FIRST_BYTE_MS);
	p->idle_ms = player_or_default(request->idle_ms, HTTP_IDLE_MS);
	p->left = request->max_body ? request->max_body : LIMIT_HTTP_BODY;
	p->all_over = request->total_ms > 0 ? now + request->total_ms : INT64_MAX;
	p->last_byte_at = now;
	p->wait_until = -1;
	loop_post(loop, &p->step);
	return &p->op;
}

void player_pause(struct op *op, bool paused)
{
	struct player *p = player_of(op);

	if (op->finished || p->paused == paused)
		return;
	p->paused = paused;
	if (!paused)
		p->last_byte_at = loop_now(op->loop); /* the reader caused the silence */
	loop_post(op->loop, &p->step);
}
