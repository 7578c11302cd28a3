/* Finds credentials and project without sending a request. */
#include "model/auth/google_auth.h"

#include "base/limits.h"
#include "model/auth/google_key.h"
#include "model/wire/vertex.h"
#include "sys/fs.h"
#include "text/ini.h"

#define METADATA_URL "http://metadata.google.internal"

/* Looks up variables, and keeps values in the config. */
struct finder {
	struct model_config *config;
	model_env_fn *env;
	void *arg;
};

static const char *google_look_up(const struct finder *f, const char *name)
{
	const char *value = f->env(f->arg, name);

	return value && *value ? value : NULL;
}

static const char *google_keep(const struct finder *f, struct sv text)
{
	return arena_dup(&f->config->arena, text).ptr;
}

/* Return the path of `name` in gcloud's directory; NULL without a home directory. */
static const char *google_gcloud_path(const struct finder *f, const char *name)
{
	const char *dir = google_look_up(f, "CLOUDSDK_CONFIG"), *home = google_look_up(f, "HOME");
	struct arena *arena = &f->config->arena;

	if (dir)
		return arena_printf(arena, "%s/%s", dir, name).ptr;
	return home ? arena_printf(arena, "%s/.config/gcloud/%s", home, name).ptr : NULL;
}

static void google_find_credentials(const struct finder *f)
{
	struct model_config *c = f->config;
	const char *host = google_look_up(f, "GCE_METADATA_HOST");
	const char *detection = google_look_up(f, "METADATA_SERVER_DETECTION");

	c->google_login = google_gcloud_path(f, "application_default_credentials.json");
	if (c->google_credentials) {
		c->auth_origin = "GOOGLE_APPLICATION_CREDENTIALS";
	} else if (c->google_login && fs_exists(c->google_login)) {
		c->google_credentials = c->google_login;
		c->auth_origin = "gcloud application-default credentials";
	} else if (host) {
		c->google_credentials = arena_printf(&c->arena, "http://%s", host).ptr;
		c->auth_origin = "the metadata server GCE_METADATA_HOST";
	} else if (detection && sv_is(sv_cstr(detection), "assume-present")) {
		c->google_credentials = METADATA_URL;
		c->auth_origin = "the metadata server";
	}
}

bool google_is_metadata(const char *credentials)
{
	return sv_starts(sv_cstr(credentials), SV("http://"));
}

static bool google_project_from_credentials(const struct finder *f, struct err *err)
{
	const char *path = f->config->google_credentials;
	defer(google_key_clear) struct google_key key = { .doc = NULL };
	defer(str_clear) struct str text = STR_INIT;

	if (!path || google_is_metadata(path))
		return true;
	if (!fs_read(&text, path, LIMIT_CLOUD_FILE, err))
		return false;
	if (!google_key_parse(&key, sv_of(&text), err))
		return err_context(err, "%s", path);
	if (key.project.len > 0)
		f->config->project = google_keep(f, key.project);
	return true;
}

/* Append the text of one of gcloud's files, if it exists. */
static bool google_read_gcloud(const struct finder *f, struct str *out, const char *name,
			       struct err *err)
{
	const char *path = google_gcloud_path(f, name);
	struct err why;

	if (!path || fs_read(out, path, LIMIT_CLOUD_FILE, &why) || why.kind == ERR_NOT_FOUND)
		return true;
	*err = why;
	return false;
}

static bool google_is_plain_name(struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		if (name.ptr[i] == '/' || name.ptr[i] == '\0')
			return false;
	return name.len > 0;
}

/* Read the project of the active configuration; gcloud keeps several, by name. */
static bool google_project_from_gcloud(const struct finder *f, struct err *err)
{
	defer(str_clear) struct str active = STR_INIT;
	defer(str_clear) struct str text = STR_INIT;
	const char *name = google_look_up(f, "CLOUDSDK_ACTIVE_CONFIG_NAME");
	struct sv project = SV_EMPTY, which;
	const char *file;

	if (!name && !google_read_gcloud(f, &active, "active_config", err))
		return false;
	which = name ? sv_cstr(name) : sv_trim(sv_of(&active));
	if (!google_is_plain_name(which))
		which = SV("default");
	file = arena_printf(&f->config->arena, "configurations/config_%.*s", SV_ARG(which)).ptr;
	if (!google_read_gcloud(f, &text, file, err))
		return false;
	if (!ini_get(sv_of(&text), SV("core"), SV("project"), &project, err))
		return err_context(err, "%s", google_gcloud_path(f, file));
	if (project.len > 0)
		f->config->project = google_keep(f, project);
	return true;
}

/* For an external account whose source is AWS (google_aws.h). */
static void google_find_aws(const struct finder *f)
{
	struct model_config *c = f->config;
	const struct {
		const char *name, **to;
	} all[] = { { "AWS_ACCESS_KEY_ID", &c->aws_key_id },
		    { "AWS_SECRET_ACCESS_KEY", &c->aws_secret },
		    { "AWS_SESSION_TOKEN", &c->aws_token },
		    { "AWS_DEFAULT_REGION", &c->google_aws_region },
		    { "AWS_REGION", &c->google_aws_region } };

	for (size_t i = 0; i < countof(all); i++) {
		const char *value = google_look_up(f, all[i].name);

		if (value)
			*all[i].to = google_keep(f, sv_cstr(value));
	}
}

bool google_config_read(struct model_config *config, model_env_fn *env, void *arg, struct err *err)
{
	struct finder f = { .config = config, .env = env, .arg = arg };
	const char *project, *may_run;

	vertex_regions_read(config, env, arg);
	project = google_look_up(&f, "GOOGLE_CLOUD_QUOTA_PROJECT");
	if (project)
		config->quota_project = google_keep(&f, sv_cstr(project));
	google_find_credentials(&f);
	may_run = google_look_up(&f, "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES");
	google_find_aws(&f);
	config->google_may_run = may_run && sv_is(sv_cstr(may_run), "1");
	if (!config->project && !google_project_from_credentials(&f, err))
		return false;
	project = google_look_up(&f, "CLOUDSDK_CORE_PROJECT");
	if (!config->project && project)
		config->project = google_keep(&f, sv_cstr(project));
	return config->project || google_project_from_gcloud(&f, err);
}
