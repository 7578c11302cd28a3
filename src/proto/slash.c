#include "proto/slash.h"

const struct slash_command slash_commands[SLASH_COMMANDS] = {
	[SLASH_ADD_DIR] = { .name = "add-dir",
			    .kind = SLASH_LOCAL,
			    .is_immediate = true,
			    .hint = "[directory]",
			    .help = "Add a working directory, or list them" },
	[SLASH_AGENTS] = { .name = "agents",
			   .kind = SLASH_LOCAL,
			   .is_immediate = true,
			   .help = "List the available agents and those that are working" },
	[SLASH_BACKGROUND] = { .name = "background",
			       .kind = SLASH_FRONT,
			       .aliases = "bg",
			       .hint = "[prompt]",
			       .help = "Continue this session in the background; 'awl attach' "
				       "shows it again",
			       .elsewhere = "run 'awl --bg --resume ID' in a shell" },
	[SLASH_BATCH] = { .name = "batch",
			  .kind = SLASH_PROMPT,
			  .hint = "[change]",
			  .help = "Make a large change with many agents, each in a worktree" },
	[SLASH_BRANCH] = { .name = "branch",
			   .kind = SLASH_FRONT,
			   .hint = "[name]",
			   .help = "Continue in a copy of this session, and leave the original as "
				   "it "
				   "is",
			   .elsewhere = "run 'awl --resume ID --fork-session' in a shell" },
	[SLASH_BTW] = { .name = "btw",
			.kind = SLASH_LOCAL,
			.hint = "<question>",
			.help = "Ask something beside the conversation, which keeps neither the "
				"question nor the answer" },
	[SLASH_BUG] = { .name = "bug",
			.kind = SLASH_LOCAL,
			.is_immediate = true,
			.aliases = "feedback",
			.hint = "[what happened]",
			.help = "Write a report about a problem to a file" },
	[SLASH_CLEAR] = { .name = "clear",
			  .kind = SLASH_LOCAL,
			  .aliases = "new reset",
			  .help = "Start a new conversation" },
	[SLASH_COMPACT] = { .name = "compact",
			    .kind = SLASH_LOCAL,
			    .hint = "[from #N|up to #N] [what to keep]",
			    .help = "Replace the conversation, or a part of it, by a summary" },
	[SLASH_CONFIG] = { .name = "config",
			   .kind = SLASH_LOCAL,
			   .is_immediate = true,
			   .aliases = "settings",
			   .hint = "[key[=value]]",
			   .help = "Show the settings, or change one of yours" },
	[SLASH_CONTEXT] = { .name = "context",
			    .kind = SLASH_LOCAL,
			    .is_immediate = true,
			    .hint = "[messages|show|drop|restore N|cache]",
			    .help = "Show what is sent to the model, or take some of it out" },
	[SLASH_COPY] = { .name = "copy",
			 .kind = SLASH_FRONT,
			 .hint = "[N]",
			 .help = "Copy the last answer, or the Nth last, to the clipboard" },
	[SLASH_DEBUG] = { .name = "debug",
			  .kind = SLASH_PROMPT,
			  .hint = "[problem]",
			  .help = "Find out why awl behaves the way it does" },
	[SLASH_DIFF] = { .name = "diff",
			 .kind = SLASH_LOCAL,
			 .hint = "[turn|session]",
			 .help = "Show what has changed since the last commit, in the last turn "
				 "or in the session" },
	[SLASH_DOCTOR] = { .name = "doctor",
			   .kind = SLASH_LOCAL,
			   .aliases = "checkup",
			   .help = "Check programs, sandbox, settings and trust" },
	[SLASH_EFFORT] = { .name = "effort",
			   .kind = SLASH_LOCAL,
			   .is_immediate = true,
			   .hint = "[level]",
			   .help = "Show or set how hard the model thinks in this session" },
	[SLASH_EXIT] = { .name = "exit",
			 .kind = SLASH_FRONT,
			 .is_immediate = true,
			 .aliases = "quit",
			 .help = "Leave (also the bare words exit and quit, and Ctrl-D)",
			 .elsewhere = "end the input to leave" },
	[SLASH_EXPORT] = { .name = "export",
			   .kind = SLASH_LOCAL,
			   .hint = "[file]",
			   .help = "Show the conversation as Markdown, or write it to a new file" },
	[SLASH_FAST] = { .name = "fast",
			 .kind = SLASH_LOCAL,
			 .is_immediate = true,
			 .hint = "[on|off]",
			 .help = "Show fast mode, or turn it on or off: faster answers at a higher "
				 "price" },
	[SLASH_GOAL] = { .name = "goal",
			 .kind = SLASH_PROMPT,
			 .hint = "[condition]",
			 .help = "Work until a condition is met; show the goal, or remove it with "
				 "'clear'" },
	[SLASH_HELP] = { .name = "help",
			 .kind = SLASH_LOCAL,
			 .is_immediate = true,
			 .help = "List the commands" },
	[SLASH_HOOKS] = { .name = "hooks",
			  .kind = SLASH_LOCAL,
			  .is_immediate = true,
			  .help = "List the hooks" },
	[SLASH_INIT] = { .name = "init",
			 .kind = SLASH_PROMPT,
			 .hint = "[wishes]",
			 .help = "Write or improve the project's AGENTS.md" },
	[SLASH_KEYBINDINGS] = { .name = "keybindings",
				.kind = SLASH_FRONT,
				.help = "Edit the file with your key bindings",
				.elsewhere =
					"edit keybindings.json in your configuration directory" },
	[SLASH_KEYBINDINGS_HELP] = { .name = "keybindings-help",
				     .kind = SLASH_PROMPT,
				     .hint = "[wish]",
				     .help = "Explain or change the keys of the screen" },
	[SLASH_LOGIN] = { .name = "login",
			  .kind = SLASH_LOCAL,
			  .is_immediate = true,
			  .help = "Show which credential is used and how to set one" },
	[SLASH_LOGOUT] = { .name = "logout",
			   .kind = SLASH_LOCAL,
			   .is_immediate = true,
			   .help = "Show where the credential comes from and how to remove it" },
	[SLASH_LOOP] = { .name = "loop",
			 .kind = SLASH_PROMPT,
			 .hint = "[interval] <prompt>",
			 .help = "Run a prompt repeatedly while the session is open" },
	[SLASH_MCP] = { .name = "mcp",
			.kind = SLASH_LOCAL,
			.is_immediate = true,
			.hint = "[tools|log|login|logout|accept|reconnect|enable|disable NAME]",
			.help = "List the MCP servers, or manage one" },
	[SLASH_MEMORY] = { .name = "memory",
			   .kind = SLASH_LOCAL,
			   .is_immediate = true,
			   .hint = "[add project|local|user TEXT]",
			   .help = "List instruction files and memory, or add a line; on the "
				   "screen, edit one" },
	[SLASH_MODEL] = { .name = "model",
			  .kind = SLASH_LOCAL,
			  .is_immediate = true,
			  .hint = "[model]",
			  .help = "Show the model, or choose another one" },
	[SLASH_OUTPUT_STYLE] = { .name = "output-style",
				 .kind = SLASH_LOCAL,
				 .is_immediate = true,
				 .hint = "[style]",
				 .help = "List the output styles, or choose one for this project" },
	[SLASH_PERMISSIONS] = { .name = "permissions",
				.kind = SLASH_LOCAL,
				.is_immediate = true,
				.aliases = "allowed-tools",
				.help = "Show what is allowed, asked about and denied" },
	[SLASH_PLAN] = { .name = "plan",
			 .kind = SLASH_LOCAL,
			 .help = "Turn plan mode on, or show the plan" },
	[SLASH_PLUGIN] = { .name = "plugin",
			   .kind = SLASH_LOCAL,
			   .aliases = "plugins",
			   .hint = "[list|install|enable|disable|uninstall|marketplace ...]",
			   .help = "Manage plugins as 'awl plugin' does" },
	[SLASH_PR_COMMENTS] = { .name = "pr-comments",
				.kind = SLASH_PROMPT,
				.hint = "[PR]",
				.help = "Show the comments on a pull request" },
	[SLASH_RECAP] = { .name = "recap",
			  .kind = SLASH_LOCAL,
			  .help = "Say in a sentence or two where the work stands" },
	[SLASH_REDO] = { .name = "redo",
			 .kind = SLASH_LOCAL,
			 .help = "Take back the last /undo or /rewind" },
	[SLASH_RELOAD_PLUGINS] = { .name = "reload-plugins",
				   .kind = SLASH_LOCAL,
				   .help = "Read the plugins again" },
	[SLASH_RELEASE_NOTES] = { .name = "release-notes",
				  .kind = SLASH_LOCAL,
				  .is_immediate = true,
				  .help = "Show the version and where its changes are listed" },
	[SLASH_REMEMBER] = { .name = "remember",
			     .kind = SLASH_PROMPT,
			     .hint = "[what]",
			     .help = "Remember something for later sessions, or review what is "
				     "remembered" },
	[SLASH_RENAME] = { .name = "rename",
			   .kind = SLASH_LOCAL,
			   .is_immediate = true,
			   .hint = "<name>",
			   .help = "Name this session" },
	[SLASH_RESUME] = { .name = "resume",
			   .kind = SLASH_FRONT,
			   .aliases = "continue",
			   .hint = "[session]",
			   .help = "Continue another session",
			   .elsewhere = "run 'awl --resume ID' in a shell" },
	[SLASH_REVIEW] = { .name = "review",
			   .kind = SLASH_PROMPT,
			   .aliases = "code-review",
			   .hint = "[what]",
			   .help = "Review a pull request, a branch or your changes for bugs" },
	[SLASH_REWIND] = { .name = "rewind",
			   .kind = SLASH_LOCAL,
			   .aliases = "checkpoint",
			   .hint = "[prompt [files|conversation|both]]",
			   .help = "Go back to an earlier prompt: files, conversation or both" },
	[SLASH_SCHEDULE] = { .name = "schedule",
			     .kind = SLASH_PROMPT,
			     .aliases = "routines",
			     .hint = "[what and when]",
			     .help = "List, plan and remove prompts that run later" },
	[SLASH_SANDBOX] = { .name = "sandbox",
			    .kind = SLASH_LOCAL,
			    .is_immediate = true,
			    .help = "Show what commands may do in the sandbox" },
	[SLASH_SECURITY_REVIEW] = { .name = "security-review",
				    .kind = SLASH_PROMPT,
				    .hint = "[what]",
				    .help = "Review a branch or your changes for vulnerabilities" },
	[SLASH_SIMPLIFY] = { .name = "simplify",
			     .kind = SLASH_PROMPT,
			     .hint = "[what]",
			     .help = "Make changed code simpler" },
	[SLASH_SKILLIFY] = { .name = "skillify",
			     .kind = SLASH_PROMPT,
			     .hint = "[what]",
			     .help = "Turn what was just done into a skill" },
	[SLASH_SKILLS] = { .name = "skills",
			   .kind = SLASH_LOCAL,
			   .is_immediate = true,
			   .help = "List the skills and who may use them" },
	[SLASH_STATUS] = { .name = "status",
			   .kind = SLASH_LOCAL,
			   .is_immediate = true,
			   .help = "Show model, credential, directory, session, settings and "
				   "trust" },
	[SLASH_STATUSLINE] = { .name = "statusline",
			       .kind = SLASH_LOCAL,
			       .is_immediate = true,
			       .help = "Show the command of the status line" },
	[SLASH_STUCK] = { .name = "stuck",
			  .kind = SLASH_PROMPT,
			  .hint = "[process]",
			  .help = "Find out why a process hangs" },
	[SLASH_TASKS] = { .name = "tasks",
			  .kind = SLASH_LOCAL,
			  .is_immediate = true,
			  .aliases = "bashes",
			  .help = "List the commands and agents in the background" },
	[SLASH_THEME] = { .name = "theme",
			  .kind = SLASH_FRONT,
			  .hint = "[name]",
			  .help = "Choose the colours of the screen" },
	[SLASH_TODOS] = { .name = "todos",
			  .kind = SLASH_LOCAL,
			  .is_immediate = true,
			  .help = "Show the to-do list" },
	[SLASH_UNDO] = { .name = "undo",
			 .kind = SLASH_LOCAL,
			 .hint = "[force]",
			 .help = "Undo what the last prompt changed in files" },
	[SLASH_UPDATE_CONFIG] = { .name = "update-config",
				  .kind = SLASH_PROMPT,
				  .hint = "[wish]",
				  .help = "Change settings, permissions and hooks" },
	[SLASH_USAGE] = { .name = "usage",
			  .kind = SLASH_LOCAL,
			  .is_immediate = true,
			  .aliases = "cost stats",
			  .help = "Show the tokens, time and cost of this session" },
	[SLASH_VERIFY] = { .name = "verify",
			   .kind = SLASH_PROMPT,
			   .hint = "[what]",
			   .help = "Prove that a change works by using it" },
	[SLASH_VIM] = { .name = "vim", .kind = SLASH_FRONT, .help = "Turn vim's keys on or off" },
};

