/* Package managers. A subcommand that is like most others of its program has no row. */
#include "perm/program/special.h"

static const struct option_row npx_options[] = {
	{ "-yq --yes --no --no-install --quiet --ignore-existing" },
	{ "-c= --call=", EFFECT_SCRIPT },
	{ "-p= --package=", EFFECT_ESCALATES, LOADS },
	{ "-n= --node-arg= --node-options= --shell= --script-shell=", EFFECT_ESCALATES, RUNS },
	{ "--userconfig= --registry= --prefix=", EFFECT_ESCALATES, CONFIGURES },
};

/* Not even `ls` only reads: npm looks for updates of itself on the server that the project's .npmrc names, and sends
 * it what that file takes from the environment. With corepack, pnpm and yarn are programs that the project chooses. */
static const struct program_row npm_subcommands[] = {
	{ "install", .special = dev_packages },
	{ "i", .special = dev_packages },
	{ "add", .special = dev_packages },
	{ "unpublish", NETWORK | NAMED, .loses = FINAL },
	{ "exec", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(npx_options) },
	{ "x", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(npx_options) },
	{ "dlx", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(npx_options) },
	{ "node", NAMED, .escalates = REACHES },
	{ "explore", NAMED, .escalates = REACHES },
	{ "init", NAMED, .escalates = REACHES },
	{ "create", NAMED, .escalates = REACHES },
	{ "config", NAMED, .escalates = REACHES },
	{ "set", NAMED, .escalates = REACHES },
	{ "edit", NAMED, .escalates = REACHES },
	{ "plugin", NAMED, .escalates = REACHES },
};

static const char npm_other_names[] =
	"access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs "
	"doctor edit exec explain explore find-dupes fund get help help-search init install "
	"install-ci-test install-test link login logout ls org outdated owner pack ping pkg prefix "
	"profile prune publish query rebuild repo restart root run search set shrinkwrap star "
	"stars "
	"start stop team test token undeprecate uninstall unpublish unstar update version view "
	"whoami "
	"add=install author=owner c=config cit=install-ci-test clean-install=ci create=init "
	"ddp=dedupe dist-tags=dist-tag find=search hlep=help home=docs i=install in=install "
	"info=view innit=init ins=install inst=install isntall=install issues=bugs it=install-test "
	"la=ls ln=link list=ls ll=ls ogr=org r=uninstall rb=rebuild remove=uninstall rm=uninstall "
	"rum=run run-script=run s=search se=search show=view sit=install-ci-test t=test tst=test "
	"un=uninstall unlink=uninstall up=update upgrade=update udpate=update urn=run v=view "
	"verison=version why=explain x=exec";

static const char bundle_other_names[] =
	"add binstubs cache check clean config console doctor exec gem help info init inject "
	"install "
	"licenses list lock open outdated package platform plugin pristine remove show update viz "
	"e=exec i=install ex=exec";

static const struct program_row bun_subcommands[] = {
	{ "add", .special = dev_packages },
	{ "x", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(npx_options) },
	{ "exec", NAMED, .escalates = REACHES },
	{ "create", NAMED, .escalates = REACHES },
	{ "init", NAMED, .escalates = REACHES },
};

static const struct option_row pip_install_options[] = {
	{ "-if=", EFFECT_ESCALATES, LOADS },
};

static const struct program_row pip_subcommands[] = {
	{ "install", .special = dev_pip, OPTIONS_OF(pip_install_options) },
	{ "download", .special = dev_pip, OPTIONS_OF(pip_install_options) },
	{ "wheel", .special = dev_pip, OPTIONS_OF(pip_install_options) },
	{ "config", NAMED, .escalates = REACHES },
};

/* Only of pip itself: uv and others ask the interpreter that they find in the project. */
static const struct program_row pip_own_subcommands[] = {
	{ "install", .special = dev_pip, OPTIONS_OF(pip_install_options) },
	{ "download", .special = dev_pip, OPTIONS_OF(pip_install_options) },
	{ "wheel", .special = dev_pip, OPTIONS_OF(pip_install_options) },
	{ "config", NAMED, .escalates = REACHES },
	{ "list", LOOKS,
	  OPTIONS({ "-lvq --local --user --verbose --quiet --format= --not-required "
		    "--disable-pip-version-check --no-color --no-input --include-editable "
		    "--exclude-editable --exclude= --editable -e" },
		  { "-ou --outdated --uptodate", EFFECT_CHANGES }) },
	{ "show", LOOKS,
	  OPTIONS({ "-fvq --files --verbose --quiet --disable-pip-version-check --no-color "
		    "--no-input" }) },
};

