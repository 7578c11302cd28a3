/* Slash commands, as a program that embeds awl sees them. */
#include "core/host.h"
#include "proto/slash.h"
#include "test.h"

/* Types a command and waits until the session rests. */
static void ask(struct host *h, const char *text)
{
	awl_prompt(h->session, text);
	awl_run(h->awl);
}

static void answer(struct str *out, struct host *h, const char *text)
{
	ask(h, text);
	host_member(out, sv_of(&h->result), "result");
}

/* Why it is refused. */
static void refusal(struct str *out, struct host *h, const char *text)
{
	ask(h, text);
	host_member(out, sv_of(&h->result), "errors[0]");
}

TEST(every_local_slash_command_answers_or_says_why_not)
{
	for (size_t i = 0; i < SLASH_COMMANDS; i++) {
		const struct slash_command *command = &slash_commands[i];
		defer(str_clear) struct str typed = STR_INIT, name = STR_INIT;
		HOST(h, NULL);

		if (command->kind == SLASH_PROMPT)
			continue;
		host_open(&h, NULL);
		str_addf(&typed, "/%s", command->name);
		ask(&h, typed.ptr);
		CHECK_INT(h.results, 1);
		host_member(&name, sv_of(&h.result), "local_command");
		CHECK_STR(str_c(&name), command->name);
		CHECK(strstr(str_c(&h.result), "\"num_turns\":0"));
	}
}

TEST(help_lists_what_the_engine_can_do_and_nothing_else)
{
	defer(str_clear) struct str help = STR_INIT;
	HOST(h, NULL);

	host_open(&h, NULL);
	answer(&help, &h, "/help");
	for (size_t i = 0; i < SLASH_COMMANDS; i++) {
		defer(str_clear) struct str line = STR_INIT;

		str_addf(&line, "/%s ", slash_commands[i].name);
		CHECK((strstr(help.ptr, line.ptr) != NULL) ==
		      (slash_commands[i].kind != SLASH_FRONT));
	}
	CHECK(strstr(help.ptr, slash_commands[SLASH_CLEAR].help));
}

TEST(a_slash_command_of_the_screen_says_where_it_works)
{
	defer(str_clear) struct str why = STR_INIT;
	HOST(h, NULL);

	host_open(&h, NULL);
	refusal(&why, &h, "/theme dark");
	CHECK_STR(str_c(&why), "/theme works only on the full screen at a terminal");
	refusal(&why, &h, "/quit");
	CHECK_STR(str_c(&why),
		  "/exit works only on the full screen at a terminal; end the input to leave");
}

TEST(a_mistyped_slash_command_gets_the_nearest_name)
{
	defer(str_clear) struct str why = STR_INIT;
	HOST(h, NULL);

	host_open(&h, NULL);
	refusal(&why, &h, "/contxet x");
	CHECK_STR(str_c(&why), "there is no command /contxet; did you mean /context? /help lists "
			       "the commands");
	refusal(&why, &h, "/setings");
	CHECK(strstr(why.ptr, "did you mean /settings?"));
	refusal(&why, &h, "/upgrade x");
	CHECK(sv_starts(sv_of(&why), SV("/upgrade is not supported yet; ")));
}

TEST(a_text_of_ours_is_sent_with_the_arguments_and_a_file_of_the_user_replaces_it)
{
	defer(mem_freep) char *dir = NULL, *file = NULL;
	struct err err = ERR_INIT;
	HOST(h, "reply forever when prompt contains \"MINE\"\n text \"mine\"\n"
		"reply forever when prompt contains \"What to review: a.c\"\n text \"reviewed\"\n"
		"reply otherwise\n text \"?\"\n");

	host_open(&h, NULL);
	awl_prompt(h.session, "/review a.c");
	HOST_UNTIL(&h, h.results == 1);
	host_check_result(&h, "result", "reviewed");
	awl_prompt(h.session, "/code-review a.c");
	HOST_UNTIL(&h, h.results == 2);
	host_check_result(&h, "result", "reviewed");
	dir = path_in(&h.dir, "config/commands");
	file = path_in(&h.dir, "config/commands/review.md");
	CHECK_OK(fs_mkdirs(dir, 0755, &err), err);
	CHECK_OK(fs_write(file, SV("MINE"), (struct fs_write){ .sync = false }, &err), err);
	awl_prompt(h.session, "/review a.c");
	HOST_UNTIL(&h, h.results == 3);
	host_check_result(&h, "result", "mine");
}

/* The model is asked only when the loop runs, so the turn is under way when the command comes. */
TEST(some_slash_commands_do_not_wait_for_the_turn_of_a_person)
{
	struct awl_session_options options;
	HOST(h, "reply\n text \"hello\"\n");

	options = host_options(&h);
	options.send_questions = true;
	host_open(&h, &options);
	awl_prompt(h.session, "hi");
	awl_prompt(h.session, "/clear");
	awl_prompt(h.session, "/usage");
	HOST_UNTIL(&h, h.results == 3);
	CHECK(sv_starts(sv_of(&h.log), SV("system session_state_changed running\n"
					  "assistant\n"
					  "result success\n" /* of /usage */
					  "system init\n"
					  "assistant\n"
					  "result success\n"
					  "conversation_reset\n")));
}

/* --- with files ------------------------------------------------------------------------ */

TEST(a_slow_slash_command_is_answered_in_its_turn)
{
	defer(str_clear) struct str why = STR_INIT;
	HOST(h, NULL);

	host_open(&h, NULL);
	awl_prompt(h.session, "/diff");
	awl_prompt(h.session, "/usage");
	awl_run(h.awl);
	CHECK_INT(h.results, 2);
	host_check_result(&h, "local_command", "usage");
	refusal(&why, &h, "/export x.md");
	CHECK_STR(str_c(&why), "this session is not saved, so it cannot be exported");
}

TEST(a_slow_slash_command_can_be_interrupted_and_its_session_closed)
{
	defer(str_clear) struct str why = STR_INIT;
	HOST(h, NULL);

	host_open(&h, NULL);
	awl_prompt(h.session, "/export x.md");
	awl_interrupt(h.session);
	awl_run(h.awl);
	CHECK_INT(h.results, 1);
	host_member(&why, sv_of(&h.result), "errors[0]");
	CHECK_STR(str_c(&why), "Interrupted");
	awl_prompt(h.session, "/export x.md");
	awl_session_close(h.session);
	awl_run(h.awl);
	CHECK_INT(h.results, 1);
}

extern const char tool_skill_page[];

TEST(the_page_of_the_skill_tool_names_each_of_our_skills_that_the_model_may_load)
{
	static const char *const only_for_users[] = { "goal", "init", "pr-comments", "skillify" };

	for (size_t i = 0; i < SLASH_COMMANDS; i++) {
		defer(str_clear) struct str line = STR_INIT;
		bool expected = slash_commands[i].kind == SLASH_PROMPT;

		for (size_t k = 0; k < countof(only_for_users); k++)
			expected &= strcmp(only_for_users[k], slash_commands[i].name) != 0;
		str_addf(&line, "\n- %s: ", slash_commands[i].name);
		CHECK_INT(strstr(tool_skill_page, line.ptr) != NULL, expected);
	}
}
