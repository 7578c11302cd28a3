/* A letter for the mode, a line of rules that allow, then a command line. Whatever it is, it
 * gets a verdict in words; a rule that denies the name of a command found in it never leaves
 * it allowed; one that denies every command denies; and in parentheses or braces it is allowed
 * no more than without. */
#include "base/limits.h"
#include "base/utf8.h"
#include "perm/command/command_analysis.h"
#include "perm/path/path.h"
#include "perm/perm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* --- a small machine: /w/pro with src, a file of each sort, and a link out of it -------- */

static struct sv real(__attribute__((unused)) void *arg, struct sv path, struct arena *arena)
{
	struct sv at = path_join(SV("/"), path, arena);

	return path_is_inside(at, SV("/w/pro/out"))
		       ? path_join(SV("/h"), sv_skip(at, strlen("/w/pro/out/")), arena)
		       : at;
}

static void list(__attribute__((unused)) void *arg, __attribute__((unused)) struct sv dir,
		 bool (*each)(void *to, struct sv name), void *to)
{
	static const char *const names[] = { "-o", ".env", "a.c", "out", "src" };

	for (size_t i = 0; i < countof(names); i++)
		if (!each(to, sv_cstr(names[i])))
			return;
}

static bool is_directory(__attribute__((unused)) void *arg, struct sv path)
{
	return sv_is(path, "/w/pro") || sv_ends(path, SV("/src"));
}

static struct sv repository(__attribute__((unused)) void *arg,
			    __attribute__((unused)) struct sv dir, enum world_repo *kind,
			    __attribute__((unused)) struct arena *arena)
{
	if (kind)
		*kind = REPO_PLAIN;
	return SV("/w/pro");
}

static bool read_file(__attribute__((unused)) void *arg, __attribute__((unused)) struct sv path,
		      __attribute__((unused)) size_t max, __attribute__((unused)) struct str *out)
{
	return false;
}

static const struct perm_world world = { .real = real,
					 .list = list,
					 .is_directory = is_directory,
					 .repository = repository,
					 .read = read_file };

/* --- questions ------------------------------------------------------------------------------ */

struct input {
	enum perm_mode mode;
	struct sv allow, command;
};

static enum behavior ask(const struct input *in, struct sv command, const char *deny)
{
	defer(perm_policy_clear) struct perm_policy policy = PERM_POLICY_INIT;
	struct perm_request request = { .tool = SV("Bash"),
					.access = ACCESS_RUN,
					.command = command };
	struct err ignored = ERR_INIT;
	struct verdict v;

	policy.mode = in->mode;
	policy.world = &world;
	perm_set_home(&policy, SV("/h"));
	perm_add_dir(&policy, SV("/w/pro"));
	if (!perm_add_rules(&policy, BEHAVIOR_ALLOW, in->allow, &ignored))
		policy.allow.n = 0;
	if (deny)
		BUG_ON(!perm_add_rules(&policy, BEHAVIOR_DENY, sv_cstr(deny), &ignored));
	v = perm_decide(&policy, &request);
	BUG_ON(!v.text[0] || !utf8_valid(sv_cstr(v.text), NULL));
	return v.behavior;
}

static bool is_plain_name(struct sv name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		      c == '_' || c == '-'))
			return false;
	}
	return name.len > 0 && name.len < 100;
}

static void check_denied(const struct input *in, const struct command_analysis *analysis)
{
	for (size_t i = 0; i < min_of(analysis->commands.n, (size_t)8); i++) {
		struct sv name = shell_command_name(&analysis->commands.at[i]);
		defer(str_clear) struct str rule = STR_INIT;

		str_addf(&rule, "Bash(%.*s:*)", SV_ARG(name));
		if (is_plain_name(name))
			BUG_ON(ask(in, in->command, str_c(&rule)) == BEHAVIOR_ALLOW);
	}
}

static void check_wrapped(const struct input *in, enum behavior bare)
{
	static const struct {
		const char *before, *after;
	} wraps[] = { { "( ", "\n)" }, { "{ ", "\n}" } };

	for (size_t i = 0; i < countof(wraps); i++) {
		defer(str_clear) struct str text = STR_INIT;

		str_adds(&text, wraps[i].before);
		str_add(&text, in->command);
		str_adds(&text, wraps[i].after);
		BUG_ON(ask(in, sv_of(&text), NULL) < bare);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sv text = sv_from((const char *)data, size);
	struct command_analysis analysis = COMMAND_ANALYSIS_INIT;
	struct input in;
	enum behavior bare;

	if (size < 2 || size > 4096)
		return 0;
	in.mode = (enum perm_mode)(data[0] % PERM_MODES);
	text = sv_skip(text, 1);
	sv_cut(&text, '\n', &in.allow);
	in.command = text;
	bare = ask(&in, in.command, NULL);
	BUG_ON(ask(&in, in.command, "Bash") != BEHAVIOR_DENY);
	command_analysis_read(&analysis, in.command, SV("/w/pro"), SV("/h"), &world);
	check_denied(&in, &analysis);
	if (!analysis.problem[0] && analysis.commands.n &&
	    sv_find_char(in.command, '\0') == SIZE_MAX)
		check_wrapped(&in, bare);
	command_analysis_clear(&analysis);
	return 0;
}
