#include "context/instruction_rules.h"

#include "base/limits.h"
#include "base/mem.h"
#include "sys/fs.h"

static bool instruction_rules_is_special(char c)
{
	return strchr("*?[]{},\\", c) != NULL;
}

/* Appends a pattern that matches only this text. */
static void instruction_rules_add_literal(struct str *out, struct sv text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (instruction_rules_is_special(text.ptr[i]))
			str_addc(out, '\\');
		str_addc(out, text.ptr[i]);
	}
}

/* --- reading a pattern -------------------------------------------------------- */

static bool instruction_rules_check(struct sv written, const char *home, struct err *err)
{
	if (!written.len)
		return err_set(err, ERR_INVALID, "the pattern is empty");
	if (sv_starts(written, SV("!")))
		return err_set(err, ERR_INVALID, "negation ('!') is not supported");
	if (sv_starts(written, SV("./")) || sv_starts(written, SV("../")))
		return err_set(err, ERR_INVALID,
			       "patterns match absolute paths: start with '/', '~/' or '**/', or "
			       "give a name that matches at any depth");
	return home || !sv_starts(written, SV("~/")) ||
	       err_set(err, ERR_INVALID, "there is no home directory");
}

/* Appends the pattern with an absolute start. */
static void instruction_rules_anchor(struct str *out, struct sv written, const char *home)
{
	if (sv_starts(written, SV("~/"))) {
		instruction_rules_add_literal(out, sv_cstr(home));
		str_add(out, sv_skip(written, 1));
	} else if (sv_starts(written, SV("/"))) {
		str_add(out, written);
	} else {
		str_adds(out, "/**/");
		str_add(out, written);
	}
	if (sv_ends(sv_of(out), SV("/")))
		str_adds(out, "**");
}

/* Returns the folder at the start of a pattern, up to the first wildcard; empty: none. */
static struct sv instruction_rules_fixed_folder(struct sv pattern)
{
	size_t end = 0;

	while (end < pattern.len && !instruction_rules_is_special(pattern.ptr[end]))
		end++;
	end = sv_rfind_char(sv_slice(pattern, 0, end), '/');
	return sv_slice(pattern, 0, end == SIZE_MAX ? 0 : end);
}

/* Adds the pattern with the real path of its folder: files are found under their real paths. */
static bool instruction_rules_add_real(struct glob *out, struct sv pattern, struct err *err)
{
	defer(mem_freep) char *folder = sv_dup(instruction_rules_fixed_folder(pattern));
	defer(str_clear) struct str real = STR_INIT;
	defer(str_clear) struct str resolved = STR_INIT;
	struct err missing = ERR_INIT;

	if (!*folder || !fs_realpath(&real, folder, &missing) || sv_is(sv_of(&real), folder))
		return true;
	instruction_rules_add_literal(&resolved, sv_of(&real));
	str_add(&resolved, sv_skip(pattern, strlen(folder)));
	return glob_init(out, sv_skip(sv_of(&resolved), 1), false, err);
}

static size_t instruction_rules_bytes_of(const struct glob *g)
{
	size_t bytes = 0;

	for (size_t i = 0; i < g->patterns.n; i++)
		bytes += strlen(g->patterns.at[i]);
	return bytes;
}

static void instruction_rules_exclude_clear(struct instruction_exclude *e)
{
	free(e->written);
	glob_clear(&e->as_written);
	glob_clear(&e->real);
}

static bool instruction_rules_exclude_init(struct instruction_exclude *e, struct sv written,
					   const char *home, struct err *err)
{
	defer(str_clear) struct str pattern = STR_INIT;

	if (!instruction_rules_check(written, home, err))
		return false;
	instruction_rules_anchor(&pattern, written, home);
	if (!glob_init(&e->as_written, sv_skip(sv_of(&pattern), 1), false, err))
		return false;
	if (!instruction_rules_add_real(&e->real, sv_of(&pattern), err)) {
		glob_clear(&e->as_written);
		return false;
	}
	e->written = sv_dup(written);
	return true;
}

static bool instruction_rules_add(struct instruction_rules *rules, struct sv written,
				  const char *home, struct err *err)
{
	struct instruction_exclude e = { .as_written = GLOB_INIT, .real = GLOB_INIT };
	size_t bytes;

	if (!instruction_rules_exclude_init(&e, written, home, err))
		return false;
	bytes = instruction_rules_bytes_of(&e.as_written) + instruction_rules_bytes_of(&e.real);
	if (bytes > LIMIT_INSTRUCTION_GLOBS - rules->bytes) {
		instruction_rules_exclude_clear(&e);
		return err_set(err, ERR_TOO_BIG, "all patterns together are too long");
	}
	rules->bytes += bytes;
	vec_push(&rules->excludes, e);
	return true;
}

/* --- the settings --------------------------------------------------------------- */

static enum instruction_names instruction_rules_names_of(struct sv word)
{
	static const struct {
		const char *word;
		enum instruction_names names;
	} rows[] = {
		{ "claude-md-or-agents-md", INSTRUCTIONS_AGENTS_ALONE },
		{ "claude-md", INSTRUCTIONS_CLAUDE },
		{ "managed-only", INSTRUCTIONS_POLICYS },
	};

	for (size_t i = 0; i < countof(rows); i++)
		if (sv_is(word, rows[i].word))
			return rows[i].names;
	return INSTRUCTIONS_ALL;
}

void instruction_rules_read(struct instruction_rules *rules, const struct settings *settings,
			    const char *home, struct str *notes)
{
	const struct settings_item *items = NULL;
	size_t n = 0;

	for (enum settings_source i = 0; settings && i < SETTINGS_SOURCES; i++)
		rules->without[i] = !settings_is_chosen(settings, i);
	if (settings) {
		n = settings_items(settings, "claudeMdExcludes", &items);
		rules->names = instruction_rules_names_of(
			sv_cstr(settings_str(settings, "instructionFiles")));
	}
	for (size_t i = 0; i < n; i++) {
		struct err err = ERR_INIT;

		if (!instruction_rules_add(rules, items[i].text, home, &err))
			str_addf(notes, "%s:%zu: claudeMdExcludes: %s; ignoring this pattern\n",
				 items[i].file, items[i].line, err.text);
	}
}

void instruction_rules_clear(struct instruction_rules *rules)
{
	for (size_t i = 0; i < rules->excludes.n; i++)
		instruction_rules_exclude_clear(&rules->excludes.at[i]);
	vec_clear(&rules->excludes);
}

const char *instruction_rules_exclude(const struct instruction_rules *rules, struct sv path)
{
	path = sv_skip(path, 1);
	for (size_t i = 0; i < rules->excludes.n; i++) {
		const struct instruction_exclude *e = &rules->excludes.at[i];

		if (glob_match(&e->as_written, path) || glob_match(&e->real, path))
			return e->written;
	}
	return NULL;
}
