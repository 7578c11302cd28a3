/* The control request that lists hooks. */
#include "core/control/control.h"
#include "core/hooks/session_hooks.h"
#include "store/settings/settings.h"

/* Who wrote the hooks of each source, for people. */
static const char control_hook_sources[HOOK_SOURCES][23] = {
	[HOOK_FROM_USER] = "User settings",
	[HOOK_FROM_PROJECT] = "Project settings",
	[HOOK_FROM_LOCAL] = "Local settings",
	[HOOK_FROM_FLAG] = "--settings",
	[HOOK_FROM_SKILL] = "Skill",
	[HOOK_FROM_AGENT] = "Agent",
	[HOOK_FROM_HOST] = "Registered by the host",
	[HOOK_FROM_POLICY] = "Managed settings",
};

static struct sv control_hook_label(enum hook_type type)
{
	switch (type) {
	case HOOK_COMMAND: return SV("Command");
	case HOOK_HTTP: return SV("URL");
	case HOOK_PROMPT:
	case HOOK_AGENT: return SV("Prompt");
	case HOOK_MCP_TOOL: return SV("Tool");
	case HOOK_CALLBACK: break;
	}
	return SV("Callback");
}

static struct reply_hook control_hook_row(const struct hook_handler *h)
{
	return (struct reply_hook){
		.event = sv_cstr(hook_event_info(h->event)->name),
		.matcher = h->matcher,
		.source = sv_cstr(hook_source_name(h->source)),
		.source_label = sv_cstr(control_hook_sources[h->source]),
		.type = sv_cstr(hook_type_name(h->type)),
		.text = h->text,
		.label = control_hook_label(h->type),
		.condition = h->condition,
		.status = h->status,
		.timeout_ms = h->timeout_ms,
		.runs_once = h->runs_once,
		.runs_in_background = h->runs_async,
	};
}

/* Adds a row for each handler of the set. */
static void control_add_hooks(struct control_reply *reply, const struct hook_set *set,
			      struct reply_hook_event *events, struct reply_hook *rows)
{
	for (size_t i = 0; i < hook_set_count(set); i++) {
		const struct hook_handler *h = hook_set_at(set, i);

		rows[reply->hooks.nhooks++] = control_hook_row(h);
		events[h->event].nhooks++;
		reply->hooks.npolicy += h->source == HOOK_FROM_POLICY;
	}
}

void control_list_hooks(struct session *s, const struct control_request *request)
{
	const struct hooks *hooks = s->handlers->engine;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct reply_hook_event events[HOOK_EVENTS];
	struct control_reply reply = { .kind = REPLY_HOOKS };
	const struct hook_set *set;
	struct reply_hook *rows;
	size_t total = 0;

	for (size_t i = 0; i < HOOK_EVENTS; i++) {
		const struct hook_event_info *info = hook_event_info((enum hook_event)i);

		events[i] = (struct reply_hook_event){ .name = sv_cstr(info->name),
						       .summary = sv_cstr(info->summary),
						       .has_matcher = *info->matched != '\0' };
	}
	for (size_t i = 0; (set = hooks_set_at(hooks, i)); i++)
		total += hook_set_count(set);
	rows = arena_calloc(&arena, total + 1, sizeof(*rows));
	for (size_t i = 0; (set = hooks_set_at(hooks, i)); i++)
		control_add_hooks(&reply, set, events, rows);
	reply.hooks.events = events;
	reply.hooks.nevents = HOOK_EVENTS;
	reply.hooks.hooks = rows;
	reply.hooks.is_disabled = settings_bool(s->settings, "disableAllHooks");
	reply.hooks.is_managed_only = settings_bool(s->settings, "allowManagedHooksOnly");
	reply.hooks.is_disabled_by_policy = json_bool_or(
		settings_get_from(s->settings, SETTINGS_POLICY, "disableAllHooks"), false);
	control_reply(s, request->id, reply);
}
