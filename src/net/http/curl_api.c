#include "net/http/curl_api.h"

#include <dlfcn.h>

#include "base/base.h"

#define PACKAGE "install the package libcurl4 (libcurl4t64 from Debian 13 on)"

#define CURL_FUNCTION_NAME(name) { "curl_" #name, offsetof(struct curl_api, name) },
static const struct {
	const char *name;
	size_t at;
} functions[] = { CURL_FUNCTIONS(CURL_FUNCTION_NAME) };

static void *curl_api_open_library(const char *library, struct err *err)
{
	void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);

	if (!handle)
		err_set(err, ERR_UNSUPPORTED, "no network: cannot load %s; " PACKAGE, library);
	return handle;
}

static bool curl_api_find_functions(struct curl_api *api, const char *library, struct err *err)
{
	const curl_version_info_data *about;

	for (size_t i = 0; i < countof(functions); i++) {
		void **slot = (void **)((char *)api + functions[i].at);

		*slot = dlsym(api->library, functions[i].name);
		if (!*slot)
			return err_set(err, ERR_UNSUPPORTED, "no network: %s has no %s; " PACKAGE,
				       library, functions[i].name);
	}
	about = api->version_info(CURLVERSION_NOW);
	if (about->version_num < CURL_OLDEST)
		return err_set(err, ERR_UNSUPPORTED,
			       "no network: %s is version %s, older than 7.80; " PACKAGE, library,
			       about->version);
	return true;
}

bool curl_api_load(struct curl_api *out, const char *library, struct err *err)
{
	struct curl_api api = { .library = curl_api_open_library(library, err) };

	if (!api.library)
		return false;
	if (!curl_api_find_functions(&api, library, err))
		goto close_library;
	/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): every slot is filled */
	if (api.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
		*out = api;
		return true;
	}
	err_set(err, ERR_UNSUPPORTED, "no network: %s cannot be initialised", library);
close_library:
	dlclose(api.library);
	return false;
}

void curl_api_unload(struct curl_api *api)
{
	api->global_cleanup();
	dlclose(api->library);
}

bool curl_api_preload(struct err *err)
{
	void *library = curl_api_open_library(CURL_LIBRARY, err);

	if (library)
		dlclose(library); /* RTLD_NODELETE: it stays */
	return library != NULL;
}
