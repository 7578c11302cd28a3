#include "net/http/burst.h"

bool burst_note(struct burst *burst, int64_t now, size_t size)
{
	bool follows = now - burst->read_at <= BURST_REST_MS + 1;

	burst->read_at = now;
	if (!follows)
		burst->pieces = 0;
	if (size >= BURST_SMALL)
		return false;
	if (burst->pieces < BURST_PIECES)
		burst->pieces++;
	return burst->pieces == BURST_PIECES;
}
