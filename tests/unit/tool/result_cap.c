#include "tool/result_cap.h"

#include "../sys/temp_dir.h"
#include "base/limits.h"
#include "base/utf8.h"

static const struct tool tool = { .name = "T", .max_result = 5000 };

/* A call with a result of `n` bytes, `text` again and again. */
static struct tool_call call_with(struct tool_context *ctx, const char *id, const char *text,
				  size_t n)
{
	struct tool_call call = { .tool = &tool, .ctx = ctx, .id = sv_cstr(id) };

	while (call.result.text.len < n)
		str_adds(&call.result.text, text);
	str_truncate(&call.result.text, n);
	return call;
}

TEST(a_result_that_is_short_enough_stays_as_it_is)
{
	TEMP_DIR(dir);
	PATH_IN(results, dir, "results");
	const struct tool_session session = { .results_dir = results };
	struct tool_context ctx = { .session = &session };

	for (size_t n = 4998; n <= 5000; n++) {
		struct tool_call call = call_with(&ctx, "t1", "x", n);

		result_cap(&call);
		CHECK_INT(call.result.text.len, n);
		tool_result_clear(&call.result);
	}
	CHECK(!fs_exists(results));
}

TEST(a_tool_that_minds_it_itself_is_not_capped)
{
	static const struct tool free_tool = { .name = "T", .max_result = 0 };
	const struct tool_session session = { .results_dir = NULL };
	struct tool_context ctx = { .session = &session };
	struct tool_call call = call_with(&ctx, "t1", "x", 1000000);

	call.tool = &free_tool;
	result_cap(&call);
	CHECK_INT(call.result.text.len, 1000000);
	tool_result_clear(&call.result);
}

TEST(a_longer_one_is_kept_in_a_file_and_the_model_gets_its_beginning_and_the_way_there)
{
	TEMP_DIR(dir);
	PATH_IN(results, dir, "deep/er/results");
	PATH_IN(path, dir, "deep/er/results/toolu_01-Ab.txt");
	defer(str_clear) struct str kept = STR_INIT, note = STR_INIT;
	const struct tool_session session = { .results_dir = results };
	struct tool_context ctx = { .session = &session };
	struct tool_call call = call_with(&ctx, "toolu_01-Ab", "0123456789", 5001);
	struct fs_info info;
	struct err err = ERR_INIT;

	result_cap(&call);
	CHECK_OK(fs_read(&kept, path, 10000, &err), err);
	CHECK_INT(kept.len, 5001);
	str_addf(&note, "\n[The result has 5001 bytes; these are the first. All of it is in %s]",
		 path);
	CHECK_INT(call.result.text.len, LIMIT_RESULT_PREVIEW + note.len);
	CHECK_SV_EQ(sv_slice(sv_of(&call.result.text), 0, LIMIT_RESULT_PREVIEW),
		    sv_slice(sv_of(&kept), 0, LIMIT_RESULT_PREVIEW));
	CHECK_SV_EQ(sv_skip(sv_of(&call.result.text), LIMIT_RESULT_PREVIEW), sv_of(&note));
	CHECK_OK(fs_info(&info, path, false, &err), err);
	CHECK_INT(info.mode & 077, 0); /* it may hold secrets */
	CHECK_OK(fs_info(&info, results, false, &err), err);
	CHECK_INT(info.mode & 077, 0);
	tool_result_clear(&call.result);
}

TEST(without_a_place_to_keep_it_the_rest_is_cut_off_and_said_to_be)
{
	const struct tool_session session = { .results_dir = NULL };
	struct tool_context ctx = { .session = &session };
	struct tool_call call = call_with(&ctx, "t1", "x", 6000);

	result_cap(&call);
	CHECK_SV(sv_skip(sv_of(&call.result.text), 5000),
		 "\n[The result had 6000 bytes; the rest is cut off (this session saves nothing to "
		 "disk)]");
	tool_result_clear(&call.result);
}

TEST(a_place_that_cannot_be_made_is_named_and_the_result_is_cut_off)
{
	TEMP_DIR(dir);
	PATH_IN(file, dir, "file");
	PATH_IN(results, dir, "file/results");
	const struct tool_session session = { .results_dir = results };
	struct tool_context ctx = { .session = &session };
	struct tool_call call = call_with(&ctx, "t1", "x", 6000);

	write_file(file, "", 0600);
	result_cap(&call);
	CHECK(strstr(str_c(&call.result.text), "6000 bytes; the rest is cut off ("));
	CHECK(strstr(str_c(&call.result.text), file));
	CHECK_INT(entries_in(str_c(&dir)), 1);
	tool_result_clear(&call.result);
}

