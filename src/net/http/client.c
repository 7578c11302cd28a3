#include "net/http.h"

#include "base/mem.h"
#include "net/http/client.h"
#include "sys/poll.h"
#include "sys/work.h"

/* Reports the transfers that have ended; each owner drops its own. */
static void client_report_ended(struct http *http)
{
	struct transfer *t;
	CURLMsg *message;
	CURLcode code;
	int left;

	while ((message = http->curl.multi_info_read(http->multi, &left)) != NULL) {
		if (message->msg != CURLMSG_DONE)
			continue;
		code = message->data.result; /* the message becomes invalid with the handle */
		http->curl.easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
		t->ended(t, code);
	}
}

static void client_drive(struct http *http, curl_socket_t fd, int events)
{
	int running;

	http->curl.multi_socket_action(http->multi, fd, events, &running);
	client_report_ended(http);
}

static int client_curl_events(int events)
{
	return (events & POLL_READABLE ? CURL_CSELECT_IN : 0) |
	       (events & POLL_WRITABLE ? CURL_CSELECT_OUT : 0);
}

static void client_end_rest(struct client_socket *socket)
{
	struct client_socket **at = &socket->http->resting;

	if (!socket->rests)
		return;
	while (*at != socket)
		at = &(*at)->next;
	*at = socket->next;
	socket->rests = false;
}

static void client_on_wake(void *arg)
{
	struct http *http = arg;

	while (http->resting) {
		struct client_socket *socket = http->resting;

		client_end_rest(socket);
		poll_want(socket->poll, socket->events);
	}
}

/* Few clients ever need the alarm. */
static bool client_can_wake(struct http *http)
{
	struct err err = ERR_INIT;

	if (!http->has_wake)
		http->has_wake = alarm_init(&http->wake, http->loop, client_on_wake, http, &err);
	return http->has_wake;
}

/* Small pieces that follow each other quickly are left to collect; see burst.h. */
static void client_rest(struct client_socket *socket)
{
	struct http *http = socket->http;

	if (!client_can_wake(http))
		return;
	poll_want(socket->poll, 0);
	if (!http->resting)
		alarm_set(&http->wake, BURST_REST_MS);
	socket->rests = true;
	socket->next = http->resting;
	http->resting = socket;
}

static void client_on_ready(void *arg, int fd, int events)
{
	struct client_socket *socket = arg;
	struct http *http = socket->http;

	http->moved = 0;
	http->driven = socket;
	client_drive(http, fd, client_curl_events(events));
	if (http->driven && http->moved && socket->events == POLL_READABLE &&
	    burst_note(&socket->burst, loop_now(http->loop), http->moved))
		client_rest(socket);
	http->driven = NULL;
}

static void client_on_alarm(void *arg)
{
	client_drive(arg, CURL_SOCKET_TIMEOUT, 0);
}

static int client_on_curl_timer(__attribute__((unused)) CURLM *multi, long ms, void *arg)
{
	struct http *http = arg;

	alarm_set(&http->alarm, ms);
	return 0;
}

static struct client_socket *client_socket_new(struct http *http, int fd)
{
	struct client_socket *socket = xnew(struct client_socket);

	socket->http = http;
	socket->poll = poll_new(http->loop, fd, client_on_ready, socket);
	if (!socket->poll) {
		free(socket);
		return NULL;
	}
	http->curl.multi_assign(http->multi, fd, socket);
	return socket;
}

static void client_socket_free(struct client_socket *socket)
{
	if (!socket)
		return;
	client_end_rest(socket);
	if (socket->http->driven == socket)
		socket->http->driven = NULL;
	poll_free(socket->poll);
	free(socket);
}

static int client_on_curl_socket(__attribute__((unused)) CURL *easy, curl_socket_t fd, int what,
				 void *arg, void *socket_arg)
{
	struct http *http = arg;
	struct client_socket *socket = socket_arg;

	if (what == CURL_POLL_REMOVE) {
		client_socket_free(socket);
		http->curl.multi_assign(http->multi, fd, NULL);
		return 0;
	}
	if (!socket)
		socket = client_socket_new(http, fd);
	if (!socket)
		return -1;
	client_end_rest(socket);
	socket->events = (what & CURL_POLL_IN ? POLL_READABLE : 0) |
			 (what & CURL_POLL_OUT ? POLL_WRITABLE : 0);
	poll_want(socket->poll, socket->events);
	return 0;
}

static void client_make_multi(struct http *http)
{
	const struct curl_api *curl = &http->curl;

	http->multi = curl->multi_init();
	http->share = curl->share_init();
	if (!http->multi || !http->share)
		BUG("curl cannot create a handle");
	curl->share_setopt(http->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
	curl->multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, client_on_curl_socket);
	curl->multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http);
	curl->multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, client_on_curl_timer);
	curl->multi_setopt(http->multi, CURLMOPT_TIMERDATA, http);
	/* Concurrent requests get one connection each, even with HTTP/2: in libcurl 7.88 and in
	 * some later versions a paused stream stalls the others on its connection. */
	curl->multi_setopt(http->multi, CURLMOPT_MAX_CONCURRENT_STREAMS, 1L);
}

