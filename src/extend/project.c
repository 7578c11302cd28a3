#include "extend/project.h"

#include "extend/git.h"

void project_look(struct project *out, const char *config_dir, const char *dir)
{
	out->files = (struct settings_opts){ .config_dir = config_dir, .project_dir = dir };
	if (git_find(&out->top, dir))
		out->files.repo_dir = out->top.ptr;
	trust_look(&out->trust, config_dir, dir, out->files.repo_dir);
	out->files.trusts_project = trust_is_given(out->trust.state);
	out->files.looked = &out->trust;
}

void project_clear(struct project *project)
{
	str_clear(&project->top);
	trust_clear(&project->trust);
}

void project_keep_trust(const struct project *project)
{
	const struct settings_opts *files = &project->files;
	defer(trust_clear) struct trust now = TRUST_INIT;
	struct err ignored = ERR_INIT;

	if (!trust_is_given(project->trust.state) || !files->config_dir)
		return;
	trust_look(&now, files->config_dir, files->project_dir, files->repo_dir);
	if (now.state != TRUST_GIVEN)
		(void)!trust_record(files->config_dir, files->project_dir, sv_of(&now.digest),
				    &ignored);
}
