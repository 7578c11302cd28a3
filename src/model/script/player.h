/* player.h - private to src/model: plays the response to an HTTP request that never leaves the process.
 * Keeps the contract of net/http.h: order, deadlines, pausing, the cap of the body, one `done`. */
#ifndef AWL_MODEL_SCRIPT_PLAYER_H
#define AWL_MODEL_SCRIPT_PLAYER_H

#include "model/script/play.h"

/* Takes the content of `play`, which is empty afterwards. */
struct op *player_start(struct loop *loop, struct play *play, const struct http_request *request,
			struct then then);
/* Like http_pause(). A paused player stops and buffers nothing. */
void player_pause(struct op *op, bool paused);

#endif
