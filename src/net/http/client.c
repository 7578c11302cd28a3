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

static void client_on_ready(void *arg, int fd, int events)
{
	int mask = 0;

	if (events & POLL_READABLE)
		mask |= CURL_CSELECT_IN;
	if (events & POLL_WRITABLE)
		mask |= CURL_CSELECT_OUT;
	client_drive(arg, fd, mask);
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

static int client_on_curl_socket(__attribute__((unused)) CURL *easy, curl_socket_t fd, int what,
				 void *arg, void *socket_arg)
{
	struct http *http = arg;
	struct poll *poll = socket_arg;
	int events = 0;

	if (what == CURL_POLL_REMOVE) {
		poll_free(poll);
		http->curl.multi_assign(http->multi, fd, NULL);
		return 0;
	}
	if (!poll) {
		poll = poll_new(http->loop, fd, client_on_ready, http);
		if (!poll)
			return -1;
		http->curl.multi_assign(http->multi, fd, poll);
	}
	if (what & CURL_POLL_IN)
		events |= POLL_READABLE;
	if (what & CURL_POLL_OUT)
		events |= POLL_WRITABLE;
	poll_want(poll, events);
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
	curl_api_unload(&http->curl);
	permit_clear(&http->permit);
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
static void client_set_permit(struct transfer *t)
{
	const struct curl_api *curl = &t->http->curl;
	struct curl_slist *old = t->proxy_headers;

	if (!t->asks_proxy)
		return;
	t->proxy_headers = curl->slist_append(NULL, str_c(&t->http->permit.line));
	if (!t->proxy_headers)
		BUG("curl cannot keep a header");
	set_number(t, CURLOPT_HEADEROPT, CURLHEADER_SEPARATE);
	set_pointer(t, CURLOPT_PROXYHEADER, t->proxy_headers);
	curl->slist_free_all(old);
}

void transfer_begin(struct transfer *t)
{
	client_set_permit(t);
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
	    !http->permit.line.len) { /* a guess is not worth asking for credentials */
		client_preconnect_free(t);
		return;
	}
	set_number(t, CURLOPT_CONNECTTIMEOUT_MS, HTTP_CONNECT_MS);
	set_number(t, CURLOPT_TIMECONDITION, CURL_TIMECOND_IFMODSINCE);
	http->curl.easy_setopt(t->easy, CURLOPT_TIMEVALUE_LARGE, (curl_off_t)INT64_MAX);
	transfer_begin(t);
}
