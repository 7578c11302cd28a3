#include "sys/child/child_program.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/limits.h"
#include "sys/child/guard_wire.h"
#include "sys/fd.h"

/* The same as the system's default without PATH. */
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

const char *child_program_path(const char *const *env)
{
	for (; *env; env++)
		if (strncmp(*env, "PATH=", 5) == 0)
			return *env + 5;
	return DEFAULT_PATH;
}

static size_t program_count(const char *const *strings, size_t *bytes)
{
	size_t n = 0;

	for (; strings[n]; n++)
		*bytes += strlen(strings[n]) + 1 + sizeof(uintptr_t);
	return n;
}

static uintptr_t program_add_string(struct str *out, const char *s)
{
	uintptr_t at = out->len;

	str_add(out, sv_from(s, strlen(s) + 1));
	return at;
}

/* Returns the offset of the words for the next strings. */
static size_t program_add_strings(struct str *out, size_t words_at, const char *const *strings,
				  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uintptr_t at = program_add_string(out, strings[i]);

		memcpy(out->ptr + words_at + i * sizeof(at), &at, sizeof(at));
	}
	return words_at + (n + 1) * sizeof(uintptr_t);
}

bool child_program_pack(struct str *out, const struct child_opts *opts, struct err *err)
{
	const char *const *env = opts->env ? opts->env : (const char *const *)environ;
	struct guard_program head = { .argc = 0 };
	size_t bytes = 0;
	size_t env_at;

	if (!opts->argv || !opts->argv[0] || !opts->argv[0][0])
		return err_set(err, ERR_INVALID, "no program to start");
	head.argc = program_count(opts->argv, &bytes);
	head.envc = program_count(env, &bytes);
	if (bytes > LIMIT_CHILD_ARGS)
		return err_set(err, ERR_TOO_BIG,
			       "arguments and environment take %zu bytes; no more than %zu may",
			       bytes, LIMIT_CHILD_ARGS);
	str_add(out, sv_from((const char *)&head, sizeof(head)));
	for (size_t i = 0; i < head.argc + head.envc + 2; i++)
		str_add(out, sv_from((const char *)&(uintptr_t){ 0 }, sizeof(uintptr_t)));
	env_at = program_add_strings(out, sizeof(head), opts->argv, head.argc);
	program_add_strings(out, env_at, env, head.envc);
	if (!strchr(opts->argv[0], '/'))
		head.path = program_add_string(out, child_program_path(env));
	memcpy(out->ptr, &head, sizeof(head));
	return true;
}

int child_program_file(struct sv packed)
{
	int fd = memfd_create("awl-program", MFD_CLOEXEC);

	while (fd >= 0 && packed.len > 0) {
		ssize_t n = write(fd, packed.ptr, packed.len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			fd_close(&fd);
		packed = sv_skip(packed, (size_t)max_of(n, (ssize_t)0));
	}
	return fd;
}
