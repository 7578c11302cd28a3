/* Programs that run another one. For rules that forbid, what is inside counts as if it stood
 * alone; those that allow only look through the few that add nothing. */
#include "perm/program/table.h"

#define PEELED .closed = true, .read_only = true, .is_tool = true, .wraps = WRAPS_PEELED
#define APART  .is_tool = true, .wraps = WRAPS_APART
#define HELP   " --help --version"
#define RUNS   "runs a program"

/* --- those that add nothing ------------------------------------------------------------- */

static const struct option_row timeout_options[] = {
	{ "-v -ks= --preserve-status --foreground --kill-after= --signal= --verbose" HELP },
};

static const struct option_row time_options[] = {
	{ "-apvVq -f= --append --portability --verbose --quiet --format=" HELP },
	{ "-o= --output=", EFFECT_WRITES },
};

static const struct option_row nice_options[] = {
	{ "-n= --adjustment=" HELP },
};

static const struct option_row nohup_options[] = {
	{ "--help --version" },
};

static const struct option_row stdbuf_options[] = {
	{ "-ioe= --input= --output= --error=" HELP },
};

static const struct option_row command_options[] = {
	{ "-p" },
	{ "-vV", .tag = 'v' },
};

static const struct option_row exec_options[] = {
	{ "-c" },
	{ "-l -a=", EFFECT_ACTS, "gives the program another name" },
};

/* "-v" only says what would run. */
static void command_inner(struct look *look)
{
	if (!look_seen(look, 'v'))
		look_wrapped(look, 0, true);
}

/* --- xargs ---------------------------------------------------------------------------------- */

static const struct option_row xargs_options[] = {
	{ "-0oprtx -dEILnPs= -eil=? --null --delimiter= --eof=? --replace=? --max-lines=? "
	  "--max-args= --open-tty --max-procs= --interactive --no-run-if-empty --max-chars= "
	  "--show-limits --verbose --exit" HELP,
	  .tag = 'x' },
	{ "-a= --arg-file=", EFFECT_LOADS, "takes arguments from a file" },
	{ "--process-slot-var=", EFFECT_ACTS, "sets a variable" },
};

/* Without a command it runs echo, but with any words that it finds. */
static void xargs_inner(struct look *look)
{
	look_wrapped(look, 0, !look_seen(look, 'x'));
	for (size_t i = 0; i < look->use->inner.n; i++)
		look->use->inner.at[i].more_args = true;
	look->changes |= look_seen(look, 'x') || look->use->inner.n == 0;
}

/* --- env and those who change who runs it ------------------------------------------------------- */

static const struct option_row env_options[] = {
	{ "-0v --null --block-signal=? --default-signal=? --ignore-signal=? "
	  "--list-signal-handling --debug" HELP },
	{ "-i -u= --ignore-environment --unset=", .tag = 'i' },
	{ "-C= --chdir=", EFFECT_ENTERS, .tag = 'C' },
	{ "-S= --split-string=", EFFECT_ACTS, "runs a command", .tag = 'S' },
	{ "-a= --argv0=", EFFECT_ACTS, "gives the program another name" },
};

/* Assignments may stand before the command; an argument that is not known may be one. */
static size_t skip_assignments(struct look *look)
{
	size_t n = 0;

	while (n < look->operands.n) {
		struct sv text = look->argv[look->operands.at[n]].text;

		if (sv_find_char(text, '=') == SIZE_MAX && !sv_is(text, "-"))
			break;
		n++;
	}
	return n;
}

/* The text is put in place of the option: it may begin with more of them, and what follows the
 * option comes behind it. */
static void split_inner(struct look *look, const struct seen *split)
{
	defer(str_clear) struct str text = STR_INIT;
	struct sv rest = sv_trim(split->value), word;

	while (sv_starts(rest, SV("-")) && sv_cut(&rest, ' ', &word)) {
		rest = sv_trim(rest);
		if (sv_is(word, "-u") || sv_is(word, "-C") || sv_is(word, "-a"))
			sv_cut(&rest, ' ', &word);
	}
	str_add(&text, rest);
	for (size_t i = split->value_arg + 1; i < look->n; i++) {
		struct sv arg = look->argv[i].text, part;

		str_adds(&text, " '");
		while (sv_cut(&arg, '\'', &part))
			str_addf(&text, "%.*s%s", SV_ARG(part), arg.len ? "'\\''" : "");
		str_adds(&text, "'");
	}
	if (split->known && rest.len)
		look_script(look, arena_dup(look->arena, sv_of(&text)));
}

