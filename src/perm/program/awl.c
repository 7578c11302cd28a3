/* awl itself, and what it stands in for: a session that could allow itself what its user did
 * not is no better than one that writes the settings. */
#include "perm/program/table.h"

enum awl_tag { AWL_NONE, AWL_TELLS, AWL_SHOWS };

/* Only options that let nothing through are listed; any other may be one that does
 * (--permission-mode, --allowedTools, --settings, --input-format), or one whose value hides
 * a subcommand. */
static const struct option_row awl_options[] = {
	{ "-hv --help --version", .tag = AWL_TELLS, .anywhere = true },
	{ "-d --debug=?", .anywhere = true },
	{ "--debug-file=", EFFECT_WRITES, .anywhere = true },
	{ "-p --print --plain --verbose --bare --output-format= --include-partial-messages "
	  "--json-schema= --model= --fallback-model= --effort= --thinking= --system-prompt= "
	  "--append-system-prompt= -n= --name= --max-turns= --max-budget-usd= --max-seconds= "
	  "--no-session-persistence" },
	{ "--system-prompt-file= --append-system-prompt-file=", EFFECT_READS },
};

static const struct option_row config_options[] = {
	{ "--json --scope= --setting-sources=", .anywhere = true },
	{ "--settings=", EFFECT_READS, .anywhere = true },
};

static const struct option_row trust_options[] = {
	{ "--show", .tag = AWL_SHOWS },
};

static const struct option_row why_options[] = {
	{ "--batch --json --mode= --allow= --ask= --deny= --setting-sources=" },
	{ "--settings=", EFFECT_READS },
};

static const struct option_row sandbox_options[] = {
	{ "--report --write= --deny-write= --deny-read= --allow-read= --allow-host= --deny-host= "
	  "--full-network --unix-sockets --max-processes= --max-memory= --max-files= --engine= "
	  "--nested" },
	{ "--bwrap=", EFFECT_RUNS, "runs a program" },
};

static void awl_reads(struct look *look)
{
	look->use->is_awl |= look->strange || look->unclear;
}

static void awl_changes(struct look *look)
{
	look->use->is_awl = true;
	look_acts(look, look->first - 1, look->argv[look->first - 1].text,
		  "changes what awl permits");
}

/* Without an action it lists; with none of the known ones, who knows. */
static void awl_config(struct look *look)
{
	awl_reads(look);
	if (look->operands.n > 0)
		awl_changes(look);
}

static void awl_trust(struct look *look)
{
	awl_reads(look);
	if (!look_seen(look, AWL_SHOWS) && !look_seen(look, AWL_TELLS))
		awl_changes(look);
}

/* A prompt, or whatever is on the input. */
static void awl_session(struct look *look)
{
	awl_reads(look);
	if (look->operands.n > 0 || !look_seen(look, AWL_TELLS))
		look_acts(look, min_of(look->first, look->n - 1), look->argv[0].text,
			  "starts a session");
}

#define TELLS .closed = true, .is_tool = true, .read_only = true, .special = awl_reads

static const struct program_row config_subs[] = {
	{ "list", TELLS, .operands = OPERANDS_NONE },  { "get", TELLS, .operands = OPERANDS_TEXT },
	{ "check", TELLS, .operands = OPERANDS_NONE }, { "path", TELLS, .operands = OPERANDS_NONE },
	{ "docs", TELLS, .operands = OPERANDS_NONE },
};

static const struct program_row awl_subs[] = {
	{ "help", TELLS, .operands = OPERANDS_TEXT },
	{ "doctor", TELLS, .operands = OPERANDS_NONE },
	{ "why", OPTIONS(why_options), TELLS, .operands = OPERANDS_TEXT },
	{ "completion", TELLS, .operands = OPERANDS_TEXT },
	{ "man", TELLS, .operands = OPERANDS_NONE },
	{ "config", OPTIONS(config_options), SUBS(config_subs), .closed = true, .is_tool = true,
	  .read_only = true, .operands = OPERANDS_TEXT, .special = awl_config },
	{ "trust", OPTIONS(trust_options), .closed = true, .is_tool = true, .read_only = true,
	  .operands = OPERANDS_NONE, .special = awl_trust },
	{ "mcp", .is_tool = true, .operands = OPERANDS_TEXT, .special = awl_changes },
	{ "sandbox", OPTIONS(sandbox_options), .closed = true, .is_tool = true,
	  .wraps = WRAPS_APART },
	{ "model-server", .is_tool = true, .operands = OPERANDS_READ,
	  .acts = "answers in place of a model" },
};

static const struct program_row rows[] = {
	{ "awl", OPTIONS(awl_options), SUBS(awl_subs), .is_tool = true, .read_only = true,
	  .operands = OPERANDS_TEXT, .special = awl_session },
	{ "claude", .as = "awl" },
};

const struct program_table program_table_awl = { rows, countof(rows) };
