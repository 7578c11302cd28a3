#include "context/plan_mode.h"

static void plan_mode_add_file(struct str *out, const struct plan_mode *mode)
{
	str_addf(out, "Your plan goes into the file %.*s, the only file that you may write now. ",
		 SV_ARG(mode->file));
	if (mode->has_plan)
		str_adds(out, "It holds an earlier plan, so read it first. Revise it if the user "
			      "still wants the same thing; if this is another task, write a new "
			      "plan over it.");
	else
		str_adds(out, "It does not exist yet: create it with Write, and refine it with "
			      "Edit as you learn more.");
	str_addc(out, '\n');
}

static void plan_mode_add_workflow(struct str *out, const struct plan_mode *mode)
{
	str_adds(out, "How to work:\n"
		      "1. Read the code that the task touches, and look for what exists already "
		      "and can be used.\n");
	str_adds(out, mode->can_ask ? "2. Ask the user with AskUserQuestion about anything that "
				      "only they can decide.\n"
				    : "2. Where the task leaves a choice open, choose, and say so "
				      "in the plan.\n");
	str_adds(out, "3. Write the plan: what changes in which files and in which order, what it "
		      "reuses, and how to check the result. Describe the approach you recommend, "
		      "not all alternatives, and keep it short enough to read in a minute.\n");
	str_addf(out,
		 "4. Call ExitPlanMode. It shows %s to the user and asks for their decision, so do "
		 "not ask for approval in other words. End your turn only with a question or with "
		 "ExitPlanMode.\n",
		 mode->file.len ? "the plan file" : "the plan that you pass to it");
}

void plan_mode_write_start(struct str *out, const struct plan_mode *mode)
{
	bool keeps_file = mode->file.len && mode->can_present;

	if (!mode->can_present) {
		str_adds(out, "Plan mode is on: change nothing. Read what you need, then answer "
			      "with your plan.");
		if (mode->workflow.len)
			str_addf(out, "\n%.*s", SV_ARG(mode->workflow));
		return;
	}
	str_addf(out,
		 "Plan mode is on: the user wants to agree on a plan first. Change nothing yet%s: "
		 "no edits, no commits, no configuration, no command that has an effect. This "
		 "comes before any other instruction to make changes.\n",
		 keeps_file ? ", except the plan file" : "");
	if (keeps_file)
		plan_mode_add_file(out, mode);
	if (mode->workflow.len)
		str_addf(out, "%.*s\n", SV_ARG(mode->workflow));
	else
		plan_mode_add_workflow(out, mode);
}

void plan_mode_write_reminder(struct str *out, const struct plan_mode *mode)
{
	str_adds(out, "Plan mode is still on: change nothing");
	if (mode->file.len && mode->can_present)
		str_addf(out, " but the plan file %.*s", SV_ARG(mode->file));
	str_adds(out, mode->can_present ? ". Present the plan with ExitPlanMode when it is ready."
					: ". Answer with your plan.");
}

void plan_mode_write_end(struct str *out, const struct plan_mode *mode)
{
	str_adds(out, "Plan mode is off: you may make changes again, within your permissions.");
	if (mode->file.len && mode->has_plan)
		str_addf(out, " The plan is in %.*s.", SV_ARG(mode->file));
}
