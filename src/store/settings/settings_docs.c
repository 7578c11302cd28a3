/* docs/settings.md: the table, for people. */
#include "store/settings/settings_keys.h"

static const char head[] =
	"# Settings\n"
	"\n"
	"This page is made from the table in `src/store/settings/settings_keys.c` by `awl config "
	"docs`.\n"
	"\n"
	"Files, the strongest first:\n"
	"\n"
	"| file | name |\n"
	"|---|---|\n"
	"| `/etc/claude-code/managed-settings.json` and `managed-settings.d/*.json` | policy |\n"
	"| `--managed-settings JSON` of the program that starts awl: keys marked *forbids* alone "
	"| policy |\n"
	"| `--settings FILE` or `--settings JSON` | flag |\n"
	"| `.claude/settings.local.json` at the root of the repository; its work trees share that "
	"of the first checkout | local |\n"
	"| `.claude/settings.json` where awl is started | project |\n"
	"| `~/.claude/settings.json`, or in `$CLAUDE_CONFIG_DIR` | user |\n"
	"\n"
	"Objects are merged, lists united; of anything else the strongest file wins. A file with a "
	"value\nof a wrong type is not used at all: `awl config check` tells where. Comments and "
	"trailing commas\nare fine.\n"
	"\n"
	"What a repository says waits until you trust it, but for keys marked *forbids*, which "
	"only "
	"take\npower away. The column *from* says who may set a key: *user* means you, "
	"`--settings` "
	"or the\npolicy but never a repository, *policy* the policy alone, *global* "
	"`~/.claude.json`. "
	"Of `env` a\nrepository may not set what says where requests go and with what key, what "
	"makes "
	"programs load\ncode, and what telemetry tells.\n"
	"\n"
	"awl accepts and checks every key of the settings it shares with other programs, so that "
	"their\nfiles work unchanged. What is marked *no effect yet* it accepts and checks, but "
	"does "
	"nothing with;\n`awl config list` says so beside such a value.\n";

static const char *const from[] = {
	[SETTING_FROM_ALL] = "",
	[SETTING_FROM_USER] = "user",
	[SETTING_FROM_POLICY] = "policy",
	[SETTING_FROM_GLOBAL] = "global",
};

static const char *const merged[] = {
	[SETTING_MERGED] = "",
	[SETTING_STRONGEST] = "; the strongest file's alone",
	[SETTING_POLICYS] = "",
	[SETTING_LOWEST] = "",
	[SETTING_TRUE] = "; true if any file says so",
	[SETTING_FALSE] = "; false if any file says so",
};

static void docs_add_row(struct str *out, const struct setting *row)
{
	str_addf(out, "| `%s` | ", row->name);
	setting_expected(out, row);
	str_addf(out, " | %s%s%s | %s%s%s | %s%s%s |\n", row->fallback ? "`" : "",
		 row->fallback ? row->fallback : "", row->fallback ? "`" : "", from[row->from],
		 row->from && row->forbids ? ", " : "", row->forbids ? "*forbids*" : "",
		 setting_has_effect(row) ? "" : "*no effect yet:* ", row->help, merged[row->merge]);
}

void settings_docs(struct str *out)
{
	str_adds(out, head);
	for (enum setting_group group = SETTINGS_MODEL; group < SETTINGS_GROUPS; group++) {
		str_addf(out,
			 "\n## %s\n\n| key | value | default | from | what it does |\n"
			 "|---|---|---|---|---|\n",
			 setting_group_title(group));
		for (size_t i = 0; i < settings_table_size; i++)
			if (settings_table[i].group == group)
				docs_add_row(out, &settings_table[i]);
	}
}
