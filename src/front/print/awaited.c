#include "front/print/awaited.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limits.h"
#include "proto/input.h"

/* Read until there is a line, or the end of the input. */
static bool awaited_read_line(struct str *out, int fd, struct err *err)
{
	char bytes[64 * 1024];
	ssize_t n = 1;

	while (n != 0) {
		n = read(fd, bytes, sizeof(bytes));
		if (n < 0 && errno != EINTR)
			return err_sys(err, errno, "cannot read standard input");
		if (n > 0 && !str_add_capped(out, sv_from(bytes, (size_t)n), LIMIT_INPUT_LINE))
			return err_set(err, ERR_TOO_BIG, "it has more than %zu MiB",
				       LIMIT_INPUT_LINE / MIB);
		if (n > 0 && memchr(bytes, '\n', (size_t)n))
			return true;
	}
	return true;
}

static void awaited_add(awaited_dirs *dirs, const char *const *given,
			const control_plugins *plugins, bool skips_servers)
{
	for (; given && *given; given++)
		vec_push(dirs, xstrdup(*given));
	for (size_t i = 0; i < plugins->n; i++)
		if (plugins->at[i].skips_servers == skips_servers)
			vec_push(dirs, sv_dup(plugins->at[i].path));
	vec_push(dirs, NULL);
}

static void awaited_take(struct awaited *a, const struct awl_session_options *options,
			 const control_plugins *plugins)
{
	a->session = *options;
	awaited_add(&a->dirs, options->plugin_dirs, plugins, false);
	awaited_add(&a->dirs_without_mcp, options->plugin_dirs_without_mcp, plugins, true);
	a->session.plugin_dirs = (const char *const *)a->dirs.at;
	a->session.plugin_dirs_without_mcp = (const char *const *)a->dirs_without_mcp.at;
}

static bool awaited_parse(control_plugins *out, struct json_doc **doc, struct sv text,
			  struct err *err)
{
	struct err ignored = ERR_INIT;
	struct input in;
	struct sv line;

	if (!sv_cut_line(&text, &line))
		return true;
	*doc = json_parse(line, 0, err);
	if (!*doc || !input_read(&in, json_root(*doc), err))
		return false;
	if (in.kind != INPUT_REQUEST || in.request.kind != CONTROL_INITIALIZE)
		return err_set(err, ERR_INVALID, "it is something else");
	if (!control_plugins_read(out, in.request.initialize.plugins, &ignored))
		control_plugins_clear(out);
	return true;
}

bool awaited_read(struct awaited *a, int fd, const struct awl_session_options *options,
		  struct err *err)
{
	defer(json_doc_freep) struct json_doc *doc = NULL;
	defer(control_plugins_clear) control_plugins plugins = VEC_INIT;

	if (!awaited_read_line(&a->input, fd, err) ||
	    !awaited_parse(&plugins, &doc, sv_of(&a->input), err))
		return err_context(err,
				   "with --await-initialize, the first line of the input must be "
				   "the initialize request");
	awaited_take(a, options, &plugins);
	return true;
}

static void awaited_clear_dirs(awaited_dirs *dirs)
{
	for (size_t i = 0; i < dirs->n; i++)
		free(dirs->at[i]);
	vec_clear(dirs);
}

void awaited_clear(struct awaited *a)
{
	str_clear(&a->input);
	awaited_clear_dirs(&a->dirs);
	awaited_clear_dirs(&a->dirs_without_mcp);
}
