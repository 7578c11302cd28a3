/* Slash commands that the screen carries out itself. */
#include "front/tui/commands/tui_command.h"

#include "base/ascii.h"
#include "base/limits.h"
#include "front/display.h"
#include "front/tui/commands/tui_btw.h"
#include "front/tui/commands/tui_context.h"
#include "front/tui/commands/tui_copy.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/commands/tui_mcp.h"
#include "front/tui/commands/tui_models.h"
#include "front/tui/commands/tui_picker.h"
#include "front/tui/commands/tui_plugins.h"
#include "front/tui/commands/tui_rewind.h"
#include "front/tui/conversation/tui_agent.h"
#include "front/tui/conversation/tui_news.h"
#include "front/tui/prompt/tui_compose.h"
#include "front/tui/prompt/tui_memory.h"
#include "front/tui/tui_internal.h"
#include "front/tui/tui_settings.h"
#include "proto/reply_read.h"
#include "proto/slash.h"
#include "sys/fs.h"
#include "text/duration.h"

/* --- settings ------------------------------------------------------------------------- */

/* Keep a choice in the user's settings. */
static void tui_command_keep(struct tui *t, const char *key, const char *value)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	struct awl_project *project;

	options.config_dir = awl_config_dir(t->opts->awl);
	if (awl_project_open(&project, &options) != AWL_OK) {
		tui_show_notice(t, t->theme->warning, sv_cstr(awl_last_error()));
		return;
	}
	if (awl_config_set(project, AWL_SCOPE_USER, key, value) != AWL_OK)
		tui_show_notice(t, t->theme->warning, sv_cstr(awl_last_error()));
	awl_project_close(project);
}

static void tui_command_vim(struct tui *t, __attribute__((unused)) struct sv rest)
{
	bool is_wanted = !t->vim;

	tui_use_vim(t, is_wanted);
	tui_command_keep(t, "editorMode", is_wanted ? "vim" : "normal");
	tui_show_aside(t, is_wanted ? SV("Vim's keys are on. Escape leads to normal mode.")
				    : SV("Vim's keys are off."));
}

static void tui_command_use_theme(struct tui *t, bool is_chosen, struct sv name)
{
	defer(str_clear) struct str value = STR_INIT, line = STR_INIT;

	if (!is_chosen)
		return;
	str_add(&value, name);
	if (!tui_use_theme(t, name))
		return;
	tui_command_keep(t, "theme", str_c(&value));
	str_addf(&line, "Theme: %s.", str_c(&value));
	tui_show_aside(t, sv_of(&line));
}

static void tui_command_theme(struct tui *t, struct sv rest)
{
	if (rest.len && (theme_exists(rest) || sv_starts(rest, THEME_CUSTOM)) &&
	    tui_use_theme(t, rest)) {
		tui_command_use_theme(t, true, rest);
		return;
	}
	if (rest.len)
		str_addf(&t->note, "There is no theme \"%.*s\".", SV_ARG(sv_slice(rest, 0, 40)));
	tui_list_open(t, "Theme", tui_command_use_theme);
	tui_list_add(t, SV("auto"), SV("auto"), SV("by the background of the terminal"));
	for (size_t i = 0; theme_name(i); i++)
		tui_list_add(t, sv_cstr(theme_name(i)), sv_cstr(theme_name(i)), SV_EMPTY);
}

/* --- sessions ----------------------------------------------------------------------------- */

/* The front end begins again with that session. */
bool tui_switch_session(struct tui *t, struct sv session)
{
	if (tui_is_busy(t)) {
		str_set(&t->note, SV("Interrupt the turn first, with Escape."));
		return false;
	}
	str_set(&t->next->session, session);
	tui_leave(t, EXIT_SUCCESS);
	return true;
}

