#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

void temp_dir_make(struct temp_dir *dir)
{
	snprintf(dir->path, sizeof(dir->path), "/tmp/awl-unit-XXXXXX");
	if (!mkdtemp(dir->path))
		fail_msg("mkdtemp %s: %s", dir->path, strerror(errno));
}

static int remove_one(const char *path, __attribute__((unused)) const struct stat *st,
		      __attribute__((unused)) int type, __attribute__((unused)) struct FTW *ftw)
{
	return remove(path);
}

void temp_dir_remove(struct temp_dir *dir)
{
	nftw(dir->path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int open_below(const struct temp_dir *dir, const char *name, int flags)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir->path, name);
	fd = open(path, flags | O_CLOEXEC, 0600);
	if (fd < 0)
		fail_msg("open %s: %s", path, strerror(errno));
	return fd;
}

static void write_all(int fd, struct sv text)
{
	while (text.len > 0) {
		ssize_t n = write(fd, text.ptr, text.len);

		if (n < 0)
			fail_msg("write: %s", strerror(errno));
		text = sv_skip(text, (size_t)n);
	}
}

static void read_all(int fd, struct str *out)
{
	char block[65536];
	ssize_t n;

	while ((n = read(fd, block, sizeof(block))) > 0)
		str_add(out, sv_from(block, (size_t)n));
	if (n < 0)
		fail_msg("read: %s", strerror(errno));
}

void temp_dir_write(const struct temp_dir *dir, const char *name, struct sv text)
{
	int fd = open_below(dir, name, O_WRONLY | O_CREAT | O_TRUNC);

	write_all(fd, text);
	close(fd);
}

void temp_dir_mkdir(const struct temp_dir *dir, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir->path, name);
	if (mkdir(path, 0700) < 0)
		fail_msg("mkdir %s: %s", path, strerror(errno));
}

void temp_dir_read(const struct temp_dir *dir, const char *name, struct str *out)
{
	int fd = open_below(dir, name, O_RDONLY);

	read_all(fd, out);
	close(fd);
}

static _Noreturn void become(const struct temp_dir *dir, const char *const argv[], int in, int out)
{
	static char locale[] = "LC_ALL=C", no_global[] = "GIT_CONFIG_GLOBAL=/dev/null";
	static char no_system[] = "GIT_CONFIG_NOSYSTEM=1";
	char home[96], path[4096];
	char *env[] = { path, home, locale, no_global, no_system, NULL };
	const char *search = getenv("PATH");

	snprintf(home, sizeof(home), "HOME=%s", dir->path);
	snprintf(path, sizeof(path), "PATH=%s", search ? search : "/usr/bin:/bin");
	if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || chdir(dir->path) < 0)
		_exit(126);
	execvpe(argv[0], (char *const *)argv, env);
	_exit(127);
}

int program_run(const struct temp_dir *dir, const char *const argv[], struct sv input,
		struct str *out)
{
	int in = memfd_create("input", MFD_CLOEXEC), output = memfd_create("output", MFD_CLOEXEC);
	int status = 0;
	pid_t pid;

	if (in < 0 || output < 0)
		fail_msg("memfd_create: %s", strerror(errno));
	write_all(in, input);
	lseek(in, 0, SEEK_SET);
	pid = fork();
	if (pid == 0)
		become(dir, argv, in, output);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		fail_msg("%s: %s", argv[0], strerror(errno));
	lseek(output, 0, SEEK_SET);
	read_all(output, out);
	close(in);
	close(output);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}
