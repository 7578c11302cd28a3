/* The same answers, split, cut and given up at every point. */
#include "net/http.h"
#include "net/http/fetch.h"
#include "net/http/peer.h"
#include "test.h"

struct response {
	struct sv bytes;
	struct sv headers, body; /* what the owner is to be told */
	size_t needed;           /* bytes without which it is not whole */
};

static const struct response answers[] = {
	{ SV_INIT("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nA: b\r\n\r\n0123456789"),
	  SV_INIT("Content-Length: 10\nA: b\n"), SV_INIT("0123456789"), 55 },
	{ SV_INIT("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
		  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
		  "5\r\n01234\r\n5;x=y\r\n56789\r\n0\r\nTrailer: t\r\n\r\n"),
	  SV_INIT("Transfer-Encoding: chunked\n"), SV_INIT("0123456789"), 124 },
	{ SV_INIT("HTTP/1.1 200 OK\nFolded: a\n b\nContent-Length: 3\n\nabc"),
	  SV_INIT("Folded: a b\nContent-Length: 3\n"), SV_INIT("abc"), 51 },
};

static void check_answer(const struct fetch *f, const struct response *a)
{
	CHECK_OK(f->why.kind == ERR_NONE, f->why);
	CHECK_INT(f->dones, 1);
	CHECK_INT(f->heads, 1);
	CHECK_INT(f->status, 200);
	CHECK_SV_EQ(sv_of(&f->headers), a->headers);
	CHECK_SV_EQ(sv_of(&f->body), a->body);
}

TEST(a_response_split_at_any_byte_is_the_same_response)
{
	for (size_t i = 0; i < countof(answers); i++)
		for (size_t k = 0; k <= answers[i].bytes.len; k++) {
			PEER(peer, DO(ACCEPT), DO(REQUEST),
			     SEND_BYTES(sv_slice(answers[i].bytes, 0, k)), DO(TURNS),
			     SEND_BYTES(sv_skip(answers[i].bytes, k)), DO(HANGUP));
			FETCH(f, &peer);

			fetch_get(&f);
			check_answer(&f, &answers[i]);
		}
}

TEST(a_response_sent_byte_by_byte_is_the_same_response)
{
	for (size_t i = 0; i < countof(answers); i++) {
		struct act acts[400] = { DO(ACCEPT), DO(REQUEST) };
		defer(peer_clear) struct peer peer;
		size_t n = 2;

		for (size_t k = 0; k < answers[i].bytes.len; k++) {
			acts[n++] = (struct act)SEND_BYTES(sv_slice(answers[i].bytes, k, k + 1));
			acts[n++] = (struct act)DO(TURNS);
		}
		acts[n++] = (struct act)DO(HANGUP);
		peer_start(&peer, acts, n);
		{
			FETCH(f, &peer);

			fetch_get(&f);
			check_answer(&f, &answers[i]);
		}
	}
}

static void check_cut(const struct response *a, size_t k, enum act_kind how)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND_BYTES(sv_slice(a->bytes, 0, k)), DO(TURNS),
	     { .kind = how });
	FETCH(f, &peer);

	fetch_get(&f);
	CHECK_INT(f.dones, 1);
	if (f.why.kind != ERR_RESET && f.why.kind != ERR_PROTOCOL)
		fail_msg("cut at byte %zu: %s \"%s\"", k, err_kind_name(f.why.kind), f.why.text);
	CHECK(sv_starts(a->body, sv_of(&f.body)));
}

TEST(a_connection_cut_at_any_byte_is_a_failure)
{
	for (size_t i = 0; i < countof(answers); i++)
		for (size_t k = 0; k < answers[i].needed; k++) {
			check_cut(&answers[i], k, ACT_CLOSE);
			check_cut(&answers[i], k, ACT_RESET);
		}
}

/* When to give up: so many turns after the peer has come to an act. */
static size_t cancel_act, cancel_turn;

static void cancel_on_turn(struct fetch *f)
{
	if (atomic_load(&f->peer->at) < cancel_act)
		f->turns = 0;
	else if (f->turns == cancel_turn)
		op_cancel(f->op);
}

TEST(a_request_cancelled_at_any_moment_is_done_once_and_leaves_nothing)
{
	size_t cancelled = 0, completed = 0;

	for (cancel_act = 0; cancel_act < 9; cancel_act++)
		for (cancel_turn = 0; cancel_turn < 12; cancel_turn++) {
			PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\n"), DO(TURNS),
			     SEND("Content-Length: 10\r\n\r\n"), DO(TURNS), SEND("01234"),
			     DO(TURNS), SEND("56789"), DO(HANGUP));
			FETCH(f, &peer);

			f.on_turn = cancel_on_turn;
			fetch_get(&f);
			CHECK_INT(f.dones, 1);
			cancelled += f.why.kind == ERR_CANCELLED;
			completed += f.why.kind == ERR_NONE;
		}
	CHECK_INT(cancelled + completed, 9 * 12);
	CHECK(cancelled > completed);
}

static void cancel_on_piece(struct fetch *f)
{
	op_cancel(f->op);
	op_cancel(f->op);
}

TEST(a_request_cancelled_by_its_own_reader_delivers_nothing_more)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"),
	     DO(TURNS), SEND("cd"), DO(HANGUP));
	FETCH(f, &peer);

	f.on_piece = cancel_on_piece;
	fetch_get(&f);
	CHECK_INT(f.why.kind, ERR_CANCELLED);
	CHECK_INT(f.pieces, 1);
}
