#include "machine.h"

void machine_command(const struct program *program, const char *argv[4])
{
	argv[0] = "/bin/sh";
	argv[1] = "-c";
	argv[2] = program->script;
	argv[3] = NULL;
}
