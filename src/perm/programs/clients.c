/* Clients of clusters, clouds and databases, converters, and version control other than git: a rule
 * for `helm list` or `psql -h db.example` means that cluster and that server, and no program of the
 * project. Each row lists the options that lead elsewhere or run something. */
#include "perm/program/special.h"

#define ANOTHER_HOST "talks to another host"

static const struct program_row aws_s3_subcommands[] = {
	{ "cp", RECURSIVE, .special = network_scp },
	{ "mv", RECURSIVE, .special = network_scp },
	{ "sync", RECURSIVE, .special = network_scp },
};

/* A profile may name a program that logs in. */
static const struct program_row aws_configure_subcommands[] = {
	{ "list" },
	{ "list-profiles" },
};

static const struct program_row aws_subcommands[] = {
	{ "configure", CLOSED, SUBCOMMANDS_OF(aws_configure_subcommands) },
	{ "s3", SUBCOMMANDS_OF(aws_s3_subcommands) },
};

static const struct program_row helm_subcommands[] = {
	{ "plugin", NAMED, .escalates = REACHES },
	{ "repo", NAMED, .escalates = REACHES },
	{ "registry", NAMED, .escalates = REACHES },
	{ "uninstall", NAMED, .loses = "deletes a release from the cluster" },
};

static const struct option_row terraform_options[] = {
	{ "-chdir=", EFFECT_ESCALATES, LEAVES },
	{ "-from-module= -plugin-dir=", EFFECT_ESCALATES, LOADS, .anywhere = true },
	{ "-destroy", EFFECT_LOSES_NAMED, "destroys infrastructure", .anywhere = true },
	{ "-out= -state-out= -backup= -generate-config-out=", EFFECT_WRITES, .anywhere = true },
	{ "-state= -var-file=", EFFECT_READS, .anywhere = true },
	{ "-var= -target= -replace= -parallelism= -lock-timeout= -backend-config=",
	  .anywhere = true },
};

static const struct program_row terraform_subcommands[] = {
	{ "destroy", NAMED, .loses = "destroys infrastructure" },
};

static const struct option_row mysql_options[] = {
	{ "-h= -P= -S= --host= --port= --socket= --protocol=", EFFECT_LEADS },
	{ "-e= --execute=", .tag = DATABASE_TEXT },
	{ "--defaults-file= --defaults-extra-file= --defaults-group-suffix= --login-path= "
	  "--plugin-dir= --default-auth=",
	  EFFECT_ESCALATES, CONFIGURES },
	{ "--pager=?", EFFECT_ESCALATES, RUNS },
	{ "--tee=", EFFECT_WRITES },
	{ "-BNstvEH -u= -p=? -D= --user= --password=? --database= --batch --table --silent" },
};

static const struct program_row clients_rows[] = {
	{ "aws", CLIENT | ANY_FILES, SUBCOMMANDS_OF(aws_subcommands),
	  OPTIONS({ "--endpoint-url= --ca-bundle= --no-verify-ssl", EFFECT_ESCALATES, ANOTHER_HOST,
		    .anywhere = true },
		  { "--profile= --region= --output= --query=", .anywhere = true }) },
	{ "gcloud", CLIENT | ANY_FILES,
	  OPTIONS({ "--configuration= --flags-file= --access-token-file= "
		    "--impersonate-service-account=",
		    EFFECT_ESCALATES, CONFIGURES, .anywhere = true },
		  { "--project= --account= --format= --filter=", .anywhere = true }) },
	{ "helm", CLIENT | ANY_FILES, SUBCOMMANDS_OF(helm_subcommands),
	  OPTIONS({ "--kubeconfig=", EFFECT_LOADS, "may run a program that the file names",
		    .anywhere = true },
		  { "--kube-apiserver= --kube-token= --kube-as-user= --kube-as-group= "
		    "--kube-ca-file= --kube-insecure-skip-tls-verify=? --kube-tls-server-name= "
		    "--repository-config= --registry-config=",
		    EFFECT_ESCALATES, "reaches another cluster or acts as somebody else",
		    .anywhere = true },
		  { "--post-renderer= --post-renderer-args=", EFFECT_RUNS, .anywhere = true },
		  { "-f= --values=", EFFECT_READS, .anywhere = true },
		  { "-n= --namespace= --kube-context=", .anywhere = true }) },
	{ "hg", TOOL | ANY_FILES,
	  OPTIONS({ "--config=", EFFECT_ESCALATES, CONFIGURES, .anywhere = true },
		  { "-R= --repository= --cwd=", EFFECT_ESCALATES, LEAVES, .anywhere = true }) },
	{ "mariadb", .alias_of = "mysql" },
	{ "mysql", CLIENT | ANY_FILES, .special = database_mysql, OPTIONS_OF(mysql_options) },
	{ "pandoc", TOOL | ANY_FILES, OPERANDS_READ,
	  OPTIONS({ "-FL= --filter= --lua-filter= --pdf-engine= --pdf-engine-opt=",
		    EFFECT_ESCALATES, RUNS },
		  { "-d= --defaults= --data-dir= --syntax-definition= --template=",
		    EFFECT_ESCALATES, CONFIGURES },
		  { "-o= --output= --log= --extract-media=", EFFECT_WRITES },
		  { "-HBA= --include-in-header= --include-before-body= --include-after-body= "
		    "--metadata-file= --bibliography= --csl= --reference-doc= --css= -c=",
		    EFFECT_READS },
		  { "-frtwVM= --from= --read= --to= --write= --variable= --metadata= --wrap= "
		    "--columns=" }) },
	{ "psql", CLIENT | ANY_FILES, .special = database_psql,
	  OPTIONS({ "-hp= --host= --port=", EFFECT_LEADS },
		  { "-d= --dbname=", .tag = DATABASE_NAME },
		  { "-c= --command=", .tag = DATABASE_TEXT },
		  { "-f= --file=", EFFECT_LOADS, "runs the commands of a file" },
		  { "-oL= --output= --log-file=", EFFECT_WRITES },
		  { "-AaEeHlnqsStwWxXz01 -FPRTUv= --field-separator= --pset= --username= --set= "
		    "--variable= --record-separator= --table-attr=" }) },
	{ "redis-cli", CLIENT | ANY_FILES,
	  OPTIONS({ "-hpsu=", EFFECT_LEADS },
		  { "--eval=", EFFECT_LOADS, "runs the commands of a file" },
		  { "--rdb= --functions-rdb=", EFFECT_WRITES }, { "-andirDt=" }) },
	{ "sqlite3", ONE_DASH_LONG | ANY_FILES, .special = database_sqlite,
	  OPTIONS({ "-init=", EFFECT_LOADS, "runs the commands of a file" },
		  { "-cmd=", .tag = DATABASE_TEXT },
		  { "-separator= -nullvalue= -newline= -maxsize= -mmap= -vfs= -lookaside= "
		    "-pagecache=" }) },
	{ "svn", CLIENT | ANY_FILES,
	  OPTIONS({ "--config-option= --config-dir=", EFFECT_ESCALATES, CONFIGURES,
		    .anywhere = true },
		  { "--diff-cmd= --diff3-cmd= --editor-cmd=", EFFECT_RUNS, .anywhere = true }) },
	{ "terraform", ONE_DASH_LONG | ANY_FILES, SUBCOMMANDS_OF(terraform_subcommands),
	  OPTIONS_OF(terraform_options) },
	{ "tofu", .alias_of = "terraform" },
};

const struct program_table program_table_clients = { clients_rows, countof(clients_rows) };