static void env_inner(struct look *look)
{
	const struct seen *chdir = look_seen(look, 'C'), *split = look_seen(look, 'S');
	size_t skips = skip_assignments(look);

	for (size_t i = 0; i < skips; i++)
		look_variable(look, look->operands.at[i]);
	if (split && split->has_value)
		split_inner(look, split);
	look_wrapped(look, skips, false);
	for (size_t i = 0; i < look->use->inner.n; i++) {
		struct inner_command *inner = &look->use->inner.at[i];

		inner->adds_environment = skips > 0 || look_seen(look, 'i');
		if (chdir)
			inner->directory = chdir->value;
	}
}

static const struct option_row sudo_options[] = {
	{ "-ABbEHKklnPSVvN -aCcghpRrTtUu= --askpass --auth-type= --background --bell "
	  "--close-from= --login-class= --preserve-env=? --group= --set-home --help --host= "
	  "--remove-timestamp --reset-timestamp --list --non-interactive --preserve-groups "
	  "--prompt= --chroot= --role= --stdin --command-timeout= --type= --other-user= --user= "
	  "--version --validate --no-update" },
	{ "-D= --chdir=", EFFECT_ENTERS, .tag = 'C' },
	{ "-is --login --shell", .tag = 's' },
	{ "-e --edit", EFFECT_ACTS, "writes files" },
};

/* With -s and -i a shell reads the words. */
static void sudo_inner(struct look *look)
{
	struct sv script;
	size_t skips = skip_assignments(look);

	env_inner(look);
	if (!look_seen(look, 's') || skips >= look->operands.n)
		return;
	if (look_join(look, look->operands.at[skips], look->n, &script))
		look_script(look, script);
}

static const struct option_row doas_options[] = {
	{ "-LnS -au=" },
	{ "-s", EFFECT_ACTS, "starts a shell" },
	{ "-C=", EFFECT_LOADS, "takes rules from a file" },
};

static const struct option_row su_options[] = {
	{ "-mplfPhV -wgG= --preserve-environment --whitelist-environment= --group= --supp-group= "
	  "--login --fast --pty --help --version" },
	{ "-u= --user=", .tag = 'u' },
	{ "-c= --command= --session-command=", EFFECT_SCRIPT },
	{ "-s= --shell=", EFFECT_ACTS, RUNS },
};

static void runuser_inner(struct look *look)
{
	if (look_seen(look, 'u'))
		look_wrapped(look, 0, false);
}

/* --- those that start it elsewhere or later -------------------------------------------------------- */

static const struct option_row setsid_options[] = {
	{ "-cfwhV --ctty --fork --wait" HELP },
};

static const struct option_row ionice_options[] = {
	{ "-thV -cnpPu= --class= --classdata= --pid= --pgid= --ignore --uid=" HELP },
};

static const struct option_row taskset_options[] = {
	{ "-apchV --all-tasks --pid --cpu-list" HELP },
};

static const struct option_row chrt_options[] = {
	{ "-bdfiorRampvhV -TPD= --batch --deadline --fifo --idle --other --rr --reset-on-fork "
	  "--sched-runtime= --sched-period= --sched-deadline= --all-tasks --max --pid "
	  "--verbose" HELP },
};

static const struct option_row chroot_options[] = {
	{ "--groups= --userspec= --skip-chdir" HELP },
};

static const struct option_row unshare_options[] = {
	{ "-fruUinpmCTchV -SG= --mount=? --uts=? --ipc=? --net=? --pid=? --user=? --cgroup=? "
	  "--time=? --fork --map-user= --map-group= --map-root-user --map-current-user --map-auto "
	  "--map-users= --map-groups= --kill-child=? --mount-proc=? --propagation= --setgroups= "
	  "--keep-caps --setuid= --setgid= --monotonic= --boottime=" HELP },
	{ "-R= --root= -w= --wd=", EFFECT_ENTERS },
};