struct http *http_new(struct loop *loop, const struct http_config *config, struct err *err)
{
	struct http *http = xnew(struct http);

	http->loop = loop;
	if (!curl_api_load(&http->curl, NULL, err))
		goto free_http;
	if (!alarm_init(&http->alarm, loop, client_on_alarm, http, err))
		goto unload;
	client_configure(http, config);
	client_make_multi(http);
	return http;
unload:
	curl_api_unload(&http->curl);
free_http:
	free(http);
	return NULL;
}

static void client_preconnect_free(struct transfer *t)
{
	struct transfer **at = &t->http->preconnects;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	transfer_drop(t);
	free(t);
}

void http_free(struct http *http)
{
	if (!http)
		return;
	if (http->requests)
		BUG("%zu requests in flight in http_free", http->requests);
	while (http->preconnects)
		client_preconnect_free(http->preconnects);
	http->curl.multi_cleanup(http->multi);
	http->curl.share_cleanup(http->share);
	alarm_clear(&http->alarm);
	if (http->has_wake)
		alarm_clear(&http->wake);
	curl_api_unload(&http->curl);
	proxy_auth_clear(&http->credentials);
	arena_clear(&http->strings);
	free(http);
}

static bool client_preload(__attribute__((unused)) void *arg, struct err *err)
{
	return curl_api_preload(err);
}

struct op *http_preload(struct loop *loop, struct then then)
{
	return work_start(loop, client_preload, NULL, then);
}

/* Sent only to the proxy, with or without a tunnel. */
static void client_set_proxy_auth(struct transfer *t)
{
	const struct curl_api *curl = &t->http->curl;
	struct curl_slist *old = t->proxy_headers;

	if (!t->asks_proxy)
		return;
	t->proxy_headers = curl->slist_append(NULL, str_c(&t->http->credentials.line));
	if (!t->proxy_headers)
		BUG("curl cannot keep a header");
	set_number(t, CURLOPT_HEADEROPT, CURLHEADER_SEPARATE);
	set_pointer(t, CURLOPT_PROXYHEADER, t->proxy_headers);
	curl->slist_free_all(old);
}

void transfer_begin(struct transfer *t)
{
	client_set_proxy_auth(t);
	if (t->http->curl.multi_add_handle(t->http->multi, t->easy) != CURLM_OK)
		BUG("curl does not accept a new handle");
}

void transfer_stop(struct transfer *t)
{
	t->http->curl.multi_remove_handle(t->http->multi, t->easy);
}

void transfer_drop(struct transfer *t)
{
	const struct curl_api *curl = &t->http->curl;

	if (!t->easy)
		return;
	transfer_stop(t);
	curl->easy_cleanup(t->easy);
	curl->slist_free_all(t->headers);
	curl->slist_free_all(t->proxy_headers);
	t->easy = NULL;
	t->headers = t->proxy_headers = NULL;
}

static void client_preconnect_ended(struct transfer *t, __attribute__((unused)) CURLcode code)
{
	client_preconnect_free(t);
}

/* CURLOPT_CONNECT_ONLY does not put its connection into the pool. What does, with HTTP/1 and HTTP/2
 * alike, is a request that turns out to be impossible after connecting and before its first byte:
 * one with an If-Modified-Since date that does not exist. This works with 7.88. libcurl 8 was seen
 * to loop over it, so nothing is done there. */
static bool can_preconnect(const struct http *http)
{
	return http->curl.version_info(CURLVERSION_NOW)->version_num < 0x080000;
}

void http_preconnect(struct http *http, const char *url)
{
	struct transfer *t;
	struct http_url parts;
	struct err err;

	if (!can_preconnect(http) || !http_url_parse(&parts, url, &err))
		return;
	t = xnew(struct transfer);
	t->ended = client_preconnect_ended;
	t->next = http->preconnects;
	http->preconnects = t;
	transfer_init(t, http, url);
	if (t->asks_proxy &&
	    !http->credentials.line.len) { /* a guess is not worth asking for credentials */
		client_preconnect_free(t);
		return;
	}
	set_number(t, CURLOPT_CONNECTTIMEOUT_MS, HTTP_CONNECT_MS);
	set_number(t, CURLOPT_TIMECONDITION, CURL_TIMECOND_IFMODSINCE);
	http->curl.easy_setopt(t->easy, CURLOPT_TIMEVALUE_LARGE, (curl_off_t)INT64_MAX);
	transfer_begin(t);
}
