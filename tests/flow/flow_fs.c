/* Files: fs.h's calls at once ("fs read /a") or in a worker ("work read /a"),
 * and watches. */
#include "base/limits.h"
#include "flow.h"
#include "sys/fs.h"
#include "sys/watch.h"
#include "sys/work.h"

/* One call: its arguments decoded, and what it has to say. */
struct call {
	const struct fs_word *word;
	struct str path, text;
	struct str out;
};

struct fs_word {
	const char *name;
	bool (*run)(struct call *c, struct err *err);
};

static void call_clear(struct call *c)
{
	str_clear(&c->path);
	str_clear(&c->text);
	str_clear(&c->out);
}

static bool fs_do_read(struct call *c, struct err *err)
{
	defer(str_clear) struct str bytes = STR_INIT;

	if (!fs_read(&bytes, str_c(&c->path), 1 * MIB, err))
		return false;
	text_quote(&c->out, sv_of(&bytes));
	return true;
}

static bool fs_do_write(struct call *c, struct err *err)
{
	return fs_write(str_c(&c->path), sv_of(&c->text), (struct fs_write){ .sync = true }, err);
}

/* Opens, adds one record, syncs: three operations. */
static bool fs_do_append(struct call *c, struct err *err)
{
	defer(fs_log_closep) struct fs_log *log = fs_log_open(str_c(&c->path), 0600, err);

	return log && fs_log_add(log, sv_of(&c->text), err) && fs_log_sync(log, err);
}

static bool fs_do_stat(struct call *c, struct err *err)
{
	static const char *const kinds[] = { "file", "directory", "link", "other" };
	struct fs_info info;

	if (!fs_info(&info, str_c(&c->path), false, err))
		return false;
	str_addf(&c->out, "%s %04o", kinds[info.kind], info.mode);
	if (info.kind == FS_FILE)
		str_addf(&c->out, " %jd", (intmax_t)info.size);
	return true;
}

static enum fs_visit list_one(void *arg, const struct fs_entry *entry)
{
	struct call *c = arg;

	str_addf(&c->out, "%s%.*s%s", c->out.len ? " " : "", SV_ARG(entry->path),
		 entry->kind == FS_DIR ? "/" : "");
	return FS_GO_ON;
}

static bool fs_do_walk(struct call *c, struct err *err)
{
	return fs_walk(str_c(&c->path), list_one, c, err);
}

static bool fs_do_remove(struct call *c, struct err *err)
{
	return fs_remove_tree(str_c(&c->path), err);
}

static bool fs_do_rename(struct call *c, struct err *err)
{
	return fs_rename(str_c(&c->path), str_c(&c->text), err);
}

static bool fs_do_mkdirs(struct call *c, struct err *err)
{
	return fs_mkdirs(str_c(&c->path), 0755, err);
}

static bool fs_do_realpath(struct call *c, struct err *err)
{
	return fs_realpath(&c->out, str_c(&c->path), err);
}

/* Takes and releases it: what shows is whether it was free. */
static bool fs_do_lock(struct call *c, struct err *err)
{
	struct fs_lock *lock = fs_lock(str_c(&c->path), err);

	fs_unlock(lock);
	return lock;
}

static const struct fs_word words[] = {
	{ "read", fs_do_read },     { "write", fs_do_write },   { "append", fs_do_append },
	{ "stat", fs_do_stat },     { "walk", fs_do_walk },     { "remove", fs_do_remove },
	{ "rename", fs_do_rename }, { "mkdirs", fs_do_mkdirs }, { "realpath", fs_do_realpath },
	{ "lock", fs_do_lock },
};

/* WORD PATH [TEXT] */
static bool read_call(struct call *out, struct sv args, struct err *err)
{
	struct sv name = take_word(&args);

	for (size_t i = 0; i < countof(words); i++)
		if (sv_is(name, words[i].name))
			out->word = &words[i];
	if (!out->word)
		return err_set(err, ERR_INVALID, "nothing called \"%.*s\" is done with files",
			       SV_ARG(name));
	return take_quoted(&out->path, &args, err) && text_decode(&out->text, sv_trim(args), err);
}

static void log_call(struct flow *f, struct sv label, const struct call *c)
{
	flow_log(f, label, "%s %s%s%s", c->word->name, str_c(&c->path), c->out.len ? " " : "",
		 str_c(&c->out));
}

static bool do_fs(struct flow *f, const struct line *line, struct err *err)
{
	defer(call_clear) struct call c = { .word = NULL };
	struct err why;

	if (!read_call(&c, line->args, err))
		return false;
	if (c.word->run(&c, &why))
		log_call(f, line->label, &c);
	else
		flow_log(f, line->label, "failed %s: %s", err_kind_name(why.kind), why.text);
	return true;
}

struct job {
	struct flow_leaf leaf;
	struct call call;
};

static bool run_job(void *arg, struct err *err)
{
	struct job *job = arg;

	return job->call.word->run(&job->call, err);
}

static void on_worked(struct op *op, void *owner, const struct err *why)
{
	struct job *job = owner;

	if (!why)
		log_call(job->leaf.flow, sv_cstr(job->leaf.label), &job->call);
	flow_leaf_done(op, owner, why);
}

static void job_clear(struct flow_leaf *leaf)
{
	call_clear(&container_of(leaf, struct job, leaf)->call);
}

static struct op *start_work(struct flow *f, const struct line *line, struct then then,
			     struct err *err)
{
	defer(call_clear) struct call call = { .word = NULL };
	struct job *job;

	if (!read_call(&call, line->args, err))
		return NULL;
	job = xnew(struct job);
	flow_leaf_init(&job->leaf, f, line, then);
	job->leaf.clear = job_clear;
	job->call = call;
	call = (struct call){ .word = NULL };
	job->leaf.inner = work_start(f->loop, run_job, job, THEN(on_worked, job));
	return &job->leaf.op;
}

static void on_change(void *owner, struct sv name)
{
	struct flow_leaf *leaf = owner;

	flow_log(leaf->flow, sv_cstr(leaf->label), "changed %.*s", SV_ARG(name));
}

/* watch PATH */
static struct op *start_watch(struct flow *f, const struct line *line, struct then then,
			      __attribute__((unused)) struct err *err)
{
	defer(mem_freep) char *path = sv_dup(line->args);
	struct flow_leaf *leaf = xnew(struct flow_leaf);

	flow_leaf_init(leaf, f, line, then);
	leaf->inner = watch_start(f->loop, path, on_change, THEN(flow_leaf_done, leaf));
	return &leaf->op;
}

const struct flow_directive flow_fs_directives[] = {
	{ "fs", .run = do_fs },
	{ "work", .start = start_work },
	{ "watch", .start = start_watch },
	{ NULL },
};
