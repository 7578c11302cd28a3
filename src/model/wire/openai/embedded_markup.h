/* embedded_markup.h - private to src/model: tool calls in the markup of a model's chat template. A
 * server that does not know the template passes them on as text (see embedded_calls.h).
 *
 *   <tool_call><function=NAME><parameter=KEY>VALUE</parameter></function></tool_call>  Qwen3-Coder
 *   <tool_call>NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value></tool_call>      GLM 4.5
 *   <minimax:tool_call><invoke name="NAME"><parameter name="KEY">VALUE</parameter>..   MiniMax M2
 *   <|tool_calls_section_begin|><|tool_call_begin|>functions.NAME:0
 *       <|tool_call_argument_begin|>{..}<|tool_call_end|>..                            Kimi K2
 *   <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME ```json..      DeepSeek V3, R1
 *   <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{..}                    DeepSeek V3.1
 *   <｜DSML｜function_calls><｜DSML｜invoke name="NAME">..                              DeepSeek V3.2
 *   <|channel|>commentary to=functions.NAME<|message|>{..}<|call|>                     gpt-oss
 *
 * White space between the tags does not matter. The tags around a list of calls may be missing. */
#ifndef AWL_MODEL_WIRE_OPENAI_EMBEDDED_MARKUP_H
#define AWL_MODEL_WIRE_OPENAI_EMBEDDED_MARKUP_H

#include "model/wire/openai/embedded_calls.h"

/* The texts that a call may start with. */
struct markup_start {
	struct sv text;
	bool own_line; /* counts only at the start of a line */
};

extern const struct markup_start markup_starts[];
extern const size_t markup_starts_count;

/* Whether `text`, which starts with one of them, continues like a call of an offered tool. */
enum embedded_match markup_vet(struct embedded_calls *e, struct sv text);

/* Reads one part at the start of `*rest`, a call or a message of gpt-oss, and moves past it and past
 * the tags that end its list. False: it is malformed, or not a call of an offered tool. */
bool markup_cut(struct embedded_calls *e, struct sv *rest, struct embedded_part *part);

#endif
