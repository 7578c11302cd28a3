#include "core/context_report.h"

#include "text/json/json_write.h"

enum { BYTES_PER_TOKEN = 4 };

struct report {
	struct jw w;
	size_t bytes;  /* of all that is sent */
	int64_t total; /* tokens of it */
};

static int64_t context_report_share(const struct report *r, size_t bytes)
{
	return r->bytes ? (int64_t)((double)r->total * (double)bytes / (double)r->bytes) : 0;
}

static void context_report_add_category(struct report *r, const char *id, const char *name,
					int64_t tokens, const char *kind)
{
	jw_object(&r->w);
	jw_put_str(&r->w, "id", sv_cstr(id));
	jw_put_str(&r->w, "name", sv_cstr(name));
	jw_put_int(&r->w, "tokens", tokens);
	jw_put_str(&r->w, "color", SV("text"));
	jw_put_str(&r->w, "kind", sv_cstr(kind));
	jw_end(&r->w);
}

static size_t context_report_memory_bytes(const struct context_facts *facts)
{
	size_t n = 0;

	for (size_t i = 0; i < facts->told; i++)
		n += instructions_at(facts->instructions, i)->text.len;
	return min_of(n, facts->messages);
}

/* Whatever is lost in rounding is counted with the messages. */
static void context_report_add_categories(struct report *r, const struct context_facts *facts)
{
	int64_t system = context_report_share(r, facts->system),
		tools = context_report_share(r, facts->tools);
	int64_t memory = context_report_share(r, context_report_memory_bytes(facts));

	jw_put_array(&r->w, "categories");
	context_report_add_category(r, "system_prompt", "System prompt", system, "used");
	context_report_add_category(r, "system_tools", "Tools", tools, "used");
	context_report_add_category(r, "memory_files", "Instruction files", memory, "used");
	context_report_add_category(r, "messages", "Messages", r->total - system - tools - memory,
				    "used");
	context_report_add_category(r, "free_space", "Free space",
				    max_of(facts->window - r->total, (int64_t)0), "free");
	jw_end(&r->w);
}

static void context_report_add_files(struct report *r, const struct context_facts *facts)
{
	static const char *const types[] = { [INSTRUCTION_POLICY] = "Managed",
					     [INSTRUCTION_USER] = "User",
					     [INSTRUCTION_PROJECT] = "Project",
					     [INSTRUCTION_LOCAL] = "Local",
					     [INSTRUCTION_NESTED] = "Nested" };

	jw_put_array(&r->w, "memoryFiles");
	for (size_t i = 0; i < facts->told; i++) {
		const struct instruction *file = instructions_at(facts->instructions, i);

		jw_object(&r->w);
		jw_put_str(&r->w, "path", sv_cstr(file->path));
		jw_put_str(&r->w, "type", sv_cstr(types[file->scope]));
		jw_put_int(&r->w, "tokens", context_report_share(r, file->text.len));
		jw_end(&r->w);
	}
	jw_end(&r->w);
}

void context_report_write(struct str *out, const struct context_facts *facts)
{
	struct report r = { .bytes = facts->system + facts->tools + facts->messages };
	double window = (double)max_of(facts->window, (int64_t)1);

	r.total = facts->counted ? facts->counted : (int64_t)(r.bytes / BYTES_PER_TOKEN);
	jw_init(&r.w, out, JW_COMPACT);
	jw_object(&r.w);
	context_report_add_categories(&r, facts);
	jw_put_int(&r.w, "totalTokens", r.total);
	jw_put_int(&r.w, "maxTokens", facts->window);
	jw_put_int(&r.w, "rawMaxTokens", facts->window);
	jw_put_int(&r.w, "percentage", (int64_t)(100 * (double)r.total / window + .5));
	jw_put_raw(&r.w, "gridRows", SV("[]"));
	jw_put_str(&r.w, "model", facts->model);
	context_report_add_files(&r, facts);
	jw_put_raw(&r.w, "mcpTools", SV("[]"));
	jw_put_raw(&r.w, "agents", SV("[]"));
	jw_put_bool(&r.w, "isAutoCompactEnabled", false);
	jw_put_null(&r.w, "apiUsage");
	jw_end(&r.w);
	jw_done(&r.w);
}
