/* Finds values by steps from the root, and changes the text there. */
#include "text/json/json_span.h"
#include "text/json/json_write.h"

/* The result of looking up one step in one container. */
struct place {
	struct json_span box; /* the container, with its brackets */
	bool is_object;
	size_t n;              /* number of items */
	struct json_item last; /* valid if n is not 0 */
	bool found;
	struct json_item hit;
};

static size_t span_edit_item_start(const struct place *p, struct json_item item)
{
	return p->is_object ? item.key.from : item.value.from;
}

static bool span_edit_no_such_step(struct err *err, struct sv step)
{
	return err_set(err, ERR_NOT_FOUND, "there is no \"%.*s\"", SV_ARG(step));
}

static bool is_step(const struct place *p, struct sv text, struct json_item item, size_t index,
		    struct sv step)
{
	int64_t n;

	if (p->is_object)
		return json_span_key_is(text, item.key, step);
	return sv_to_int(step, &n) && n >= 0 && (size_t)n == index;
}

static bool span_edit_look(struct place *p, struct sv text, struct json_span box, struct sv step,
			   struct err *err)
{
	struct json_span_iter it;
	struct json_item item;

	if (text.ptr[box.from] != '{' && text.ptr[box.from] != '[')
		return span_edit_no_such_step(err, step);
	if (!json_span_each(&it, text, box, err))
		return false;
	*p = (struct place){ .box = box, .is_object = it.close == '}' };
	for (; json_span_next(&it, &item, err) && !it.done; p->n++, p->last = item) {
		if (is_step(p, text, item, p->n, step)) {
			p->found = true;
			p->hit = item;
		}
	}
	return it.done;
}

bool json_span_find(struct sv text, struct json_steps steps, struct json_span *out, struct err *err)
{
	struct place p = { .found = false };
	struct json_span span = { 0, 0 };

	if (!json_span_root(text, &span, err))
		return false;
	for (size_t i = 0; i < steps.n; i++) {
		if (!span_edit_look(&p, text, span, steps.at[i], err))
			return false;
		if (!p.found)
			return span_edit_no_such_step(err, steps.at[i]);
		span = p.hit.value;
	}
	*out = span;
	return true;
}

/* The layout of the containers on the way: the white space before their items. */
struct layout {
	struct str lead; /* before an item of this container */
	struct str
		outer;   /* before an item of the outer container, and before our closing bracket */
	struct str unit; /* what each level adds to a lead with a newline */
	struct str colon; /* between key and value */
};

static void layout_clear(struct layout *l)
{
	str_clear(&l->lead);
	str_clear(&l->outer);
	str_clear(&l->unit);
	str_clear(&l->colon);
}

static void span_edit_assign(struct str *s, struct sv text)
{
	str_set(s, text);
}

static bool span_edit_has_newline(const struct str *s)
{
	return sv_find_char(sv_of(s), '\n') != SIZE_MAX;
}

/* A text without a line break is laid out on one line. In other texts, assume two spaces
 * per level until a neighbour shows otherwise. */
static void layout_init(struct layout *l, struct sv text)
{
	size_t line = sv_find_char(text, '\n');

	*l = (struct layout){ .lead = STR_INIT };
	str_add(&l->unit, SV("  "));
	str_add(&l->colon, line == SIZE_MAX ? SV(":") : SV(": "));
	if (line != SIZE_MAX)
		str_add(&l->lead, line && text.ptr[line - 1] == '\r' ? SV("\r\n") : SV("\n"));
}

/* The white space before offset `at`, from its last line break on. */
static struct sv span_edit_lead_before(struct sv text, size_t at)
{
	size_t from = at;

	while (from > 0 && (text.ptr[from - 1] == ' ' || text.ptr[from - 1] == '\t'))
		from--;
	if (from > 0 && text.ptr[from - 1] == '\n')
		from -= from > 1 && text.ptr[from - 2] == '\r' ? 2 : 1;
	return sv_slice(text, from, at);
}

/* Go down into the container `p`. */
static void layout_enter(struct layout *l, struct sv text, const struct place *p, bool is_root)
{
	struct sv indent;

	span_edit_assign(&l->outer, sv_of(&l->lead));
	if (!p->n) {
		if (span_edit_has_newline(&l->outer))
			str_add(&l->lead, sv_of(&l->unit));
		else
			str_truncate(&l->lead, 0);
		return;
	}
	span_edit_assign(&l->lead, span_edit_lead_before(text, span_edit_item_start(p, p->last)));
	if (p->is_object)
		span_edit_assign(&l->colon, sv_slice(text, p->last.key.to, p->last.value.from));
	if (p->n == 1 && !l->lead.len && sv_ends(sv_of(&l->colon), SV(" ")))
		str_addc(&l->lead,
			 ' '); /* a single item shows no gap: use a space, as after the colon */
	indent = sv_of(&l->lead);
	if (is_root && span_edit_has_newline(&l->lead))
		span_edit_assign(&l->unit, sv_skip(indent, sv_find_char(indent, '\n') + 1));
}

