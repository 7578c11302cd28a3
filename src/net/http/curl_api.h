/* curl_api.h - libcurl, loaded when it is wanted and never linked: Debian's
 * build pulls in 35 libraries, 4 ms that `awl --version` shall not pay.
 *
 * The only place that knows the library's file name; curl.h is included only in
 * src/net/real, through here. */
#ifndef AWL_NET_HTTP_CURL_API_H
#define AWL_NET_HTTP_CURL_API_H

#include <curl/curl.h>

#include "base/err.h"

#define CURL_LIBRARY "libcurl.so.4"

/* The first with CURLOPT_PREREQFUNCTION, which tells us when a connection is up. */
#define CURL_OLDEST 0x075000 /* 7.80.0 */

#define CURL_FUNCTIONS(X)      \
	X(easy_cleanup)        \
	X(easy_getinfo)        \
	X(easy_init)           \
	X(easy_pause)          \
	X(easy_setopt)         \
	X(easy_strerror)       \
	X(global_cleanup)      \
	X(global_init)         \
	X(multi_add_handle)    \
	X(multi_assign)        \
	X(multi_cleanup)       \
	X(multi_info_read)     \
	X(multi_init)          \
	X(multi_remove_handle) \
	X(multi_setopt)        \
	X(multi_socket_action) \
	X(share_cleanup)       \
	X(share_init)          \
	X(share_setopt)        \
	X(slist_append)        \
	X(slist_free_all)      \
	X(version_info)

#define CURL_FUNCTION_POINTER(name) __typeof__(curl_##name) *name;
struct curl_api {
	void *library;
	CURL_FUNCTIONS(CURL_FUNCTION_POINTER)
};

/* Loads and initialises `library`, a file name as dlopen() takes it. Fails,
 * naming the package to install, when it is missing, incomplete or too old. */
must_use bool curl_api_load(struct curl_api *out, const char *library, struct err *err);
/* Undoes the initialisation; the library stays in memory, as it must once its
 * own libraries have registered their exit handlers. */
void curl_api_unload(struct curl_api *api);

/* Only brings the library into memory; from any thread. */
must_use bool curl_api_preload(struct err *err);

#endif
