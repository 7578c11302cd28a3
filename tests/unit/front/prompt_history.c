#include "front/prompt_history.h"

#include "base/limits.h"
#include "sys/fs.h"
#include "test.h"

static struct str dir, path;

static void open_dir(void)
{
	struct err err = ERR_INIT;

	str_truncate(&dir, 0);
	str_truncate(&path, 0);
	CHECK_OK(fs_temp_dir(&dir, &err), err);
	fs_join(&path, sv_of(&dir), SV("history.jsonl"));
}

static void close_dir(void)
{
	struct err err = ERR_INIT;

	CHECK_OK(fs_remove_tree(str_c(&dir), &err), err);
	str_clear(&dir);
	str_clear(&path);
}

static void take(void *arg, struct sv text)
{
	str_addf(arg, "%s%.*s", ((struct str *)arg)->len ? "|" : "", SV_ARG(text));
}

static void check_read(const struct prompt_wanted *wanted, const char *expected)
{
	defer(str_clear) struct str out = STR_INIT;
	struct err err = ERR_INIT;

	CHECK_OK(prompt_history_read(str_c(&dir), wanted, take, &out, &err), err);
	CHECK_STR(str_c(&out), expected);
}

static void add(const char *text, const char *project, const char *session, int64_t time_ms)
{
	struct err err = ERR_INIT;

	CHECK_OK(prompt_history_add(str_c(&dir),
				    &(struct prompt_record){ sv_cstr(text), sv_cstr(project),
							     sv_cstr(session), time_ms },
				    &err),
		 err);
}

TEST(prompts_of_the_project_come_last_and_those_of_the_own_session_not_again)
{
	open_dir();
	check_read(&(struct prompt_wanted){ .max = 9 }, "");
	add("mine 1", "/a", "old", 1);
	add("other 1", "/b", "old", 2);
	add("resumed", "/a", "now", 3);
	add("mine 2", "/a", "old", 4);
	add("just typed", "/a", "now", 5);
	check_read(&(struct prompt_wanted){ SV("/a"), SV("now"), 5, 9 },
		   "other 1|mine 1|resumed|mine 2");
	check_read(&(struct prompt_wanted){ SV("/a"), SV("now"), 5, 2 }, "resumed|mine 2");
	check_read(&(struct prompt_wanted){ SV("/b"), SV("now"), 5, 3 }, "resumed|mine 2|other 1");
	close_dir();
}

TEST(a_prompt_is_written_as_claude_code_writes_it)
{
	defer(str_clear) struct str text = STR_INIT;
	struct err err = ERR_INIT;
	struct fs_info info;

	open_dir();
	add("say \"hi\"\nthen", "/a", "s-1", 1700000000123);
	CHECK_OK(fs_read(&text, str_c(&path), MIB, &err), err);
	CHECK_STR(str_c(&text),
		  "{\"display\":\"say \\\"hi\\\"\\nthen\",\"pastedContents\":{},"
		  "\"timestamp\":1700000000123,\"project\":\"/a\",\"sessionId\":\"s-1\"}\n");
	CHECK_OK(fs_info(&info, str_c(&path), true, &err), err);
	CHECK_INT(info.mode & 0777, 0600);
	close_dir();
}

TEST(what_was_pasted_is_put_back_and_torn_lines_are_skipped)
{
	static const char file[] =
		"{\"display\":\"see [Pasted text #1 +2 lines] and [Pasted text "
		"#7]\",\"pastedContents\":"
		"{\"1\":{\"id\":1,\"type\":\"text\",\"content\":\"a\\nb\"}},\"project\":\"/a\"}\n"
		"{\"display\":\"torn\n"
		"7\n"
		"{\"display\":7}\n"
		"\n"
		"{\"display\":\"last\",\"project\":\"/a\"}";
	struct err err = ERR_INIT;

	open_dir();
	CHECK_OK(fs_write(str_c(&path), sv_cstr(file), (struct fs_write){ .mode = 0600 }, &err),
		 err);
	check_read(&(struct prompt_wanted){ .project = SV("/a"), .max = 9 },
		   "see a\nb and [Pasted text #7]|last");
	close_dir();
}

TEST(only_the_end_of_a_long_file_is_read)
{
	defer(str_clear) struct str file = STR_INIT;
	struct err err = ERR_INIT;

	open_dir();
	str_adds(&file, "{\"display\":\"first\",\"project\":\"/a\"}\n{\"display\":\"");
	while (file.len < LIMIT_PROMPTS_READ)
		str_adds(&file, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	str_adds(&file, "\"}\n{\"display\":\"last\",\"project\":\"/a\"}\n");
	CHECK_OK(fs_write(str_c(&path), sv_of(&file), (struct fs_write){ .mode = 0600 }, &err),
		 err);
	check_read(&(struct prompt_wanted){ .project = SV("/a"), .max = 9 }, "last");
	close_dir();
}

TEST(prompts_of_the_project_are_found_behind_many_others)
{
	open_dir();
	add("mine", "/a \"b\"", "old", 1);
	for (int i = 0; i < 20; i++)
		add("other", "/b", "old", 2);
	check_read(&(struct prompt_wanted){ .project = SV("/a \"b\""), .max = 2 }, "other|mine");
	close_dir();
}

TEST(a_very_long_prompt_is_not_written)
{
	defer(str_clear) struct str text = STR_INIT;

	open_dir();
	while (text.len <= LIMIT_PROMPT_WRITTEN)
		str_adds(&text, "long ");
	add(str_c(&text), "/a", "s", 1);
	check_read(&(struct prompt_wanted){ .project = SV("/a"), .max = 9 }, "");
	close_dir();
}
