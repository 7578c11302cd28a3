#include "model/wire/wire.h"

const struct provider *provider_of(enum model_provider provider)
{
	switch (provider) { /* no default: -Wswitch-enum */
	case MODEL_ANTHROPIC: return &provider_anthropic;
	case MODEL_BEDROCK: return &provider_bedrock;
	case MODEL_VERTEX: return &provider_vertex;
	case MODEL_FOUNDRY: return &provider_foundry;
	case MODEL_OPENAI_CHAT: return &provider_openai_chat;
	case MODEL_OPENAI_RESPONSES: return &provider_openai_responses;
	case MODEL_REPLAY: return &provider_anthropic; /* what scripts are written in */
	}
	BUG("provider %d", (int)provider);
}
