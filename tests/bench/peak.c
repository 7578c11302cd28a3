/* Runs a program and prints the most memory it had, in KiB, to standard error.
 * A program started by a big one is charged with the memory of that; this is a
 * small one. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(__attribute__((unused)) int argc, char **argv)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
		return 1;
	fprintf(stderr, "%ld\n", usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
