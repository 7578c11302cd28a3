/* What the model has read and would have to read again after a summary: the content of the files that were
 * used last, and the skills. Both within a budget, the newest first. */
#include "base/limits.h"
#include "base/utf8.h"
#include "context/summary.h"
#include "core/agent/agent_internal.h"
#include "core/commands/session_mentions.h"
#include "core/compaction/compaction.h"
#include "core/compaction/compaction_internal.h"
#include "core/session/session_append.h"
#include "tool/read/read_state.h"

/* --- files ---------------------------------------------------------------------------------- */

void compaction_list_files(const struct read_state *files, struct str *out)
{
	size_t n = read_state_count(files), nth = 0;
	const struct file_seen *seen;
	struct sv path;

	for (size_t i = 0; read_state_next(files, &i, &path, &seen); nth++)
		if (n - nth <= LIMIT_COMPACT_NAMES)
			str_addf(out, "%s%.*s%s", out->len ? "\n" : "", SV_ARG(path),
				 seen->ours ? SUMMARY_CHANGED : "");
}

void compaction_restore_files(struct session *s)
{
	const struct read_state *files = agent_tool_context(s->agent)->files;
	defer(str_clear) struct str text = STR_INIT;
	VEC(struct sv) paths = VEC_INIT;
	const struct file_seen *seen;
	struct sv path;
	size_t n = 0;

	for (size_t i = 0; read_state_next(files, &i, &path, &seen);)
		vec_push(&paths, path);
	for (size_t i = paths.n; i > 0 && n < LIMIT_COMPACT_FILES; i--)
		n += session_add_file(s, &text, paths.at[i - 1], LIMIT_COMPACT_FILE);
	vec_clear(&paths);
	if (!text.len)
		return;
	str_splice(&text, 0, 0, SV("The files that were used last, as they are now:"));
	session_append_meta(s, sv_of(&text));
}

/* --- skills ----------------------------------------------------------------------------------- */

static void compaction_skill_clear(struct session_skill *skill)
{
	str_clear(&skill->name);
	str_clear(&skill->text);
}

void compaction_forget_skills(struct session *s)
{
	for (size_t i = 0; i < s->compaction.skills.n; i++)
		compaction_skill_clear(&s->compaction.skills.at[i]);
	vec_clear(&s->compaction.skills);
}

/* The first line names the directory; the name of a skill depends on who looks for it. */
static bool compaction_is_same_skill(struct sv a, struct sv b)
{
	struct sv first, second;

	return sv_cut_line(&a, &first) && sv_cut_line(&b, &second) && sv_eq(first, second);
}

void compaction_note_skill(struct session *s, struct sv name, struct sv text)
{
	struct session_skill *skill;

	for (size_t i = 0; i < s->compaction.skills.n; i++) {
		skill = &s->compaction.skills.at[i];
		if (!compaction_is_same_skill(sv_of(&skill->text), text) &&
		    s->compaction.skills.n < LIMIT_COMPACT_SKILLS)
			continue;
		compaction_skill_clear(skill);
		vec_remove(&s->compaction.skills, i);
		break;
	}
	skill = vec_add(&s->compaction.skills);
	str_add(&skill->name, name);
	str_add(&skill->text, utf8_prefix(text, LIMIT_COMPACT_SKILL));
}

void compaction_restore_skills(struct session *s)
{
	defer(str_clear) struct str text = STR_INIT;

	for (size_t i = s->compaction.skills.n; i > 0; i--) {
		const struct session_skill *skill = &s->compaction.skills.at[i - 1];

		if (text.len + skill->text.len > LIMIT_COMPACT_ALL_SKILLS)
			break;
		str_addf(&text, COMPACTION_SKILL "%s\n\n%s", str_c(&skill->name),
			 str_c(&skill->text));
	}
	if (!text.len)
		return;
	str_splice(&text, 0, 0, SV(COMPACTION_SKILLS " Keep following them where they apply:"));
	session_append_meta(s, sv_of(&text));
}
