#include "proto/reply_hooks.h"

static void reply_hooks_put_event(struct jw *w, const struct reply_hook_event *event, bool counts)
{
	jw_object(w);
	jw_put_str(w, "name", event->name);
	jw_put_str(w, "summary", event->summary);
	jw_put_bool(w, "supportsMatcher", event->has_matcher);
	if (counts)
		jw_put_int(w, "hookCount", event->nhooks);
	jw_end(w);
}

static void reply_hooks_put_hook(struct jw *w, const struct reply_hook *hook)
{
	jw_object(w);
	jw_put_str(w, "event", hook->event);
	jw_put_str(w, "matcher", hook->matcher);
	jw_put_str(w, "source", hook->source);
	jw_put_str(w, "sourceLabel", hook->source_label);
	jw_put_str(w, "type", hook->type);
	jw_put_str(w, "displayText", hook->status.len ? hook->status : hook->text);
	jw_put_str(w, "commandText", hook->text);
	jw_put_str(w, "contentLabel", hook->label);
	if (hook->condition.len)
		jw_put_str(w, "condition", hook->condition);
	jw_put_real(w, "timeout", (double)hook->timeout_ms / 1000);
	if (hook->status.len)
		jw_put_str(w, "statusMessage", hook->status);
	if (hook->runs_once)
		jw_put_bool(w, "runsOnce", true);
	if (hook->runs_in_background)
		jw_put_bool(w, "runsInBackground", true);
	jw_end(w);
}

static void reply_hooks_put_policy(struct jw *w, const struct reply_hooks *hooks)
{
	jw_put_object(w, "policy");
	jw_put_bool(w, "disabledByPolicy", hooks->is_disabled_by_policy);
	jw_put_bool(w, "managedOnly", hooks->is_managed_only);
	jw_put_bool(w, "pluginOnly", false);
	jw_put_bool(w, "allDisabled", hooks->is_disabled);
	jw_put_int(w, "policyHookCount", hooks->npolicy);
	jw_end(w);
}

void reply_hooks_write(struct jw *w, const struct reply_hooks *hooks)
{
	jw_put_array(w, "events");
	for (size_t i = 0; i < hooks->nevents; i++)
		if (hooks->events[i].nhooks)
			reply_hooks_put_event(w, &hooks->events[i], true);
	jw_end(w);
	jw_put_array(w, "hooks");
	for (size_t i = 0; i < hooks->nhooks; i++)
		reply_hooks_put_hook(w, &hooks->hooks[i]);
	jw_end(w);
	jw_put_array(w, "eventCatalog");
	for (size_t i = 0; i < hooks->nevents; i++)
		reply_hooks_put_event(w, &hooks->events[i], false);
	jw_end(w);
	reply_hooks_put_policy(w, hooks);
}
