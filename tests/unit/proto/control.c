#include "proto/input.h"

#include "test.h"

/* Every kind, as the wire has it. */
static const char *const requests[] = {
	("{\"subtype\":\"initialize\",\"systemPrompt\":[\"a\"],\"appendSystemPrompt\":\"b\","
	 "\"hooks\":{\"Stop\":[]},\"title\":\"t\",\"planModeInstructions\":\"p\","
	 "\"toolAliases\":{\"A\":\"B\"},\"jsonSchema\":{},\"agents\":{},\"skills\":[\"s\"],"
	 "\"promptSuggestions\":true,\"perTaskStopAffordance\":true,\"sdkMcpServers\":[\"a\"],"
	 "\"sdkMcpServerConfigs\":{},\"plugins\":[]}"),
	"{\"subtype\":\"interrupt\"}",
	"{\"subtype\":\"set_model\",\"model\":\"opus\"}",
	"{\"subtype\":\"set_permission_mode\",\"mode\":\"plan\"}",
	("{\"subtype\":\"set_max_thinking_tokens\",\"thinking_display\":\"omitted\","
	 "\"max_thinking_tokens\":4000}"),
	"{\"subtype\":\"get_settings\"}",
	"{\"subtype\":\"apply_flag_settings\",\"settings\":{\"model\":null}}",
	"{\"subtype\":\"list_permission_rules\"}",
	"{\"subtype\":\"list_models\"}",
	"{\"subtype\":\"get_context_usage\"}",
	"{\"subtype\":\"stop_task\",\"task_id\":\"b1\"}",
	"{\"subtype\":\"message_task\",\"task_id\":\"a1\",\"message\":\"hi\"}",
	"{\"subtype\":\"generate_session_title\",\"description\":\"d\",\"persist\":true}",
	"{\"subtype\":\"generate_recap\"}",
	"{\"subtype\":\"cancel_async_message\",\"message_uuid\":\"u\"}",
	"{\"subtype\":\"side_question\",\"question\":\"q\"}",
	"{\"subtype\":\"read_file\",\"path\":\"p\",\"max_bytes\":7,\"encoding\":\"base64\"}",
	"{\"subtype\":\"seed_read_state\",\"path\":\"p\",\"mtime\":8}",
	"{\"subtype\":\"file_suggestions\",\"query\":\"q\"}",
	"{\"subtype\":\"register_repo_root\",\"directory\":\"d\"}",
	"{\"subtype\":\"get_task_output\",\"task_id\":\"b1\"}",
	"{\"subtype\":\"background_tasks\",\"tool_use_id\":\"t\"}",
	"{\"subtype\":\"rename_session\",\"title\":\"t\",\"session_id\":\"s\"}",
	"{\"subtype\":\"update_settings\",\"source\":\"localSettings\",\"settings\":{\"a\":1}}",
	"{\"subtype\":\"get_usage\"}",
	"{\"subtype\":\"get_session_cost\"}",
	"{\"subtype\":\"get_binary_version\"}",
	"{\"subtype\":\"get_status\"}",
	"{\"subtype\":\"get_plan\"}",
	"{\"subtype\":\"reload_output_styles\"}",
	"{\"subtype\":\"reload_skills\"}",
	"{\"subtype\":\"reload_plugins\",\"add_plugins\":[{\"type\":\"local\",\"path\":\"/p\"}],"
	"\"refuse_if_busy\":true}",
	"{\"subtype\":\"set_has_subscribers\"}",
	"{\"subtype\":\"end_session\"}",
	"{\"subtype\":\"get_hooks_listing\"}",
	"{\"subtype\":\"status_line\",\"vim_mode\":\"NORMAL\",\"columns\":80,\"lines\":24}",
	"{\"subtype\":\"run_command\",\"command\":\"ls\"}",
	"{\"subtype\":\"rewind_files\",\"user_message_id\":\"u1\",\"dry_run\":true}",
	"{\"subtype\":\"list_prompts\"}",
	"{\"subtype\":\"drop_worktree\",\"discard\":true}",
	"{\"subtype\":\"mcp_status\"}",
	"{\"subtype\":\"mcp_set_servers\",\"servers\":{\"a\":{\"command\":\"x\"}}}",
	"{\"subtype\":\"mcp_reconnect\",\"serverName\":\"a\"}",
	"{\"subtype\":\"mcp_toggle\",\"serverName\":\"a\",\"enabled\":true}",
	"{\"subtype\":\"set_mcp_permission_mode_override\",\"serverName\":\"a\",\"mode\":null}",
	"{\"subtype\":\"mcp_message\",\"server_name\":\"a\",\"message\":{\"id\":1}}",
	("{\"subtype\":\"mcp_call\",\"tool\":\"mcp__a__b\",\"arguments\":{},"
	 "\"timeout_ms\":5,\"check_permissions\":true}"),
	"{\"subtype\":\"mcp_read_resource\",\"serverName\":\"a\",\"uri\":\"ui://x\"}",
	"{\"subtype\":\"channel_enable\",\"serverName\":\"a\"}",
	"{\"subtype\":\"list_tools\"}",
	"{\"subtype\":\"call_tool\",\"tool\":\"Read\",\"arguments\":{\"a\":1}}",
};

