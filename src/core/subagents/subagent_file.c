/* The files of sub-agents: the conversation of each, and beside it the little that it takes to continue the agent when
 * its session is resumed. A file may have been copied from somebody else, so it cannot give an agent a mode that a
 * call could not. */
#include <stdlib.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/utf8.h"
#include "core/session/session_transcript.h"
#include "core/subagents/subagent.h"
#include "sys/fs.h"
#include "text/hex.h"
#include "text/json/json_write.h"

static const char subagent_meta_end[] = ".meta.json";

/* --- the conversation ---------------------------------------------------------------------------- */

static void subagents_place(const struct subagents *all, struct str *out)
{
	const struct conversation *c = &all->s->conversation;

	if (c->path)
		str_addf(out, "%.*s/subagents", (int)(strlen(c->path) - strlen(".jsonl")), c->path);
}

void subagent_place(struct subagent *a)
{
	subagents_place(a->all, &a->path);
	if (a->path.len)
		str_addf(&a->path, "/agent-%s.jsonl", a->id);
}

void subagent_open_transcript(struct subagent *a)
{
	struct session *s = a->all->s;

	if (!a->path.len)
		return;
	a->transcript =
		transcript_new(&(struct transcript_opts){ .path = str_c(&a->path),
							  .session_id = s->conversation.id.text,
							  .agent_id = a->id,
							  .version = AWL_VERSION,
							  .entrypoint = s->engine->entrypoint,
							  .parent = agent_last_record(a->agent),
							  .on_line = session_mirror_line,
							  .arg = s });
}

/* --- what it is ---------------------------------------------------------------------------------- */

static void subagent_put(struct jw *w, const char *key, const struct str *text)
{
	if (text->len)
		jw_put_str(w, key, sv_of(text));
}

static void subagent_write_meta(const struct subagent *a, struct str *out)
{
	struct jw w;

	jw_init(&w, out, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "agentType", sv_of(&a->type));
	subagent_put(&w, "description", &a->description);
	subagent_put(&w, "name", &a->name);
	subagent_put(&w, "toolUseId", &a->call);
	subagent_put(&w, "model", &a->model);
	subagent_put(&w, "effort", &a->effort);
	subagent_put(&w, "permissionMode", &a->mode);
	if (a->is_isolated)
		jw_put_str(&w, "isolation", SV("worktree"));
	jw_end(&w);
	jw_done(&w);
}

void subagent_save(const struct subagent *a)
{
	defer(str_clear) struct str dir = STR_INIT, path = STR_INIT, json = STR_INIT;
	struct err err = ERR_INIT;

	if (!a->path.len)
		return;
	subagents_place(a->all, &dir);
	str_addf(&path, "%s/agent-%s%s", str_c(&dir), a->id, subagent_meta_end);
	subagent_write_meta(a, &json);
	if (!fs_mkdirs(str_c(&dir), 0700, &err) ||
	    !fs_write(str_c(&path), sv_of(&json), (struct fs_write){ .mode = 0600 }, &err))
		log_info("agent %s: %s", a->id, err.text);
}

/* --- those of earlier runs ----------------------------------------------------------------------- */

struct subagent_recalled {
	struct subagent *agent;
	int64_t mtime_ns;
};

struct subagents_recollection {
	struct subagents *all;
	struct sv dir;
	VEC(struct subagent_recalled) found;
};

/* "a" and 16 hexadecimal digits. */
static bool subagent_is_id(struct sv text)
{
	for (size_t i = 1; i < text.len; i++)
		if (hex_digit(text.ptr[i]) < 0)
			return false;
	return text.len == SUBAGENT_ID - 1 && text.ptr[0] == 'a';
}

/* Between "agent-" and the end of the name; empty: it is another file. */
static struct sv subagent_id_in(struct sv name)
{
	static const struct sv start = SV_INIT("agent-");
	struct sv id;