/* Add to `p` the member or element `step`, an empty object; gives its span. */
static struct json_span span_edit_insert(struct str *text, const struct place *p,
					 const struct layout *l, struct sv step)
{
	defer(str_clear) struct str item = STR_INIT;
	size_t from = p->n ? p->last.value.to : p->box.from + 1;
	size_t to = p->n ? from : p->box.to - 1;
	struct jw w;
	size_t value;

	if (p->n)
		str_addc(&item, ',');
	str_add(&item, sv_of(&l->lead));
	if (p->is_object) {
		jw_init(&w, &item, JW_COMPACT);
		jw_str(&w, step);
		str_add(&item, sv_of(&l->colon));
	}
	value = from + item.len;
	str_add(&item, SV("{}"));
	if (!p->n)
		str_add(&item, span_edit_has_newline(&l->outer) ? sv_of(&l->outer) : SV_EMPTY);
	str_splice(text, from, to, sv_of(&item));
	return (struct json_span){ value, value + 2 };
}

/* Whether `step`, which was not found, can be added. */
static bool can_insert(const struct place *p, struct sv step, struct err *err)
{
	int64_t index;

	if (p->is_object || (sv_to_int(step, &index) && index >= 0 && (size_t)index == p->n))
		return true;
	return span_edit_no_such_step(err, step);
}

bool json_span_set(struct str *text, struct json_steps steps, struct sv value, struct err *err)
{
	defer(layout_clear) struct layout layout = { .lead = STR_INIT };
	defer(str_clear) struct str edited = STR_INIT;
	struct json_span span = { 0, 0 }, value_span = { 0, 0 };
	struct place p = { .found = false };
	struct str old = *text;

	if (!json_span_root(value, &value_span, err))
		return err_context(err, "new value");
	if (!json_span_root(sv_of(text), &span, err))
		return false;
	str_add(&edited, sv_of(text));
	layout_init(&layout, sv_of(text));
	for (size_t i = 0; i < steps.n; i++) {
		if (!span_edit_look(&p, sv_of(&edited), span, steps.at[i], err))
			return false;
		if (!p.found && !can_insert(&p, steps.at[i], err))
			return false;
		layout_enter(&layout, sv_of(&edited), &p, i == 0);
		span = p.found ? p.hit.value : span_edit_insert(&edited, &p, &layout, steps.at[i]);
	}
	str_splice(&edited, span.from, span.to, json_span_sv(value, value_span));
	if (!json_span_root(sv_of(&edited), &span,
			    err)) /* fails when the text is now too long or too deep */
		return false;
	*text = edited;
	edited = old;
	return true;
}

/* Append the inside of the container, without the items that match `step`, to `out`. A
 * removed item takes the separator before the next item with it; items removed at the
 * end take the separator before them. */
static bool span_edit_copy_others(struct str *out, const struct place *p, struct sv text,
				  struct sv step, struct err *err)
{
	size_t kept_to = p->box.from + 1, gap_to = 0, end = 0;
	bool in_gap = false; /* the item before was removed */
	struct json_span_iter it;
	struct json_item item;

	if (!json_span_each(&it, text, p->box, err))
		return false;
	for (size_t i = 0; json_span_next(&it, &item, err) && !it.done; i++) {
		if (!in_gap)
			gap_to = span_edit_item_start(p, item);
		end = item.value.to;
		in_gap = is_step(p, text, item, i, step);
		if (in_gap)
			continue;
		str_add(out, sv_slice(text, kept_to, gap_to));
		str_add(out, sv_slice(text, span_edit_item_start(p, item), end));
		kept_to = end;
	}
	if (out->len)
		str_add(out, sv_slice(text, end, p->box.to - 1));
	return it.done;
}

bool json_span_remove(struct str *text, struct json_steps steps, struct err *err)
{
	defer(str_clear) struct str inside = STR_INIT;
	struct place p = { .found = false };
	struct json_span box = { 0, 0 };
	struct sv step;

	BUG_ON(!steps.n);
	step = steps.at[--steps.n];
	if (!json_span_find(sv_of(text), steps, &box, err) ||
	    !span_edit_look(&p, sv_of(text), box, step, err))
		return false;
	if (!p.found)
		return span_edit_no_such_step(err, step);
	if (!span_edit_copy_others(&inside, &p, sv_of(text), step, err))
		return false;
	str_splice(text, box.from + 1, box.to - 1, sv_of(&inside));
	return true;
}
