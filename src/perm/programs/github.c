/* gh, the client of GitHub. Every call talks to the network and needs a rule. */
#include "perm/program/special.h"

#define GH_NAMES                                                                           \
	"-qtLsaASHBlm= --jq= --template= --json= --limit= --state= --author= --assignee= " \
	"--label= --search= --head= --base= --app= --milestone= --mention="

static const struct option_row gh_view_options[] = {
	{ GH_NAMES " -dc --draft --comments --patch --name-only --color= --required --watch" },
	{ "-w", EFFECT_ESCALATES, RUNS },
};

static const struct program_row gh_pr_subcommands[] = {
	{ "list", OPTIONS_OF(gh_view_options) },   { "view", OPTIONS_OF(gh_view_options) },
	{ "status", OPTIONS_OF(gh_view_options) }, { "diff", OPTIONS_OF(gh_view_options) },
	{ "checks", OPTIONS_OF(gh_view_options) }, { "delete", NAMED, .loses = FINAL },
};

static const struct program_row gh_repo_subcommands[] = {
	{ "list", OPTIONS_OF(gh_view_options) }, { "view", OPTIONS_OF(gh_view_options) },
	{ "archive", NAMED, .loses = FINAL },    { "delete", NAMED, .loses = FINAL },
	{ "edit", NAMED, .loses = FINAL },       { "rename", NAMED, .loses = FINAL },
};

static const struct option_row gh_download_options[] = {
	{ "-pnA= --pattern= --name= --archive=" },
	{ "-DO= --dir= --output=", EFFECT_WRITES },
};

static const struct program_row gh_release_subcommands[] = {
	{ "list", OPTIONS_OF(gh_view_options) },         { "view", OPTIONS_OF(gh_view_options) },
	{ "download", OPTIONS_OF(gh_download_options) }, { "delete", NAMED, .loses = FINAL },
	{ "delete-asset", NAMED, .loses = FINAL },
};

static const struct option_row gh_run_options[] = {
	{ "-wbeujLqtSc= --workflow= --branch= --event= --user= --job= --attempt= --json= --jq= "
	  "--limit= --status= --created= --commit= --log --log-failed --exit-status" },
};

static const struct program_row gh_run_subcommands[] = {
	{ "list", OPTIONS_OF(gh_run_options) },  { "view", OPTIONS_OF(gh_run_options) },
	{ "watch", OPTIONS_OF(gh_run_options) }, { "download", OPTIONS_OF(gh_download_options) },
	{ "delete", NAMED, .loses = FINAL },
};

static const struct program_row gh_subcommands[] = {
	{ "pr", SUBCOMMANDS_OF(gh_pr_subcommands) },
	{ "issue", SUBCOMMANDS_OF(gh_pr_subcommands) },
	{ "repo", SUBCOMMANDS_OF(gh_repo_subcommands) },
	{ "release", SUBCOMMANDS_OF(gh_release_subcommands) },
	{ "run", SUBCOMMANDS_OF(gh_run_subcommands) },
	{ "api", .special = dev_gh_api,
	  OPTIONS({ "-X= --method=", .tag = DEV_METHOD },
		  { "-fF= --field= --raw-field=", .tag = DEV_FIELD },
		  { "--input=", EFFECT_ESCALATES, "changes data" },
		  { "-i -qtHp= --jq= --template= --header= --preview= --cache= --paginate "
		    "--silent --slurp --include --verbose" }) },
	{ "gist", .operands = OPERANDS_READ },
	{ "alias", NAMED, .escalates = REACHES },
	{ "extension", NAMED, .escalates = REACHES },
	{ "ext", NAMED, .escalates = REACHES },
	{ "config", NAMED, .escalates = REACHES },
	{ "browse", NAMED, .escalates = REACHES },
	{ "codespace", NAMED, .escalates = REACHES },
	{ "cs", NAMED, .escalates = REACHES },
	{ "auth", NAMED, .escalates = REACHES },
	{ "secret", NAMED, .escalates = REACHES },
	{ "variable", NAMED, .escalates = REACHES },
	{ "ssh-key", NAMED, .escalates = REACHES },
	{ "gpg-key", NAMED, .escalates = REACHES },
	{ "copilot", NAMED, .escalates = REACHES },
};

static const struct program_row github_rows[] = {
	{ "gh", CLIENT, SUBCOMMANDS_OF(gh_subcommands),
	  OPTIONS({ "-R= --repo=", EFFECT_ESCALATES, "works on another repository",
		    .anywhere = true },
		  { "--web", EFFECT_ESCALATES, RUNS, .anywhere = true },
		  { "--hostname=", EFFECT_ESCALATES, "talks to another host", .anywhere = true },
		  { "-F= --body-file= --notes-file=", EFFECT_READS, .anywhere = true }) },
};

const struct program_table program_table_github = { github_rows, countof(github_rows) };
