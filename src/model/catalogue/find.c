/* The model of a server that the user has chosen without choosing a model. */
#include "base/mem.h"
#include "model/catalogue/listing.h"

enum { NAMES_SHOWN = 110 }; /* bytes; an error has room for no more */

#define ADVICE "set OPENAI_MODEL, or use --model"

struct find {
	struct op op;
	struct op *listing; /* NULL when not in flight */
	struct str id;
};

/* Append the names, separated by commas, as far as there is room. */
static void find_add_names(struct str *out, struct sv names, size_t count)
{
	size_t start = out->len, shown = 0;
	struct sv name;

	while (sv_cut_line(&names, &name)) {
		if (out->len - start + name.len > NAMES_SHOWN && shown)
			break;
		str_addf(out, "%s%.*s", shown++ ? ", " : "",
			 SV_ARG(sv_slice(name, 0, NAMES_SHOWN)));
	}
	if (shown < count)
		str_addf(out, " and %zu more", count - shown);
}

static bool find_choose(struct find *f, const struct op *listing, struct err *err)
{
	const struct err *why = listing_error(listing);
	defer(str_clear) struct str shown = STR_INIT;
	size_t count;
	struct sv names = listing_names(listing, &count);

	if (why && why->kind != ERR_PROTOCOL) { /* it does not answer at all */
		*err = *why;
		return err_context(err, "looking up the server's models");
	}
	if (why)
		return err_set(
			err, why->kind,
			"no model is chosen, and the server does not list any (%.100s): " ADVICE,
			why->text);
	if (!count)
		return err_set(err, ERR_NOT_FOUND,
			       "no model is chosen, and the server lists none: " ADVICE);
	if (count > 1) {
		find_add_names(&shown, names, count);
		return err_set(err, ERR_NOT_FOUND,
			       "no model is chosen, and the server has several: " ADVICE ": %s",
			       str_c(&shown));
	}
	str_add(&f->id, sv_trim(names));
	return true;
}

static void find_on_listing(struct op *op, void *owner,
			    __attribute__((unused)) const struct err *why)
{
	struct find *f = owner;
	struct err err = ERR_INIT;

	f->listing = NULL;
	if (f->op.cancelled || find_choose(f, op, &err))
		op_finish(&f->op, NULL);
	else
		op_finish(&f->op, &err);
}

static void find_cancel(struct op *op)
{
	op_cancel(container_of(op, struct find, op)->listing);
}

static void find_free(struct op *op)
{
	struct find *f = container_of(op, struct find, op);

	str_clear(&f->id);
	free(f);
}

static const struct op_type find_type = { .name = "find model",
					  .cancel = find_cancel,
					  .free = find_free };

struct op *model_find_start(struct model_client *client, struct then then)
{
	struct find *f = xnew(struct find);

	op_init(&f->op, &find_type, client->loop, then);
	f->listing = listing_start(client, SV_EMPTY, THEN(find_on_listing, f));
	return &f->op;
}

struct sv model_found(const struct op *op)
{
	return sv_of(&container_of(op, const struct find, op)->id);
}