static void check_round_trip(const char *request, enum control_kind kind)
{
	defer(str_clear) struct str line = STR_INIT, out = STR_INIT;
	defer(json_doc_freep) struct json_doc *doc = NULL;
	struct err err = ERR_INIT;
	struct input in;

	str_addf(&line, "{\"type\":\"control_request\",\"request_id\":\"r\",\"request\":%s}",
		 request);
	doc = json_parse(sv_of(&line), 0, &err);
	CHECK_OK(doc && input_read(&in, json_root(doc), &err), err);
	CHECK_INT(in.kind, INPUT_REQUEST);
	CHECK_INT(in.request.kind, kind);
	control_request_write(&out, &in.request);
	CHECK_STR(str_c(&out), str_c(&line));
}

TEST(every_control_request_is_written_as_it_was_read)
{
	for (size_t i = 0; i < countof(requests); i++)
		check_round_trip(requests[i], (enum control_kind)i);
	CHECK_INT(countof(requests), CONTROL_KINDS);
}

TEST(a_default_is_left_out_of_a_control_request)
{
	check_round_trip("{\"subtype\":\"initialize\"}", CONTROL_INITIALIZE);
	check_round_trip("{\"subtype\":\"reload_plugins\"}", CONTROL_RELOAD_PLUGINS);
	check_round_trip("{\"subtype\":\"set_model\"}", CONTROL_SET_MODEL);
	check_round_trip("{\"subtype\":\"interrupt\",\"cancel_queued\":true}", CONTROL_INTERRUPT);
	check_round_trip("{\"subtype\":\"set_max_thinking_tokens\",\"max_thinking_tokens\":null}",
			 CONTROL_SET_THINKING);
	check_round_trip("{\"subtype\":\"set_max_thinking_tokens\"}", CONTROL_SET_THINKING);
	check_round_trip("{\"subtype\":\"read_file\",\"path\":\"p\"}", CONTROL_READ_FILE);
	check_round_trip("{\"subtype\":\"background_tasks\"}", CONTROL_BACKGROUND_TASKS);
	check_round_trip("{\"subtype\":\"rename_session\",\"title\":\"\"}", CONTROL_RENAME_SESSION);
}

static const struct {
	const char *list, *why; /* NULL: it is fine */
} plugin_lists[] = {
	{ "[]", NULL },
	{ "[{\"type\":\"local\",\"path\":\"/a\"},{\"type\":\"local\",\"path\":\"b\","
	  "\"skipMcpDiscovery\":true}]",
	  NULL },
	{ "{}", "must be an array" },
	{ "[{\"type\":\"local\",\"path\":\"/a\"},7]", "plugin 2 of the list" },
	{ "[{\"path\":\"/a\"}]", "plugin 1 of the list" },
	{ "[{\"type\":\"remote\",\"path\":\"/a\"}]", "must be \"local\"" },
	{ "[{\"type\":\"local\"}]", "plugin 1 of the list" },
	{ "[{\"type\":\"local\",\"path\":\"\"}]", "must name a folder" },
	{ "[{\"type\":\"local\",\"path\":\"/a\\u0000b\"}]", "must name a folder" },
};

TEST(a_list_of_plugins_is_read_as_a_whole_or_not_at_all)
{
	for (size_t i = 0; i < countof(plugin_lists); i++) {
		defer(control_plugins_clear) control_plugins plugins = VEC_INIT;
		struct err err = ERR_INIT;
		defer(json_doc_freep) struct json_doc *doc =
			json_parse(sv_cstr(plugin_lists[i].list), 0, &err);

		if (control_plugins_read(&plugins, json_root(doc), &err) != !plugin_lists[i].why ||
		    (plugin_lists[i].why &&
		     sv_find(sv_cstr(err.text), sv_cstr(plugin_lists[i].why)) == SIZE_MAX))
			fail_msg("%s: %s", plugin_lists[i].list, err.text);
	}
}

TEST(the_list_of_plugins_says_whose_servers_are_left_alone)
{
	defer(control_plugins_clear) control_plugins plugins = VEC_INIT;
	struct err err = ERR_INIT;
	defer(json_doc_freep) struct json_doc *doc =
		json_parse(sv_cstr(plugin_lists[1].list), 0, &err);

	CHECK_OK(control_plugins_read(&plugins, json_root(doc), &err), err);
	CHECK_INT(plugins.n, 2);
	CHECK_SV(plugins.at[1].path, "b");
	CHECK(!plugins.at[0].skips_servers && plugins.at[1].skips_servers);
}
