/* /agents: which agents there are, and which work now. */
#include "base/utf8.h"
#include "core/commands/commands.h"
#include "core/subagents/subagent.h"

/* Cut a text at the end of a word. */
static struct sv commands_agents_cut(struct sv text, size_t max)
{
	struct sv kept = utf8_prefix(text, max);
	size_t blank = kept.len < text.len ? sv_rfind_char(kept, ' ') : SIZE_MAX;

	return blank == SIZE_MAX ? kept : sv_slice(kept, 0, blank);
}

static void commands_agents_add(struct str *out, const struct agent_file *file)
{
	enum { SHOWN = 100 };
	struct sv rest = file->description, line = SV_EMPTY;
	bool is_cut;

	(void)sv_cut_line(&rest, &line);
	is_cut = rest.len || line.len > SHOWN;
	str_addf(out, "  %.*s (%s%s%.*s): %.*s%s\n", SV_ARG(file->name),
		 agent_source_name(file->source), file->model.len ? ", " : "", SV_ARG(file->model),
		 SV_ARG(commands_agents_cut(line, SHOWN)), is_cut ? "…" : "");
}

static void commands_agents_add_running(struct str *out, const struct subagents *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->list.n; i++) {
		const struct subagent *a = all->list.at[i];

		if (!subagent_runs(a))
			continue;
		str_addf(out, "%s  %s %s: %s%s%s\n", n++ ? "" : "At work:\n", a->id,
			 str_c(&a->type), str_c(&a->description), a->last_step.len ? " > " : "",
			 str_c(&a->last_step));
	}
	if (n)
		str_addc(out, '\n');
}

bool commands_agents(struct session *s, __attribute__((unused)) struct sv rest, struct str *out)
{
	const struct agent_list *list = session_agent_list(s, true);

	commands_agents_add_running(out, s->subagents);
	str_adds(out, "Agents that can be started:\n");
	for (size_t i = 0; i < list->files.n; i++)
		commands_agents_add(out, &list->files.at[i]);
	if (settings_only_plugins(s->settings, "agents"))
		str_adds(out, "\nThe policy takes agents only from plugins.\n");
	if (list->notes.len)
		str_addf(out, "\nProblems:\n%s", str_c(&list->notes));
	str_adds(out,
		 "\nA file agents/NAME.md in ~/.claude or in .claude of the project defines one.");
	return true;
}
