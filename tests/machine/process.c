#include "sys/process.h"

#include "machine/servers.h"
#include "machine/world.h"

struct detached {
	struct sim_part part;
	struct str commands;
};

static void detached_clear(struct sim_part *part)
{
	str_clear(&((struct detached *)part)->commands);
}

static struct detached *detached(struct sim *w)
{
	static const struct sim_part_type type = { .size = sizeof(struct detached),
						   .clear = detached_clear };

	return (struct detached *)sim_part(w, &type);
}

bool process_start_detached(const char *const *argv, __attribute__((unused)) const char *const *env,
			    __attribute__((unused)) struct err *err)
{
	struct detached *d = detached(sim_current());

	for (size_t i = 0; argv[i]; i++)
		str_addf(&d->commands, "%s%s", i ? " " : "", argv[i]);
	str_addc(&d->commands, '\n');
	return true;
}

int process_start_service(const char *const *argv, struct err *err)
{
	err_set(err, ERR_UNSUPPORTED, "the simulated machine has no services such as %s", argv[0]);
	return -1;
}

struct sv sim_detached(struct sim *w)
{
	return sv_of(&detached(w)->commands);
}
