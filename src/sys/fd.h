/* fd.h - private to src/sys/real: descriptors as owned values. */
#ifndef AWL_SYS_FD_H
#define AWL_SYS_FD_H

#include <unistd.h>

/* For `defer`, and for fields: closes what is open, and leaves -1. */
static inline void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The descriptor, which is now the caller's. */
static inline int fd_move(int *fd)
{
	int moved = *fd;

	*fd = -1;
	return moved;
}

#endif
