#include "model/wire/vertex.h"

#include "base/str.h"

#define DEFAULT_REGION "us-east5"

static const char *const families[] = { "opus", "sonnet", "haiku", "fable" };

/* Families and versions that a variable may speak of; 4 is 4.0. */
enum { MAJOR_MIN = 3, MAJOR_MAX = 9, MINOR_MAX = 9 };

/* "sonnet-4-5" of "claude-sonnet-4-5@20250929" and of "claude-3-5-sonnet-v2@...":
 * false when the id does not name a family and a version. */
static bool vertex_region_version_of(struct sv model, char *out, size_t size)
{
	const char *family = NULL;
	int64_t numbers[2] = { 0, 0 };
	struct sv word;
	size_t n = 0;

	model = sv_slice(model, 0, sv_find_char(model, '@'));
	while (sv_cut(&model, '-', &word)) {
		int64_t number;

		for (size_t i = 0; i < countof(families); i++)
			if (sv_is(word, families[i]))
				family = families[i];
		if (n < countof(numbers) && word.len < 3 && sv_to_int(word, &number))
			numbers[n++] = number;
	}
	if (!family || n == 0)
		return false;
	snprintf(out, size, "%s-%d-%d", family, (int)numbers[0], (int)numbers[1]);
	return true;
}

static const char *vertex_region_look_up(model_env_fn *env, void *arg, const char *family,
					 int major, int minor)
{
	char upper[16] = "", name[64];
	const char *value;

	for (size_t i = 0; family[i]; i++)
		upper[i] = (char)(family[i] - 32);
	snprintf(name, sizeof(name), "VERTEX_REGION_CLAUDE_%d_%d_%s", major, minor, upper);
	value = env(arg, name);
	if (value && *value)
		return value;
	snprintf(name, sizeof(name), "VERTEX_REGION_CLAUDE_%s_%d_%d", upper, major, minor);
	value = env(arg, name);
	return value && *value ? value : NULL;
}

void vertex_regions_read(struct model_config *config, model_env_fn *env, void *arg)
{
	defer(str_clear) struct str lines = STR_INIT;

	for (size_t i = 0; i < countof(families); i++) {
		for (int version = MAJOR_MIN * 10; version <= MAJOR_MAX * 10 + MINOR_MAX;
		     version++) {
			const char *region = vertex_region_look_up(env, arg, families[i],
								   version / 10, version % 10);

			if (region)
				str_addf(&lines, "%s-%d-%d=%s\n", families[i], version / 10,
					 version % 10, region);
		}
	}
	config->vertex_regions = lines.len ? arena_dup(&config->arena, sv_of(&lines)).ptr : NULL;
}

struct sv vertex_region(const struct model_config *config, struct sv model)
{
	struct sv lines = sv_cstr(config->vertex_regions), line, name;
	char version[64];

	if (vertex_region_version_of(model, version, sizeof(version)))
		while (sv_cut_line(&lines, &line))
			if (sv_cut(&line, '=', &name) && sv_is(name, version))
				return line;
	return config->region ? sv_cstr(config->region) : SV(DEFAULT_REGION);
}
