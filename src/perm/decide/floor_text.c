/* Paths that the floor protects, in the text of a program: `python3 -c 'shutil.rmtree("/")'`. */
#include <ctype.h>

#include "perm/decide/floor.h"
#include "perm/decide/message.h"
#include "perm/path/path.h"

/* Commands and library functions that remove a directory tree. */
static bool floor_text_removes_trees(struct sv name)
{
	static const char names[][15] = {
		"RemoveAll",  "mkfs",       "remove_dir_all", "remove_entry", "remove_tree",
		"removeSync", "removedirs", "rimraf",         "rm",           "rmSync",
		"rm_r",       "rm_rf",      "rmdirSync",      "rmtree",
	};

	return sv_is_among(name, names);
}

static bool floor_text_is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* The first argument after a name, its options and punctuation; empty: there is none. */
static struct sv floor_text_first_argument(struct sv text)
{
	size_t before;

	do {
		before = text.len;
		while (text.len && sv_find_char(SV(" \t'\",[](){"), text.ptr[0]) != SIZE_MAX)
			text = sv_skip(text, 1);
		if (text.len == before)
			return SV_EMPTY;
		before = text.len;
		while (text.len && sv_starts(text, SV("-")))
			text = sv_skip(text, 1);
		while (text.len < before && text.len && floor_text_is_name_char(text.ptr[0]))
			text = sv_skip(text, 1);
	} while (text.len < before);
	return text;
}

static struct sv floor_text_first_path(struct sv text)
{
	size_t end = 0;

	while (end < text.len &&
	       sv_find_char(SV(" \t\n'\",;:|&()[]{}<>`\\"), text.ptr[end]) == SIZE_MAX)
		end++;
	text.len = end;
	while (text.len > 1 && (sv_ends(text, SV("/")) || sv_ends(text, SV("/*"))))
		text.len--;
	return text;
}

/* The path that is removed at the start of `text`; empty: none that the floor protects. */
static struct sv floor_text_find_path(const struct perm_policy *policy, struct sv text,
				      struct arena *arena)
{
	struct sv path = floor_text_first_path(floor_text_first_argument(text)), normal;

	if (sv_is(path, "~") || sv_is(path, "$HOME"))
		return path;
	if (!sv_starts(path, SV("/")))
		return SV_EMPTY;
	normal = path_join(SV("/"), path, arena);
	return floor_contains(policy, normal) || floor_is_storage(normal) ? path : SV_EMPTY;
}

static struct verdict floor_text_check(const struct perm_policy *policy,
				       const struct shell_command *command, struct sv text,
				       struct arena *arena)
{
	for (size_t at = 0, end; at < text.len; at = end) {
		struct sv path;

		for (end = at; end < text.len && floor_text_is_name_char(text.ptr[end]);)
			end++;
		if (end == at) {
			end++;
			continue;
		}
		if (!floor_text_removes_trees(sv_slice(text, at, end)))
			continue;
		path = floor_text_find_path(policy, sv_skip(text, end), arena);
		if (path.len)
			return verdict_of(
				BEHAVIOR_ASK, REASON_SAFETY,
				"%s may remove or change all of %s; no rule can allow that.",
				quote(shell_command_name(command)).text, quote(path).text);
	}
	return (struct verdict){ .behavior = BEHAVIOR_ALLOW };
}

struct verdict floor_check_texts(const struct perm_policy *policy,
				 const struct shell_command *command, struct arena *arena)
{
	struct verdict worst = { .behavior = BEHAVIOR_ALLOW };
	struct sv text;

	for (size_t i = 1; i <= command->n && worst.behavior == BEHAVIOR_ALLOW; i++)
		if (command_program_text(command, i, &text))
			worst = floor_text_check(policy, command, text, arena);
	return worst;
}
