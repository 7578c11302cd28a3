/* Tools of servers that are described otherwise than when they were accepted (mcp/pins.h). */
#include "base/mem.h"
#include "base/utf8.h"
#include "core/mcp/session_mcp.h"

enum { PIN_SHOWN = 60 }; /* bytes of either description in a question */

/* Servers inside the host change with the host. */
static bool session_mcp_pins_count(const struct session_mcp *m, const struct mcp_server *server)
{
	return m->s->engine->config_dir && mcp_server_config(server)->transport != MCP_IN_HOST;
}

static void session_mcp_pins_file(const struct session_mcp *m, struct str *out)
{
	str_addf(out, "%s/awl/mcp-pins.json", m->s->engine->config_dir);
}

/* Read the pins of a server when they are first needed. If that is not possible, all its tools are new. */
static void session_mcp_pins_read(struct session_mcp *m, struct mcp_server *server)
{
	struct session_mcp_server *state = session_mcp_state(server);
	defer(str_clear) struct str file = STR_INIT;
	struct err err = ERR_INIT;

	if (state->has_pins)
		return;
	state->has_pins = true;
	if (!session_mcp_pins_count(m, server))
		return;
	session_mcp_pins_file(m, &file);
	if (!mcp_pins_load(&state->pins, str_c(&file), mcp_server_config(server), &err))
		session_add_notice(m->s, sv_cstr(err.text));
}

/* Say what has changed, in a sentence that fits into a question. */
static void session_mcp_pins_explain(struct str *out, const struct mcp_pin *pin,
				     const struct mcp_tool *tool)
{
	struct sv before = sv_trim(utf8_prefix(sv_cstr(pin->about), PIN_SHOWN));
	struct sv now = sv_trim(utf8_prefix(sv_cstr(tool->page), PIN_SHOWN));

	if (sv_eq(before, now))
		str_adds(out, "Its input, or the rest of its description, has changed.");
	else
		str_addf(out, "It was: \"%.*s\". Now it is: \"%.*s\".", SV_ARG(before),
			 SV_ARG(now));
}

static void session_mcp_pins_on_accepted(const struct tool *tool)
{
	struct session_mcp *m = tool->arg;
	struct mcp_tool *t = (struct mcp_tool *)mcp_tool_of(tool);

	if (!t || t->is_gone)
		return;
	t->tool.doubt = NULL;
	session_mcp_save_pins(m, t->server, mcp_pins_put(&session_mcp_state(t->server)->pins, t));
}

static void session_mcp_pins_doubt(struct session_mcp *m, struct mcp_tool *tool,
				   const struct mcp_pin *pin)
{
	struct str doubt = STR_INIT;

	str_addf(&doubt, "The MCP server %s has changed this tool since you accepted it. ",
		 mcp_server_config(tool->server)->name);
	session_mcp_pins_explain(&doubt, pin, tool);
	free(tool->doubt);
	tool->doubt = str_detach(&doubt);
	tool->tool.doubt = tool->doubt;
	tool->tool.accepted = session_mcp_pins_on_accepted;
	tool->tool.arg = m;
}

bool session_mcp_accepts(struct session_mcp *m, struct mcp_server *server, struct mcp_tool *tool)
{
	struct session_mcp_server *state = session_mcp_state(server);
	bool has_user = m->s->kind.has_user || m->s->is_initialized;
	const char *name = mcp_server_config(server)->name;
	defer(str_clear) struct str text = STR_INIT;
	const struct mcp_pin *pin;

	session_mcp_pins_read(m, server);
	pin = state->accepts ? NULL : mcp_pins_differ(&state->pins, tool);
	if (!pin) {
		tool->tool.doubt = NULL;
		return true;
	}
	if (tool->tool.doubt)
		return true;
	str_addf(&text, "MCP server %s has changed its tool %s. ", name, tool->name);
	session_mcp_pins_explain(&text, pin, tool);
	if (has_user)
		str_adds(&text, " You will be asked before it is used.");
	else
		str_addf(&text, " It is disabled. To accept it: /mcp accept %s", name);
	if (has_user)
		session_mcp_pins_doubt(m, tool, pin);
	session_mcp_warn(m, sv_of(&text));
	return has_user;
}

static void session_mcp_pins_on_saved(__attribute__((unused)) struct op *op, void *owner,
				      const struct err *why)
{
	struct session_mcp *m = owner;

	m->nsaves--;
	if (why)
		log_warn("%s", why->text);
	session_settle(m->s);
}

void session_mcp_save_pins(struct session_mcp *m, struct mcp_server *server, bool is_changed)
{
	defer(str_clear) struct str file = STR_INIT;

	if (!is_changed || !session_mcp_pins_count(m, server))
		return;
	session_mcp_pins_file(m, &file);
	m->nsaves++;
	(void)mcp_pins_save_start(m->s->engine->loop, str_c(&file),
				  &session_mcp_state(server)->pins, mcp_server_config(server),
				  THEN(session_mcp_pins_on_saved, m));
}

void session_mcp_accept(struct session_mcp *m, struct mcp_server *server)
{
	struct session_mcp_server *state = session_mcp_state(server);

	state->accepts = true;
	session_mcp_sync_tools(m, server);
	state->accepts = false;
}
