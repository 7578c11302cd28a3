/* Finds and reads the files. */
#include "base/limits.h"
#include "store/approved.h"
#include "store/settings/settings_notes.h"
#include "store/settings/settings_private.h"
#include "store/trust.h"
#include "sys/fs.h"
#include "text/json/json_write.h"
#include "text/nearest.h"

const char *settings_source_name(enum settings_source source)
{
	static const char names[SETTINGS_SOURCES][16] = {
		[SETTINGS_GLOBAL] = "globalSettings",   [SETTINGS_USER] = "userSettings",
		[SETTINGS_PROJECT] = "projectSettings", [SETTINGS_LOCAL] = "localSettings",
		[SETTINGS_FLAG] = "flagSettings",       [SETTINGS_POLICY] = "policySettings",
	};

	return source < SETTINGS_SOURCES ? names[source] : "";
}

bool settings_are_projects(enum settings_source source)
{
	return source == SETTINGS_PROJECT || source == SETTINGS_LOCAL;
}

size_t settings_limit(enum settings_source source)
{
	return source == SETTINGS_GLOBAL ? LIMIT_SETTINGS_GLOBAL : LIMIT_SETTINGS;
}

const char *settings_work_dir(const struct settings_opts *opts)
{
	return opts->work_dir ? opts->work_dir : opts->project_dir;
}

bool settings_path(const struct settings_opts *opts, enum settings_source source, struct str *out,
		   struct err *err)
{
	const char *repo = opts->repo_dir ? opts->repo_dir : opts->project_dir;
	const char *dir = source == SETTINGS_GLOBAL    ? opts->global_file
			  : source == SETTINGS_USER    ? opts->config_dir
			  : source == SETTINGS_PROJECT ? opts->project_dir
			  : source == SETTINGS_LOCAL   ? repo
						       : NULL;

	if (!dir)
		return err_set(err, ERR_NOT_FOUND, "%s cannot be written: no file",
			       settings_source_name(source));
	str_adds(out, dir);
	if (source != SETTINGS_GLOBAL)
		fs_join(out, SV_EMPTY,
			source == SETTINGS_USER      ? SV("settings.json")
			: source == SETTINGS_PROJECT ? SV(".claude/settings.json")
						     : SV(".claude/settings.local.json"));
	return true;
}

/* --- --setting-sources -------------------------------------------------------------------- */

static const char *const short_names[] = { "user", "project", "local" };

static bool settings_load_read_source(struct sv name, unsigned *chosen, struct err *err)
{
	struct nearest best = NEAREST_INIT;

	for (size_t i = 0; i < countof(short_names); i++) {
		nearest_offer(&best, name, sv_cstr(short_names[i]));
		if (sv_is(name, short_names[i])) {
			*chosen |= 1u << (SETTINGS_USER + i);
			return true;
		}
	}
	if (best.word.len)
		return err_set(err, ERR_INVALID,
			       "unknown settings source '%.*s'; did you mean '%.*s'?", SV_ARG(name),
			       SV_ARG(best.word));
	return err_set(err, ERR_INVALID,
		       "unknown settings source '%.*s'; choose user, project or local",
		       SV_ARG(name));
}

bool settings_chosen(const char *list, unsigned *out, struct err *err)
{
	struct sv rest = sv_cstr(list), name;
	unsigned chosen = 0;

	while (sv_cut(&rest, ',', &name)) {
		name = sv_trim(name);
		if (name.len && !settings_load_read_source(name, &chosen, err))
			return false;
	}
	*out = list ? chosen : ~0u;
	return true;
}

/* --- files ---------------------------------------------------------------------------------- */

/* Adds the file if its text is valid. Otherwise returns false and appends the reasons to
 * `complaints`. */
static bool settings_load_add_text(struct settings *s, struct settings_file *file, struct sv text,
				   struct str *complaints)
{
	if (!settings_file_parse(file, text, complaints)) {
		settings_file_clear(file);
		return false;
	}
	vec_push(&s->files, *file);
	*file = (struct settings_file)SETTINGS_FILE_INIT;
	return true;
}

struct settings_file settings_new_file(enum settings_source source, const char *name,
				       const char *root)
{
	struct settings_file file = { .source = source,
				      .is_trusted = true,
				      .is_strict = source == SETTINGS_POLICY };

	str_adds(&file.name, name);
	str_adds(&file.root, root);
	return file;
}

