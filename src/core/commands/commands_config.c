/* Slash commands that change how the session works, or the user's settings. A person at a terminal
 * means what is typed there; a prompt that came through a pipe or from a program may have been put
 * together from anything, so it changes no file of the user and opens no directory. */
#include <awl.h>

#include "base/secret_mask.h"
#include "core/commands/commands.h"
#include "core/hooks/hooks.h"
#include "core/policy/policy.h"
#include "core/policy/session_sandbox.h"
#include "core/session/session_append.h"
#include "core/session/session_host.h"
#include "core/session/session_init.h"
#include "core/session/session_settings.h"
#include "model/catalogue/catalogue.h"
#include "sys/fs.h"
#include "text/json/json_write.h"
#include "text/url.h"

/* --- the model ---------------------------------------------------------------------------- */

/* Anthropic's own service has no other models; any other host may have a model of any name. */
static bool commands_is_no_model(const struct session *s, struct sv name)
{
	const struct model_config *config = &s->engine->config;
	struct sv id = model_resolve(s->engine->table, name);

	return config->provider == MODEL_ANTHROPIC &&
	       sv_eq_nocase(url_split(sv_cstr(config->base_url)).host, SV("api.anthropic.com")) &&
	       !sv_starts(id, SV("claude-")) && !model_info(s->engine->table, id).known;
}

static void commands_list_models(struct session *s, struct str *out)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct reply_models models = model_catalogue(&s->engine->config, &s->rules, &arena);

	for (size_t i = 0; i < models.n; i++)
		str_addf(out, "%s%.*s", i ? ", " : "", SV_ARG(models.at[i].value));
}

static bool commands_choose_model(struct session *s, struct sv name, struct err *err)
{
	defer(model_before_clear) struct model_before before = { .context_tokens = 0 };

	if (commands_is_no_model(s, name))
		return err_set(err, ERR_INVALID, "Anthropic has no model called '%.*s'",
			       (int)min_of(name.len, (size_t)80), name.ptr);
	model_before_read(&before, s);
	if (!hooks_allow_model(s, err) || !session_choose_model(s, name, err))
		return false;
	hooks_report_model(s, &before, name, "command");
	return true;
}

bool commands_delay_model(struct session *s, struct sv name)
{
	return name.len && !commands_is_no_model(s, name) && hooks_delay_model(s, name);
}

bool commands_save_setting(struct session *s, const char *key, struct sv json, struct err *err)
{
	if (!s->engine->config_dir)
		return err_set(err, ERR_NOT_FOUND, "%s", str_c(&s->engine->no_config));
	return session_settings_save(s, settings_set, SETTINGS_USER, JSON_STEPS(sv_cstr(key)), json,
				     err);
}

/* Make a model the user's default, by the name the user knows; "default" removes it. */
static bool commands_save_model(struct session *s, struct sv name, struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	if (!sv_is(name, "default")) {
		jw_init(&w, &json, JW_COMPACT);
		jw_str(&w, name);
		jw_done(&w);
	}
	return commands_save_setting(s, "model", sv_of(&json), err);
}

static void commands_keep_model(struct session *s, struct sv name, struct str *out)
{
	struct err err = ERR_INIT;

	if (!session_is_at_terminal(s) || s->engine->is_offline)
		return;
	if (commands_save_model(s, name, &err))
		str_adds(out, " New sessions use it, too.");
	else
		str_addf(out, " New sessions do not use it: %s.", err.text);
}

bool commands_model(struct session *s, struct sv rest, struct str *out)
{
	struct err err = ERR_INIT;
	struct sv model;

	if (rest.len && !commands_choose_model(s, rest, &err)) {
		str_addf(out, "cannot switch: %s; the model is still %.*s. Models: ", err.text,
			 SV_ARG(agent_next_model(s->agent)));
		commands_list_models(s, out);
		return false;
	}
	model = agent_next_model(s->agent);
	str_addf(out, "Model: %.*s.", SV_ARG(model));
	if (rest.len && !model_info(s->engine->table, model).known)
		str_adds(out, " awl does not know this model, so its limits are guesses and its "
			      "price is unknown.");
	if (rest.len)
		commands_keep_model(s, rest, out);
	if (rest.len && model_info(s->engine->table, model).known)
		return true;
	str_adds(out, "\nModels that awl knows here: ");
	commands_list_models(s, out);
	return true;
}

