/* Four lines of rules (allow, ask, deny, and one deny rule more), then a letter for
 * the mode, a letter for the access, and what the call wants: a path or a command, and
 * behind a tab the name the path has through a link, or the host, or the input as JSON. Rules survive being
 * written and read; another rule that denies never makes a verdict milder, one that
 * allows never a stricter; a command is allowed by a pattern only if it is a plain
 * one, and denied wherever it stands. */
#include "base/limits.h"
#include "base/utf8.h"
#include "perm/path/path.h"
#include "perm/rule/raw_command.h"
#include "perm/rule/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	struct sv allow, ask, deny, more;
	enum perm_mode mode;
	struct perm_request request;
	struct json_doc *doc; /* request.input is in it */
};

static void take_extra(struct input *in, struct sv extra)
{
	struct err ignored = ERR_INIT;

	if (sv_starts(extra, SV("{"))) {
		in->doc = json_parse(extra, 0, &ignored);
		in->request.input = json_root(in->doc);
	} else if (in->request.access == ACCESS_NET) {
		in->request.host = extra;
	} else if (path_is_normal(extra)) {
		in->request.named = extra;
	}
}

static void read_input(struct input *in, struct sv text)
{
	static const char *const tools[] = {
		[ACCESS_NONE] = "TodoWrite", [ACCESS_READ] = "Read",    [ACCESS_WRITE] = "Write",
		[ACCESS_RUN] = "Bash",       [ACCESS_NET] = "WebFetch", [ACCESS_OTHER] = "mcp__a__b"
	};
	size_t tab;

	*in = (struct input){ .mode = PERM_DEFAULT };
	sv_cut(&text, '\n', &in->allow);
	sv_cut(&text, '\n', &in->ask);
	sv_cut(&text, '\n', &in->deny);
	sv_cut(&text, '\n', &in->more);
	if (text.len < 2)
		return;
	in->mode = (enum perm_mode)((unsigned char)text.ptr[0] % PERM_MODES);
	in->request.access = (enum access)((unsigned char)text.ptr[1] % (ACCESS_OTHER + 1));
	in->request.tool = sv_cstr(tools[in->request.access]);
	text = sv_skip(text, 2);
	tab = sv_find_char(text, '\t');
	in->request.path = in->request.command = sv_slice(text, 0, tab);
	if (tab == SIZE_MAX)
		return;
	take_extra(in, sv_skip(text, tab + 1));
	if (in->request.access == ACCESS_OTHER && in->doc)
		in->request.tool = json_exists(json_get(in->request.input, "skill")) ? SV("Skill")
										     : SV("Agent");
}

/* Whether the list could be read. */
static bool add(struct perm_policy *policy, enum behavior what, struct sv list)
{
	size_t before = policy->allow.n + policy->ask.n + policy->deny.n;
	struct err err = ERR_INIT;

	if (perm_add_rules(policy, what, list, &err))
		return true;
	BUG_ON(err.kind == ERR_NONE || !err.text[0] || !utf8_valid(sv_cstr(err.text), NULL));
	BUG_ON(policy->allow.n + policy->ask.n + policy->deny.n != before);
	return false;
}

static void begin(struct perm_policy *policy, enum perm_mode mode)
{
	policy->mode = mode;
	perm_set_home(policy, SV("/h"));
	perm_add_dir(policy, SV("/w/pro"));
	perm_add_dir(policy, SV("/x"));
}

static void check_round_trip(const struct perm_policy *policy)
{
	defer(perm_policy_clear) struct perm_policy again = PERM_POLICY_INIT;
	defer(str_clear) struct str list = STR_INIT;

	begin(&again, policy->mode);
	for (size_t i = 0; i < policy->deny.n; i++) {
		rule_write(&list, &policy->deny.at[i]);
		str_adds(&list, ", ");
	}
	BUG_ON(!add(&again, BEHAVIOR_DENY, sv_of(&list)));
	BUG_ON(again.deny.n != policy->deny.n);
	for (size_t i = 0; i < policy->deny.n; i++) {
		BUG_ON(!sv_eq(again.deny.at[i].tool, policy->deny.at[i].tool));
		BUG_ON(!sv_eq(again.deny.at[i].content, policy->deny.at[i].content));
	}
}

