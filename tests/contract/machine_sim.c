#include "machine.h"

/* One world for the whole program, as the real program has one machine. */
static struct sim *the_world;

static __attribute__((constructor)) void make_world(void)
{
	the_world = sim_new();
}

/* A failed test may have left its own world behind. */
static __attribute__((destructor)) void free_world(void)
{
	if (sim_current() == the_world)
		sim_freep(&the_world);
}

void machine_command(const struct program *program, const char *argv[4])
{
	sim_child(sim_current(), program->name, program->steps, program->n, 1);
	argv[0] = program->name;
	argv[1] = NULL;
}
