#include "perm/say.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/utf8.h"
#include "perm/rule.h"

static void make_harmless(char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = '?';
}

struct shown show(struct sv text)
{
	defer(str_clear) struct str clean = STR_INIT;
	struct shown out;
	struct sv cut;

	utf8_repair(&clean, sv_slice(text, 0, sizeof(out.text)));
	make_harmless(clean.ptr, clean.len);
	cut = utf8_prefix(sv_of(&clean), sizeof(out.text) - sizeof("..."));
	snprintf(out.text, sizeof(out.text), "%.*s%s", SV_ARG(cut),
		 cut.len < clean.len ? "..." : "");
	return out;
}

struct shown show_rule(const struct perm_rule *rule)
{
	defer(str_clear) struct str text = STR_INIT;

	rule_write(&text, rule);
	return show(sv_of(&text));
}

struct verdict say(enum behavior behavior, enum verdict_reason reason, const char *fmt, ...)
{
	struct verdict v = { .behavior = behavior, .reason = reason };
	va_list args;
	size_t bad_at;

	va_start(args, fmt);
	vsnprintf(v.text, sizeof(v.text), fmt, args);
	va_end(args);
	if (!utf8_valid(sv_cstr(v.text), &bad_at)) /* cut in the middle of a character */
		v.text[bad_at] = '\0';
	make_harmless(v.text, strlen(v.text));
	return v;
}

struct verdict say_rule(enum behavior behavior, const struct perm_rule *rule)
{
	static const char *const does[] = { [BEHAVIOR_ALLOW] = "allows",
					    [BEHAVIOR_ASK] = "asks about",
					    [BEHAVIOR_DENY] = "denies" };

	if (rule->file.len)
		return say(behavior, REASON_RULE, "The rule %s (%s:%zu) %s this.",
			   show_rule(rule).text, show(rule->file).text, rule->line, does[behavior]);
	return say(behavior, REASON_RULE, "The rule %s %s this.", show_rule(rule).text,
		   does[behavior]);
}