	if (!sv_starts(name, start) || !sv_ends(name, sv_cstr(subagent_meta_end)))
		return SV_EMPTY;
	id = sv_slice(name, start.len, name.len - strlen(subagent_meta_end));
	return subagent_is_id(id) ? id : SV_EMPTY;
}

static void subagent_take(struct str *out, struct json meta, const char *key)
{
	enum { LONGEST = 1000 };

	str_add(out, utf8_prefix(json_str_or(json_get(meta, key), SV_EMPTY), LONGEST));
}

/* An agent that has ended, as its file describes it. */
static struct subagent *subagent_remember(struct subagents *all, struct sv id, struct json meta)
{
	struct subagent *a = xnew(struct subagent);

	a->all = all;
	memcpy(a->id, id.ptr, id.len);
	a->tree = GIT_WORKTREE_INIT;
	a->depth = 1;
	a->is_background = a->is_reported = true;
	a->status = COMMAND_COMPLETED;
	subagent_take(&a->type, meta, "agentType");
	subagent_take(&a->description, meta, "description");
	subagent_take(&a->name, meta, "name");
	subagent_take(&a->call, meta, "toolUseId");
	subagent_take(&a->model, meta, "model");
	subagent_take(&a->effort, meta, "effort");
	subagent_take(&a->mode, meta, "permissionMode");
	a->is_isolated = sv_is(json_str_or(json_get(meta, "isolation"), SV_EMPTY), "worktree");
	a->is_fork = sv_is(sv_of(&a->type), subagent_fork_file.name.ptr);
	if (!a->call.len)
		str_adds(&a->call, a->id);
	str_adds(&a->result, "(It ended in an earlier run of this session.)");
	subagent_write_label(a);
	subagent_place(a);
	return a;
}

static enum fs_visit subagents_recall_file(void *arg, const struct fs_entry *entry)
{
	struct subagents_recollection *r = arg;
	struct sv id = subagent_id_in(entry->name);
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct fs_info info;

	if (entry->kind != FS_FILE || !id.len || subagents_find(r->all, id))
		return FS_SKIP;
	fs_join(&path, r->dir, entry->name);
	if (!fs_entry_info(&info, entry) || !fs_read(&text, str_c(&path), LIMIT_AGENT_META, &err))
		return FS_SKIP;
	doc = json_parse(sv_of(&text), 0, &err);
	if (json_is(json_root(doc), JSON_OBJECT))
		vec_push(&r->found, ((struct subagent_recalled){
					    .agent = subagent_remember(r->all, id, json_root(doc)),
					    .mtime_ns = info.mtime_ns }));
	return r->found.n < LIMIT_AGENTS_RECALLED ? FS_SKIP : FS_STOP;
}

static int subagents_older_first(const void *a, const void *b)
{
	const struct subagent_recalled *x = a, *y = b;

	return x->mtime_ns < y->mtime_ns ? -1 : x->mtime_ns > y->mtime_ns;
}

void subagents_recall(struct subagents *all)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct subagents_recollection r = { .all = all, .found = VEC_INIT };
	struct err err = ERR_INIT;
	size_t n;

	subagents_place(all, &dir);
	if (all->has_recalled || !dir.len)
		return;
	all->has_recalled = true;
	r.dir = sv_of(&dir);
	if (fs_exists(str_c(&dir)) && !fs_walk(str_c(&dir), subagents_recall_file, &r, &err))
		log_info("%s", err.text);
	n = r.found.n;
	if (n)
		qsort(r.found.at, n, sizeof(*r.found.at), subagents_older_first);
	for (size_t i = 0; i < all->list.n; i++)
		vec_push(&r.found, ((struct subagent_recalled){ .agent = all->list.at[i] }));
	all->list.n = 0;
	for (size_t i = 0; i < r.found.n; i++)
		vec_push(&all->list, r.found.at[i].agent);
	vec_clear(&r.found);
}