/* Returns whether a project's file is the user's own: so it is in the home directory. */
static bool is_users_own(const struct settings_opts *opts, const char *path)
{
	defer(str_clear) struct str own = STR_INIT;
	struct fs_info a, b;
	struct err ignored = ERR_INIT;

	return settings_path(opts, SETTINGS_USER, &own, &ignored) &&
	       fs_info(&a, path, true, &ignored) && fs_info(&b, str_c(&own), true, &ignored) &&
	       a.device == b.device && a.inode == b.inode;
}

static bool settings_load_trusts(const struct settings_opts *opts, enum settings_source source,
				 struct sv text)
{
	return opts->trusts_project &&
	       (!opts->looked || trust_saw(opts->looked, trust_file_of(source), text));
}

/* Nothing of a file is used; keep the complaints for those who ask, and for a line of the notes each. */
static void settings_load_refuse(struct settings *s, enum settings_source source,
				 const struct str *file, const struct str *complaints,
				 struct str *notes)
{
	struct settings_refusal *refusal = vec_add(&s->refusals);

	s->refused[source] = true;
	str_add(&refusal->file, sv_of(file));
	str_add(&refusal->text, sv_of(complaints));
	str_add(notes, sv_of(complaints));
}

static void settings_load_read_own(struct settings *s, const struct settings_opts *opts,
				   enum settings_source source, struct str *notes)
{
	const char *root =
		settings_are_projects(source) ? settings_work_dir(opts) : opts->config_dir;
	defer(str_clear) struct str path = STR_INIT;
	defer(str_clear) struct str text = STR_INIT, complaints = STR_INIT;
	defer(settings_file_clear) struct settings_file file = SETTINGS_FILE_INIT;
	struct err err = ERR_INIT;

	if (!settings_path(opts, source, &path, &err))
		return;
	if (source == SETTINGS_PROJECT && is_users_own(opts, str_c(&path)))
		return;
	file = settings_new_file(source, str_c(&path), root);
	if (fs_read(&text, str_c(&path), settings_limit(source), &err)) {
		file.is_trusted = !settings_are_projects(source) ||
				  settings_load_trusts(opts, source, sv_of(&text));
		if (!file.is_trusted)
			file.approved = approved_read(opts->config_dir, str_c(&path));
		if (!settings_load_add_text(s, &file, sv_of(&text), &complaints))
			settings_load_refuse(s, source, &path, &complaints, notes);
	} else if (err.kind != ERR_NOT_FOUND) {
		str_addf(&complaints, "%s" SETTINGS_CONSEQUENCE "\n", err.text);
		settings_load_refuse(s, source, &path, &complaints, notes);
	}
}

bool settings_add_file(struct settings *s, struct settings_file *file, struct sv text,
		       struct err *err)
{
	defer(str_clear) struct str complaints = STR_INIT;

	return settings_load_add_text(s, file, text, &complaints) ||
	       settings_fail(err, sv_of(&complaints));
}

/* Appends the real directory of a file. */
static void settings_load_add_folder(struct str *out, const char *path)
{
	size_t slash = sv_rfind_char(sv_cstr(path), '/');
	defer(mem_freep) char *dir =
		sv_dup(slash == SIZE_MAX ? SV(".") : sv_slice(sv_cstr(path), 0, slash + 1));
	struct err ignored = ERR_INIT;

	if (!fs_realpath(out, dir, &ignored))
		str_truncate(out, 0);
}

static bool settings_load_flag_is_json(const struct settings_opts *opts)
{
	return sv_starts(sv_trim(sv_cstr(opts->flag)), SV("{"));
}

/* Reads the value of --settings, and where its rules start. */
static bool settings_load_read_flag_text(const struct settings_opts *opts, struct str *text,
					 struct str *root, struct err *err)
{
	if (settings_load_flag_is_json(opts)) {
		str_add(text, sv_trim(sv_cstr(opts->flag)));
		str_adds(root, opts->flag_root ? opts->flag_root : settings_work_dir(opts));
		return true;
	}
	settings_load_add_folder(root, opts->flag);
	return fs_read(text, opts->flag, LIMIT_SETTINGS, err) || err_context(err, "--settings");
}

static bool settings_load_read_flag(struct settings *s, const struct settings_opts *opts,
				    struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str root = STR_INIT;
	defer(settings_file_clear) struct settings_file file = SETTINGS_FILE_INIT;

	if (!opts->flag)
		return true;
	if (!settings_load_read_flag_text(opts, &text, &root, err))
		return false;
	file = settings_new_file(SETTINGS_FLAG,
				 settings_load_flag_is_json(opts) ? "--settings" : opts->flag,
				 str_c(&root));
	return settings_add_file(s, &file, sv_of(&text), err);
}

