#include "store/settings/settings_helper.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "sys/child.h"
#include "text/json/json_write.h"

enum { WORDS_SHOWN = 160 }; /* part of its standard error that an error shows */

struct asking {
	struct loop *loop;
	struct op *child;
	struct str printed, complaint;
	int64_t timeout_ms;
	struct err err;
};

static void settings_helper_on_data(void *owner, enum child_stream from, struct sv bytes)
{
	struct asking *a = owner;

	str_add(from == CHILD_OUT ? &a->printed : &a->complaint, bytes); /* capped by max_output */
}

static void settings_helper_add_words(struct str *out, struct sv complaint)
{
	complaint = utf8_prefix(sv_trim(complaint), WORDS_SHOWN);
	if (complaint.len)
		str_adds(out, ": ");
	for (size_t i = 0; i < complaint.len; i++)
		str_addc(out, (unsigned char)complaint.ptr[i] < ' ' ? ' ' : complaint.ptr[i]);
}

static void settings_helper_on_end(struct op *op, void *owner, const struct err *why)
{
	struct asking *a = owner;
	defer(str_clear) struct str words = STR_INIT;
	int code = child_result(op).code;

	a->child = NULL;
	settings_helper_add_words(&words, sv_of(&a->complaint));
	if (why && why->kind == ERR_TIMEOUT)
		err_set(&a->err, ERR_TIMEOUT, "did not finish within %lld ms",
			(long long)a->timeout_ms);
	else if (why)
		a->err = *why;
	else if (code)
		err_set(&a->err, ERR_ACCESS, "exited with status %d%s", code, str_c(&words));
	loop_stop(a->loop);
}

/* --- its environment ------------------------------------------------------------------- */

/* The user's identity, and how to reach the network. It gets no other variable of the user:
 * those could make it load or find programs that are not root's. */
static const char passed[][12] = { "HOME",       "USER",        "LOGNAME",    "LANG",
				   "LC_ALL",     "TZ",          "http_proxy", "https_proxy",
				   "HTTP_PROXY", "HTTPS_PROXY", "no_proxy",   "NO_PROXY" };

struct helper_env {
	char *at[countof(passed) + 2]; /* and the path, and the NULL at the end */
};

/* Returns the entry "NAME=value" of a variable; NULL: it is not set. */
static const char *settings_helper_find(const char *const *env, const char *name)
{
	size_t n = strlen(name);

	for (env = env ? env : (const char *const *)environ; *env; env++)
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=')
			return *env;
	return NULL;
}

static void settings_helper_env_make(struct helper_env *env, const char *const *from)
{
	size_t n = 0;

	env->at[n++] = xstrdup("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
	for (size_t i = 0; i < countof(passed); i++) {
		const char *entry = settings_helper_find(from, passed[i]);

		if (entry)
			env->at[n++] = xstrdup(entry);
	}
}

static void settings_helper_env_clear(struct helper_env *env)
{
	for (size_t i = 0; i < countof(env->at); i++)
		free(env->at[i]);
}

/* --- running it ------------------------------------------------------------------------ */

static void settings_helper_run(struct asking *a, const char *path, const char *const *from)
{
	const char *const argv[] = { path, NULL };
	defer(settings_helper_env_clear) struct helper_env env = { .at = { NULL } };

	settings_helper_env_make(&env, from);
	a->loop = loop_new();
	a->child = child_start(a->loop,
			       &(struct child_opts){ .argv = argv,
						     .cwd = "/",
						     .env = (const char *const *)env.at,
						     .max_output = LIMIT_SETTINGS,
						     .deadline_ms = a->timeout_ms,
						     .on_data = settings_helper_on_data },
			       THEN(settings_helper_on_end, a));
	while (a->child)
		loop_run(a->loop);
	loop_free(a->loop);
}

static bool settings_helper_take_printed(struct str *out, struct sv text, struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = json_parse(text, 0, err);
	struct json settings = json_get(json_root(doc), "managedSettings");
	struct jw w;

	if (!doc)
		return false;
	if (!json_is(settings, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "its output has no object \"managedSettings\"");
	jw_init(&w, out, JW_COMPACT);
	jw_value(&w, settings);
	jw_done(&w);
	return true;
}

bool settings_run_helper(struct str *out, const char *path, const char *const *env,
			 int64_t timeout_ms, struct err *err)
{
	struct asking a = { .timeout_ms = timeout_ms, .err = ERR_INIT };
	bool ok;

	settings_helper_run(&a, path, env);
	if (a.err.kind != ERR_NONE)
		*err = a.err;
	ok = a.err.kind == ERR_NONE && settings_helper_take_printed(out, sv_of(&a.printed), err);
	str_clear(&a.printed);
	str_clear(&a.complaint);
	return ok || err_context(err, "the policyHelper %s", path);
}
