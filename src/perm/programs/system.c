/* Programs that control processes, services and mounts. */
#include "perm/program/special.h"

static const struct program_row system_rows[] = {
	{ "killall", TOOL },
	{ "mount", TOOL },
	{ "pkill", TOOL },
	{ "service", TOOL },
	{ "systemctl", TOOL,
	  OPTIONS({ "-HM= --host= --machine= --root= --image=", EFFECT_ESCALATES,
		    "works on another system" },
		  { "-tpnos= --type= --property= --lines= --output= --state= --signal= "
		    "--job-mode=" }) },
	{ "umount", TOOL },
};

const struct program_table program_table_system = { system_rows, countof(system_rows) };