/* Commands of other agents, and what to do instead. */
static const struct slash_absent {
	char name[24], instead[88];
} slash_absent[] = {
	{ "cd", "type !cd DIRECTORY, or start awl there" },
	{ "fork", "run 'awl --bg --resume ID --fork-session' in a shell, or type /branch" },
	{ "ide", "run awl in the terminal of the editor" },
	{ "install-github-app", "run 'awl -p' in a workflow" },
	{ "reload-skills", "awl reads changed commands and skills automatically" },
	{ "terminal-setup", "Ctrl-J or a backslash before Enter begins a new line everywhere" },
	{ "upgrade", "update awl as you installed it" },
};

enum slash_id slash_id(const struct slash_command *command)
{
	return (enum slash_id)(command - slash_commands);
}

static bool slash_is_called(const struct slash_command *command, struct sv name)
{
	struct sv rest = sv_cstr(command->aliases), alias;

	if (sv_is(name, command->name))
		return true;
	while (rest.len && sv_cut(&rest, ' ', &alias))
		if (sv_eq(alias, name))
			return true;
	return false;
}

const struct slash_command *slash_find(struct sv name)
{
	for (size_t i = 0; name.len && i < SLASH_COMMANDS; i++)
		if (slash_is_called(&slash_commands[i], name))
			return &slash_commands[i];
	return NULL;
}

