/* The memory of an agent, in three scopes: a directory that outlives its tasks, which it may read and write without a
 * question.
 *
 *   user      <configuration>/agent-memory/<agent>
 *   project   .claude/agent-memory/<agent>, committed with the project
 *   local     .claude/agent-memory-local/<agent>
 *
 * The last two lie in the repository, and so does the definition that asks for them. They can be written without a
 * question only if the user trusts the project, or the definition is the user's own.
 *
 * A project may provide an initial memory for its agents, a snapshot: Markdown files and snapshot.json with a date in
 * .claude/agent-memory-snapshots/<agent>. An empty memory of scope local begins with a copy. So does an empty one of
 * scope user, but only if the project is trusted, because that memory affects other projects, too. An agent whose
 * memory is older than the snapshot learns about it. */
#include "base/ascii.h"
#include "base/limits.h"
#include "context/memory.h"
#include "core/session/session_emit.h"
#include "core/subagents/subagents.h"
#include "sys/fs.h"
#include "text/json/json_write.h"

#define SNAPSHOT        "snapshot.json"
#define SNAPSHOT_SYNCED ".snapshot-synced.json"

/* --- where it is -------------------------------------------------------------------------------- */

/* The name as that of a directory. */
static void agent_memory_add_name(struct str *out, struct sv name)
{
	for (size_t i = 0; i < name.len; i++)
		str_addc(out, ascii_is_word(name.ptr[i]) || name.ptr[i] == '-' ? name.ptr[i] : '-');
}

/* Returns false if the agent has none. */
static bool agent_memory_place(const struct session *s, const struct agent_file *file,
			       struct str *out)
{
	static const char *const folders[] = {
		[AGENT_MEMORY_USER] = "agent-memory",
		[AGENT_MEMORY_PROJECT] = ".claude/agent-memory",
		[AGENT_MEMORY_LOCAL] = ".claude/agent-memory-local",
	};
	bool is_user = file->memory == AGENT_MEMORY_USER;

	if (!file->memory || s->kind.is_bare || (is_user && !s->engine->config_dir))
		return false;
	fs_join(out, sv_cstr(is_user ? s->engine->config_dir : s->shared.root),
		sv_cstr(folders[file->memory]));
	str_addc(out, '/');
	agent_memory_add_name(out, file->name);
	return true;
}

static void agent_memory_allow(struct session *s, struct sv dir)
{
	for (size_t i = 0; i < s->policy.own_paths.n; i++)
		if (sv_eq(s->policy.own_paths.at[i], dir))
			return;
	perm_add_own(&s->policy, dir);
}

/* --- snapshots ---------------------------------------------------------------------------------- */

struct agent_memory_copy {
	struct sv from, to;
	size_t n;
	bool only_counts;
};

/* A repository may have links where the copy goes, so it makes new files and follows none. */
static void agent_memory_put(struct sv dir, struct sv name, struct sv text)
{
	defer(str_clear) struct str path = STR_INIT;
	defer(fs_unpinp) struct fs_pin *pin = NULL;
	struct err ignored = ERR_INIT;

	fs_join(&path, dir, name);
	pin = fs_pin(str_c(&path), &ignored);
	if (pin && !fs_pinned_info(pin))
		(void)!fs_pinned_write(pin, text, (struct fs_write){ .mode = 0600 }, &ignored);
}

static enum fs_visit agent_memory_visit(void *arg, const struct fs_entry *entry)
{
	struct agent_memory_copy *copy = arg;
	defer(str_clear) struct str from = STR_INIT, text = STR_INIT;
	struct err ignored = ERR_INIT;

	if (entry->kind == FS_DIR)
		return FS_SKIP;
	if (entry->kind != FS_FILE || !sv_ends(entry->name, SV(".md")))
		return FS_GO_ON;
	if (copy->n++ == LIMIT_MEMORY_TOPICS)
		return FS_STOP;
	fs_join(&from, copy->from, entry->name);
	if (!copy->only_counts && fs_read(&text, from.ptr, LIMIT_MEMORY_FILE, &ignored))
		agent_memory_put(copy->to, entry->name, sv_of(&text));
	return FS_GO_ON;
}

static size_t agent_memory_walk(const char *dir, struct agent_memory_copy copy)
{
	struct err ignored = ERR_INIT;

	(void)!fs_walk(dir, agent_memory_visit, &copy, &ignored);
	return copy.n;
}

/* A text in a small JSON file; empty: there is none. */
static void agent_memory_read_date(struct str *out, struct sv dir, const char *file,
				   const char *key)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err ignored = ERR_INIT;

	fs_join(&path, dir, sv_cstr(file));
	if (fs_read(&text, path.ptr, LIMIT_MEMORY_FILE, &ignored))
		doc = json_parse(sv_of(&text), 0, &ignored);
	str_add(out, json_str_or(json_get(json_root(doc), key), SV_EMPTY));
}

