/* awl itself, and claude, whose settings it shares. A session must not be able to allow itself
 * anything: every subcommand that changes what is allowed asks the user. */
#include "perm/program/special.h"

static const struct program_row config_subcommands[] = {
	{ "list", READER, OPERANDS_NONE, .special = awl_reads },
	{ "get", READER, .special = awl_reads },
	{ "check", READER, OPERANDS_NONE, .special = awl_reads },
	{ "path", READER, OPERANDS_NONE, .special = awl_reads },
	{ "docs", READER, OPERANDS_NONE, .special = awl_reads },
};

static const struct program_row awl_subcommands[] = {
	{ "help", READER, .special = awl_reads },
	{ "doctor", CLOSED_TOOL | NETWORK, OPERANDS_NONE, .special = awl_reads,
	  OPTIONS({ "--offline" }) },
	{ "why", READER, .special = awl_reads,
	  OPTIONS({ "--batch --json --mode= --allow= --ask= --deny= --setting-sources=" },
		  { "--settings=", EFFECT_READS }) },
	{ "completion", READER, .special = awl_reads },
	{ "man", READER, OPERANDS_NONE, .special = awl_reads },
	{ "config", READER, .special = awl_config, SUBCOMMANDS_OF(config_subcommands),
	  OPTIONS({ "--json --scope= --setting-sources=", .anywhere = true },
		  { "--settings=", EFFECT_READS, .anywhere = true }) },
	{ "trust", READER, OPERANDS_NONE, .special = awl_trust,
	  OPTIONS({ "--show", .tag = AWL_SHOWS }) },
	{ "mcp", TOOL, .special = awl_changes },
	{ "sandbox", CLOSED_TOOL, .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "--report --write= --deny-write= --deny-read= --allow-read= --allow-host= "
		    "--deny-host= --full-network --unix-sockets --max-processes= --max-memory= "
		    "--max-files= --engine= --nested" },
		  { "--bwrap=", EFFECT_RUNS, RUNS }) },
	{ "model-server", TOOL, OPERANDS_READ, .escalates = "acts as a model" },
};

static const struct program_row awl_rows[] = {
	/* Only options that allow nothing are listed; any other may be one that does
	 * (--permission-mode, --allowedTools, --settings, --input-format), or may take a
	 * subcommand as its value. */
	{ "awl", READ_ONLY | TOOL, .special = awl_session, SUBCOMMANDS_OF(awl_subcommands),
	  OPTIONS({ "-hv --help --version", .tag = AWL_INFORMS, .anywhere = true },
		  { "-d --debug=?", .anywhere = true },
		  { "--debug-file=", EFFECT_WRITES, .anywhere = true },
		  { "-p --print --plain --verbose --bare --output-format= "
		    "--include-partial-messages --json-schema= --model= --fallback-model= "
		    "--effort= --thinking= --system-prompt= --append-system-prompt= -n= --name= "
		    "--max-turns= --max-budget-usd= --max-seconds= --no-session-persistence" },
		  { "--system-prompt-file= --append-system-prompt-file=", EFFECT_READS }) },
	{ "claude", .alias_of = "awl" },
};

const struct program_table program_table_awl = { awl_rows, countof(awl_rows) };