static const struct option_row nsenter_options[] = {
	{ "-aFZhV -tSG= -muinpCUT=? --all --target= --mount=? --uts=? --ipc=? --net=? --pid=? "
	  "--cgroup=? --user=? --time=? --setuid= --setgid= --preserve-credentials --no-fork "
	  "--follow-context" HELP },
	{ "-rw=? -W= --root=? --wd=? --wdns=", EFFECT_ENTERS },
};

static const struct option_row strace_options[] = {
	{ "-DfziknAqrtTvxyYcCwdhVZF -eEpubIPasXOSU= --env= --attach= --user= --detach-on= "
	  "--daemonize=? --follow-forks --output-separately --interruptible= --trace= --signal= "
	  "--status= --trace-path= --successful-only --failed-only --columns= --abbrev= "
	  "--verbose= --raw= --read= --write= --quiet=? --kvm= --decode-fds=? "
	  "--instruction-pointer --stack-traces --syscall-number --output-append-mode "
	  "--relative-timestamps=? --string-limit= --absolute-timestamps=? --syscall-times=? "
	  "--no-abbrev --strings-in-hex=? --const-print-style= --decode-pids= --summary-only "
	  "--summary --summary-syscall-overhead= --summary-sort-by= --summary-columns= "
	  "--summary-wall-clock --inject= --fault= --debug --seccomp-bpf --tips=?" HELP },
	{ "-o= --output=", EFFECT_WRITES },
};

static const struct option_row flock_options[] = {
	{ "-sxeunoFhV -wE= --shared --exclusive --unlock --nonblock --nb --timeout= --wait= "
	  "--conflict-exit-code= --close --no-fork --verbose" HELP },
	{ "-c= --command=", EFFECT_SCRIPT },
};

/* "flock FILE CMD..", "flock FILE -c TEXT", "flock FD". */
static void flock_inner(struct look *look)
{
	size_t n = look->operands.n;
	const struct argument *second = n > 1 ? &look->argv[look->operands.at[1]] : NULL;

	if (n > 0)
		look_operand(look, look->operands.at[0], OPERAND_WRITE);
	if (second && (sv_is(second->text, "-c") || sv_is(second->text, "--command"))) {
		if (n > 2 && look->argv[look->operands.at[2]].known)
			look_script(look, look->argv[look->operands.at[2]].text);
		return;
	}
	look_wrapped(look, 1, false);
}

static const struct option_row watch_options[] = {
	{ "-bcCegprtwhvf -nqs= -d=? --beep --color --no-color --differences=? --errexit --chgexit "
	  "--equexit= --interval= --precise --no-rerun --no-title --no-wrap --shotsdir= "
	  "--follow" HELP },
	{ "-x --exec", .tag = 'x' },
};

static void script_from(struct look *look, size_t operand)
{
	struct sv script;

	if (operand < look->operands.n &&
	    look_join(look, look->operands.at[operand], look->n, &script))
		look_script(look, script);
}

static void watch_inner(struct look *look)
{
	if (look_seen(look, 'x'))
		look_wrapped(look, 0, false);
	else
		script_from(look, 0);
}

static const struct option_row script_options[] = {
	{ "-aefqhV -mEo= --logging-format= --append --return --flush --force --echo= "
	  "--output-limit= --quiet" HELP },
	{ "-c= --command=", EFFECT_SCRIPT },
	{ "-IOBT= -t=? --log-in= --log-out= --log-io= --log-timing= --timing=?", EFFECT_WRITES },
};

static void script_output(struct look *look)
{
	if (look->operands.n == 0)
		look_path(look, 0, SV("typescript"), OPERAND_WRITE);
	else
		look_operand(look, look->operands.at[0], OPERAND_WRITE);
}

static const struct option_row ssh_options[] = {
	{ "-46AaCfGgKkMNnqsTtVvXxYy -BbcelmOpQwWJ=" },
	{ "-i=", EFFECT_READS },
	{ "-E=", EFFECT_WRITES },
	{ "-o= -I= -S=", EFFECT_RUNS, "may run a program" },
	{ "-F=", EFFECT_LOADS, "may run a program" },
	{ "-DLR=", EFFECT_ACTS, "opens a way through the network" },
};

/* The words after the host go to a shell there. Options may stand behind the host, too. */
static void ssh_inner(struct look *look)
{
	script_from(look, 1);
}

