/* A recap for a user who returns: while the terminal is not looked at and nothing happens, the model is asked once
 * where the work stands, so that the answer is there when the user is. It asks only in a session of some length, and
 * never twice without a turn in between. A terminal that does not report its focus never gets one. */
#include <stdlib.h>

#include "front/tui/conversation/tui_away.h"

#include "front/tui/conversation/tui_news.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_settings.h"
#include "proto/control.h"
#include "proto/reply_read.h"
#include "sys/timer.h"

struct tui_away {
	struct op *timer; /* until a recap is wanted; NULL: not running */
	bool is_sent;     /* nothing has happened since the last one */
};

#define RECAP_ID "tui-recap"
enum { AWAY_MS = 3 * 60 * 1000, FEWEST_TURNS = 3 };

/* How long the user has to be away, in milliseconds. */
static int64_t tui_away_after(void)
{
	const char *variable = getenv("CLAUDE_AFK_TIMEOUT_MS");
	int64_t ms;

	return variable && sv_to_int(sv_cstr(variable), &ms) && ms > 0 ? ms : AWAY_MS;
}

/* The variable wins over the setting. */
static bool tui_away_is_wanted(struct tui *t)
{
	const char *variable = getenv("CLAUDE_CODE_ENABLE_AWAY_SUMMARY");
	defer(json_doc_freep) struct json_doc *setting = NULL;

	if (variable)
		return sv_is(sv_cstr(variable), "1") || sv_is(sv_cstr(variable), "true");
	setting = tui_setting(t, "awaySummaryEnabled");
	return json_bool_or(json_root(setting), true);
}

static void tui_away_on_time(__attribute__((unused)) struct op *op, void *owner,
			     const struct err *why)
{
	struct tui *t = owner;
	defer(str_clear) struct str json = STR_INIT;

	t->away->timer = NULL;
	if (why || t->client.is_leaving || tui_is_busy(t) || !tui_away_is_wanted(t))
		return;
	control_request_write(
		&json, &(struct control_request){ .kind = CONTROL_RECAP, .id = SV(RECAP_ID) });
	t->away->is_sent = client_send(&t->client, sv_of(&json));
}

void tui_away_follow(struct tui *t)
{
	bool waits = t->window.is_unfocused && !tui_is_busy(t) && !t->away->is_sent &&
		     t->conversation.turns >= FEWEST_TURNS;

	if (!waits)
		op_cancel(t->away->timer);
	else if (!t->away->timer)
		t->away->timer =
			timer_start(t->client.loop, tui_away_after(), THEN(tui_away_on_time, t));
}

void tui_away_on_turn(struct tui *t)
{
	t->away->is_sent = false;
}

bool tui_away_on_reply(struct tui *t, const struct control_reply *reply)
{
	defer(str_clear) struct str line = STR_INIT;
	struct sv text;

	if (!sv_is(reply->request_id, RECAP_ID))
		return false;
	text = reply->kind == REPLY_VALUE ? reply_read_text(reply->value) : SV_EMPTY;
	if (text.len && !tui_is_busy(t)) {
		str_addf(&line, "While you were away: %.*s", SV_ARG(text));
		tui_show_aside(t, sv_of(&line));
	}
	return true;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_away_init(struct tui *t)
{
	t->away = xnew(struct tui_away);
}

void tui_away_stop(struct tui *t)
{
	op_cancel(t->away->timer);
}

void tui_away_free(struct tui *t)
{
	free(t->away);
}
