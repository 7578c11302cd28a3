/* machine.h - what a contract test must know about the machine it runs on.
 *
 * The tests in this folder hold for the real machine and for the simulated one:
 * each is compiled once and linked with both libraries, which is the proof that
 * the two agree. So they use nothing but the headers of src/sys, and where the
 * outside world is needed (programs to run) they name it here, in both tongues. */
#ifndef AWL_TESTS_CONTRACT_MACHINE_H
#define AWL_TESTS_CONTRACT_MACHINE_H

#include "machine/sim.h"

/* A program: as a shell script, and as the steps that amount to the same. */
struct program {
	const char *name;
	const char *script;
	const struct sim_child_step *steps;
	size_t n;
};

/* Fills `argv` (of 4) with a command that runs it. */
void machine_command(const struct program *program, const char *argv[4]);

#endif
