#include "net/http/failure.h"

#include <errno.h>

#include "test.h"

TEST(every_failure_of_curl_has_the_kind_its_owner_needs)
{
	static const struct {
		struct failure f;
		enum err_kind kind;
		const char *text;
	} cases[] = {
		{ { .code = CURLE_COULDNT_RESOLVE_HOST }, ERR_DNS, "W: the host name" },
		{ { .code = CURLE_COULDNT_CONNECT, .os_errno = ECONNREFUSED },
		  ERR_REFUSED,
		  "W: Connection refused" },
		{ { .code = CURLE_COULDNT_CONNECT, .os_errno = ENETUNREACH },
		  ERR_REFUSED,
		  "W: Network is unreachable" },
		{ { .code = CURLE_COULDNT_CONNECT, .os_errno = ETIMEDOUT },
		  ERR_TIMEOUT_CONNECT,
		  "W: no connection in time" },
		{ { .code = CURLE_OPERATION_TIMEDOUT }, ERR_TIMEOUT_CONNECT, "W: " },
		{ { .code = CURLE_COULDNT_RESOLVE_PROXY, .proxied = true },
		  ERR_PROXY,
		  "W: the proxy" },
		{ { .code = CURLE_PROXY, .proxied = true }, ERR_PROXY, "W: the proxy" },
		{ { .code = CURLE_COULDNT_CONNECT, .os_errno = ECONNREFUSED, .proxied = true },
		  ERR_PROXY,
		  "W: the proxy does not answer" },
		{ { .code = CURLE_RECV_ERROR, .proxied = true, .proxy_status = 407 },
		  ERR_PROXY,
		  "W: the proxy answered 407" },
		{ { .code = CURLE_RECV_ERROR,
		    .proxied = true,
		    .proxy_status = 200,
		    .connected = true },
		  ERR_RESET,
		  "in the middle" },
		{ { .code = CURLE_RECV_ERROR, .proxied = true }, ERR_PROXY, "does not answer" },
		{ { .code = CURLE_PEER_FAILED_VERIFICATION, .detail = "SSL certificate problem" },
		  ERR_TLS,
		  "W: SSL certificate problem" },
		{ { .code = CURLE_SSL_CACERT_BADFILE, .detail = "CAfile: x" },
		  ERR_TLS,
		  "CAfile: x" },
		{ { .code = CURLE_SSL_CONNECT_ERROR, .detail = "alert" }, ERR_TLS, "alert" },
		{ { .code = CURLE_SSL_CONNECT_ERROR, .detail = "x", .os_errno = ECONNRESET },
		  ERR_RESET,
		  "while it was being made" },
		{ { .code = CURLE_GOT_NOTHING, .connected = true }, ERR_RESET, "in the middle" },
		{ { .code = CURLE_PARTIAL_FILE, .connected = true }, ERR_RESET, "in the middle" },
		{ { .code = CURLE_HTTP2_STREAM, .connected = true }, ERR_RESET, "in the middle" },
		{ { .code = CURLE_SEND_ERROR, .connected = true }, ERR_RESET, "in the middle" },
		{ { .code = CURLE_RECV_ERROR, .detail = "Malformed chunk" },
		  ERR_PROTOCOL,
		  "not valid HTTP" },
		{ { .code = CURLE_RECV_ERROR, .detail = "tlsv13 alert certificate required" },
		  ERR_TLS,
		  "certificate required" },
		{ { .code = CURLE_HTTP2 }, ERR_PROTOCOL, "not valid HTTP" },
		{ { .code = CURLE_WEIRD_SERVER_REPLY }, ERR_PROTOCOL, "not valid HTTP" },
		{ { .code = CURLE_UNSUPPORTED_PROTOCOL }, ERR_PROTOCOL, "not valid HTTP" },
		{ { .code = CURLE_BAD_CONTENT_ENCODING }, ERR_PROTOCOL, "compression" },
		{ { .code = CURLE_TOO_MANY_REDIRECTS }, ERR_PROTOCOL, "too often" },
		{ { .code = CURLE_OUT_OF_MEMORY }, ERR_TOO_BIG, "too large" },
		{ { .code = CURLE_URL_MALFORMAT }, ERR_INVALID, "URL" },
	};

	for (size_t i = 0; i < countof(cases); i++) {
		struct failure f = cases[i].f;
		struct err err = ERR_INIT;

		f.where = "W";
		if (!f.detail)
			f.detail = "http://user:hush@host/";
		fail_explain(&err, &f);
		CHECK_ERR(err, cases[i].kind, cases[i].text);
		CHECK(!strstr(err.text, "hush"));
	}
}
