/* awl.h: projects. A project knows where its files are; each function reads them anew. */
#include "core/api/awl_project.h"

#include <stdarg.h>
#include <stdlib.h>

#include "sys/fs.h"

/* --- where things are --------------------------------------------------------------------- */

const char *const *awl_project_env(const struct awl_project *p)
{
	return p->has_env ? p->env.at : NULL;
}

const char *awl_project_config_dir(const struct awl_project *p)
{
	return p->config_dir.len ? p->config_dir.ptr : NULL;
}

/* Return the value of a variable that is an absolute path: a relative one would depend on the
 * directory that we happen to be in. */
static const char *awl_project_path_variable(const struct awl_project *p, const char *name)
{
	const char *value = child_env_get(awl_project_env(p), name);

	return value && *value == '/' ? value : NULL;
}

/* A home that does not exist is not created. */
static void awl_project_find_places(struct awl_project *p, const char *config_dir)
{
	const char *moved = awl_project_path_variable(p, "CLAUDE_CONFIG_DIR");
	const char *home = awl_project_path_variable(p, "HOME");
	const char *existing = home && fs_exists(home) ? home : NULL;
	const char *global_dir = moved ? moved : existing;

	p->home = home ? xstrdup(home) : NULL;
	if (config_dir)
		moved = global_dir = config_dir;
	if (moved)
		str_adds(&p->config_dir, moved);
	else if (existing)
		fs_join(&p->config_dir, sv_cstr(existing), SV(".claude"));
	if (global_dir)
		fs_join(&p->global_file, sv_cstr(global_dir), SV(".claude.json"));
}

const char *awl_project_elsewhere(const struct awl_project *p)
{
	return sv_eq(sv_of(&p->dir), sv_of(&p->work_dir)) ? NULL : p->dir.ptr;
}

void awl_project_look(struct awl_project *p, struct project *out)
{
	project_inspect_for(out, awl_project_config_dir(p), p->dir.ptr, p->work_dir.ptr, NULL);
	if (p->global_file.len)
		out->files.global_file = p->global_file.ptr;
	out->files.env = awl_project_env(p);
	out->files.flag = p->settings;
	out->files.sources = p->sources;
}

/* --- opening and closing -------------------------------------------------------------------- */

static bool awl_project_find_dirs(struct awl_project *p, const struct awl_project_options *o,
				  struct err *err)
{
	defer(str_clear) struct str here = STR_INIT;

	if (!o->cwd && !fs_cwd(&here, err))
		return false;
	if (!fs_realpath(&p->work_dir, o->cwd ? o->cwd : str_c(&here), err))
		return false;
	if (o->project_config_root)
		return project_find_config_root(&p->dir, o->project_config_root, err);
	str_add(&p->dir, sv_of(&p->work_dir));
	return true;
}

enum awl_result awl_project_open(struct awl_project **out,
				 const struct awl_project_options *options)
{
	struct awl_project_options o = AWL_PROJECT_OPTIONS_INIT;
	struct awl_project *p;
	struct err err = ERR_INIT;

	*out = NULL;
	if (!awl_copy_struct(&o, sizeof(o), options, "AWL_PROJECT_OPTIONS_INIT", &err))
		return awl_fail(&err);
	p = xnew(struct awl_project);
	if (!awl_project_find_dirs(p, &o, &err)) {
		awl_project_close(p);
		return awl_fail(&err);
	}
	if (o.environment)
		child_env_build(&p->env, o.environment, (struct json){ NULL }, NULL);
	p->has_env = o.environment != NULL;
	p->settings = o.settings ? xstrdup(o.settings) : NULL;
	p->sources = o.setting_sources ? xstrdup(o.setting_sources) : NULL;
	awl_project_find_places(p, o.config_dir);
	*out = p;
	return AWL_OK;
}

void awl_project_close(struct awl_project *p)
{
	if (!p)
		return;
	awl_why_clear(p);
	why_schema_clear(&p->schema);
	awl_trust_clear(p);
	vec_clear(&p->files);
	vec_clear(&p->entries);
	vec_clear(&p->servers);
	mcp_sources_clear(&p->mcp);
	arena_clear(&p->arena);
	child_env_clear(&p->env);
	str_clear(&p->dir);
	str_clear(&p->work_dir);
	str_clear(&p->config_dir);
	str_clear(&p->global_file);
	str_clear(&p->notes);
	str_clear(&p->result);
	free(p->home);
	free(p->settings);
	free(p->sources);
	free(p);
}

/* --- calls ---------------------------------------------------------------------------------- */

void awl_project_begin(struct awl_project *p)
{
	str_truncate(&p->notes, 0);
	str_truncate(&p->result, 0);
	p->entries.n = 0;
	p->servers.n = 0;
	mcp_sources_clear(&p->mcp);
	arena_clear(&p->arena);
	awl_why_clear(p);
}

void awl_project_note(struct awl_project *p, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	str_vaddf(&p->notes, fmt, args);
	va_end(args);
	str_addc(&p->notes, '\n');
}

const char *awl_project_dir(const struct awl_project *p)
{
	return str_c(&p->dir);
}

const char *awl_project_notes(const struct awl_project *p)
{
	return str_c(&p->notes);
}
