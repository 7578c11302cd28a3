#include "net/http/curl_api.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"

#define LIBRARY "libcurl.so.4"
#define PACKAGE "install the package libcurl4 (libcurl4t64 from Debian 13 on)"

#define CURL_FUNCTION_NAME(name) { "curl_" #name, offsetof(struct curl_api, name) },
static const struct {
	char name[32];
	size_t at;
} functions[] = { CURL_FUNCTIONS(CURL_FUNCTION_NAME) };

bool curl_api_find_copy(struct str *path, const char *dir, const char *system)
{
	size_t before = path->len;
	struct stat original, copy;

	if (stat(system, &original) < 0)
		return false;
	str_addf(path, "%s/libcurl-%lld-%lld.so", dir, (long long)original.st_size,
		 (long long)original.st_mtime);
	if (stat(str_c(path) + before, &copy) == 0 && !(copy.st_mode & (S_IWGRP | S_IWOTH)) &&
	    (copy.st_uid == 0 || copy.st_uid == geteuid()))
		return true;
	str_truncate(path, before);
	return false;
}

/* NULL if there is none. */
static void *curl_api_open_copy(int flags)
{
	static const char *const dirs[] = CURL_COPY_DIRS;
	void *handle = NULL;

	for (size_t i = 0; i < countof(dirs) && !handle && !getenv("LD_LIBRARY_PATH"); i++) {
		defer(str_clear) struct str path = STR_INIT;

		if (curl_api_find_copy(&path, dirs[i], CURL_SYSTEM_DIR "/" LIBRARY))
			handle = dlopen(str_c(&path), flags);
	}
	return handle;
}

static void *curl_api_open_library(const char *library, struct err *err)
{
	int flags = RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE;
	void *handle = library ? NULL : curl_api_open_copy(flags);

	if (!handle)
		handle = dlopen(library ? library : LIBRARY, flags);
	if (!handle)
		err_set(err, ERR_UNSUPPORTED, "no network: cannot load %s; " PACKAGE,
			library ? library : LIBRARY);
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
	const char *name = library ? library : LIBRARY;
	struct curl_api api = { .library = curl_api_open_library(library, err) };

	if (!api.library)
		return false;
	if (!curl_api_find_functions(&api, name, err))
		goto close_library;
	/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): every slot is filled */
	if (api.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK) {
		*out = api;
		return true;
	}
	err_set(err, ERR_UNSUPPORTED, "no network: %s cannot be initialised", name);
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
	void *library = curl_api_open_library(NULL, err);

	if (library)
		dlclose(library); /* RTLD_NODELETE: it stays */
	return library != NULL;
}
