/* Containers. Listing them needs no rule; a rule for running one must spell the options that
 * give it files or rights of this machine. */
#include "perm/program/special.h"

static const struct option_row docker_list_options[] = {
	{ "-aqlstg -fn= --all --quiet --latest --size --no-trunc --digests --tree --filter= "
	  "--last= --format= --type= --since= --until= --timestamps --tail= --details --human=? "
	  "--volumes --platform=" },
};

/* Here -f follows, and -n is a number of lines. */
static const struct option_row docker_logs_options[] = {
	{ "-ft -n= --follow --timestamps --tail= --since= --until= --details" },
};

static const struct option_row docker_inspect_options[] = {
	{ "-sv -f= --format= --size --type= --verbose --platform=" },
};

static const struct option_row docker_run_options[] = {
	{ "-v= --volume= --mount= --volumes-from= --device= --tmpfs=", EFFECT_ESCALATES,
	  "gives the container files of this machine" },
	{ "--privileged --cap-add= --security-opt= --pid= --ipc= --userns= --uts= --cgroupns= "
	  "--network= --net= --gpus= --group-add= --cgroup-parent= --runtime= --add-host=",
	  EFFECT_ESCALATES, "weakens the isolation of the container" },
	{ "-p= -P --publish= --publish-all", EFFECT_ESCALATES, "opens a port" },
	{ "--env-file= --label-file=", EFFECT_READS },
	{ "--cidfile=", EFFECT_WRITES },
	{ "-ditq -ehlumwc= --detach --interactive --tty --rm --init --env= --hostname= --label= "
	  "--user= --memory= --workdir= --name= --entrypoint= --platform= --pull= --restart= "
	  "--cpus= --shm-size= --ulimit= --stop-signal= --read-only" },
};

static const struct program_row docker_object_subcommands[] = {
	{ "ls", LOOKS, OPTIONS_OF(docker_list_options) },
	{ "list", LOOKS, OPTIONS_OF(docker_list_options) },
	{ "ps", LOOKS, OPTIONS_OF(docker_list_options) },
	{ "inspect", LOOKS, OPTIONS_OF(docker_inspect_options) },
	{ "logs", LOOKS, OPTIONS_OF(docker_logs_options) },
	{ "history", LOOKS, OPTIONS_OF(docker_list_options) },
	{ "run", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(docker_run_options) },
	{ "create", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(docker_run_options) },
	{ "exec", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(docker_run_options) },
	{ "rm", NAMED, .loses = FINAL },
	{ "prune", NAMED, .loses = FINAL },
	{ "remove", NAMED, .loses = FINAL },
};

static const struct program_row compose_subcommands[] = {
	{ "rm", NAMED, .loses = FINAL, .special = dev_compose },
	{ "run", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(docker_run_options) },
	{ "exec", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(docker_run_options) },
};

static const struct option_row compose_options[] = {
	{ "-f= --file=", EFFECT_READS, .tag = DEV_FILE },
	{ "--env-file= --project-directory=", EFFECT_ESCALATES, CONFIGURES },
	{ "-p= --profile= --project-name= --ansi= --progress= --parallel=" },
};

static const struct program_row docker_subcommands[] = {
	{ "ps", LOOKS, OPTIONS_OF(docker_list_options) },
	{ "images", LOOKS, OPTIONS_OF(docker_list_options) },
	{ "inspect", LOOKS, OPTIONS_OF(docker_inspect_options) },
	{ "logs", LOOKS, OPTIONS_OF(docker_logs_options) },
	{ "version", LOOKS, OPTIONS_OF(docker_inspect_options) },
	{ "info", LOOKS, OPTIONS_OF(docker_inspect_options) },
	{ "history", LOOKS, OPTIONS_OF(docker_list_options) },
	{ "container", SUBCOMMANDS_OF(docker_object_subcommands) },
	{ "image", SUBCOMMANDS_OF(docker_object_subcommands) },
	{ "volume", SUBCOMMANDS_OF(docker_object_subcommands) },
	{ "network", SUBCOMMANDS_OF(docker_object_subcommands) },
	{ "system", SUBCOMMANDS_OF(docker_object_subcommands) },
	{ "builder", SUBCOMMANDS_OF(docker_object_subcommands) },
	{ "compose", .special = dev_compose, SUBCOMMANDS_OF(compose_subcommands),
	  OPTIONS_OF(compose_options) },
	{ "run", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(docker_run_options) },
	{ "create", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(docker_run_options) },
	{ "exec", STOPS_AT_OPERAND, .special = dev_starts, OPTIONS_OF(docker_run_options) },
	{ "build", RECURSIVE, OPERANDS_READ,
	  OPTIONS({ "-f= --file=", EFFECT_READS },
		  { "--secret= --ssh= --build-context= --allow= --add-host= --network= --builder= "
		    "--cache-from= --cache-to=",
		    EFFECT_ESCALATES, "gives the build more than its directory" },
		  { "-o= --output= --iidfile= --metadata-file=", EFFECT_WRITES },
		  { "-q -tm= --tag= --build-arg= --target= --platform= --label= --progress= "
		    "--memory=" }) },
	{ "rm", NAMED, .loses = FINAL },
	{ "rmi", NAMED, .loses = FINAL },
	{ "cp", NAMED | RECURSIVE, .escalates = REACHES, .special = network_scp },
	{ "plugin", NAMED, .escalates = REACHES },
	{ "context", NAMED, .escalates = REACHES },
	{ "swarm", NAMED, .escalates = REACHES },
	{ "login", NETWORK },
	{ "push", NETWORK },
	{ "pull", NETWORK },
	{ "search", NETWORK },
};

static const struct program_row containers_rows[] = {
	{ "docker", TOOL, SUBCOMMANDS_OF(docker_subcommands),
	  OPTIONS({ "-Hc= --host= --context= --tlscacert= --tlscert= --tlskey= --tls --tlsverify",
		    EFFECT_ESCALATES, "talks to another host" },
		  { "--config=", EFFECT_ESCALATES, CONFIGURES },
		  { "-Dv -l= --debug --version --log-level=" }) },
	{ "docker-compose", TOOL, .special = dev_compose, SUBCOMMANDS_OF(compose_subcommands),
	  OPTIONS_OF(compose_options) },
	{ "podman", .alias_of = "docker" },
};

const struct program_table program_table_containers = { containers_rows, countof(containers_rows) };
