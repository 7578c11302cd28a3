/* machine.h - what a contract test must know about the machine it runs on.
 *
 * The tests in this folder must pass on the real machine and on the simulated one. Each
 * is compiled once and linked with both libraries, which proves that the two agree. So
 * they use only the headers of src/sys. Programs to run are defined here, in a form for
 * each machine. */
#ifndef AWL_TESTS_CONTRACT_MACHINE_H
#define AWL_TESTS_CONTRACT_MACHINE_H

#include "machine/sim.h"

/* A program: as a shell script, and as equivalent steps. */
struct program {
	const char *name;
	const char *script;
	const struct sim_child_step *steps;
	size_t n;
};

/* Fills `argv` (of 4) with a command that runs the program. */
void machine_command(const struct program *program, const char *argv[4]);

#endif
