/* The state of the world: its files, its disk, its faults, its wire. */
#include "flow.h"

/* file /etc/motd, its lines in the block */
static bool do_file(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT, text = STR_INIT;
	struct sv rest = line->args;

	if (!take_quoted(&path, &rest, err) || !text_decode(&text, sv_trim(rest), err))
		return false;
	for (size_t i = 0; i < line->nblock; i++)
		str_addf(&text, "%.*s\n", SV_ARG(line->block[i].text));
	sim_put(f->world, str_c(&path), sv_of(&text));
	return true;
}

static bool do_dir(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	struct sv rest = line->args;

	if (!take_quoted(&path, &rest, err))
		return false;
	sim_put_dir(f->world, str_c(&path));
	return true;
}

/* link /a target */
static bool do_link(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT, target = STR_INIT;
	struct sv rest = line->args;

	if (!take_quoted(&path, &rest, err) || !take_quoted(&target, &rest, err))
		return false;
	sim_put_link(f->world, str_c(&path), str_c(&target));
	return true;
}

/* disk full | room 10 | read-only | fine */
static bool do_disk(struct flow *f, const struct line *line, struct err *err)
{
	struct sv rest = line->args, word = take_word(&rest);
	int64_t space = 0;

	if (sv_is(word, "read-only")) {
		sim_set_read_only(f->world, true);
		return true;
	}
	if (sv_is(word, "fine"))
		sim_set_read_only(f->world, false);
	else if (sv_is(word, "room") && !parse_count(&space, rest, err))
		return false;
	else if (!sv_is(word, "full") && !sv_is(word, "room"))
		return err_set(err, ERR_INVALID, "a disk is full, read-only, fine or has room");
	sim_set_space(f->world, sv_is(word, "fine") ? SIZE_MAX : (size_t)space);
	return true;
}

/* crash: what was not synced is lost */
static bool do_crash(struct flow *f, __attribute__((unused)) const struct line *line,
		     __attribute__((unused)) struct err *err)
{
	sim_crash(f->world);
	return true;
}

/* fail op 3 [kind] */
static bool do_fail(struct flow *f, const struct line *line, struct err *err)
{
	enum err_kind kind = ERR_NONE;
	struct sv rest = line->args;
	int64_t k;

	if (!sv_is(take_word(&rest), "op"))
		return err_set(err, ERR_INVALID, "what can fail is \"op\" and its number");
	if (!parse_count(&k, take_word(&rest), err) ||
	    (sv_trim(rest).len && !parse_err_kind(&kind, sv_trim(rest), err)))
		return false;
	sim_fail_at(f->world, (size_t)k, kind);
	return true;
}

/* cut everywhere | cut at 17 */
static bool do_cut(struct flow *f, const struct line *line, struct err *err)
{
	struct sv rest = line->args, word = take_word(&rest);
	int64_t at;

	if (sv_is(word, "everywhere")) {
		sim_cut_wire(f->world, SIM_CUT_ALWAYS, 0);
		return true;
	}
	if (!sv_is(word, "at"))
		return err_set(err, ERR_INVALID, "a wire is cut everywhere or at a byte");
	if (!parse_count(&at, rest, err))
		return false;
	sim_cut_wire(f->world, SIM_CUT_AT, (size_t)at);
	return true;
}

/* touch PATH: watchers are told, nothing is changed */
static bool do_touch(struct flow *f, const struct line *line, struct err *err)
{
	defer(str_clear) struct str path = STR_INIT;
	struct sv rest = line->args;

	if (!take_quoted(&path, &rest, err))
		return false;
	sim_touch(f->world, str_c(&path));
	return true;
}

const struct flow_directive flow_world_directives[] = {
	{ "file", .run = do_file }, { "dir", .run = do_dir },     { "link", .run = do_link },
	{ "disk", .run = do_disk }, { "crash", .run = do_crash }, { "fail", .run = do_fail },
	{ "cut", .run = do_cut },   { "touch", .run = do_touch }, { NULL },
};
