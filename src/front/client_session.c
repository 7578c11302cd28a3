/* The session of a client, here or elsewhere: one set of functions for both. */
#include "front/client.h"

bool client_is_remote(const struct client *client)
{
	return !client->session;
}

bool client_has_lost_session(const struct client *client)
{
	return !client->session && client->remote.has_ended;
}

bool client_send(struct client *client, struct sv json)
{
	if (client->session)
		return awl_send(client->session, json.ptr, json.len) == AWL_OK;
	remote_session_send(&client->remote, json);
	return true;
}

void client_prompt(struct client *client, const char *text)
{
	if (client->session)
		awl_prompt(client->session, text);
	else
		remote_session_prompt(&client->remote, sv_cstr(text));
}

void client_interrupt(struct client *client)
{
	if (client->session)
		awl_interrupt(client->session);
	else
		remote_session_interrupt(&client->remote);
}

void client_decline(struct client *client, const char *request_id, const char *why)
{
	if (client->session)
		awl_answer(client->session, request_id, false, why);
	else
		remote_session_deny(&client->remote, sv_cstr(request_id), sv_cstr(why));
}

bool client_set_mode(struct client *client, const char *mode)
{
	if (client->session)
		return awl_set_permission_mode(client->session, mode) == AWL_OK;
	remote_session_set_mode(&client->remote, sv_cstr(mode));
	return true;
}

const char *client_session_id(const struct client *client)
{
	return client->session ? awl_session_id(client->session) : str_c(&client->remote.session);
}

const char *client_model(struct client *client)
{
	return client->session ? awl_session_model(client->session) : str_c(&client->remote.model);
}

const char *client_mode(struct client *client)
{
	return client->session ? awl_session_permission_mode(client->session)
			       : str_c(&client->remote.mode);
}

const char *client_fast_mode(struct client *client)
{
	return client->session ? awl_session_fast_mode(client->session)
			       : fast_state_name(client->remote.fast);
}

bool client_is_busy(const struct client *client)
{
	return client->session ? !awl_session_is_idle(client->session) : client->remote.is_busy;
}

size_t client_questions(const struct client *client)
{
	return client->session ? awl_session_questions(client->session)
			       : client->remote.questions.n;
}

double client_cost(const struct client *client)
{
	struct awl_usage usage = AWL_USAGE_INIT;

	if (!client->session)
		return client->remote.past_cost_usd;
	return awl_session_usage(client->session, NULL, &usage) == AWL_OK ? usage.cost_usd : 0;
}

/* The files of the directory say what a session elsewhere has, too. */
bool client_config(struct client *client, const char *key, const char **json)
{
	struct awl_project_options options = AWL_PROJECT_OPTIONS_INIT;

	if (client->session)
		return awl_session_config_get(client->session, key, json) == AWL_OK;
	options.config_dir = awl_config_dir(client->awl);
	if (client->remote.cwd.len)
		options.cwd = str_c(&client->remote.cwd);
	return (client->project || awl_project_open(&client->project, &options) == AWL_OK) &&
	       awl_config_get(client->project, key, json) == AWL_OK;
}
