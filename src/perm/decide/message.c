#include "perm/decide/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"
#include "base/utf8.h"
#include "perm/rule/rule.h"
#include "text/invisible.h"

struct quoted quote(struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;
	struct quoted out;
	struct sv cut;

	invisible_escape(&clean, utf8_prefix(text, sizeof(out.text)), invisible_misleads_in_line);
	cut = utf8_prefix(sv_of(&clean), sizeof(out.text) - sizeof("..."));
	snprintf(out.text, sizeof(out.text), "%.*s%s", SV_ARG(cut),
		 cut.len < clean.len ? "..." : "");
	return out;
}

struct quoted quote_rule(const struct perm_rule *rule)
{
	defer(str_clear) struct str text = STR_INIT;

	rule_write(&text, rule);
	return quote(sv_of(&text));
}

struct verdict verdict_of(enum behavior behavior, enum verdict_reason reason, const char *fmt, ...)
{
	struct verdict v = { .behavior = behavior, .reason = reason };
	defer(str_clear) struct str raw = STR_INIT, clean = STR_INIT;
	va_list args;

	va_start(args, fmt);
	str_vaddf(&raw, fmt, args);
	va_end(args);
	invisible_escape(&clean, sv_of(&raw), invisible_misleads_in_line);
	memcpy(v.text, clean.ptr, utf8_prefix(sv_of(&clean), sizeof(v.text) - 1).len);
	return v;
}

struct verdict verdict_by_rule(enum behavior behavior, const struct perm_rule *rule)
{
	static const char *const does[] = { [BEHAVIOR_ALLOW] = "allows",
					    [BEHAVIOR_ASK] = "asks about",
					    [BEHAVIOR_DENY] = "denies" };

	if (rule->file.len && rule->line)
		return verdict_of(behavior, REASON_RULE, "The rule %s (%s:%zu) %s this.",
				  quote_rule(rule).text, quote(rule->file).text, rule->line,
				  does[behavior]);
	if (rule->file.len)
		return verdict_of(behavior, REASON_RULE, "The rule %s of %s %s this.",
				  quote_rule(rule).text, quote(rule->file).text, does[behavior]);
	return verdict_of(behavior, REASON_RULE, "The rule %s %s this.", quote_rule(rule).text,
			  does[behavior]);
}

/* How much a question is for the user alone; see perm_is_for_model(). */
static int message_weight(const struct verdict *v)
{
	if (v->behavior != BEHAVIOR_ASK)
		return 0;
	return v->reason == REASON_SAFETY ? 2 : v->reason == REASON_RULE;
}

struct verdict verdict_stricter(struct verdict a, struct verdict b)
{
	if (a.behavior != b.behavior)
		return b.behavior > a.behavior ? b : a;
	return message_weight(&b) > message_weight(&a) ? b : a;
}

void perm_log_verdict(struct sv tool, const struct verdict *verdict)
{
	log_debug("verdict: %s %.*s (%s): %s", behavior_name(verdict->behavior), SV_ARG(tool),
		  verdict_reason_name(verdict->reason), verdict->text);
}