static enum behavior decide(const struct perm_policy *policy, const struct perm_request *request)
{
	struct verdict v = perm_decide(policy, request);
	struct sv text = sv_cstr(v.text);

	BUG_ON(text.len == 0 || !utf8_valid(text, NULL));
	for (size_t i = 0; i < text.len; i++)
		BUG_ON((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7f);
	BUG_ON(policy->mode == PERM_DONT_ASK && v.behavior == BEHAVIOR_ASK);
	BUG_ON(perm_hides(policy, request->tool) && v.behavior != BEHAVIOR_DENY);
	BUG_ON(v.behavior == BEHAVIOR_ALLOW && v.reason == REASON_WORKING_DIR &&
	       !path_is_inside(request->path, SV("/w/pro")) &&
	       !path_is_inside(request->path, SV("/x")));
	return v.behavior;
}

static void check_order(const struct input *in)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	enum behavior bare, asking, denying, allowing;

	begin(&policy, in->mode);
	bare = decide(&policy, &in->request);
	if (!add(&policy, BEHAVIOR_ASK, in->ask))
		return;
	asking = decide(&policy, &in->request);
	BUG_ON(asking < bare);
	if (!add(&policy, BEHAVIOR_DENY, in->deny))
		return;
	denying = decide(&policy, &in->request);
	BUG_ON(denying < asking);
	check_round_trip(&policy);
	if (!add(&policy, BEHAVIOR_ALLOW, in->allow))
		return;
	allowing = decide(&policy, &in->request);
	BUG_ON(allowing > denying);
	BUG_ON(denying == BEHAVIOR_DENY && policy.mode != PERM_DONT_ASK &&
	       policy.mode != PERM_PLAN && allowing != BEHAVIOR_DENY);
	if (add(&policy, BEHAVIOR_DENY, in->more))
		BUG_ON(decide(&policy, &in->request) < allowing);
}

static bool has_any(struct sv text, const char *set)
{
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != '\0' && strchr(set, text.ptr[i]))
			return true;
	return false;
}

static bool denies(struct sv pattern, const char *before, struct sv command, const char *after)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(raw_command_clear) struct raw_command parts;
	size_t steps = SIZE_MAX;

	str_adds(&text, before);
	str_add(&text, command);
	str_adds(&text, after);
	raw_command_init(&parts, sv_of(&text));
	return raw_command_matches(pattern, &parts, &steps);
}

static void check_command(struct sv pattern, struct sv command)
{
	bool open = sv_ends(pattern, SV(":*")) || sv_ends(pattern, SV(" *"));
	struct sv fixed = open ? sv_slice(pattern, 0, pattern.len - 2) : pattern;

	if (fixed.len == 0)
		return;
	if (has_any(fixed, ";&|\n`(){}'\"\\*$ \t\v\f\r") || !text_is_visible(command) ||
	    has_any(command, "\n\\") || !denies(pattern, "", command, ""))
		return;
	BUG_ON(!denies(pattern, "true; ", command, ""));
	BUG_ON(!denies(pattern, "cd x && ", command, ""));
	BUG_ON(!denies(pattern, "true\n", command, "\ntrue"));
	BUG_ON(!denies(pattern, "(", command, ")"));
	BUG_ON(!denies(pattern, "echo $(", command, ")"));
	BUG_ON(!denies(pattern, "\\\n", command, " || true"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in;

	if (size > 4096)
		return 0;
	read_input(&in, sv_from((const char *)data, size));
	check_order(&in);
	check_command(in.more, in.request.command);
	json_doc_free(in.doc);
	return 0;
}
