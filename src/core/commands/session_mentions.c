/* What prompts and commands refer to with @. Only what the model could read without a question is added, so a mention
 * opens nothing that a rule keeps closed. A file counts as read, so the model can edit it at once. */
#include "core/commands/session_mentions.h"

#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "context/mentions.h"
#include "core/session/session_append.h"
#include "core/session/session_emit.h"
#include "core/session/session_host.h"
#include "core/session/session_internal.h"
#include "core/subagents/subagents.h"
#include "core/toolset/toolset.h"
#include "proto/message.h"
#include "sys/fs.h"
#include "tool/read/read_state.h"

/* --- files ------------------------------------------------------------------------------- */

struct mentioned_file {
	char *path; /* the real one; NULL: it may not be read */
	struct fs_info info;
	struct str text;
	bool is_cut;
};

static void mentioned_file_clear(struct mentioned_file *file)
{
	free(file->path);
	str_clear(&file->text);
}

/* Whether there is such a file or directory that may be read without a question. */
static bool mentioned_file_find(struct mentioned_file *file, struct session *s, struct sv written)
{
	defer(arena_clear) struct arena arena = ARENA_INIT;
	const struct tool_context *ctx = agent_tool_context(s->agent);
	const struct perm_request request = { .tool = SV("Read"),
					      .access = ACCESS_READ,
					      .path = tool_real_path(ctx, written, &arena),
					      .named = tool_path(ctx, written, &arena) };
	struct err ignored = ERR_INIT;

	file->path = sv_dup(request.path);
	return fs_info(&file->info, file->path, true, &ignored) &&
	       perm_decide(&s->policy, &request).behavior == BEHAVIOR_ALLOW;
}

/* Read the first lines of a text file, at most `max` bytes. */
static bool mentioned_file_read(struct mentioned_file *file, size_t max)
{
	struct err ignored = ERR_INIT;
	int64_t size;
	defer(fs_closep) struct fs_file *opened = fs_open(file->path, &size, &ignored);
	size_t n = opened ? min_of((size_t)size, max) : 0, end;

	file->is_cut = opened && (size_t)size > max;
	str_reserve(&file->text, n + 1);
	if (!opened || !fs_read_at(opened, 0, file->text.ptr, n, &ignored))
		return false;
	file->text.len = n;
	file->text.ptr[n] = '\0';
	end = file->is_cut ? sv_rfind_char(sv_of(&file->text), '\n') : SIZE_MAX;
	if (end != SIZE_MAX)
		str_truncate(&file->text, end + 1);
	return utf8_valid(sv_of(&file->text), NULL);
}

bool session_add_file(struct session *s, struct str *out, struct sv written, size_t max)
{
	defer(mentioned_file_clear) struct mentioned_file file = { .path = NULL };

	if (!mentioned_file_find(&file, s, written) || file.info.kind != FS_FILE ||
	    !mentioned_file_read(&file, max))
		return false;
	str_addf(out, "\n\nContents of %s:\n\n%s%s", file.path, str_c(&file.text),
		 file.is_cut ? "\n(The rest of the file is omitted.)" : "");
	return true;
}

/* --- mentions ------------------------------------------------------------------------------ */

struct session_mentions {
	struct session *s;
	struct map seen;  /* names, with their lines */
	struct str text;  /* for the model */
	struct str shown; /* for the user: what was added */
	size_t n;
};

static void session_mentions_note(struct session_mentions *m, const struct mention *mention)
{
	if (m->n++)
		str_adds(&m->shown, ", ");
	str_add(&m->shown, mention->name);
	if (mention->first)
		str_addf(&m->shown, " lines %zu-%zu", mention->first, mention->last);
}

/* The lines that are meant; false: the file is shorter. */
static bool session_mentions_cut_lines(const struct mention *mention, struct sv *text)
{
	struct sv rest = *text, line, start;

	for (size_t i = 1; i < mention->first; i++)
		sv_cut_line(&rest, &line);
	start = rest;
	for (size_t i = mention->first; i <= mention->last && rest.len; i++)
		sv_cut_line(&rest, &line);
	*text = sv_slice(start, 0, start.len - rest.len);
	return text->len;
}

/* What the model knows from now on, unless it knows more already. */
static void session_mentions_remember(struct session *s, const struct mentioned_file *file,
				      const struct mention *mention)
{
	struct read_state *files = agent_tool_context(s->agent)->files;
	struct sv path = sv_cstr(file->path);
	struct file_seen seen;

	if (file->is_cut || read_state_get(files, path))
		return;
	seen = file_seen_of(&file->info, sv_of(&file->text));
	if (mention->first) {
		seen.shown = (struct lines_seen){ .n = 0 };
		lines_add(&seen.shown, mention->first, mention->last);
	}
	read_state_put(files, path, seen);
}

