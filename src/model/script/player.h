/* player.h - private to src/model: a play as the answer to an HTTP request that
 * never leaves the process. Keeps all promises of net/http.h: order, deadlines,
 * pausing, the cap of the body, one `done`. */
#ifndef AWL_MODEL_SCRIPT_PLAYER_H
#define AWL_MODEL_SCRIPT_PLAYER_H

#include "model/script/play.h"

/* Takes the content of `play`, which is empty afterwards. */
struct op *player_start(struct loop *loop, struct play *play, const struct http_request *request,
			struct then then);
/* As http_pause(). Nothing is buffered: a paused player stands still. */
void player_pause(struct op *op, bool paused);

#endif
