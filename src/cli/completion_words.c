/* What the completion scripts ask awl for: `awl completion keys`, `awl completion sessions` and
 * `awl completion events`. */
#include <awl.h>

#include "cli/output.h"

/* The page about settings has a row for each key: "| `key` | ...". */
static enum exit_code completion_words_keys(void)
{
	defer(str_clear) struct str out = STR_INIT;
	struct awl_project *project;
	struct sv rest, line;

	if (awl_project_open(&project, NULL) != AWL_OK)
		return failure("%s", awl_last_error());
	rest = sv_cstr(awl_config_docs(project));
	while (sv_cut_line(&rest, &line)) {
		struct sv start = SV("| `"), key;

		if (sv_starts(line, start)) {
			line = sv_skip(line, start.len);
			sv_cut(&line, '`', &key);
			str_addf(&out, "%.*s\n", SV_ARG(key));
		}
	}
	awl_project_close(project);
	return output(sv_of(&out));
}

static enum exit_code completion_words_sessions(void)
{
	struct awl_project_options here = AWL_PROJECT_OPTIONS_INIT;
	defer(str_clear) struct str out = STR_INIT;
	const struct awl_session_info *info;
	struct awl_session_list *list = NULL;
	struct awl_project *project;
	struct awl *awl;

	if (awl_project_open(&project, &here) != AWL_OK)
		return failure("%s", awl_last_error());
	if (awl_open(&awl, NULL) == AWL_OK)
		(void)!awl_sessions_list(&list, awl, awl_project_dir(project));
	for (size_t i = 0; list && (info = awl_session_list_at(list, i)); i++)
		str_addf(&out, "%s\n", info->id);
	awl_session_list_free(list);
	awl_close(awl);
	awl_project_close(project);
	return output(sv_of(&out));
}

static enum exit_code completion_words_events(void)
{
	defer(str_clear) struct str out = STR_INIT;
	const char *name;

	for (size_t i = 0; (name = awl_hooks_event(i)); i++)
		str_addf(&out, "%s\n", name);
	return output(sv_of(&out));
}

bool completion_words(const char *what, enum exit_code *code)
{
	if (sv_is(sv_cstr(what), "keys"))
		*code = completion_words_keys();
	else if (sv_is(sv_cstr(what), "sessions"))
		*code = completion_words_sessions();
	else if (sv_is(sv_cstr(what), "events"))
		*code = completion_words_events();
	else
		return false;
	return true;
}