bool commands_effort(struct session *s, struct sv rest, struct str *out)
{
	struct sv model = agent_next_model(s->agent);
	enum model_effort wanted = MODEL_EFFORT_DEFAULT, used;
	struct err err = ERR_INIT;

	if (rest.len && !sv_is(rest, "auto") && !sv_is(rest, "status") &&
	    !model_effort_read(&wanted, rest, &err)) {
		str_addf(out, "%s, or 'auto' for the model's own choice", err.text);
		return false;
	}
	if (rest.len && !sv_is(rest, "status"))
		agent_set_effort(s->agent, wanted);
	wanted = agent_wanted_effort(s->agent);
	used = model_rules_effort(&s->rules, model, wanted);
	str_addf(out, "Effort: %s.", used ? model_effort_name(used) : "the model's own choice");
	if (wanted && used < wanted)
		str_addf(out, " The settings allow no more than that.");
	return true;
}

/* --- directories -------------------------------------------------------------------------- */

static void commands_list_directories(const struct session *s, struct str *out)
{
	str_adds(out, "Working directories:");
	for (size_t i = 0; i < s->policy.dirs.n; i++)
		str_addf(out, "\n%.*s", SV_ARG(s->policy.dirs.at[i]));
}

static bool commands_find_directory(const struct session *s, struct sv written, struct str *real,
				    struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	struct fs_info info;

	policy_place(&path, s->engine->home, agent_cwd(s->agent).ptr, written);
	if (!fs_realpath(real, str_c(&path), err) || !fs_info(&info, real->ptr, true, err))
		return false;
	return info.kind == FS_DIR || err_set(err, ERR_INVALID, "%s is not a directory", real->ptr);
}

/* Add a directory for this session, as --add-dir does. */
static bool commands_add_directory(struct session *s, struct sv real, struct err *err)
{
	defer(str_clear) struct str note = STR_INIT;

	perm_add_session_dir(&s->policy, real);
	if (!session_sandbox_renew(s, s->settings, &s->policy, err)) {
		perm_remove_dir(&s->policy, real);
		return err_context(err, "the sandbox");
	}
	hooks_report_directory(s, real, "add_dir");
	str_addf(&note, "The user has added a working directory: %.*s", SV_ARG(real));
	session_append_note(s, sv_of(&note));
	return true;
}

bool commands_add_dir(struct session *s, struct sv rest, struct str *out)
{
	defer(str_clear) struct str real = STR_INIT;
	struct err err = ERR_INIT;

	if (!rest.len) {
		commands_list_directories(s, out);
		return true;
	}
	if (!s->kind.has_user) {
		str_adds(out, "/add-dir is for people who can be asked; start awl with --add-dir");
		return false;
	}
	if (!commands_find_directory(s, rest, &real, &err) ||
	    !commands_add_directory(s, sv_of(&real), &err)) {
		str_adds(out, err.text);
		return false;
	}
	str_addf(out, "%s is a working directory of this session now.", real.ptr);
	return true;
}

/* --- settings ----------------------------------------------------------------------------- */

static void commands_project_close(struct awl_project **project)
{
	awl_project_close(*project);
}

bool commands_open_project(struct session *s, struct awl_project **out)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;
	defer(str_clear) struct str usual = STR_INIT;

	fs_join(&usual, sv_cstr(s->engine->home), SV(".claude"));
	options.cwd = s->shared.project;
	options.environment = s->engine->helper_env.at;
	options.settings = s->engine->flag_settings;
	options.setting_sources = s->engine->setting_sources;
	if (s->engine->config_dir && !sv_is(sv_of(&usual), s->engine->config_dir))
		options.config_dir = s->engine->config_dir;
	return awl_project_open(out, &options) == AWL_OK;
}

static bool commands_list_config(struct awl_project *project, struct str *out)
{
	const struct awl_config_entry *entries;
	size_t n;

	if (awl_config_list(project, &entries, &n) != AWL_OK)
		return false;
	for (size_t i = 0; i < n; i++)
		str_addf(out, "%s%s = %s  # %s; %s", i ? "\n" : "", entries[i].key, entries[i].json,
			 entries[i].where, awl_applies_text(entries[i].applies));
	if (!n)
		str_adds(out, "No settings are set. /config KEY=VALUE sets one of yours; 'awl "
			      "config docs' in a shell describes all of them.");
	return true;
}