/* gdb --args CMD, and what it is told to do. */
static const struct option_row gdb_options[] = {
	{ "-q -n -nx -nh -batch -quiet -silent -nw -tui -help -version -return-child-result" },
	{ "-args", .tag = 'a' },
	{ "-p= -pid= -tty= -baud= -l= -b= -interpreter= -i= -ui= -nw" },
	{ "-ex= -eval-command= -iex= -init-eval-command= -o= -O= -one-line= -k=", EFFECT_ACTS,
	  RUNS },
	{ "-x= -command= -ix= -init-command= -s= -symbols= -e= -exec= -se= -c= -core= -d= "
	  "-directory= -cd= -data-directory= -S= -source=",
	  EFFECT_LOADS, "takes more from a file" },
};

static const struct option_row nix_options[] = {
	{ "--run= --command=", EFFECT_SCRIPT },
};

static const struct option_row hyperfine_options[] = {
	{ "-wrmMnuPD= --warmup= --runs= --min-runs= --max-runs= --style= --time-unit=" },
	{ "-pcsCS= --prepare= --cleanup= --setup= --conclude= --shell=", EFFECT_SCRIPT },
	{ "--export-json= --export-csv= --export-markdown= --export-asciidoc= --export-orgmode= "
	  "--output=",
	  EFFECT_WRITES },
};

static void scripts_of_all(struct look *look)
{
	for (size_t i = 0; i < look->operands.n; i++)
		if (look->argv[look->operands.at[i]].known)
			look_script(look, look->argv[look->operands.at[i]].text);
}

/* tmux and screen start a command in another terminal, as one text or as words. */
static void terminal_inner(struct look *look)
{
	for (size_t i = 0; i < look->operands.n && i < 16; i++) {
		size_t arg = look->operands.at[i];

		if (look->argv[arg].known)
			look_aside(look, look->argv[arg].text);
		look_guess(look, arg);
	}
}

static void parallel_inner(struct look *look)
{
	script_from(look, 0);
	look_wrapped(look, 0, false);
	for (size_t i = 0; i < look->use->inner.n; i++)
		look->use->inner.at[i].more_args = true;
}

/* --- the table --------------------------------------------------------------------------------------- */

#define OWN(function) .operands = OPERANDS_OWN, .stops_at_operand = true, .special = (function)

/* mise exec -- CMD, conda run CMD. */
static const struct program_row exec_subs[] = {
	{ "exec", APART },
	{ "run", APART },
	{ "x", APART },
};

static const struct program_row direnv_subs[] = {
	{ "exec", APART, .skips = 1 },
};

static const struct program_row perf_subs[] = {
	{ "record", APART },
	{ "stat", APART },
	{ "trace", APART },
};

static const struct option_row kubectl_options[] = {
	{ "-it -cn= --stdin --tty --container= --namespace= --quiet" },
};

static const struct program_row kubectl_subs[] = {
	{ "exec", OPTIONS(kubectl_options), APART, .skips = 1 },
};

