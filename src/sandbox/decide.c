/* Whether a command goes into the sandbox. The text is only cut at the plainest places: what
 * might hide another command is not excluded. */
#include "sandbox/settings.h"

/* --- one simple command, without what stands before it ----------------------------------- */

static struct sv skip_blanks(struct sv s)
{
	while (s.len && (s.ptr[0] == ' ' || s.ptr[0] == '\t'))
		s = sv_skip(s, 1);
	return s;
}

/* The bytes of its first word. No quotes: such a word is nothing that could be peeled. */
static size_t word_length(struct sv s)
{
	size_t n = 0;

	while (n < s.len && s.ptr[n] != ' ' && s.ptr[n] != '\t')
		n++;
	return n;
}

static bool is_name_char(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!first && c >= '0' && c <= '9');
}

static bool is_assignment(struct sv word)
{
	size_t n = 0;

	while (n < word.len && is_name_char(word.ptr[n], n == 0))
		n++;
	return n > 0 && n < word.len && word.ptr[n] == '=' && !memchr(word.ptr, '\'', word.len) &&
	       !memchr(word.ptr, '"', word.len);
}

static const struct {
	struct sv name;
	bool takes_word; /* one more that is no option: "timeout 300" */
} wrappers[] = {
	{ SV_INIT("command"), false }, { SV_INIT("env"), false },    { SV_INIT("nice"), false },
	{ SV_INIT("nohup"), false },   { SV_INIT("stdbuf"), false }, { SV_INIT("time"), false },
	{ SV_INIT("timeout"), true },
};

static struct sv without_word(struct sv s)
{
	return skip_blanks(sv_skip(s, word_length(s)));
}

/* Options with their value in the same word only; others keep the wrapper where it is. */
static struct sv without_options(struct sv s)
{
	while (s.len > 1 && s.ptr[0] == '-')
		s = without_word(s);
	return s;
}

/* One layer less; `s` itself when there is none. */
static struct sv peel(struct sv s)
{
	struct sv word = sv_slice(s, 0, word_length(s));

	if (is_assignment(word))
		return without_word(s);
	for (size_t i = 0; i < countof(wrappers); i++) {
		if (!sv_eq(word, wrappers[i].name))
			continue;
		s = without_options(without_word(s));
		return wrappers[i].takes_word ? without_word(s) : s;
	}
	return s;
}

static bool is_simple_excluded(const struct sandbox_plan *plan, struct sv command,
			       sandbox_match_fn *matches, void *arg)
{
	for (;;) {
		struct sv inner;

		for (size_t i = 0; i < plan->excluded.n; i++)
			if (matches(arg, sv_cstr(plan->excluded.at[i].text), command))
				return true;
		inner = peel(command);
		if (inner.len == command.len || !inner.len)
			return false;
		command = inner;
	}
}

/* --- a command line ------------------------------------------------------------------------ */

/* The next command of it and what divides it from the rest. False where a command might be
 * hidden: in a substitution, a quote that does not end, a group. */
static bool next_command(struct sv *rest, struct sv *command)
{
	char quote = 0;
	size_t n = 0;

	for (; n < rest->len; n++) {
		char c = rest->ptr[n];

		if (c == '`' || (c == '$' && quote != '\'') || c == '\\')
			return false;
		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '\'' || c == '"')
			quote = c;
		else if (c == '(' || c == ')' || c == '{' || c == '}' || c == '#')
			return false;
		else if (c == ';' || c == '|' || c == '&' || c == '\n')
			break;
	}
	*command = sv_trim(sv_slice(*rest, 0, n));
	while (n < rest->len && strchr(";|&\n", rest->ptr[n]))
		n++;
	*rest = sv_skip(*rest, n);
	return !quote;
}

static bool changes_directory(struct sv command)
{
	return sv_starts(command, SV("cd ")) || sv_is(command, "cd");
}

static bool is_excluded(const struct sandbox_plan *plan, struct sv line, sandbox_match_fn *matches,
			void *arg)
{
	bool any = false;
	struct sv command;

	if (!plan->excluded.n || memchr(line.ptr, '\0', line.len))
		return false;
	while (line.len) {
		if (!next_command(&line, &command))
			return false;
		if (!command.len || changes_directory(command))
			continue;
		if (!is_simple_excluded(plan, command, matches, arg))
			return false;
		any = true;
	}
	return any;
}

enum sandbox_answer sandbox_applies(const struct sandbox_plan *plan, struct sv command,
				    bool let_out, sandbox_match_fn *matches, void *arg)
{
	if (!plan->enabled)
		return SANDBOX_OFF;
	if (let_out && plan->allow_unsandboxed)
		return SANDBOX_LET_OUT;
	if (!sv_trim(command).len)
		return SANDBOX_NOTHING;
	return is_excluded(plan, sv_trim(command), matches, arg) ? SANDBOX_EXCLUDED : SANDBOX_HOLDS;
}

/* "docker" is this command; "docker:*" and "docker *" are these words and what follows. */
static bool matches_rule(__attribute__((unused)) void *arg, struct sv pattern, struct sv command)
{
	bool open = sv_ends(pattern, SV(":*")) || sv_ends(pattern, SV(" *"));
	struct sv words = sv_trim(sv_slice(pattern, 0, pattern.len - (open ? 2 : 0)));

	if (!open || !words.len)
		return sv_eq(words, command);
	return sv_starts(command, words) &&
	       (command.len == words.len || command.ptr[words.len] == ' ');
}

const struct sandbox *sandbox_for(const struct sandbox_plan *plan, struct sv command, bool let_out)
{
	if (!plan || sandbox_applies(plan, command, let_out, matches_rule, NULL) != SANDBOX_HOLDS)
		return NULL;
	return &plan->sandbox;
}

bool sandbox_is_enough(const struct sandbox_plan *plan, struct sv command, bool let_out)
{
	bool breaks_rules = plan && plan->is_short && plan->patterns.n;

	return sandbox_for(plan, command, let_out) && plan->auto_allow && !breaks_rules;
}