static void agent_memory_begin(struct sv from, struct sv to, struct sv date)
{
	defer(str_clear) struct str path = STR_INIT, note = STR_INIT, source = STR_INIT;
	struct err ignored = ERR_INIT;
	struct jw w;

	str_add(&path, to);
	if (!fs_mkdirs(str_c(&path), 0700, &ignored))
		return;
	str_add(&source, from);
	agent_memory_walk(str_c(&source), (struct agent_memory_copy){ .from = from, .to = to });
	jw_init(&w, &note, JW_COMPACT);
	jw_object(&w);
	jw_put_str(&w, "syncedFrom", date);
	jw_end(&w);
	jw_done(&w);
	agent_memory_put(to, SV(SNAPSHOT_SYNCED), sv_of(&note));
}

/* The snapshot that the project has for this agent fills an empty memory; `out` says if it is newer than one that is
 * not empty. */
static void agent_memory_take_snapshot(const struct session *s, const struct agent_file *file,
				       const char *dir, struct str *out)
{
	defer(str_clear) struct str from = STR_INIT, date = STR_INIT, synced = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;

	fs_join(&from, sv_cstr(s->shared.root), SV(".claude/agent-memory-snapshots/"));
	agent_memory_add_name(&from, file->name);
	if (!sv_eq(tool_real_path(agent_tool_context(s->agent), sv_of(&from), &arena),
		   sv_of(&from)))
		return;
	agent_memory_read_date(&date, sv_of(&from), SNAPSHOT, "updatedAt");
	if (!date.len)
		return;
	if (!agent_memory_walk(dir, (struct agent_memory_copy){ .only_counts = true })) {
		agent_memory_begin(sv_of(&from), sv_cstr(dir), sv_of(&date));
		return;
	}
	agent_memory_read_date(&synced, sv_cstr(dir), SNAPSHOT_SYNCED, "syncedFrom");
	if (sv_cmp(sv_of(&date), sv_of(&synced)) > 0)
		str_addf(
			out,
			"\nThe project has a newer snapshot of this memory in %s, of %s. Take over "
			"what is new there, then write {\"syncedFrom\":\"%s\"} to %s/%s.\n",
			str_c(&from), str_c(&date), str_c(&date), dir, SNAPSHOT_SYNCED);
}

/* --- links -------------------------------------------------------------------------------------- */

/* A directory in a repository, and the index in it, may not be links: they could lead to anything. */
static bool agent_memory_leads_out(const struct agent_file *file, struct sv dir, struct sv real)
{
	defer(str_clear) struct str index = STR_INIT;
	struct err ignored = ERR_INIT;
	struct fs_info info;

	if (file->memory == AGENT_MEMORY_USER)
		return false;
	fs_join(&index, real, SV(MEMORY_INDEX));
	return !sv_eq(dir, real) ||
	       (fs_info(&info, str_c(&index), false, &ignored) && info.kind != FS_FILE);
}

/* --- what it learns ----------------------------------------------------------------------------- */

void agent_memory_write(struct session *s, const struct agent_file *file, struct str *out)
{
	static const enum memory_kind kinds[] = {
		[AGENT_MEMORY_USER] = MEMORY_OF_AGENT,
		[AGENT_MEMORY_PROJECT] = MEMORY_OF_AGENT_SHARED,
		[AGENT_MEMORY_LOCAL] = MEMORY_OF_AGENT_PRIVATE,
	};
	defer(str_clear) struct str dir = STR_INIT, news = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;
	struct sv real;

	if (!agent_memory_place(s, file, &dir))
		return;
	real = tool_real_path(agent_tool_context(s->agent), sv_of(&dir), &arena);
	if (agent_memory_leads_out(file, sv_of(&dir), real)) {
		str_addf(&news, "%s is a link, so the memory of the agent is not used.",
			 str_c(&dir));
		session_inform(s, NOTICE_WARNING, sv_of(&news));
		return;
	}
	if (session_trusts_agent(s, file)) {
		agent_memory_allow(s, real);
		if (file->memory == AGENT_MEMORY_LOCAL ||
		    (file->memory == AGENT_MEMORY_USER && session_trusts_project(s)))
			agent_memory_take_snapshot(s, file, arena_dup(&arena, real).ptr, &news);
	}
	str_adds(out, out->len ? "\n\n" : "");
	memory_write(out, kinds[file->memory], real);
	str_add(out, sv_of(&news));
}

void agent_memory_write_lead(struct session *s, struct str *out)
{
	const struct agent_file *file =
		agent_list_find(session_agent_list(s, false), sv_of(&s->agents.lead));

	if (s->agents.lead.len && file)
		agent_memory_write(s, file, out);
}