static const struct program_row rows[] = {
	{ "asdf", SUBS(exec_subs), .is_tool = true },
	{ "at", .is_tool = true, .is_shell = true, .acts = "runs a command later" },
	{ "batch", .as = "at" },
	{ "builtin", PEELED },
	{ "busybox", APART },
	{ "bwrap", APART },
	{ "caffeinate", APART },
	{ "catchsegv", APART },
	{ "choom", APART },
	{ "chpst", APART },
	{ "chroot", OPTIONS(chroot_options), APART, .closed = true, .skips = 1 },
	{ "chrt", OPTIONS(chrt_options), APART, .closed = true, .skips = 1 },
	{ "command", OPTIONS(command_options), .closed = true, .read_only = true, .is_tool = true,
	  OWN(command_inner) },
	{ "conda", SUBS(exec_subs), .is_tool = true },
	{ "cpulimit", APART },
	{ "crontab", .as = "at" },
	{ "cross-env", .is_tool = true, OWN(env_inner) },
	{ "dbus-run-session", APART },
	{ "direnv", SUBS(direnv_subs), .is_tool = true },
	{ "doas", OPTIONS(doas_options), APART, .closed = true },
	{ "dotenv", .is_tool = true, OWN(env_inner) },
	{ "dumb-init", APART },
	{ "entr", APART },
	{ "env", OPTIONS(env_options), .closed = true, .is_tool = true, OWN(env_inner) },
	{ "exec", OPTIONS(exec_options), PEELED },
	{ "fakeroot", APART },
	{ "faketime", APART, .skips = 1 },
	{ "firejail", APART },
	{ "flock", OPTIONS(flock_options), .closed = true, .is_tool = true, OWN(flock_inner) },
	{ "gdb", OPTIONS(gdb_options), APART, .long_by_one_dash = true },
	{ "gosu", APART, .skips = 1 },
	{ "heaptrack", APART },
	{ "hyperfine", OPTIONS(hyperfine_options), .is_tool = true, .operands = OPERANDS_OWN,
	  .special = scripts_of_all },
	{ "ionice", OPTIONS(ionice_options), APART, .closed = true },
	{ "kubectl", SUBS(kubectl_subs), .is_tool = true, .network = true },
	{ "ld.so", APART },
	{ "linux32", APART },
	{ "linux64", APART },
	{ "lldb", .as = "gdb" },
	{ "ltrace", .as = "strace" },
	{ "mise", .as = "asdf" },
	{ "nice", OPTIONS(nice_options), PEELED, .numbers = true },
	{ "nix-shell", OPTIONS(nix_options), .is_tool = true, .acts = "runs what a file says" },
	{ "noglob", PEELED },
	{ "nohup", OPTIONS(nohup_options), PEELED },
	{ "nsenter", OPTIONS(nsenter_options), APART, .closed = true },
	{ "nsjail", APART },
	{ "numactl", APART },
	{ "parallel", .is_tool = true, .acts = "runs what it puts together", OWN(parallel_inner) },
	{ "perf", SUBS(perf_subs), .is_tool = true },
	{ "pkexec", APART },
	{ "prlimit", APART },
	{ "proot", APART },
	{ "proxychains", APART },
	{ "proxychains4", APART },
	{ "rlwrap", APART },
	{ "rr", .as = "perf" },
	{ "runuser", OPTIONS(su_options), .closed = true, .is_tool = true, .operands = OPERANDS_OWN,
	  .special = runuser_inner },
	{ "s6-setuidgid", APART, .skips = 1 },
	{ "screen", .is_tool = true, .acts = "runs a command elsewhere", OWN(terminal_inner) },
	{ "script", OPTIONS(script_options), .closed = true, .is_tool = true,
	  .operands = OPERANDS_OWN, .special = script_output },
	{ "sem", .as = "parallel" },
	{ "setarch", APART },
	{ "setpriv", APART },
	{ "setsid", OPTIONS(setsid_options), APART, .closed = true },
	{ "sg", .as = "su" },
	{ "softlimit", APART },
	{ "ssh", OPTIONS(ssh_options), .closed = true, .is_tool = true, .network = true,
	  .operands = OPERANDS_OWN, .special = ssh_inner },
	{ "stdbuf", OPTIONS(stdbuf_options), PEELED },
	{ "strace", OPTIONS(strace_options), APART, .closed = true },
	{ "su", OPTIONS(su_options), .closed = true, .is_tool = true, .is_shell = true },
	{ "su-exec", APART, .skips = 1 },
	{ "sudo", OPTIONS(sudo_options), .closed = true, .is_tool = true, OWN(sudo_inner) },
	{ "systemd-run", APART },
	{ "taskset", OPTIONS(taskset_options), APART, .closed = true, .skips = 1 },
	{ "time", OPTIONS(time_options), PEELED },
	{ "timeout", OPTIONS(timeout_options), PEELED, .skips = 1 },
	{ "tini", APART },
	{ "tmux", .as = "screen" },
	{ "torsocks", APART },
	{ "toybox", APART },
	{ "tsp", APART },
	{ "unbuffer", APART },
	{ "unshare", OPTIONS(unshare_options), APART, .closed = true },
	{ "valgrind", APART },
	{ "watch", OPTIONS(watch_options), .closed = true, .is_tool = true, OWN(watch_inner) },
	{ "xargs", OPTIONS(xargs_options), .closed = true, .read_only = true, .is_tool = true,
	  OWN(xargs_inner) },
	{ "xvfb-run", APART },
};

const struct program_table program_table_wraps = { rows, countof(rows) };
