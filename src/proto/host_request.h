/* host_request.h - what the engine asks of its host: whether a call may run, what a hook of the
 * host says, what a server inside the host answers, what the user fills in. Each is a control
 * request on the wire and waits for one control response with the same id.
 *
 * Everything is borrowed. A member `x` holds JSON bytes for the writer; the reader leaves it
 * empty and sets its companion `x_value` instead. */
#ifndef AWL_PROTO_HOST_REQUEST_H
#define AWL_PROTO_HOST_REQUEST_H

#include "proto/permission.h"

enum host_request_kind {
	HOST_CAN_USE_TOOL,  /* may this call run? */
	HOST_HOOK_CALLBACK, /* run a hook that the host registered */
	HOST_MCP_MESSAGE,   /* pass this on to an MCP server of the host */
	HOST_ELICITATION,   /* an MCP server wants to know something from the user */
	HOST_UNKNOWN,       /* read, and not one of these */
};

struct permission_question {
	struct sv tool, id; /* of the call */
	struct sv origin;   /* JSON: the MCP server of the tool; usually empty */
	struct sv agent;    /* the kind of sub-agent that asks, set by the reader; usually empty */
	struct sv input;    /* JSON */
	struct json input_value;
	struct sv reason_type, reason, path;
	bool is_safety; /* only a person may answer: something about the call may be unsafe */
	/* An ask rule that would have asked as well, if the reason is another: who made it, and its
	 * parts. Usually empty. */
	struct permission_ask_rule {
		struct sv source, tool, content;
	} rule;
	struct sv
		changes; /* JSON: how the call would change files, each as Edit reports it; usually empty */
	struct json changes_value;
	struct sv loss; /* what the call would destroy that is hard to get back; usually empty */
	struct sv description; /* what the call does, in one line; may be empty */
	const struct permission_change *suggestions; /* that would have allowed the call */
	size_t nsuggestions;
	bool needs_user;     /* an answer in words, not only yes or no */
	int64_t patience_ms; /* how long the question waits for an answer; 0: for ever */
	bool offers_clear;   /* of a plan: the user wants to be offered a new conversation for it */
};

struct hook_callback {
	struct sv callback_id, tool_use_id; /* tool_use_id may be empty */
	struct sv input;                    /* JSON */
	struct json input_value;
};

struct mcp_message {
	struct sv server;
	struct sv message; /* JSON-RPC */
	struct json message_value;
};

struct elicitation {
	struct sv server, message;
	struct sv mode, url, elicitation_id; /* each may be empty */
	struct sv schema;                    /* JSON; may be empty */
	struct json schema_value;
};

struct host_request {
	enum host_request_kind kind;
	struct sv id;      /* of the control request */
	struct sv subtype; /* set by the reader, for HOST_UNKNOWN too */
	/* The call whose sub-agent asks; empty for the session's own agent. */
	struct sv parent_tool_use_id;
	struct sv agent_id, agent_type; /* of that sub-agent; empty likewise */
	union {
		struct permission_question permission;
		struct hook_callback hook;
		struct mcp_message mcp;
		struct elicitation elicitation;
	};
};

/* Adds the members of the frame, all but its type, to an open object. */
void host_request_write(struct jw *w, const struct host_request *request);
/* Reads a frame; lists go into `arena`. A member of the wrong type counts as missing. */
void host_request_read(struct host_request *out, struct json frame, struct arena *arena);

/* What kind of request it is, for the debug log: "can_use_tool". */
const char *host_request_name(const struct host_request *request);

/* Whether the user has to answer it. */
bool host_request_needs_user(const struct host_request *request);

/* A copy in `arena` of a request that is to be written. */
struct host_request host_request_copy(struct arena *arena,
				      const struct host_request *from) must_use;

/* Whether it is a hook that has to check a call before it runs. Of a request that was read. */
bool host_request_is_guard(const struct host_request *request);
/* Appends the control response of such a hook that blocks the call. */
void host_request_write_block(struct str *out, struct sv request_id, struct sv why);

/* Appends the parameters of tools/call with which a tool of an MCP server is asked such a question. */
void host_request_write_call(struct str *out, struct sv tool,
			     const struct permission_question *question);
/* Appends the parameters with which a channel is told such a question, under an id of its own. */
void host_request_write_relay(struct str *out, struct sv id,
			      const struct permission_question *question);
/* What the server has answered, of the response to HOST_MCP_MESSAGE. */
struct json host_request_mcp_answer(struct json response);

/* How a user answers an MCP server: with what it wants, with a no, or by leaving the question. */
enum elicited { ELICITED_ACCEPT, ELICITED_DECLINE, ELICITED_CANCEL };
/* Appends the control response to HOST_ELICITATION. `content` is JSON, of a form that was filled in; may be empty. */
void host_request_write_elicited(struct str *out, struct sv request_id, enum elicited action,
				 struct sv content);

/* Appends the control response of a host that cannot do what it was asked. */
void host_request_write_error(struct str *out, struct sv request_id, struct sv why);

#endif
