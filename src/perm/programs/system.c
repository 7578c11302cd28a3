/* Programs that show or control processes, services, logs and mounts. */
#include "perm/program/special.h"

/* Without a terminal none of these starts a pager. */
static const struct option_row systemctl_look_options[] = {
	{ "-alq -tpno= --all --full --quiet --no-pager --no-legend --plain --user --system "
	  "--type= --property= --lines= --output= --state= --value --failed --recursive "
	  "--reverse --after --before --with-dependencies --show-types --timestamp= --legend=" },
};

static const struct program_row systemctl_subcommands[] = {
	{ "status", LOOKS, OPTIONS_OF(systemctl_look_options) },
	{ "is-active", LOOKS, OPTIONS_OF(systemctl_look_options) },
	{ "is-enabled", LOOKS, OPTIONS_OF(systemctl_look_options) },
	{ "is-failed", LOOKS, OPTIONS_OF(systemctl_look_options) },
	{ "list-units", LOOKS, OPTIONS_OF(systemctl_look_options) },
	{ "list-unit-files", LOOKS, OPTIONS_OF(systemctl_look_options) },
	{ "list-timers", LOOKS, OPTIONS_OF(systemctl_look_options) },
	{ "list-sockets", LOOKS, OPTIONS_OF(systemctl_look_options) },
	{ "list-dependencies", LOOKS, OPTIONS_OF(systemctl_look_options) },
};

static const struct program_row system_rows[] = {
	/* --cursor-file writes, --vacuum-time and the like remove: all that is not listed needs a rule. */
	{ "journalctl", READER | NUMBERS,
	  OPTIONS({ "-aefklmqrxN -bn=? -utpgSUocTF= --all --pager-end --follow --dmesg --full "
		    "--no-full --merge --quiet --reverse --catalog --no-pager --no-tail "
		    "--no-hostname --utc --boot=? --list-boots --lines=? --unit= --user-unit= "
		    "--identifier= --priority= --facility= --grep= --case-sensitive=? --since= "
		    "--until= --output= --output-fields= --cursor= --after-cursor= --show-cursor "
		    "--fields --field= --system --user --disk-usage --header "
		    "--truncate-newline" HELP },
		  { "-iD= --file= --directory=", EFFECT_READS }) },
	{ "killall", TOOL },
	{ "mount", TOOL },
	{ "pkill", TOOL },
	{ "service", TOOL },
	{ "systemctl", TOOL, SUBCOMMANDS_OF(systemctl_subcommands),
	  OPTIONS({ "-HM= --host= --machine= --root= --image=", EFFECT_ESCALATES,
		    "works on another system" },
		  { "-alq --all --full --quiet --no-pager --no-legend --user --system" },
		  { "-tpnos= --type= --property= --lines= --output= --state= --signal= "
		    "--job-mode=" }) },
	{ "umount", TOOL },
};

const struct program_table program_table_system = { system_rows, countof(system_rows) };
