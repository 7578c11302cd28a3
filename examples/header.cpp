// That awl.h is as good in C++, of any age and with every warning on.
#include <awl.h>

bool header_is_fine();

bool header_is_fine()
{
	struct awl_options engine = AWL_OPTIONS_INIT;
	struct awl_session_options session = AWL_SESSION_OPTIONS_INIT;
	struct awl_tool tool = AWL_TOOL_INIT;
	char error[AWL_ERROR_SIZE];
	struct awl *awl = awl_open(&engine, error, sizeof(error));

	awl_add_tool(awl, &tool, error, sizeof(error));
	awl_session_close(awl_session_open(awl, &session, nullptr, nullptr, error, sizeof(error)));
	awl_close(awl);
	return engine.size == sizeof(engine) && session.size == sizeof(session) &&
	       tool.size == sizeof(tool) && session.tools == nullptr;
}
