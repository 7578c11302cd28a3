/* curl_api.h - libcurl, loaded when it is needed and never linked: Debian's build pulls in 35
 * libraries, which would cost `awl --version` 4 ms.
 *
 * Even then 25 of them are of no use to awl (LDAP, Kerberos, SSH ...) and cost 4 MiB. So
 * script/bootstrap builds a copy for HTTP alone from the source of Debian's package. A copy does
 * not get security updates. Therefore it is used only while the system's library is still the file
 * that it was built after: curl_api_find_copy().
 *
 * Only this module knows the file names. curl.h is only included in src/net/http, through this
 * header. */
#ifndef AWL_NET_HTTP_CURL_API_H
#define AWL_NET_HTTP_CURL_API_H

#include <curl/curl.h>

#include "base/err.h"
#include "base/str.h"

/* The first version with CURLOPT_PREREQFUNCTION, which reports when a connection is established. */
#define CURL_OLDEST 0x075000 /* 7.80.0 */

#define CURL_FUNCTIONS(X)      \
	X(easy_cleanup)        \
	X(easy_getinfo)        \
	X(easy_init)           \
	X(easy_pause)          \
	X(easy_recv)           \
	X(easy_send)           \
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

/* Loads and initializes `library`, a file name for dlopen(); NULL: the copy or the system's, or
 * only the system's if LD_LIBRARY_PATH says where to look for it. Fails when it is missing,
 * incomplete or too old; the error names the package to install. */
must_use bool curl_api_load(struct curl_api *out, const char *library, struct err *err);
/* Undoes the initialization. The library stays in memory, because its own libraries have registered
 * exit handlers. */
void curl_api_unload(struct curl_api *api);

/* Only loads the library into memory. From any thread. */
must_use bool curl_api_preload(struct err *err);

/* Appends the file in `dir` that is a copy of the library `system`: its name has the size and the
 * time of that. False if there is none, or if somebody else could have changed it. */
must_use bool curl_api_find_copy(struct str *path, const char *dir, const char *system);

#endif
