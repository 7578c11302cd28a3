/* gh, the client of GitHub. Looking at the repository's own pages needs no rule (dev_gh_view). */
#include "perm/program/special.h"

#define GH_NAMES                                                                    \
	"-tLsaASHBlm= --template= --json= --limit= --state= --author= --assignee= " \
	"--label= --search= --head= --base= --app= --milestone= --mention="

static const struct option_row gh_view_options[] = {
	{ GH_NAMES " -dcy --draft --comments --patch --name-only --color= --required --watch "
		   "--fail-fast --interval= --yaml --active --sort= --order= --owner= --language= "
		   "--exclude-drafts --exclude-pre-releases --conflict-status --ref=" HELP },
	{ "-q= --jq=", .tag = DEV_FILTER },
	{ "-w", EFFECT_ESCALATES, RUNS },
};

#define GH_VIEWS(name)                                                           \
	{                                                                        \
		name, LOOKS, .special = dev_gh_view, OPTIONS_OF(gh_view_options) \
	}

static const struct program_row gh_pr_subcommands[] = {
	GH_VIEWS("list"), GH_VIEWS("view"),   GH_VIEWS("status"),
	GH_VIEWS("diff"), GH_VIEWS("checks"), { "delete", NAMED, .loses = FINAL },
};

static const struct program_row gh_repo_subcommands[] = {
	GH_VIEWS("list"),
	GH_VIEWS("view"),
	{ "archive", NAMED, .loses = FINAL },
	{ "clone", .special = dev_gh_clone },
	{ "create", OPTIONS({ "-s= --source=", EFFECT_READS }) },
	{ "delete", NAMED, .loses = FINAL },
	{ "deploy-key", NAMED, .escalates = REACHES },
	{ "edit", NAMED, .loses = FINAL },
	{ "fork", .special = dev_gh_clone },
	{ "rename", NAMED, .loses = FINAL },
};

static const struct option_row gh_download_options[] = {
	{ "-pnA= --pattern= --name= --archive=" },
	{ "-DO= --dir= --output=", EFFECT_WRITES },
};

static const struct option_row gh_upload_options[] = {
	{ "-dp -tn= --draft --prerelease --title= --notes= --target= --discussion-category= "
	  "--notes-start-tag= --generate-notes --latest=? --verify-tag --clobber" },
};

static const struct program_row gh_release_subcommands[] = {
	{ "create", .operands = OPERANDS_TEXT_READ, OPTIONS_OF(gh_upload_options) },
	{ "upload", .operands = OPERANDS_TEXT_READ, OPTIONS_OF(gh_upload_options) },
	GH_VIEWS("list"),
	GH_VIEWS("view"),
	{ "download", OPTIONS_OF(gh_download_options) },
	{ "delete", NAMED, .loses = FINAL },
	{ "delete-asset", NAMED, .loses = FINAL },
};

static const struct option_row gh_run_options[] = {
	{ "-wbeujLtSca= --workflow= --branch= --event= --user= --job= --attempt= --json= "
	  "--limit= --status= --created= --commit= --template= -v --verbose --log --log-failed "
	  "--exit-status --all" HELP },
	{ "-q= --jq=", .tag = DEV_FILTER },
};

static const struct program_row gh_run_subcommands[] = {
	{ "list", LOOKS, .special = dev_gh_view, OPTIONS_OF(gh_run_options) },
	{ "view", LOOKS, .special = dev_gh_view, OPTIONS_OF(gh_run_options) },
	{ "watch", OPTIONS_OF(gh_run_options) },
	{ "download", OPTIONS_OF(gh_download_options) },
	{ "delete", NAMED, .loses = FINAL },
};

static const struct program_row gh_list_subcommands[] = {
	GH_VIEWS("list"),
	GH_VIEWS("view"),
};

static const struct program_row gh_search_subcommands[] = {
	GH_VIEWS("code"), GH_VIEWS("commits"), GH_VIEWS("issues"),
	GH_VIEWS("prs"),  GH_VIEWS("repos"),
};

/* Who is logged in, without the token; --show-token is not listed. */
static const struct option_row gh_auth_options[] = {
	{ "-a --active" HELP },
};

static const struct program_row gh_auth_subcommands[] = {
	{ "status", LOOKS, .special = dev_gh_view, OPTIONS_OF(gh_auth_options) },
	{ "login", NAMED, .escalates = REACHES },
	{ "logout", NAMED, .escalates = REACHES },
	{ "refresh", NAMED, .escalates = REACHES },
	{ "setup-git", NAMED, .escalates = REACHES },
	{ "switch", NAMED, .escalates = REACHES },
	{ "token", NAMED, .escalates = REACHES },
};

static const struct program_row gh_subcommands[] = {
	{ "pr", SUBCOMMANDS_OF(gh_pr_subcommands) },
	{ "issue", SUBCOMMANDS_OF(gh_pr_subcommands) },
	{ "repo", SUBCOMMANDS_OF(gh_repo_subcommands) },
	{ "release", SUBCOMMANDS_OF(gh_release_subcommands) },
	{ "run", SUBCOMMANDS_OF(gh_run_subcommands) },
	{ "workflow", SUBCOMMANDS_OF(gh_list_subcommands) },
	{ "label", SUBCOMMANDS_OF(gh_list_subcommands) },
	{ "search", SUBCOMMANDS_OF(gh_search_subcommands) },
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
	{ "auth", CLOSED, SUBCOMMANDS_OF(gh_auth_subcommands) },
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
