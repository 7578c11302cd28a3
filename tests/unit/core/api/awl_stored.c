/* The public interface: sessions on disk. */
#include <awl_sessions.h>

#include "core/host.h"

static void talk(struct host *h, const char *prompt, const char *name)
{
	struct awl_session_options options = host_options(h);

	options.skip_transcript = false;
	options.name = name;
	h->results = 0;
	host_open(h, &options);
	awl_prompt(h->session, prompt);
	awl_run(h->awl);
	CHECK_INT(h->results, 1);
}

static size_t count(const struct awl_session_list *list)
{
	size_t n = 0;

	while (awl_session_list_at(list, n))
		n++;
	return n;
}

static size_t count_all(struct host *h)
{
	struct awl_session_list *list;
	size_t n;

	CHECK_RESULT(awl_sessions_list(&list, h->awl, NULL), AWL_OK);
	n = count(list);
	awl_session_list_free(list);
	return n;
}

TEST(sessions_are_listed_with_what_they_are_about)
{
	HOST(h, NULL);
	struct awl_session_list *list;
	const struct awl_session_info *info;
	char id[64];

	CHECK_INT(count_all(&h), 0);
	talk(&h, "first question", NULL);
	awl_session_close(h.session);
	talk(&h, "second question", "a title");
	snprintf(id, sizeof(id), "%s", awl_session_id(h.session));
	awl_session_close(h.session);
	awl_run(h.awl);
	CHECK_RESULT(awl_sessions_list(&list, h.awl, str_c(&h.dir)), AWL_OK);
	CHECK_INT(count(list), 2);
	info = awl_session_list_at(list, 0); /* the newest */
	CHECK_STR(info->id, id);
	CHECK_STR(info->title, "a title");
	CHECK_STR(info->prompt, "second question");
	CHECK(strstr(info->cwd, "/") && info->bytes > 0 && info->modified_ms > 0);
	CHECK(strstr(info->path, id));
	CHECK_STR(awl_session_list_at(list, 1)->prompt, "first question");
	CHECK_STR(awl_session_list_at(list, 1)->title, "");
	awl_session_list_free(list);
	CHECK_RESULT(awl_sessions_list(&list, h.awl, "/"), AWL_OK);
	CHECK_INT(count(list), 0);
	awl_session_list_free(list);
	CHECK_RESULT(awl_sessions_list(&list, h.awl, "/does/not/exist"), AWL_ERR_NOT_FOUND);
	CHECK(!list);
}

TEST(a_session_is_found_by_id_and_by_title)
{
	HOST(h, NULL);
	struct awl_session_list *list;
	char id[64];

	talk(&h, "hi", "the title");
	snprintf(id, sizeof(id), "%s", awl_session_id(h.session));
	CHECK_RESULT(awl_sessions_find(&list, h.awl, NULL, "THE title"), AWL_OK);
	CHECK_STR(awl_session_list_at(list, 0)->id, id);
	CHECK(!awl_session_list_at(list, 1));
	awl_session_list_free(list);
	id[8] = '\0';
	CHECK_RESULT(awl_sessions_find(&list, h.awl, str_c(&h.dir), id), AWL_OK);
	awl_session_list_free(list);
	CHECK_RESULT(awl_sessions_find(&list, h.awl, NULL, "another"), AWL_ERR_NOT_FOUND);
	CHECK(!list);
}

static void check_title(struct host *h, const char *id, const char *title)
{
	struct awl_session_list *list;

	CHECK_RESULT(awl_sessions_find(&list, h->awl, NULL, id), AWL_OK);
	CHECK_STR(awl_session_list_at(list, 0)->title, title);
	awl_session_list_free(list);
}

TEST(a_session_is_renamed_open_or_not)
{
	HOST(h, NULL);
	char id[64];

	talk(&h, "hi", "old");
	snprintf(id, sizeof(id), "%s", awl_session_id(h.session));
	CHECK_RESULT(awl_sessions_title(h.awl, id, "by a worker"), AWL_ERR_BUSY);
	CHECK_RESULT(awl_sessions_rename(h.awl, id, "while it is open"), AWL_OK);
	check_title(&h, id, "while it is open");
	awl_prompt(h.session, "again");
	awl_run(h.awl);
	check_title(&h, id, "while it is open"); /* the session knows it, too */
	awl_session_close(h.session);
	awl_dispatch(h.awl);
	CHECK_RESULT(awl_sessions_rename(h.awl, id, " closed "), AWL_OK);
	check_title(&h, id, "closed");
	CHECK_RESULT(awl_sessions_rename(h.awl, id, " "), AWL_ERR_INVALID);
	CHECK_RESULT(awl_sessions_rename(h.awl, "closed", "x"), AWL_ERR_INVALID);
	CHECK_RESULT(awl_sessions_rename(h.awl, "00000000-0000-4000-8000-000000000000", "x"),
		     AWL_ERR_NOT_FOUND);
}

TEST(a_session_is_deleted_once_it_is_closed)
{
	HOST(h, NULL);
	char id[64];

	talk(&h, "hi", NULL);
	snprintf(id, sizeof(id), "%s", awl_session_id(h.session));
	CHECK_RESULT(awl_sessions_delete(h.awl, id), AWL_ERR_BUSY);
	CHECK_INT(count_all(&h), 1);
	awl_session_close(h.session);
	awl_dispatch(h.awl);
	CHECK_RESULT(awl_sessions_delete(h.awl, id), AWL_OK);
	CHECK_INT(count_all(&h), 0);
	CHECK_RESULT(awl_sessions_delete(h.awl, id), AWL_ERR_NOT_FOUND);
	CHECK_RESULT(awl_sessions_delete(h.awl, "../../x"), AWL_ERR_INVALID);
}
