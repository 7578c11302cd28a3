/* awl.h: the sessions that run on this machine. */
#include <awl_sessions.h>

#include "core/api/awl_int.h"
#include "core/subagents/peer_list.h"
#include "text/json/json_write.h"

/* Those in the background are known to their supervisor. */
static void awl_live_put(void *arg, const struct peer_message *info)
{
	if (info->is_interactive && info->pid > 0 && info->session.len)
		peer_info_write_public(arg, info);
}

enum awl_result awl_sessions_live(struct awl *awl, const char **json)
{
	defer(str_clear) struct str dir = STR_INIT;
	struct jw w;

	str_truncate(&awl->live, 0);
	jw_init(&w, &awl->live, JW_COMPACT);
	jw_array(&w);
	if (awl->engine->config_dir) {
		peer_list_dir(&dir, awl->engine->config_dir);
		peer_list(str_c(&dir), SV_EMPTY, loop_wall(awl->loop), awl_live_put, &w);
	}
	jw_end(&w);
	jw_done(&w);
	*json = str_c(&awl->live);
	return AWL_OK;
}
