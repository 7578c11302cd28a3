/* awl-flow: runs flow files, and those in the folders named; reports in TAP.
 * With --update a log that differs is written into the file as what is expected. */
#include <dirent.h>
#include <errno.h>

#include "flow.h"
#include "sweep.h"
#include "time_limit.h"

/* --- the real machine's files: fs.h is simulated here ----------------------- */

static bool read_file(struct str *out, const char *path, struct err *err)
{
	FILE *file = fopen(path, "rb");
	char buffer[4096];
	size_t n;

	if (!file)
		return err_sys(err, errno, "%s", path);
	while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
		str_add(out, sv_from(buffer, n));
	fclose(file);
	return true;
}

static bool write_file(const char *path, struct sv head, struct sv tail, struct err *err)
{
	FILE *file = fopen(path, "wb");

	if (!file)
		return err_sys(err, errno, "%s", path);
	fwrite(head.ptr, 1, head.len, file);
	fwrite(tail.ptr, 1, tail.len, file);
	return fclose(file) == 0 || err_sys(err, errno, "%s", path);
}

/* --- one file --------------------------------------------------------------- */

struct runner {
	bool update;
	int n, failed;
};

static void print_lines(const char *prefix, struct sv text)
{
	struct sv line;

	while (sv_cut_line(&text, &line))
		printf("# %s%.*s\n", prefix, SV_ARG(line));
}

/* Drops the lines that both begin with. */
static void skip_common_start(struct sv *a, struct sv *b)
{
	struct sv rest_a = *a, rest_b = *b, line_a, line_b;

	while (sv_cut_line(&rest_a, &line_a) && sv_cut_line(&rest_b, &line_b) &&
	       sv_eq(line_a, line_b)) {
		*a = rest_a;
		*b = rest_b;
	}
}

static struct sv last_line(struct sv text)
{
	struct sv before = sv_slice(text, 0, text.len ? text.len - 1 : 0);

	return sv_skip(text, sv_rfind_char(before, '\n') + 1);
}

/* Drops the lines that both end with. */
static void skip_common_end(struct sv *a, struct sv *b)
{
	while (a->len && b->len && sv_eq(last_line(*a), last_line(*b))) {
		size_t n = last_line(*a).len;

		*a = sv_slice(*a, 0, a->len - n);
		*b = sv_slice(*b, 0, b->len - n);
	}
}

static void print_difference(struct sv expected, struct sv actual)
{
	skip_common_start(&expected, &actual);
	skip_common_end(&expected, &actual);
	printf("# between the first and the last line that differ, expected (-) and seen (+):\n");
	print_lines("- ", expected);
	print_lines("+ ", actual);
}

static void *make_flow(void *arg)
{
	return flow_new(arg);
}

static struct sim *flow_world_of(void *run)
{
	return ((struct flow *)run)->world;
}

static bool run_flow(void *run, size_t max_steps)
{
	return flow_run(run, max_steps);
}

static void cancel_flow(void *run)
{
	flow_cancel(run);
}

static struct sv log_of_flow(void *run)
{
	return sv_of(&((struct flow *)run)->log);
}

static bool check_flow(void *run, struct err *err)
{
	return flow_check(run, err);
}

static void free_flow(void *run)
{
	flow_free(run);
}

static const struct {
	enum script_sweep which;
	const char *name;
	bool (*sweep)(const struct sweep *s, size_t *points, struct str *why);
} sweeps[] = {
	{ SWEEP_CANCEL, "cancelled at", sweep_cancel },
	{ SWEEP_SPLIT, "split at", sweep_split },
	{ SWEEP_FAIL, "failed at", sweep_fail },
	{ SWEEP_SURVIVE, "survived", sweep_survive },
};

/* Appends what was swept to `did`, or what went wrong to `why`. */
static bool run_sweeps(const struct script *script, struct str *did, struct str *why)
{
	struct sweep s = { .make = make_flow,
			   .world = flow_world_of,
			   .run = run_flow,
			   .cancel = cancel_flow,
			   .log = log_of_flow,
			   .check = check_flow,
			   .free = free_flow,
			   .arg = (void *)script,
			   .cancel_ms = script->cancel_ms };
	size_t points;

	for (size_t i = 0; i < countof(sweeps); i++) {
		if (!(script->sweeps & sweeps[i].which))
			continue;
		if (!sweeps[i].sweep(&s, &points, why))
			return false;
		str_addf(did, "%s %s %zu", did->len ? "," : "", sweeps[i].name, points);
	}
	return true;
}

