// Checks that awl.h compiles as C++11 with all warnings.
#include <awl.h>

bool header_is_fine();

bool header_is_fine()
{
	struct awl_options engine = AWL_OPTIONS_INIT;
	struct awl_session_options options = AWL_SESSION_OPTIONS_INIT;
	struct awl_tool tool = AWL_TOOL_INIT;
	struct awl_project_options place = AWL_PROJECT_OPTIONS_INIT;
	struct awl_why_question question = AWL_WHY_QUESTION_INIT;
	struct awl_sandbox_options sandbox = AWL_SANDBOX_OPTIONS_INIT;
	struct awl_usage usage = AWL_USAGE_INIT;
	struct awl *awl;
	struct awl_session *session;

	if (awl_open(&awl, &engine) != AWL_OK || awl_add_tool(awl, &tool) != AWL_OK ||
	    awl_session_open(&session, awl, &options, nullptr, nullptr) != AWL_OK)
		return false;
	awl_session_close(session);
	awl_close(awl);
	return engine.size == sizeof(engine) && options.size == sizeof(options) &&
	       tool.size == sizeof(tool) && place.size == sizeof(place) &&
	       question.size == sizeof(question) && sandbox.size == sizeof(sandbox) &&
	       usage.size == sizeof(usage) && options.tools == nullptr;
}