static bool settings_load_change_member(struct str *text, struct sv key, struct json value,
					struct err *err)
{
	defer(str_clear) struct str json = STR_INIT;
	struct jw w;

	if (!json_is(value, JSON_NULL)) {
		jw_init(&w, &json, JW_COMPACT);
		jw_value(&w, value);
		jw_done(&w);
	}
	return settings_edit(text, JSON_STEPS(key), sv_of(&json), err);
}

bool settings_change_flag(const struct settings_opts *opts, struct json changes, struct str *json,
			  struct str *root, struct err *err)
{
	defer(str_clear) struct str text = STR_INIT;
	defer(str_clear) struct str begin = STR_INIT;
	struct json_iter it = json_each(changes);
	struct json value;
	struct sv key;

	if (!json_is(changes, JSON_OBJECT))
		return err_set(err, ERR_INVALID, "settings must be an object, not %s",
			       json_type_name(json_type(changes)));
	if (!opts->flag)
		str_adds(&text, "{}");
	else if (!settings_load_read_flag_text(opts, &text, &begin, err))
		return false;
	while (json_next(&it, &key, &value))
		if (!settings_load_change_member(&text, key, value, err))
			return false;
	str_set(json, sv_of(&text));
	str_set(root, sv_of(&begin));
	return true;
}

/* Reads the policy of the program that started us. That program has only the user's rights, so
 * its policy may restrict but not allow. */
static bool settings_load_read_managed(struct settings *s, const struct settings_opts *opts,
				       struct err *err)
{
	defer(settings_file_clear) struct settings_file file = SETTINGS_FILE_INIT;

	if (!opts->managed)
		return true;
	file = settings_new_file(SETTINGS_POLICY, "--managed-settings", settings_work_dir(opts));
	file.is_trusted = false;
	return settings_add_file(s, &file, sv_cstr(opts->managed), err);
}

/* --- all
 * ------------------------------------------------------------------------------------------ */

static bool settings_load_read_all(struct settings *s, const struct settings_opts *opts,
				   struct str *notes, struct err *err)
{
	if (!settings_chosen(opts->sources, &s->chosen, err))
		return false;
	for (enum settings_source i = SETTINGS_GLOBAL; i <= SETTINGS_LOCAL; i++)
		if (i == SETTINGS_GLOBAL || settings_is_chosen(s, i))
			settings_load_read_own(s, opts, i, notes);
	s->refused[SETTINGS_GLOBAL] = false; /* it forbids nothing */
	return settings_load_read_flag(s, opts, err) && settings_read_policy(s, opts, err) &&
	       settings_load_read_managed(s, opts, err);
}

/* Selects what has an effect in the files from `from` on, and merges all files. */
static void settings_load_take_files(struct settings *s, size_t from, bool one_by_one,
				     struct str *out)
{
	struct settings_notes notes = { .out = out, .one_by_one = one_by_one };
	VEC(struct settings_layer) layers = VEC_INIT;

	for (size_t i = from; i < s->files.n; i++)
		if (!settings_file_take(&s->files.at[i], &notes, &s->ignored))
			s->refused[s->files.at[i].source] = true;
	s->mistakes += notes.mistakes;
	for (size_t i = 0; i < s->files.n; i++)
		vec_push(&layers, ((struct settings_layer){ json_root(s->files.at[i].taken),
							    s->files.at[i].source }));
	json_doc_free(s->merged);
	s->merged = settings_merge(layers.at, layers.n);
	vec_clear(&layers);
}

struct settings *settings_load(const struct settings_opts *opts, struct str *notes, struct err *err)
{
	defer(settings_freep) struct settings *s = xnew(struct settings);
	bool has_helper;
	size_t n;

	s->items = xnew(struct settings_lists);
	if (!settings_load_read_all(s, opts, notes, err))
		return NULL;
	n = s->files.n;
	settings_load_take_files(s, 0, opts->notes_keys, notes);
	if (!settings_read_helper(s, opts, &has_helper, err))
		return NULL;
	if (has_helper)
		settings_load_take_files(s, n, opts->notes_keys, notes);
	return settings_check_policy(s, err) ? move(s) : NULL;
}
