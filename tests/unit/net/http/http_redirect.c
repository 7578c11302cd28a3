/* Redirects: given as they are, or followed. */
#include <stdio.h>

#include "net/http.h"
#include "net/http/fetch.h"
#include "net/http/peer.h"
#include "test.h"

#define FOUND "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 3\r\n\r\nold"

TEST(a_redirect_is_a_response_like_any_other)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(FOUND), DO(HANGUP));
	FETCH(f, &peer);

	fetch_get(&f);
	CHECK_INT(f.status, 302);
	CHECK_SV(sv_of(&f.headers), "Location: /there\nContent-Length: 3\n");
	CHECK_SV(sv_of(&f.body), "old");
}

TEST(a_followed_redirect_shows_only_where_it_ends)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST), SEND(FOUND), DO(REQUEST),
	     SEND("HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 3\r\n\r\nnew"), DO(HANGUP));
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){ .url = peer.url, .max_redirects = 1 });
	fetch_run(&f);
	http_freep(&f.http);
	peer_stop(&peer);
	CHECK_INT(f.why.kind, ERR_NONE);
	CHECK_INT(f.heads, 1);
	CHECK_INT(f.status, 200);
	CHECK_SV(sv_of(&f.headers), "A: b\nContent-Length: 3\n");
	CHECK_SV(sv_of(&f.body), "new");
	CHECK(sv_find(sv_of(&peer.seen), SV("GET /there ")) != SIZE_MAX);
}

TEST(a_redirect_that_leads_nowhere_is_shown_although_redirects_are_followed)
{
	PEER(peer, DO(ACCEPT), DO(REQUEST),
	     SEND("HTTP/1.1 302 Found\r\nLocation:\r\nContent-Length: 3\r\n\r\nold"), DO(HANGUP));
	FETCH(f, &peer);

	fetch_start(&f, &(struct http_request){ .url = peer.url, .max_redirects = 1 });
	fetch_run(&f);
	CHECK_INT(f.status, 302);
	CHECK_SV(sv_of(&f.body), "old");
}

TEST(a_body_is_sent_again_where_a_redirect_asks_for_it)
{
	const struct sv body = SV("payload");
	PEER(peer, DO(ACCEPT), DO(REQUEST),
	     SEND("HTTP/1.1 307 Moved\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"),
	     DO(REQUEST), SEND("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), DO(HANGUP));
	FETCH(f, &peer);
	struct sv seen;

	fetch_start(&f, &(struct http_request){
				.url = peer.url, .body = &body, .nbody = 1, .max_redirects = 1 });
	fetch_run(&f);
	http_freep(&f.http);
	peer_stop(&peer);
	CHECK_OK(f.why.kind == ERR_NONE, f.why);
	seen = sv_of(&peer.seen);
	CHECK(sv_ends(sv_skip(seen, sv_find(seen, SV("POST /there "))), SV("\r\n\r\npayload")));
}

TEST(redirects_without_end_and_to_other_schemes_are_failures)
{
	static const struct act loop[] = { DO(ACCEPT),  DO(REQUEST), SEND(FOUND), DO(REQUEST),
					   SEND(FOUND), DO(REQUEST), SEND(FOUND), DO(HANGUP) };
	static const struct act file[] = {
		DO(ACCEPT), DO(REQUEST),
		SEND("HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n"
		     "Content-Length: 0\r\n\r\n"),
		DO(HANGUP)
	};
	static const struct {
		const struct act *acts;
		size_t n;
	} cases[] = { { loop, countof(loop) }, { file, countof(file) } };

	for (size_t i = 0; i < countof(cases); i++) {
		defer(peer_clear) struct peer peer;

		peer_start(&peer, cases[i].acts, cases[i].n);
		{
			FETCH(f, &peer);

			fetch_start(&f,
				    &(struct http_request){ .url = peer.url, .max_redirects = 2 });
			fetch_run(&f);
			CHECK_INT(f.why.kind, ERR_PROTOCOL);
			CHECK_INT(f.heads, 0);
		}
	}
}
