#include "front/first_run.h"

#include "front/display.h"

enum { MODEL_CELLS = 40 };

const char first_run_title[] = "No model is set up yet";
const char first_run_tour[] = "Take the tour";

void first_run_add_text(struct str *out)
{
	str_adds(out,
		 "One of these is enough; then start awl again:\n"
		 "\n"
		 "  export ANTHROPIC_API_KEY=...         Claude\n"
		 "  export OPENAI_API_KEY=...            OpenAI\n"
		 "  export OPENAI_BASE_URL=http://...    any OpenAI-compatible server\n"
		 "  export CLAUDE_CODE_USE_BEDROCK=1     Amazon Bedrock\n"
		 "  export CLAUDE_CODE_USE_VERTEX=1      Google Vertex AI\n"
		 "  export CLAUDE_CODE_USE_FOUNDRY=1     Microsoft Foundry\n"
		 "\n"
		 "'awl doctor' checks what you have set. The tour takes two minutes: a scripted "
		 "model, real tools, in a scratch directory.\n");
}

void first_run_add_server(struct str *out, const struct local_server *server)
{
	str_adds(out, "Use ");
	display_line(out, server->model, MODEL_CELLS);
	str_addf(out, " of %s, which answers on port %u", server->name, server->port);
}
