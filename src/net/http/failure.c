#include "net/http/failure.h"

#include <errno.h>

#include "base/str.h"

/* CURLE_TOO_LARGE, which the header may not define yet. */
enum { TOO_LARGE = 100 };

static enum err_kind failure_kind_of_code(CURLcode code)
{
	switch ((int)code) {
	case CURLE_COULDNT_RESOLVE_HOST: return ERR_DNS;
	case CURLE_COULDNT_CONNECT: return ERR_REFUSED;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_PROXY: return ERR_PROXY;
	case CURLE_OPERATION_TIMEDOUT:
		return ERR_TIMEOUT_CONNECT; /* the only timeout that we leave to curl */
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_USE_SSL_FAILED:
	case CURLE_SSL_ENGINE_INITFAILED:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_CRL_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
	case CURLE_SSL_INVALIDCERTSTATUS:
	case CURLE_SSL_CLIENTCERT: return ERR_TLS;
	case CURLE_PARTIAL_FILE:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_SEND_FAIL_REWIND:
	case CURLE_HTTP2_STREAM: return ERR_RESET;
	case CURLE_OUT_OF_MEMORY:
	case TOO_LARGE: return ERR_TOO_BIG; /* curl's own limits; we never run out of memory */
	case CURLE_URL_MALFORMAT: return ERR_INVALID;
	default: return ERR_PROTOCOL;
	}
}

static bool failure_mentions(const struct failure *f, const char *word)
{
	return strstr(f->detail, word) != NULL;
}

/* For some failures the text says more than the code. */
static enum err_kind failure_kind_of(const struct failure *f)
{
	enum err_kind kind = failure_kind_of_code(f->code);
	bool reset = f->os_errno == ECONNRESET || f->os_errno == EPIPE;

	/* Our own address got us a response, so this one came with a redirect. */
	if (f->code == CURLE_URL_MALFORMAT && f->connected)
		return ERR_PROTOCOL;
	if (f->proxied && f->proxy_status && f->proxy_status / 100 != 2)
		return ERR_PROXY;
	if (f->proxied && !f->connected && (kind == ERR_REFUSED || kind == ERR_RESET))
		return ERR_PROXY;
	if (f->code == CURLE_SSL_CONNECT_ERROR &&
	    (reset || failure_mentions(f, "SSL_ERROR_SYSCALL")))
		return ERR_RESET;
	if (f->code == CURLE_RECV_ERROR &&
	    failure_mentions(f, " alert ")) /* TLS 1.3 rejects us late */
		return ERR_TLS;
	if (f->code == CURLE_RECV_ERROR && failure_mentions(f, "hunk"))
		return ERR_PROTOCOL;
	if (kind == ERR_REFUSED && f->os_errno == ETIMEDOUT)
		return ERR_TIMEOUT_CONNECT;
	return kind;
}

static const char *failure_words_for(enum err_kind kind, const struct failure *f)
{
	switch ((int)kind) {
	case ERR_DNS: return "the host name cannot be resolved";
	case ERR_REFUSED: return f->os_errno ? strerror(f->os_errno) : "cannot connect";
	case ERR_TIMEOUT_CONNECT: return "no connection in time";
	case ERR_TLS: return f->detail;
	case ERR_TOO_BIG: return "the answer is too large";
	case ERR_INVALID: return "the URL is not valid";
	case ERR_RESET:
		return f->connected ? "the connection was closed in the middle"
				    : "the connection was closed while it was being made";
	default: break;
	}
	switch ((int)f->code) {
	case CURLE_TOO_MANY_REDIRECTS: return "redirected too often";
	case CURLE_BAD_CONTENT_ENCODING: return "the answer's compression is broken";
	default: return "the reply is not valid HTTP";
	}
}

void fail_explain(struct err *err, const struct failure *f)
{
	enum err_kind kind = failure_kind_of(f);

	if (kind == ERR_PROXY && f->proxy_status)
		err_set(err, kind, "%s: the proxy answered %d", f->where, f->proxy_status);
	else if (kind == ERR_PROXY)
		err_set(err, kind, "%s: the proxy does not answer or cannot reach the host",
			f->where);
	else
		err_set(err, kind, "%s: %s", f->where, failure_words_for(kind, f));
}