TEST(the_preview_is_never_longer_than_the_tool_may_say)
{
	static const struct tool terse = { .name = "T", .max_result = 100 };
	TEMP_DIR(dir);
	const struct tool_session session = { .results_dir = str_c(&dir) };
	struct tool_context ctx = { .session = &session };
	struct tool_call call = call_with(&ctx, "t1", "x", 150);

	call.tool = &terse;
	result_cap(&call);
	CHECK(sv_starts(sv_skip(sv_of(&call.result.text), 100), SV("\n[The result has 150")));
	tool_result_clear(&call.result);
}

/* Euro signs of three bytes, begun 0, 1 and 2 bytes before the cut. */
TEST(a_cut_never_goes_through_a_character)
{
	for (size_t shift = 0; shift < 3; shift++) {
		const struct tool_session session = { .results_dir = NULL };
		struct tool_context ctx = { .session = &session };
		struct tool_call call = call_with(&ctx, "t1", "\xe2\x82\xac", 6000);
		struct sv text;
		size_t end;

		str_splice(&call.result.text, 0, 0, sv_slice(SV("ab"), 0, shift));
		result_cap(&call);
		text = sv_of(&call.result.text);
		end = sv_find_char(text, '\n');
		CHECK(utf8_valid(text, NULL));
		CHECK(end <= 5000 && end > 4997);
		CHECK_INT((end - shift) % 3, 0);
		tool_result_clear(&call.result);
	}
}

TEST(bytes_that_are_no_text_are_cut_all_the_same)
{
	const struct tool_session session = { .results_dir = NULL };
	struct tool_context ctx = { .session = &session };
	struct tool_call call = call_with(&ctx, "t1", "\x80", 6000);

	result_cap(&call);
	CHECK_INT(sv_find_char(sv_of(&call.result.text), '\n'), 5000);
	tool_result_clear(&call.result);
}

/* Ids come from the model. */
TEST(no_id_leads_out_of_the_directory)
{
	static const char *const ids[] = {
		"../../x", "/etc/passwd", "..",    ".",         "",        "a/../../b",
		"a\nb",    "~",           "$HOME", "x\xff\xfe", ".hidden", "-rf",
	};
	defer(str_clear) struct str long_id = STR_INIT;

	for (int i = 0; i < 1000; i++)
		str_adds(&long_id, "../");
	for (size_t i = 0; i <= countof(ids); i++) {
		TEMP_DIR(dir);
		PATH_IN(results, dir, "in");
		const struct tool_session session = { .results_dir = results };
		struct tool_context ctx = { .session = &session };
		struct tool_call call =
			call_with(&ctx, i < countof(ids) ? ids[i] : str_c(&long_id), "x", 6000);

		result_cap(&call);
		CHECK(strstr(str_c(&call.result.text), "All of it is in "));
		CHECK_INT(entries_in(str_c(&dir)), 1);
		CHECK_INT(entries_in(results), 1);
		tool_result_clear(&call.result);
	}
}

/* Where the model is told that all of it is; the caller frees it. */
static char *path_reported(const struct tool_call *call)
{
	struct sv text = sv_of(&call->result.text), mark = SV("All of it is in ");
	size_t at = sv_find(text, mark);

	CHECK(at != SIZE_MAX);
	return sv_dup(sv_slice(text, at + mark.len, text.len - 1));
}

/* Some local servers begin to count anew with every answer. */
TEST(a_second_result_of_the_same_id_does_not_take_the_place_of_the_first)
{
	static const char *const ids[] = { "call_0", "call_0", "call/0", "call_0" };
	TEMP_DIR(dir);
	const struct tool_session session = { .results_dir = str_c(&dir) };
	struct tool_context ctx = { .session = &session };
	char *paths[countof(ids)];

	for (size_t i = 0; i < countof(ids); i++) {
		char letter[] = { (char)('a' + (char)i), '\0' };
		struct tool_call call = call_with(&ctx, ids[i], letter, 6000);

		result_cap(&call);
		paths[i] = path_reported(&call);
		tool_result_clear(&call.result);
	}
	CHECK_INT(entries_in(str_c(&dir)), countof(ids));
	for (size_t i = 0; i < countof(ids); i++) {
		defer(str_clear) struct str kept = STR_INIT;
		struct err err = ERR_INIT;

		CHECK_OK(fs_read(&kept, paths[i], 10000, &err), err);
		CHECK_INT(kept.ptr[0], 'a' + (int)i);
		CHECK_INT(kept.len, 6000);
		free(paths[i]);
	}
}
