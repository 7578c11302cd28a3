#include "core/compaction/context_report.h"

enum { BYTES_PER_TOKEN = 4 };

/* What is known is the total in tokens and each part in bytes. */
struct report {
	size_t bytes;  /* of everything that is sent */
	int64_t total; /* tokens of it */
};

static int64_t context_report_share(const struct report *r, size_t bytes)
{
	return r->bytes ? (int64_t)((double)r->total * (double)bytes / (double)r->bytes) : 0;
}

static size_t context_report_memory_bytes(const struct context_facts *facts)
{
	size_t n = 0;

	for (size_t i = 0; i < facts->sent; i++)
		n += instructions_at(facts->instructions, i)->text.len;
	return min_of(n, facts->messages);
}

static void context_report_add_files(struct reply_context *out, const struct report *r,
				     const struct context_facts *facts, struct arena *arena)
{
	static const char *const types[] = { [INSTRUCTION_POLICY] = "Managed",
					     [INSTRUCTION_USER] = "User",
					     [INSTRUCTION_PROJECT] = "Project",
					     [INSTRUCTION_LOCAL] = "Local",
					     [INSTRUCTION_NESTED] = "Nested" };
	struct reply_memory_file *files = arena_calloc(arena, facts->sent + 1, sizeof(*files));

	for (size_t i = 0; i < facts->sent; i++) {
		const struct instruction *file = instructions_at(facts->instructions, i);

		files[i] = (struct reply_memory_file){
			.path = sv_cstr(file->path),
			.type = sv_cstr(types[file->scope]),
			.tokens = context_report_share(r, file->text.len),
		};
	}
	out->files = files;
	out->nfiles = facts->sent;
}

struct reply_context context_report(const struct context_facts *facts, struct arena *arena)
{
	struct report r = { .bytes = facts->system + facts->tools + facts->messages };
	struct reply_context out = { .model = facts->model, .window = facts->window };

	r.total = facts->counted ? facts->counted : (int64_t)(r.bytes / BYTES_PER_TOKEN);
	out.total = r.total;
	out.system = context_report_share(&r, facts->system);
	out.tools = context_report_share(&r, facts->tools);
	out.memory = context_report_share(&r, context_report_memory_bytes(facts));
	/* Rounding errors count as messages. */
	out.messages = r.total - out.system - out.tools - out.memory;
	context_report_add_files(&out, &r, facts, arena);
	return out;
}