static const struct option_row pip_options[] = {
	{ "--index-url= --pypi-url= --extra-index-url= --find-links= --trusted-host= --index= "
	  "--default-index= --proxy=",
	  EFFECT_ESCALATES, LOADS, .anywhere = true },
	{ "--config-settings= --global-option= --install-option= --build-option= --python=",
	  EFFECT_ESCALATES, RUNS, .anywhere = true },
	{ "-rce= --requirement= --constraint= --editable=", EFFECT_READS, .anywhere = true,
	  .tag = DEV_MANIFEST },
	{ "--cert= --client-cert=", EFFECT_READS, .anywhere = true },
	{ "-td= --target= --prefix= --root= --dest= --log= --src= --report= --cache-dir=",
	  EFFECT_WRITES, .anywhere = true },
	{ "--pre --format= --timeout= --retries= --platform= --only-binary= --no-binary=",
	  .anywhere = true },
};

static const struct program_row uv_subcommands[] = {
	{ "run", .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "--with= --with-editable= --with-requirements= -w= --from=", EFFECT_ESCALATES,
		    LOADS },
		  { "--extra= --group= --package= --only-group= --no-group=" },
		  { "-p=", EFFECT_ESCALATES, RUNS }) },
	{ "pip", SUBCOMMANDS_OF(pip_subcommands), OPTIONS_OF(pip_options) },
	{ "add", .special = dev_pip },
	{ "publish", NETWORK },
	{ "tool", NAMED, .escalates = REACHES },
	{ "config", NAMED, .escalates = REACHES },
	{ "self", NAMED, .escalates = REACHES },
};

static const struct program_row bundle_subcommands[] = {
	{ "exec", .wraps = WRAPS_OPAQUE },
	{ "config", NAMED, .escalates = REACHES },
};

static const struct program_row packages_rows[] = {
	{ "apt", CLIENT,
	  OPTIONS({ "-oc= --option= --config-file=", EFFECT_ESCALATES,
		    "changes settings, which may run programs" },
		  { "-t= --target-release= --default-release=" }) },
	{ "apt-get", .alias_of = "apt" },
	{ "brew", CLIENT },
	{ "bun", SUBCOMMANDS_OF(bun_subcommands),
	  OPTIONS({ "-r= --preload= --require= --import= -ep= --eval= --print= -l= --loader= -d= "
		    "--define= --tsconfig-override= --plugin=",
		    EFFECT_ESCALATES, LOADS, .anywhere = true },
		  { "--shell=", EFFECT_ESCALATES, RUNS, .anywhere = true },
		  { "--config=? -c=? --env-file= --registry=", EFFECT_ESCALATES, CONFIGURES,
		    .anywhere = true },
		  { "--cwd=", EFFECT_ESCALATES, LEAVES, .anywhere = true },
		  { "--filter= --timeout= -t= --test-name-pattern= --rerun-each= --bail=?",
		    .anywhere = true }) },
	{ "bundle", .other_names = bundle_other_names, SUBCOMMANDS_OF(bundle_subcommands) },
	{ "bunx", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(npx_options) },
	{ "dnf", CLIENT },
	{ "npm", .special = dev_npm, .other_names = npm_other_names,
	  SUBCOMMANDS_OF(npm_subcommands),
	  OPTIONS({ "--script-shell= --shell= --node-options= --git= --editor= --viewer= "
		    "--browser=? --onload-script= --init-module= --node-gyp=",
		    EFFECT_ESCALATES, RUNS, .anywhere = true },
		  { "--userconfig= --globalconfig= --registry= --use-yarnrc=", EFFECT_ESCALATES,
		    CONFIGURES, .anywhere = true },
		  { "-C= --prefix= --dir= --cwd=", EFFECT_ESCALATES, LEAVES, .anywhere = true },
		  { "-g --global --location=", EFFECT_ESCALATES, "affects all projects",
		    .anywhere = true },
		  { "-w= --workspace= --loglevel= --tag= --otp= --omit= --include= --filter= -F= "
		    "--access= --depth= --cache=",
		    .anywhere = true }) },
	{ "npx", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(npx_options) },
	{ "pdm", .alias_of = "uv" },
	{ "pip", SUBCOMMANDS_OF(pip_own_subcommands), OPTIONS_OF(pip_options) },
	{ "pip3", .alias_of = "pip" },
	{ "pipenv", .alias_of = "uv" },
	{ "pnpm", .alias_of = "npm" },
	{ "pnpx", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(npx_options) },
	{ "poetry", .alias_of = "uv" },
	{ "uv", SUBCOMMANDS_OF(uv_subcommands),
	  OPTIONS({ "--index-url= --extra-index-url= --default-index= --index= --find-links= "
		    "--allow-insecure-host=",
		    EFFECT_ESCALATES, LOADS, .anywhere = true },
		  { "--config-file= --env-file=", EFFECT_ESCALATES, CONFIGURES, .anywhere = true },
		  { "--directory= --project= -C= --python=", EFFECT_ESCALATES, LEAVES,
		    .anywhere = true }) },
	{ "uvx", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(npx_options) },
	{ "yarn", .alias_of = "npm" },
	{ "yum", CLIENT },
};

const struct program_table program_table_packages = { packages_rows, countof(packages_rows) };
