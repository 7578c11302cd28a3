/* awl.h: trust in the files of a project. */
#include "core/api/awl_project.h"

#include "base/limits.h"
#include "sys/fs.h"

void awl_trust_clear(struct awl_project *p)
{
	for (size_t i = 0; i < p->files.n; i++) {
		str_clear(&p->files.at[i].path);
		str_clear(&p->files.at[i].text);
		str_clear(&p->files.at[i].scripts);
	}
	p->files.n = 0;
	str_clear(&p->pending);
	if (p->has_looked)
		project_clear(&p->looked);
	p->has_looked = false;
}

static enum awl_trust awl_trust_state(enum trust_state state)
{
	switch (state) {
	case TRUST_NOT_NEEDED: return AWL_TRUST_NOT_NEEDED;
	case TRUST_GIVEN: return AWL_TRUST_GIVEN;
	case TRUST_OUTDATED: return AWL_TRUST_OUTDATED;
	case TRUST_NEVER_GIVEN: break;
	}
	return AWL_TRUST_NEVER_GIVEN;
}

/* Read a whole file, since all of it will be trusted. It must be what was looked at. */
static bool awl_trust_read(struct awl_project *p, enum trust_file which, struct err *err)
{
	const struct settings_opts *files = &p->looked.files;
	const char *dir =
		which == TRUST_LOCAL && files->repo_dir ? files->repo_dir : files->project_dir;
	struct awl_project_file *file = vec_add(&p->files);
	struct err unreadable = ERR_INIT;

	fs_join(&file->path, sv_cstr(dir), sv_cstr(trust_file_name(which)));
	if (!fs_read(&file->text, str_c(&file->path), LIMIT_SETTINGS, &unreadable))
		str_set(&file->text, sv_cstr(unreadable.text));
	if (!trust_saw(&p->looked.trust, which, sv_of(&file->text)))
		return err_set(err, ERR_STALE, "%s has just changed; run 'awl trust' again",
			       str_c(&file->path));
	str_add(&file->scripts, sv_of(&p->looked.trust.files[which].scripts));
	file->file = (struct awl_trust_file){ .path = str_c(&file->path),
					      .text = str_c(&file->text),
					      .scripts = str_c(&file->scripts) };
	return true;
}

static bool awl_trust_read_all(struct awl_project *p, struct err *err)
{
	defer(settings_freep) struct settings *settings = NULL;

	p->looked.files.trusts_project = false; /* so that everything it wants is listed */
	settings = settings_load(&p->looked.files, &p->notes, err);
	if (!settings)
		return false;
	for (enum trust_file i = TRUST_PROJECT; i < TRUST_FILES; i++)
		if (p->looked.trust.files[i].is_there && !awl_trust_read(p, i, err))
			return false;
	project_ignored(&p->looked, settings, &p->pending);
	return true;
}

enum awl_result awl_trust_look(struct awl_project *p, enum awl_trust *state)
{
	struct err err = ERR_INIT;

	awl_project_begin(p);
	awl_trust_clear(p);
	p->looked = (struct project)PROJECT_INIT;
	p->has_looked = true;
	awl_project_look(p, &p->looked);
	if (!awl_trust_read_all(p, &err)) {
		awl_trust_clear(p);
		return awl_fail(&err);
	}
	*state = awl_trust_state(p->looked.trust.state);
	return AWL_OK;
}

const struct awl_trust_file *awl_trust_file_at(const struct awl_project *p, size_t i)
{
	return i < p->files.n ? &p->files.at[i].file : NULL;
}

const char *awl_trust_pending(const struct awl_project *p)
{
	return str_c(&p->pending);
}

static bool awl_trust_has_place(const struct awl_project *p, struct err *err)
{
	return p->config_dir.len ||
	       err_set(err, ERR_NOT_FOUND,
		       "there is nowhere to record trust; set HOME to an existing "
		       "directory, or CLAUDE_CONFIG_DIR");
}

enum awl_result awl_trust_give(struct awl_project *p)
{
	struct err err = ERR_INIT;

	awl_project_begin(p);
	if (!p->has_looked)
		err_set(&err, ERR_INVALID, "call awl_trust_look() before awl_trust_give()");
	return awl_end(p->has_looked && awl_trust_has_place(p, &err) &&
			       project_trust(&p->looked, true, &err),
		       &err);
}

enum awl_result awl_trust_forget(struct awl_project *p)
{
	defer(project_clear) struct project project = PROJECT_INIT;
	struct err err = ERR_INIT;

	awl_project_begin(p);
	awl_project_look(p, &project);
	return awl_end(awl_trust_has_place(p, &err) && project_trust(&project, false, &err), &err);
}
