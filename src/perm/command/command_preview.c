#include "perm/command/command_preview.h"

#include "perm/command/command_paths.h"

enum preview_word { PREVIEW_OTHER, PREVIEW_KEEP, PREVIEW_SCRIPT, PREVIEW_IN_PLACE };

/* What an argument of sed is. "-iE" would be a suffix for a backup, and the script of "-es" is in the word. */
static enum preview_word command_preview_word(struct sv word)
{
	static const char *const kept[] = { "--quiet",     "--silent",   "--regexp-extended",
					    "--null-data", "--separate", "--zero-terminated" };
	size_t at = 1;

	for (size_t i = 0; i < countof(kept); i++)
		if (sv_is(word, kept[i]))
			return PREVIEW_KEEP;
	if (sv_starts(word, SV("--expression=")))
		return PREVIEW_SCRIPT;
	if (sv_is(word, "--in-place"))
		return PREVIEW_IN_PLACE;
	while (at < word.len && sv_find_char(SV("nErsz"), word.ptr[at]) != SIZE_MAX)
		at++;
	if (word.len < 2 || sv_starts(word, SV("--")))
		return PREVIEW_OTHER;
	if (at == word.len)
		return PREVIEW_KEEP;
	if (at + 1 < word.len)
		return PREVIEW_OTHER;
	return word.ptr[at] == 'i'   ? PREVIEW_IN_PLACE
	       : word.ptr[at] == 'e' ? PREVIEW_SCRIPT
				     : PREVIEW_OTHER;
}

/* A cluster such as "-nEi" without its "i". */
static void command_preview_keep_rest(struct command_preview *out, size_t *n, struct arena *arena,
				      struct sv word)
{
	if (word.len > 2 && !sv_starts(word, SV("--")))
		out->argv[(*n)++] =
			arena_printf(arena, "%.*s", SV_ARG(sv_slice(word, 0, word.len - 1))).ptr;
}

/* Write the arguments without those that mean "in place". Returns false if one is not understood, or if it is not
 * one script and one file. */
static bool command_preview_arguments(const struct shell_command *command, struct arena *arena,
				      struct command_preview *out)
{
	size_t n = 0, operands = 0;
	bool has_script = false, is_in_place = false;

	out->argv = arena_calloc(arena, command->n + 3, sizeof(*out->argv));
	out->argv[n++] = "sed";
	out->argv[n++] = "--sandbox";
	for (size_t i = 1; i < command->n; i++) {
		struct sv word = command->argv[i].text;
		enum preview_word kind =
			sv_starts(word, SV("-")) ? command_preview_word(word) : PREVIEW_KEEP;

		if (kind == PREVIEW_OTHER || sv_find_char(word, '\0') != SIZE_MAX)
			return false;
		operands += !sv_starts(word, SV("-"));
		is_in_place |= kind == PREVIEW_IN_PLACE;
		has_script |= kind == PREVIEW_SCRIPT;
		if (kind == PREVIEW_IN_PLACE) {
			command_preview_keep_rest(out, &n, arena, word);
			continue;
		}
		out->argv[n++] = arena_printf(arena, "%.*s", SV_ARG(word)).ptr;
		if (kind == PREVIEW_SCRIPT && !sv_starts(word, SV("--")) && ++i < command->n)
			out->argv[n++] =
				arena_printf(arena, "%.*s", SV_ARG(command->argv[i].text)).ptr;
	}
	return is_in_place && operands == (has_script ? 1 : 2);
}

/* The only file that the command uses, which it writes. */
static bool command_preview_file(const struct shell_command *command, struct command_preview *out)
{
	const struct command_path *path = command->paths;

	if (command->npaths != 1 || !path->known || path->is_redirect || path->is_doubtful ||
	    path->recursive || !command_path_writes(path) || !sv_eq(path->named, path->real))
		return false;
	out->path = path->real;
	return true;
}

bool command_preview_find(const struct command_analysis *analysis, struct arena *arena,
			  struct command_preview *out)
{
	const struct shell_command *command = analysis->commands.at;

	if (analysis->problem[0] || analysis->commands.n != 1 || analysis->npipes ||
	    sv_find_char(command->text, '\n') != SIZE_MAX || !command->n ||
	    !command->argv[0].known || !sv_is(command->argv[0].text, "sed") ||
	    !command_is_plain_edit(command) || command->nredirections || command->assigns ||
	    command->certainty != CERTAINTY_CERTAIN || command->may_be_function)
		return false;
	for (size_t i = 1; i < command->n; i++)
		if (!command->argv[i].known || command->argv[i].is_glob)
			return false;
	return command_preview_file(command, out) && command_preview_arguments(command, arena, out);
}
