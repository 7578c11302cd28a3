/* The memory of a project (context/memory.h): where it is, whether it is used, and what people and the model
 * may do with it. The directory lies in the user's configuration, outside of the repository, so nothing that is
 * cloned can fill it; the model may write there without a question, and nowhere else beside it. */
#include "core/session/session_memory.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "context/memory.h"
#include "core/policy/policy.h"
#include "core/session/session_append.h"
#include "core/session/session_internal.h"
#include "sys/fs.h"
#include "tool/shell/shell_env.h"

/* Whether the project has a memory. Without the user's own files there is none. */
static bool session_memory_is_on(const struct session *s)
{
	return s->engine->config_dir && !s->kind.is_bare && !s->commands.is_off &&
	       settings_is_chosen(s->settings, SETTINGS_USER) &&
	       !shell_env_is_on(&s->shared, "CLAUDE_CODE_DISABLE_AUTO_MEMORY") &&
	       settings_bool(s->settings, "autoMemoryEnabled");
}

void session_memory_open(struct session *s)
{
	struct sv wanted = sv_cstr(settings_str(s->settings, "autoMemoryDirectory"));
	defer(str_clear) struct str dir = STR_INIT;
	defer(arena_clear) struct arena arena = ARENA_INIT;

	if (!session_memory_is_on(s))
		return;
	if (wanted.len) {
		policy_place(&dir, s->engine->home, s->shared.root, wanted);
	} else {
		transcript_dir(&dir, sv_cstr(s->engine->config_dir), sv_cstr(s->shared.root));
		str_adds(&dir, "/memory");
	}
	str_add(&s->memory_dir, tool_real_path(agent_tool_context(s->agent), sv_of(&dir), &arena));
	perm_add_own(&s->policy, sv_of(&s->memory_dir));
}

void session_memory_write(const struct session *s, struct str *out)
{
	if (!s->memory_dir.len || !toolset_has(agent_toolset(s->agent), SV("Write")))
		return;
	str_adds(out, "\n\n");
	memory_write(out, MEMORY_OF_PROJECT, sv_of(&s->memory_dir));
}

/* --- /memory ------------------------------------------------------------------------------------ */

/* The file that a quick note goes to, by the word before it. */
static bool session_memory_file(const struct session *s, struct sv where, struct str *out)
{
	struct sv root = sv_cstr(s->shared.root);

	if (sv_is(where, "user") && s->engine->config_dir)
		fs_join(out, sv_cstr(s->engine->config_dir), SV("CLAUDE.md"));
	else if (sv_is(where, "local"))
		fs_join(out, root, SV("CLAUDE.local.md"));
	else if (sv_is(where, "project"))
		fs_join(out, root, SV("CLAUDE.md"));
	if (sv_is(where, "project") && !fs_exists(str_c(out))) {
		str_truncate(out, 0);
		fs_join(out, root, SV("AGENTS.md"));
		if (!fs_exists(str_c(out))) {
			str_truncate(out, 0);
			fs_join(out, root, SV("CLAUDE.md"));
		}
	}
	return out->len;
}

static bool session_memory_append(const char *path, struct sv text, struct err *err)
{
	defer(str_clear) struct str item = STR_INIT;

	str_addf(&item, "- %.*s", SV_ARG(text));
	return fs_add_line(path, sv_of(&item), LIMIT_INSTRUCTIONS, err);
}

bool session_memory_add(struct session *s, struct sv rest, struct str *out)
{
	defer(str_clear) struct str path = STR_INIT, note = STR_INIT, saved = STR_INIT;
	struct err err = ERR_INIT;
	struct sv text = sv_trim(rest), line, where;
	struct jw w;

	(void)sv_cut(&text, ' ', &where);
	text = sv_trim(text);
	if (!session_memory_file(s, where, &path) || !text.len) {
		str_adds(out, "write /memory add project|local|user and the text to remember");
		return false;
	}
	(void)sv_cut_line(&text, &line);
	if (text.len || !utf8_valid(line, NULL)) {
		str_adds(out, "a note has one line");
		return false;
	}
	if (!session_memory_append(str_c(&path), line, &err)) {
		str_adds(out, err.text);
		return false;
	}
	str_addf(&note, "The user added to %s: %.*s", str_c(&path), SV_ARG(line));
	session_append_note(s, sv_of(&note));
	jw_init(&w, &saved, JW_COMPACT);
	jw_str(&w, sv_of(&path));
	jw_done(&w);
	session_records_add_memories(s, sv_of(&saved));
	str_addf(out, "Memory updated in %s; /memory lists the files.", str_c(&path));
	return true;
}

void session_memory_list(const struct session *s, struct str *out)
{
	str_truncate(out, sv_trim(sv_of(out)).len);
	str_adds(out, "\n\n");
	if (s->memory_dir.len)
		memory_list(out, sv_of(&s->memory_dir));
	else
		str_adds(out, "This session has no memory of the project: it is switched off.");
}
