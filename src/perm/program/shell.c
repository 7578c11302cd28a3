/* Shells, and the builtins that make the running shell read more text. A text can only be
 * analysed when it is known, and can only allow anything when the shell reads it as bash does. */
#include "perm/program/special.h"

/* Whether a plain sh reads the script as bash does. It does not know $'..' and $[..], and reads
 * (( )) and [[ ]] as commands. */
static bool shell_is_same_in_sh(struct sv script)
{
	for (size_t i = 0; i + 1 < script.len; i++) {
		struct sv two = sv_slice(script, i, i + 2);
		bool in_dollar = i > 0 && script.ptr[i - 1] == '$';

		if (sv_is(two, "$'") || sv_is(two, "$[") || sv_is(two, "[[") ||
		    (sv_is(two, "((") && !in_dollar))
			return false;
	}
	return true;
}

bool shell_is_harmless_mode(struct sv name)
{
	return sv_is(name, "errexit") || sv_is(name, "nounset") || sv_is(name, "pipefail");
}

static void shell_check_modes(struct invocation *inv)
{
	for (size_t i = 0; i < inv->options.n; i++) {
		const struct given_option *option = &inv->options.at[i];

		if (option->row->tag == SHELL_MODE &&
		    !(option->known && shell_is_harmless_mode(option->value)))
			inv_escalates(inv, option->arg, SV("-o"), "changes how commands are run");
	}
}

static void shell_run_text(struct invocation *inv, bool is_bash_syntax)
{
	const struct argument *text;
	struct inner_command *inner;

	shell_check_modes(inv);
	if (!inv_option(inv, SHELL_TEXT) || inv->operands.n == 0)
		return;
	text = &inv->argv[inv->operands.at[0]];
	if (!text->known)
		return;
	inner = inv_runs_script(inv, text->text);
	inner->is_transparent = is_bash_syntax && !inv->use->escalates && !inv->unclear;
}

static bool shell_is_transparent(struct invocation *inv)
{
	return inv->use->inner.n > 0 && inv->use->inner.at[0].is_transparent;
}

void shell_bash(struct invocation *inv)
{
	shell_run_text(inv, true);
	inv->changes |= !shell_is_transparent(inv);
}

void shell_sh(struct invocation *inv)
{
	shell_run_text(inv, inv->operands.n > 0 &&
				    shell_is_same_in_sh(inv->argv[inv->operands.at[0]].text));
	inv->changes |= !shell_is_transparent(inv);
}

/* The text has another syntax: a command found in it can be denied, never allowed. */
void shell_other(struct invocation *inv)
{
	shell_run_text(inv, false);
}

void shell_eval(struct invocation *inv)
{
	size_t from = inv->n > 1 && sv_is(inv->argv[1].text, "--") ? 2 : 1;
	struct sv script;

	if (inv->n > from && inv_join(inv, from, inv->n, &script))
		inv_runs_script(inv, script);
}
