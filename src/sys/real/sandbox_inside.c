/* What bubblewrap does not do: run by it as the helper of a plan. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/str.h"
#include "sys/real/sandbox_enter.h"
#include "sys/sandbox.h"

static bool limit_processes(const char *most)
{
	struct rlimit r;
	int64_t n;

	if (!sv_to_int(sv_cstr(most), &n) || getrlimit(RLIMIT_NPROC, &r) < 0)
		return false;
	if (n > 0)
		r.rlim_cur = r.rlim_max = min_of(r.rlim_max, (rlim_t)n);
	return setrlimit(RLIMIT_NPROC, &r) == 0;
}

/* `rights` is "-" where there are no rules. */
static bool obey(const char *rights)
{
	int64_t bits;

	if (strcmp(rights, "-") == 0)
		return true;
	return sv_to_int(sv_cstr(rights), &bits) &&
	       sandbox_obey(SANDBOX_BWRAP_RULES, (uint64_t)bits);
}

/* Whether there is a socket to make; how many processes; the rights of the rules; and the
 * command. */
int sandbox_inside(char **words)
{
	for (size_t i = 0; i < 4; i++)
		if (!words[i])
			return 125;
	if ((words[0][0] == '1' && !sandbox_listen(SANDBOX_BWRAP_LINK)) ||
	    !limit_processes(words[1]) || !obey(words[2])) {
		perror("awl: cannot make a sandbox");
		return 125;
	}
	close(SANDBOX_BWRAP_LINK);
	close(SANDBOX_BWRAP_RULES);
	execvp(words[3], words + 3);
	perror(words[3]);
	return 127;
}
