/* Programs that run another one. For deny rules, the inner command counts as if it stood
 * alone; allow rules only see through the few wrappers that add nothing. */
#include "perm/program/special.h"

/* mise exec -- CMD, conda run CMD. */
static const struct program_row exec_subcommands[] = {
	{ "exec", TOOL, .wraps = WRAPS_OPAQUE },
	{ "run", TOOL, .wraps = WRAPS_OPAQUE },
	{ "x", TOOL, .wraps = WRAPS_OPAQUE },
};

static const struct program_row direnv_subcommands[] = {
	{ "exec", TOOL, .wraps = WRAPS_OPAQUE, .skips = 1 },
};

static const struct program_row perf_subcommands[] = {
	{ "record", TOOL, .wraps = WRAPS_OPAQUE },
	{ "stat", TOOL, .wraps = WRAPS_OPAQUE },
	{ "trace", TOOL, .wraps = WRAPS_OPAQUE },
};

/* A context says who logs in, which may take a program. */
static const struct program_row kubectl_config_subcommands[] = {
	{ "current-context" }, { "get-clusters" },
	{ "get-contexts" },    { "get-users" },
	{ "use-context" },     { "view", OPTIONS({ "--raw", EFFECT_ESCALATES, "shows keys" }) },
};

static const struct program_row kubectl_subcommands[] = {
	{ "config", CLOSED, SUBCOMMANDS_OF(kubectl_config_subcommands) },
	{ "cp", RECURSIVE, .special = network_scp,
	  OPTIONS({ "-c= --container= --no-preserve --retries=" }) },
	{ "exec", TOOL, .wraps = WRAPS_OPAQUE, .skips = 1,
	  OPTIONS({ "-it -cn= --stdin --tty --container= --namespace= --quiet" }) },
	{ "logs",
	  OPTIONS({ "-fp -cl= --follow --previous --container= --selector= --tail= --since=" }) },
};

static const struct option_row su_options[] = {
	{ "-mplfPhV -wgG= --preserve-environment --whitelist-environment= --group= --supp-group= "
	  "--login --fast --pty --help --version" },
	{ "-u= --user=", .tag = WRAPPER_USER },
	{ "-c= --command= --session-command=", EFFECT_SCRIPT },
	{ "-s= --shell=", EFFECT_ESCALATES, RUNS },
};