static bool session_mentions_add_lines(struct session_mentions *m, struct mentioned_file *file,
				       const struct mention *mention, size_t space)
{
	struct sv lines, shown;

	if (!mentioned_file_read(file, mention->first ? LIMIT_MENTIONED_FILE : space))
		return false;
	lines = sv_of(&file->text);
	if (mention->first && !session_mentions_cut_lines(mention, &lines))
		return false;
	shown = utf8_prefix(lines, space);
	file->is_cut = file->is_cut || shown.len < lines.len;
	str_addf(&m->text, "The user mentioned %s", file->path);
	if (mention->first)
		str_addf(&m->text, ", lines %zu to %zu", mention->first, mention->last);
	str_addf(&m->text, ":\n\n%.*s%s\n\n", SV_ARG(shown),
		 shown.len < lines.len || (file->is_cut && !mention->first)
			 ? "\n(The rest is omitted.)"
			 : "");
	session_mentions_remember(m->s, file, mention);
	return true;
}

struct mentioned_names {
	struct str *out;
	size_t n;
};

static enum fs_visit mentioned_names_visit(void *arg, const struct fs_entry *entry)
{
	struct mentioned_names *names = arg;

	if (names->n++ == LIMIT_MENTIONED_NAMES) {
		str_adds(names->out, "(The rest is omitted.)\n");
		return FS_STOP;
	}
	str_addf(names->out, "%.*s%s\n", SV_ARG(entry->path), entry->kind == FS_DIR ? "/" : "");
	return FS_SKIP;
}

static bool session_mentions_add_names(struct session_mentions *m,
				       const struct mentioned_file *directory)
{
	defer(str_clear) struct str text = STR_INIT;
	struct mentioned_names names = { .out = &text };
	struct err ignored = ERR_INIT;

	if (!fs_walk(directory->path, mentioned_names_visit, &names, &ignored))
		return false;
	str_addf(&m->text, "The user mentioned the directory %s, which contains:\n\n%s\n",
		 directory->path, str_c(&text));
	return true;
}

static bool session_mentions_add_file(struct session_mentions *m, const struct mention *mention)
{
	defer(mentioned_file_clear) struct mentioned_file file = { .path = NULL };
	size_t space = LIMIT_MENTIONED - min_of(m->text.len, (size_t)LIMIT_MENTIONED);

	if (!space || !mentioned_file_find(&file, m->s, mention->name))
		return false;
	if (file.info.kind == FS_DIR)
		return session_mentions_add_names(m, &file);
	return file.info.kind == FS_FILE &&
	       session_mentions_add_lines(m, &file, mention,
					  min_of(space, (size_t)LIMIT_READ_RESULT));
}

/* "agent-NAME", or "NAME (agent)" as other programs write it. */
static bool session_mentions_add_agent(struct session_mentions *m, const struct mention *mention)
{
	static const struct sv before = SV_INIT("agent-"), after = SV_INIT(" (agent)");
	struct sv name = mention->name;
	const struct agent_file *agent;

	if (!toolset_has(agent_toolset(m->s->agent), SV("Agent")))
		return false;
	if (sv_starts(name, before))
		name = sv_skip(name, before.len);
	else if (sv_ends(name, after))
		name = sv_slice(name, 0, name.len - after.len);
	else
		return false;
	agent = agent_list_find(session_agent_list(m->s, false), name);
	if (!agent)
		return false;
	str_addf(&m->text,
		 "The user wants the agent %.*s for this. Start it with the tool Agent, and tell "
		 "it all that it needs to know.\n\n",
		 SV_ARG(agent->name));
	return true;
}

static void session_mentions_add(struct session_mentions *m, const struct mention *mention)
{
	defer(str_clear) struct str key = STR_INIT;

	str_addf(&key, "%zu %zu %.*s", mention->first, mention->last, SV_ARG(mention->name));
	if (map_put(&m->seen, sv_of(&key), m))
		return;
	if (session_mentions_add_agent(m, mention) || session_mentions_add_file(m, mention))
		session_mentions_note(m, mention);
}

static void session_mentions_read(struct session_mentions *m, struct sv text)
{
	struct mentions mentions = { .text = text };
	struct mention mention;

	while (m->n < LIMIT_MENTIONS && mentions_next(&mentions, &mention))
		session_mentions_add(m, &mention);
}

void session_mentions_append(struct session *s, const struct session_waiting *w)
{
	struct session_mentions m = { .s = s, .seen = MAP_INIT };
	defer(str_clear) struct str list = STR_INIT, text = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err invalid = ERR_INIT;

	if (w->is_notice || w->typed.len || w->channel.len || w->origin.len ||
	    sv_find_char(sv_of(&w->blocks), '@') == SIZE_MAX)
		return;
	str_addf(&list, "[%s]", str_c(&w->blocks));
	doc = json_parse(sv_of(&list), 0, &invalid);
	content_text(&text, json_root(doc));
	session_mentions_read(&m, sv_of(&text));
	session_append_meta(s, sv_trim(sv_of(&m.text)));
	if (m.n && session_is_at_terminal(s)) {
		str_splice(&m.shown, 0, 0, SV("Sent with the prompt: "));
		session_inform(s, NOTICE_INFO, sv_of(&m.shown));
	}
	map_clear(&m.seen);
	str_clear(&m.text);
	str_clear(&m.shown);
}