static bool commands_show_config(struct awl_project *project, const char *key, struct str *out)
{
	const char *json;

	if (awl_config_get(project, key, &json) != AWL_OK)
		return false;
	str_addf(out, "%s = %s", key, json);
	return true;
}

/* Say which file has the change, and whatever the caller should know about it. */
static bool commands_set_config(struct awl_project *project, const char *key, const char *value,
				struct str *out)
{
	if (awl_config_set(project, AWL_SCOPE_DEFAULT, key, value) != AWL_OK)
		return false;
	str_addf(out, "%s is %s now.", key, value);
	if (*awl_project_notes(project))
		str_addf(out, "\n%.*s", SV_ARG(sv_trim(sv_cstr(awl_project_notes(project)))));
	str_addf(out, "\nIt is in %s.", awl_config_path(project, AWL_SCOPE_DEFAULT, key));
	return true;
}

bool commands_config(struct session *s, struct sv rest, struct str *out)
{
	defer(commands_project_close) struct awl_project *project = NULL;
	defer(str_clear) struct str text = STR_INIT;
	size_t at = sv_find_char(rest, '=');
	defer(mem_freep) char *key = sv_dup(sv_trim(sv_slice(rest, 0, at)));
	defer(mem_freep) char *value =
		sv_dup(sv_trim(at == SIZE_MAX ? SV_EMPTY : sv_skip(rest, at + 1)));
	bool fine;

	if (at != SIZE_MAX && !session_is_at_terminal(s)) {
		str_adds(out, "/config changes settings only at a terminal; run 'awl config set' "
			      "in a shell");
		return false;
	}
	fine = commands_open_project(s, &project) &&
	       (at != SIZE_MAX ? commands_set_config(project, key, value, &text)
		: rest.len     ? commands_show_config(project, key, &text)
			       : commands_list_config(project, &text));
	if (fine)
		secret_mask(out, sv_of(&text));
	else
		str_adds(out, awl_last_error());
	return fine;
}

bool commands_statusline(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	struct json line = settings_get(s->settings, "statusLine");
	struct sv command = json_str_or(json_get(line, "command"), SV_EMPTY);

	if (!command.len) {
		str_adds(out, "No status line is configured. The setting statusLine.command names "
			      "a command that prints one.");
		return true;
	}
	str_addf(out, "Status line: %.*s\nIt is set in ", SV_ARG(command));
	settings_locate(s->settings, "statusLine", out);
	str_addc(out, '.');
	return true;
}

/* --- the session and its credential ---------------------------------------------------------- */

bool commands_rename(struct session *s, struct sv rest, struct str *out)
{
	struct err err = ERR_INIT;

	if (!rest.len) {
		str_adds(out, "/rename needs a name");
		return false;
	}
	if (!session_rename(s, rest, &err)) {
		str_addf(out, "the name is not saved: %s", err.text);
		return false;
	}
	str_addf(out, "This session is called \"%.*s\" now.", SV_ARG(rest));
	return true;
}

static void commands_describe_key(const struct session *s, struct str *out)
{
	const struct model_config *config = &s->engine->config;

	if (config->auth == MODEL_AUTH_NONE)
		str_adds(out, "No credential is used.");
	else if (config->auth == MODEL_AUTH_HELPER)
		str_addf(out, "The key comes from a command: %s.",
			 config->auth_origin ? config->auth_origin : "apiKeyHelper");
	else
		str_addf(out, "The credential comes from %.*s.", SV_ARG(session_key_source(s)));
}

bool commands_login(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	commands_describe_key(s, out);
	str_adds(out,
		 "\nawl has no accounts. To use another credential, set one of these and start "
		 "awl again:\n"
		 "ANTHROPIC_API_KEY, or the setting apiKeyHelper: a command that prints the key\n"
		 "OPENAI_API_KEY, and OPENAI_BASE_URL for another server, which may need no key\n"
		 "CLAUDE_CODE_USE_BEDROCK, CLAUDE_CODE_USE_VERTEX, CLAUDE_CODE_USE_FOUNDRY: with "
		 "the credentials of that cloud");
	return true;
}

bool commands_logout(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	commands_describe_key(s, out);
	if (s->engine->config.auth == MODEL_AUTH_HELPER)
		str_adds(out, "\nawl stores no keys. Remove the setting and start awl again to "
			      "stop using it.");
	else if (s->engine->config.auth != MODEL_AUTH_NONE)
		str_adds(out, "\nawl stores no keys. Unset it and start awl again to stop using "
			      "it.");
	return true;
}
