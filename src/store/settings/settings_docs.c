/* Generate docs/settings.md from the table of settings. */
#include "store/settings/settings_keys.h"

static const char head[] =
	"# Settings\n"
	"\n"
	"`awl config docs` generates this page from the table in "
	"`src/store/settings/settings_keys.c`.\n"
	"\n"
	"awl reads these settings, highest precedence first:\n"
	"\n"
	"| source | name |\n"
	"|---|---|\n"
	"| `/etc/claude-code/managed-settings.json` and `managed-settings.d/*.json` | policy |\n"
	"| `--managed-settings JSON`, from the program that starts awl; only keys marked "
	"*restricts* | policy |\n"
	"| `--settings FILE` or `--settings JSON` | flag |\n"
	"| `.claude/settings.local.json` at the root of the repository; its worktrees "
	"share the file of the main checkout | local |\n"
	"| `.claude/settings.json` in the directory where awl starts | project |\n"
	"| `~/.claude/settings.json`, or `settings.json` in `$CLAUDE_CONFIG_DIR` | user |\n"
	"\n"
	"Objects and lists from several files are merged. For any other value, the file with the\n"
	"highest precedence wins. Comments and trailing commas are allowed, null means that a key "
	"is "
	"not set,\n"
	"and a blank file is empty. awl skips an invalid element of a list, or member of a map, "
	"and "
	"uses\n"
	"the others. If a file is not JSON, or a whole value has the wrong type, awl uses nothing "
	"from it,\n"
	"and no rule allows anything until the mistake is fixed. `awl config check` lists all "
	"mistakes.\n"
	"\n"
	"Settings from a repository take effect once you trust it. Before that, only keys marked\n"
	"*restricts* apply, because they cannot allow anything, and the rules and directories that "
	"you added\n"
	"with awl, which records them in `awl/approved.json` beside your own settings. The column "
	"*from* says\n"
	"who may set a key: *user* means you, `--settings` or the policy, but never a repository; "
	"*local*\n"
	"adds the local file, once you trust it; *policy* means only the policy; *global* means "
	"`~/.claude.json`.\n"
	"In `env`, a repository cannot set "
	"variables\n"
	"that control where requests go and with which key, that make programs load code, or that "
	"control\n"
	"telemetry.\n"
	"\n"
	"A change of a key marked *live* applies to running sessions at once. A change of any "
	"other key\n"
	"applies to new sessions.\n"
	"\n"
	"When a new version renames a model or moves a key, awl updates your own settings once, "
	"with "
	"one\n"
	"write, and says so.\n"
	"\n"
	"awl accepts and checks every key of the settings it shares with other programs, so their "
	"files work\n"
	"unchanged. The keys in the last section have no effect yet; `awl config list` marks "
	"them.\n";

static const char *const from[] = {
	[SETTING_FROM_ALL] = "",
	[SETTING_FROM_USER] = "user",
	[SETTING_FROM_LOCAL] = "user, local",
	[SETTING_FROM_POLICY] = "policy",
	[SETTING_FROM_GLOBAL] = "global",
};

static const char merged[][25] = {
	[SETTING_MERGED] = "",
	[SETTING_STRONGEST] = "; lists are not merged",
	[SETTING_POLICYS] = "",
	[SETTING_LOWEST] = "",
	[SETTING_TRUE] = "; true in any file wins",
	[SETTING_FALSE] = "; false in any file wins",
};

static void docs_add_row(struct str *out, const struct setting *row)
{
	str_addf(out, "| `%s` | ", row->name);
	setting_expected(out, row);
	str_addf(out, " | %s%s%s | %s%s%s | %s%s%s |\n", *row->fallback ? "`" : "", row->fallback,
		 *row->fallback ? "`" : "", from[row->from],
		 row->from && row->restricts ? ", " : "", row->restricts ? "*restricts*" : "",
		 row->help, merged[row->merge],
		 setting_applies(row) == SETTING_APPLIES_NOW ? " (*live*)" : "");
}

/* Add the rows of a group that have an effect, or those that have none, below `heading`. */
static void docs_add_group(struct str *out, const char *heading, enum setting_group group,
			   bool has_effect)
{
	bool is_empty = true;

	for (size_t i = 0; i < settings_table_size; i++) {
		const struct setting *row = &settings_table[i];

		if (row->group != group ||
		    (setting_applies(row) != SETTING_NO_EFFECT) != has_effect)
			continue;
		if (is_empty)
			str_addf(out,
				 "\n%s %s\n\n| key | value | default | from | meaning |\n"
				 "|---|---|---|---|---|\n",
				 heading, setting_group_title(group));
		is_empty = false;
		docs_add_row(out, row);
	}
}

void settings_docs(struct str *out)
{
	str_adds(out, head);
	for (enum setting_group group = SETTINGS_MODEL; group < SETTINGS_GROUPS; group++)
		docs_add_group(out, "##", group, true);
	str_adds(out, "\n## Keys without effect\n\n"
		      "awl accepts and checks these keys, but ignores them for now.\n");
	for (enum setting_group group = SETTINGS_MODEL; group < SETTINGS_GROUPS; group++)
		docs_add_group(out, "###", group, false);
}
