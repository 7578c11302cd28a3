#include "text/schema/schema_findings.h"

#include "base/limits.h"

void schema_findings_clear(struct schema_findings *f)
{
	str_clear(&f->text);
}

static size_t schema_weight_at(const struct schema_findings *f, const struct schema_at *at,
			       size_t weight)
{
	return weight >> min_of(at->depth - f->base, (size_t)20);
}

struct str *schema_finding(struct schema_findings *f, const struct schema_at *at,
			   enum schema_weight weight)
{
	if (!f)
		return NULL;
	f->worst = max_of(f->worst, schema_weight_at(f, at, weight));
	f->misfit = NULL;
	if (f->n++ >= LIMIT_SCHEMA_ERRORS)
		return NULL;
	if (f->n > 1)
		str_addc(&f->text, '\n');
	return &f->text;
}

/* Models often wrap a structure in a string. */
static bool is_wrapped(const struct schema_node *node, struct json value)
{
	struct sv text = sv_trim(json_str_or(value, SV_EMPTY));

	return ((node->types & SCHEMA_OBJECT) && sv_starts(text, SV("{"))) ||
	       ((node->types & SCHEMA_ARRAY) && sv_starts(text, SV("[")));
}

void schema_misfit(struct schema_findings *f, const struct schema_node **nodes, size_t n,
		   struct json value, const struct schema_at *at)
{
	bool choice = json_exists(nodes[0]->constant) || json_exists(nodes[0]->choices);
	struct str *line = schema_finding(f, at, choice ? SCHEMA_CHOICE : SCHEMA_SHAPE);
	bool wrapped = false;

	if (f && f->n == 1 && n == 1 && at->depth == f->base)
		f->misfit = nodes[0];
	if (!line)
		return;
	schema_describe_place(line, at);
	str_adds(line, " must be ");
	for (size_t i = 0; i < n; i++) {
		str_adds(line, i == 0 ? "" : i + 1 < n ? ", " : " or ");
		schema_describe_expected(line, nodes[i]);
		wrapped = wrapped || is_wrapped(nodes[i], value);
	}
	str_adds(line, ", got ");
	schema_describe_found(line, value);
	if (wrapped)
		str_adds(line, "; pass the JSON value itself, not as a string");
}

void schema_adopt(struct schema_findings *to, const struct schema_findings *from,
		  const struct schema_at *at)
{
	struct sv rest = sv_of(&from->text), text;

	for (size_t i = 0; i < from->n; i++) {
		struct str *line = schema_finding(to, at, SCHEMA_WEIGHTLESS);

		if (sv_cut(&rest, '\n', &text) && line)
			str_add(line, text);
	}
	to->worst = max_of(to->worst, schema_weight_at(to, at, from->worst));
}