const char *slash_instead(struct sv name)
{
	for (size_t i = 0; i < countof(slash_absent); i++)
		if (sv_is(name, slash_absent[i].name))
			return slash_absent[i].instead;
	return NULL;
}

void slash_describe(struct str *out, struct sv name, struct sv hint, struct sv help)
{
	enum { COLUMN = 24 };
	size_t start = out->len, used;

	str_addf(out, "/%.*s", SV_ARG(name));
	if (hint.len)
		str_addf(out, " %.*s", SV_ARG(hint));
	used = out->len - start;
	str_addf(out, "%*s%.*s", used < COLUMN ? (int)(COLUMN - used) : 2, "", SV_ARG(help));
}

/* --- the tables of docs/commands.md -------------------------------------------------------- */

static void slash_write_row(struct str *out, const struct slash_command *command)
{
	struct sv rest = sv_cstr(command->aliases), alias;

	str_addf(out, "| `/%s%s", command->name, command->hint[0] ? " " : "");
	for (const char *c = command->hint; *c; c++)
		str_addf(out, "%s%c", *c == '|' ? "\\" : "", *c); /* a bare | would end the cell */
	str_addc(out, '`');
	while (rest.len && sv_cut(&rest, ' ', &alias))
		str_addf(out, ", `/%.*s`", SV_ARG(alias));
	str_addf(out, " | %s%s |\n", command->help,
		 command->kind == SLASH_LOCAL && !command->is_immediate ? " (waits for the turn)"
									: "");
}

static void slash_write_kind(struct str *out, enum slash_kind kind, const char *title)
{
	str_addf(out, "\n%s\n\n| command | what it does |\n|---|---|\n", title);
	for (size_t i = 0; i < SLASH_COMMANDS; i++)
		if (slash_commands[i].kind == kind)
			slash_write_row(out, &slash_commands[i]);
}

void slash_write_docs(struct str *out)
{
	slash_write_kind(out, SLASH_LOCAL, "awl answers these itself, without the model:");
	slash_write_kind(out, SLASH_PROMPT,
			 "These become a prompt, with what you type after the name:");
	slash_write_kind(out, SLASH_FRONT,
			 "These need the screen at a terminal; hosts do not see them:");
	str_adds(out, "\nawl does not support these yet, and names an alternative:\n\n"
		      "| command | instead |\n|---|---|\n");
	for (size_t i = 0; i < countof(slash_absent); i++)
		str_addf(out, "| `/%s` | %s |\n", slash_absent[i].name, slash_absent[i].instead);
}