/* Plays the script once, undisturbed, and leaves its log. */
static bool play_once(const struct script *script, struct str *log, struct str *why)
{
	defer(flow_freep) struct flow *f = flow_new(script);
	struct err err = ERR_INIT;

	if (!flow_run(f, SWEEP_MAX_STEPS))
		err_set(&err, ERR_TIMEOUT, "does not come to an end");
	else if (f->err.kind != ERR_NONE)
		err = f->err;
	else if (flow_check(f, &err) && sim_live_ops(f->world))
		err_set(&err, ERR_INVALID, "an op is left alive");
	str_add(log, sv_of(&f->log));
	if (err.kind == ERR_NONE)
		return true;
	str_addf(why, "%s; the log was\n", err.text);
	str_add(why, sv_of(log));
	return false;
}

static bool update_file(const char *path, const struct script *script, struct sv log,
			struct str *why)
{
	defer(str_clear) struct str head = STR_INIT;
	struct err err;

	str_add(&head, sv_slice(sv_of(&script->text), 0, script->expect_at));
	if (!script->has_expect)
		str_adds(&head, "\n--- expect\n");
	if (write_file(path, sv_of(&head), log, &err))
		return true;
	str_adds(why, err.text);
	return false;
}

static bool run_file(const struct runner *r, const char *path, struct str *did, struct str *why)
{
	defer(str_clear) struct str text = STR_INIT, log = STR_INIT;
	defer(flow_script_clear) struct script script = { .text = STR_INIT };
	struct err err;

	if (!read_file(&text, path, &err) || !flow_script_parse(&script, &text, &err)) {
		str_adds(why, err.text);
		return false;
	}
	if (!play_once(&script, &log, why))
		return false;
	if (!sv_eq(script.expect, sv_of(&log))) {
		if (!r->update) {
			print_difference(script.expect, sv_of(&log));
			return false;
		}
		if (!update_file(path, &script, sv_of(&log), why))
			return false;
	}
	return run_sweeps(&script, did, why);
}

static void report(struct runner *r, const char *path)
{
	defer(str_clear) struct str did = STR_INIT, why = STR_INIT;
	bool ok;

	time_limit_start(path);
	ok = run_file(r, path, &did, &why);
	time_limit_stop();
	print_lines("", sv_of(&why));
	printf("%s %d - %s%s\n", ok ? "ok" : "not ok", ++r->n, path, str_c(&did));
	fflush(stdout);
	r->failed += !ok;
}

/* --- which files ------------------------------------------------------------ */

static int is_case(const struct dirent *entry)
{
	struct sv name = sv_cstr(entry->d_name);

	return entry->d_type == DT_DIR ? name.ptr[0] != '.' : sv_ends(name, SV(".flow"));
}

/* A file, or a folder with all below it, in the order of names. */
static void report_path(struct runner *r, const char *path)
{
	struct dirent **entries;
	int n = scandir(path, &entries, is_case, alphasort);

	if (n < 0) { /* no folder */
		report(r, path);
		return;
	}
	for (int i = 0; i < n; i++) {
		defer(str_clear) struct str below = STR_INIT;

		str_addf(&below, "%s/%s", path, entries[i]->d_name);
		report_path(r, str_c(&below));
		free(entries[i]);
	}
	free(entries);
}

int main(int argc, char **argv)
{
	struct runner r = { .update = false };

	setenv("TZ", "UTC", 1); /* logs contain local times */

	for (int i = 1; i < argc; i++) {
		if (sv_is(sv_cstr(argv[i]), "--update"))
			r.update = true;
		else
			report_path(&r, argv[i]);
	}
	if (!r.n) {
		fprintf(stderr, "usage: awl-flow [--update] FILE.flow|FOLDER...\n");
		return 2;
	}
	printf("1..%d\n", r.n);
	return r.failed ? 1 : 0;
}