static void tui_command_branch(struct tui *t, struct sv rest)
{
	const char *id = client_session_id(&t->client);

	if (client_is_remote(&t->client) || t->opts->session->skip_transcript) {
		str_set(&t->note, SV("This session cannot be copied."));
		return;
	}
	if (!t->conversation.has_begun) {
		str_set(&t->note, SV("Nothing has been said yet."));
		return;
	}
	if (!tui_switch_session(t, sv_cstr(id)))
		return;
	t->next->is_branch = true;
	str_set(&t->next->name, rest);
	str_set(&t->next->mode, sv_cstr(client_mode(&t->client)));
	str_addf(&t->next->notice, "This is a copy of session %s.", id);
}

static void tui_command_resume(struct tui *t, struct sv rest)
{
	if (rest.len)
		(void)tui_switch_session(t, rest);
	else
		tui_choose_session(t);
}

/* The program that started us takes the session over when we have left it. */
static void tui_command_background(struct tui *t, struct sv rest)
{
	struct chat_handover *to = t->opts->handover;

	if (client_is_remote(&t->client)) {
		tui_leave(t, EXIT_SUCCESS);
	} else if (!to || t->opts->is_script || t->opts->session->skip_transcript) {
		str_set(&t->note, SV("This session cannot continue in the background."));
	} else if (tui_is_busy(t)) {
		str_set(&t->note, SV("Interrupt the turn first, with Escape."));
	} else if (!t->conversation.has_begun) {
		str_set(&t->note, SV("Nothing has been said yet. awl --bg starts a session in the "
				     "background."));
	} else {
		to->is_wanted = true;
		str_set(&to->session, sv_cstr(client_session_id(&t->client)));
		str_set(&to->mode, sv_cstr(client_mode(&t->client)));
		str_set(&to->prompt, rest);
		tui_leave(t, EXIT_SUCCESS);
	}
}

/* --- which command --------------------------------------------------------------------------- */

static void tui_command_keybindings(struct tui *t, __attribute__((unused)) struct sv rest)
{
	tui_edit_keybindings(t);
}

typedef void tui_command_fn(struct tui *t, struct sv rest);

static tui_command_fn *const tui_commands[SLASH_COMMANDS] = {
	[SLASH_BACKGROUND] = tui_command_background,
	[SLASH_BRANCH] = tui_command_branch,
	[SLASH_BTW] = tui_btw,
	[SLASH_COPY] = tui_copy,
	[SLASH_KEYBINDINGS] = tui_command_keybindings,
	[SLASH_MEMORY] = tui_command_memory,
	[SLASH_RESUME] = tui_command_resume,
	[SLASH_THEME] = tui_command_theme,
	[SLASH_VIM] = tui_command_vim,
};

bool tui_command(struct tui *t, struct sv text)
{
	const struct slash_command *command;
	struct sv rest = sv_trim(text), name;
	size_t end = 0;

	if (!sv_starts(rest, SV("/")))
		return false;
	while (end < rest.len && !ascii_is_space(rest.ptr[end]))
		end++;
	name = sv_slice(rest, 1, end);
	rest = sv_trim(sv_skip(rest, end));
	command = slash_find(name);
	if (!command)
		return false;
	if (slash_id(command) == SLASH_MODEL && !rest.len && tui_models_are_known(t)) {
		tui_choose_model(t);
		return true;
	}
	if (slash_id(command) == SLASH_CONTEXT && !rest.len) {
		tui_context_open(t, text);
		return true;
	}
	if (slash_id(command) == SLASH_MCP && !rest.len) {
		tui_mcp_open(t);
		return true;
	}
	if (slash_id(command) == SLASH_PLUGIN && !rest.len) {
		tui_plugins_open(t);
		return true;
	}
	if (slash_id(command) == SLASH_TASKS && !rest.len && tui_agents_open(t))
		return true;
	if (slash_id(command) == SLASH_REWIND && !rest.len) {
		tui_rewind_open(t);
		return true;
	}
	if (!tui_commands[slash_id(command)])
		return false;
	tui_commands[slash_id(command)](t, rest);
	return true;
}