static const struct program_row wrappers_rows[] = {
	{ "asdf", TOOL, SUBCOMMANDS_OF(exec_subcommands) },
	{ "at", TOOL | SHELL, .escalates = "runs a command later" },
	{ "batch", .alias_of = "at" },
	{ "builtin", READER | SAME_SHELL, .wraps = WRAPS_TRANSPARENT },
	{ "busybox", TOOL, .wraps = WRAPS_OPAQUE },
	{ "bwrap", TOOL, .wraps = WRAPS_OPAQUE },
	{ "caffeinate", TOOL, .wraps = WRAPS_OPAQUE },
	{ "catchsegv", TOOL, .wraps = WRAPS_OPAQUE },
	{ "choom", TOOL, .wraps = WRAPS_OPAQUE },
	{ "chpst", TOOL, .wraps = WRAPS_OPAQUE },
	{ "chroot", CLOSED_TOOL, .wraps = WRAPS_OPAQUE, .skips = 1,
	  OPTIONS({ "--groups= --userspec= --skip-chdir" HELP }) },
	{ "chrt", CLOSED_TOOL, .wraps = WRAPS_OPAQUE, .skips = 1,
	  OPTIONS({ "-bdfiorRampvhV -TPD= --batch --deadline --fifo --idle --other --rr "
		    "--reset-on-fork --sched-runtime= --sched-period= --sched-deadline= "
		    "--all-tasks --max --pid --verbose" HELP }) },
	{ "command", READER | STOPS_AT_OPERAND | SAME_SHELL, .special = wrapper_command,
	  OPTIONS({ "-p" }, { "-vV", .tag = WRAPPER_DESCRIBES }) },
	{ "conda", TOOL, SUBCOMMANDS_OF(exec_subcommands) },
	{ "cpulimit", TOOL, .wraps = WRAPS_OPAQUE },
	{ "crontab", .alias_of = "at" },
	{ "cross-env", TOOL | STOPS_AT_OPERAND, .special = wrapper_env },
	{ "dbus-run-session", TOOL, .wraps = WRAPS_OPAQUE },
	{ "direnv", TOOL, SUBCOMMANDS_OF(direnv_subcommands) },
	{ "doas", CLOSED_TOOL, .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "-LnS -au=" }, { "-s", EFFECT_ESCALATES, "starts a shell" },
		  { "-C=", EFFECT_LOADS, "takes rules from a file" }) },
	{ "dotenv", TOOL | STOPS_AT_OPERAND, .special = wrapper_env },
	{ "dumb-init", TOOL, .wraps = WRAPS_OPAQUE },
	{ "entr", TOOL, .wraps = WRAPS_OPAQUE },
	{ "env", CLOSED_TOOL | STOPS_AT_OPERAND, .special = wrapper_env,
	  OPTIONS({ "-0v --null --block-signal=? --default-signal=? --ignore-signal=? "
		    "--list-signal-handling --debug" HELP },
		  { "-i -u= --ignore-environment --unset=", .tag = WRAPPER_UNSETS },
		  { "-C= --chdir=", EFFECT_ENTERS, .tag = WRAPPER_CHDIR },
		  { "-S= --split-string=", EFFECT_ESCALATES, "runs a command",
		    .tag = WRAPPER_SPLIT },
		  { "-a= --argv0=", EFFECT_ESCALATES, "gives the program another name" }) },
	{ "exec", READER, .wraps = WRAPS_TRANSPARENT,
	  OPTIONS({ "-c" }, { "-l -a=", EFFECT_ESCALATES, "gives the program another name" }) },
	{ "fakeroot", TOOL, .wraps = WRAPS_OPAQUE },
	{ "faketime", TOOL, .wraps = WRAPS_OPAQUE, .skips = 1 },
	{ "firejail", TOOL, .wraps = WRAPS_OPAQUE },
	{ "flock", CLOSED_TOOL | STOPS_AT_OPERAND, .special = wrapper_flock,
	  OPTIONS({ "-sxeunoFhV -wE= --shared --exclusive --unlock --nonblock --nb --timeout= "
		    "--wait= --conflict-exit-code= --close --no-fork --verbose" HELP },
		  { "-c= --command=", EFFECT_SCRIPT }) },
	/* gdb --args CMD, and commands of its own. */
	{ "gdb", TOOL | ONE_DASH_LONG, .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "-q -n -nx -nh -batch -quiet -silent -nw -tui -help -version "
		    "-return-child-result" },
		  { "-args" }, { "-p= -pid= -tty= -baud= -l= -b= -interpreter= -i= -ui= -nw" },
		  { "-ex= -eval-command= -iex= -init-eval-command= -o= -O= -one-line= -k=",
		    EFFECT_ESCALATES, RUNS },
		  { "-x= -command= -ix= -init-command= -s= -symbols= -e= -exec= -se= -c= -core= "
		    "-d= -directory= -cd= -data-directory= -S= -source=",
		    EFFECT_LOADS, "reads more from a file" }) },
	{ "gosu", TOOL, .wraps = WRAPS_OPAQUE, .skips = 1 },
	{ "heaptrack", TOOL, .wraps = WRAPS_OPAQUE },
	{ "hyperfine", TOOL, .special = wrapper_hyperfine,
	  OPTIONS({ "-wrmMnuPD= --warmup= --runs= --min-runs= --max-runs= --style= --time-unit=" },
		  { "-pcsCS= --prepare= --cleanup= --setup= --conclude= --shell=", EFFECT_SCRIPT },
		  { "--export-json= --export-csv= --export-markdown= --export-asciidoc= "
		    "--export-orgmode= --output=",
		    EFFECT_WRITES }) },
	{ "ionice", CLOSED_TOOL, .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "-thV -cnpPu= --class= --classdata= --pid= --pgid= --ignore --uid=" HELP }) },
	{ "kubectl", CLIENT, .special = dev_kubectl, SUBCOMMANDS_OF(kubectl_subcommands),
	  OPTIONS({ "-n= --namespace= --context= --cluster= --user=", .anywhere = true },
		  { "--kubeconfig=", EFFECT_LOADS, "may run a program that the file names",
		    .anywhere = true },
		  { "-s= --server= --certificate-authority= --insecure-skip-tls-verify=? "
		    "--tls-server-name= --token= --as= --as-group= --as-uid=",
		    EFFECT_ESCALATES, "reaches another cluster or acts as somebody else",
		    .anywhere = true },
		  { "--enable-exec --enable-alpha-plugins --helm-command=", EFFECT_ESCALATES,
		    RUNS },
		  { "-fk= --filename= --kustomize= --from-file= --from-env-file=",
		    .tag = DEV_MANIFEST },
		  { "-o= --output= --template=", .tag = DEV_OUTPUT },
		  { "--cache-dir= --output-directory= --profile-output=", EFFECT_WRITES }) },
	{ "ld.so", TOOL, .wraps = WRAPS_OPAQUE },
	{ "linux32", TOOL, .wraps = WRAPS_OPAQUE },
	{ "linux64", TOOL, .wraps = WRAPS_OPAQUE },
	{ "lldb", .alias_of = "gdb" },
	{ "ltrace", .alias_of = "strace" },
	{ "mise", .alias_of = "asdf" },
	{ "nice", READER | NUMBERS, .wraps = WRAPS_TRANSPARENT,
	  OPTIONS({ "-n= --adjustment=" HELP }) },
	{ "nix-shell", TOOL, .escalates = "runs what a file defines",
	  OPTIONS({ "--run= --command=", EFFECT_SCRIPT }) },
	{ "noglob", READER, .wraps = WRAPS_TRANSPARENT },
	{ "nohup", READER, .wraps = WRAPS_TRANSPARENT, OPTIONS({ "--help --version" }) },
	{ "nsenter", CLOSED_TOOL, .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "-aFZhV -tSG= -muinpCUT=? --all --target= --mount=? --uts=? --ipc=? --net=? "
		    "--pid=? --cgroup=? --user=? --time=? --setuid= --setgid= "
		    "--preserve-credentials --no-fork --follow-context" HELP },
		  { "-rw=? -W= --root=? --wd=? --wdns=", EFFECT_ENTERS }) },
	{ "nsjail", TOOL, .wraps = WRAPS_OPAQUE },
	{ "numactl", TOOL, .wraps = WRAPS_OPAQUE },
	{ "parallel", TOOL | STOPS_AT_OPERAND, .escalates = "runs the commands it builds",
	  .special = wrapper_parallel },
	{ "perf", TOOL, SUBCOMMANDS_OF(perf_subcommands) },
	{ "pkexec", TOOL, .wraps = WRAPS_OPAQUE },
	{ "prlimit", TOOL, .wraps = WRAPS_OPAQUE },
	{ "proot", TOOL, .wraps = WRAPS_OPAQUE },
	{ "proxychains", TOOL, .wraps = WRAPS_OPAQUE },
	{ "proxychains4", TOOL, .wraps = WRAPS_OPAQUE },
	{ "rlwrap", TOOL, .wraps = WRAPS_OPAQUE },
	{ "rr", .alias_of = "perf" },
	{ "runuser", CLOSED_TOOL, .special = wrapper_runuser, OPTIONS_OF(su_options) },
	{ "s6-setuidgid", TOOL, .wraps = WRAPS_OPAQUE, .skips = 1 },
	{ "screen", TOOL | STOPS_AT_OPERAND, .escalates = "runs a command elsewhere",
	  .special = wrapper_terminal },
	{ "script", CLOSED_TOOL, .special = wrapper_script,
	  OPTIONS({ "-aefqhV -mEo= --logging-format= --append --return --flush --force --echo= "
		    "--output-limit= --quiet" HELP },
		  { "-c= --command=", EFFECT_SCRIPT },
		  { "-IOBT= -t=? --log-in= --log-out= --log-io= --log-timing= --timing=?",
		    EFFECT_WRITES }) },
	{ "sem", .alias_of = "parallel" },
	{ "setarch", TOOL, .wraps = WRAPS_OPAQUE },
	{ "setpriv", TOOL, .wraps = WRAPS_OPAQUE },
	{ "setsid", CLOSED_TOOL, .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "-cfwhV --ctty --fork --wait" HELP }) },
	{ "sg", .alias_of = "su" },
	{ "softlimit", TOOL, .wraps = WRAPS_OPAQUE },
	{ "ssh", CLOSED_TOOL | NETWORK, .special = wrapper_ssh,
	  OPTIONS({ "-46AaCfGgKkMNnqsTtVvXxYy -BbcelmOpQwW=" }, { "-i=", EFFECT_READS },
		  { "-J=", EFFECT_LEADS }, { "-E=", EFFECT_WRITES },
		  { "-o= -I= -S=", EFFECT_RUNS, "may run a program" },
		  { "-F=", EFFECT_LOADS, "may run a program" },
		  { "-DLR=", EFFECT_ESCALATES, "opens a tunnel" }) },
	{ "stdbuf", READER, .wraps = WRAPS_TRANSPARENT,
	  OPTIONS({ "-ioe= --input= --output= --error=" HELP }) },
	{ "strace", CLOSED_TOOL, .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "-DfziknAqrtTvxyYcCwdhVZF -eEpubIPasXOSU= --env= --attach= --user= "
		    "--detach-on= --daemonize=? --follow-forks --output-separately "
		    "--interruptible= --trace= --signal= --status= --trace-path= "
		    "--successful-only --failed-only --columns= --abbrev= --verbose= --raw= "
		    "--read= --write= --quiet=? --kvm= --decode-fds=? --instruction-pointer "
		    "--stack-traces --syscall-number --output-append-mode --relative-timestamps=? "
		    "--string-limit= --absolute-timestamps=? --syscall-times=? --no-abbrev "
		    "--strings-in-hex=? --const-print-style= --decode-pids= --summary-only "
		    "--summary --summary-syscall-overhead= --summary-sort-by= --summary-columns= "
		    "--summary-wall-clock --inject= --fault= --debug --seccomp-bpf --tips=?" HELP },
		  { "-o= --output=", EFFECT_WRITES }) },
	{ "su", CLOSED_TOOL | SHELL, OPTIONS_OF(su_options) },
	{ "su-exec", TOOL, .wraps = WRAPS_OPAQUE, .skips = 1 },
	{ "sudo", CLOSED_TOOL | STOPS_AT_OPERAND, .special = wrapper_sudo,
	  OPTIONS({ "-ABbEHKklnPSVvN -aCcghpRrTtUu= --askpass --auth-type= --background --bell "
		    "--close-from= --login-class= --preserve-env=? --group= --set-home --help "
		    "--host= --remove-timestamp --reset-timestamp --list --non-interactive "
		    "--preserve-groups --prompt= --chroot= --role= --stdin --command-timeout= "
		    "--type= --other-user= --user= --version --validate --no-update" },
		  { "-D= --chdir=", EFFECT_ENTERS, .tag = WRAPPER_CHDIR },
		  { "-is --login --shell", .tag = WRAPPER_SHELL },
		  { "-e --edit", EFFECT_ESCALATES, "writes files" }) },
	{ "systemd-run", TOOL, .wraps = WRAPS_OPAQUE },
	{ "taskset", CLOSED_TOOL, .wraps = WRAPS_OPAQUE, .skips = 1,
	  OPTIONS({ "-apchV --all-tasks --pid --cpu-list" HELP }) },
	{ "time", READER | SAME_SHELL, .wraps = WRAPS_TRANSPARENT,
	  OPTIONS({ "-apvVq -f= --append --portability --verbose --quiet --format=" HELP },
		  { "-o= --output=", EFFECT_WRITES }) },
	{ "timeout", READER, .wraps = WRAPS_TRANSPARENT, .skips = 1,
	  OPTIONS({ "-v -ks= --preserve-status --foreground --kill-after= --signal= "
		    "--verbose" HELP }) },
	{ "tini", TOOL, .wraps = WRAPS_OPAQUE },
	{ "tmux", .alias_of = "screen" },
	{ "torsocks", TOOL, .wraps = WRAPS_OPAQUE },
	{ "toybox", TOOL, .wraps = WRAPS_OPAQUE },
	{ "tsp", TOOL, .wraps = WRAPS_OPAQUE },
	{ "unbuffer", TOOL, .wraps = WRAPS_OPAQUE },
	{ "unshare", CLOSED_TOOL, .wraps = WRAPS_OPAQUE,
	  OPTIONS({ "-fruUinpmCTchV -SG= --mount=? --uts=? --ipc=? --net=? --pid=? --user=? "
		    "--cgroup=? --time=? --fork --map-user= --map-group= --map-root-user "
		    "--map-current-user --map-auto --map-users= --map-groups= --kill-child=? "
		    "--mount-proc=? --propagation= --setgroups= --keep-caps --setuid= --setgid= "
		    "--monotonic= --boottime=" HELP },
		  { "-R= --root= -w= --wd=", EFFECT_ENTERS }) },
	{ "valgrind", TOOL, .wraps = WRAPS_OPAQUE },
	{ "watch", CLOSED_TOOL | STOPS_AT_OPERAND, .special = wrapper_watch,
	  OPTIONS({ "-bcCegprtwhvf -nqs= -d=? --beep --color --no-color --differences=? --errexit "
		    "--chgexit --equexit= --interval= --precise --no-rerun --no-title --no-wrap "
		    "--shotsdir= --follow" HELP },
		  { "-x --exec", .tag = WRAPPER_EXEC }) },
	{ "xargs", READER | STOPS_AT_OPERAND, .special = wrapper_xargs,
	  OPTIONS({ "-0oprtx -dEILnPs= -eil=? --null --delimiter= --eof=? --replace=? "
		    "--max-lines=? --max-args= --open-tty --max-procs= --interactive "
		    "--no-run-if-empty --max-chars= --show-limits --verbose --exit" HELP,
		    .tag = WRAPPER_XARGS },
		  { "-a= --arg-file=", EFFECT_LOADS, "takes arguments from a file" },
		  { "--process-slot-var=", EFFECT_ESCALATES, "sets a variable" }) },
	{ "xvfb-run", TOOL, .wraps = WRAPS_OPAQUE },
};

const struct program_table program_table_wrappers = { wrappers_rows, countof(wrappers_rows) };
