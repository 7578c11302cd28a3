/* fd.h - descriptors as owned values. */
#ifndef AWL_SYS_FD_H
#define AWL_SYS_FD_H

#include <unistd.h>

/* Closes the descriptor if it is open and sets it to -1. For `defer` and for fields. */
static inline void fd_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Moves the descriptor to the caller. */
static inline int fd_move(int *fd)
{
	int moved = *fd;

	*fd = -1;
	return moved;
}

#endif
