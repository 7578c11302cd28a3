#include "extend/plugins/dependency.h"

#include "base/limits.h"
#include "extend/plugins/registry.h"
#include "text/match/semver.h"

static bool plugin_need_read(struct json value, struct plugin_need *out, struct err *err)
{
	struct sv text = json_str_or(json_get(value, "name"), SV_EMPTY);
	struct sv marketplace = json_str_or(json_get(value, "marketplace"), SV_EMPTY);
	struct plugin_id id;

	if (!json_str(value, &text) && !text.len)
		return err_set(err, ERR_INVALID,
			       "an entry must be a name, or an object with a \"name\"");
	if (!plugin_id_read(text, &id) || (marketplace.len && !plugin_name_valid(marketplace)))
		return err_set(err, ERR_INVALID, "%.*s is not the name of a plugin", SV_ARG(text));
	*out = (struct plugin_need){ .name = id.name,
				     .marketplace = marketplace.len ? marketplace : id.marketplace,
				     .range = sv_trim(
					     json_str_or(json_get(value, "version"), SV_EMPTY)) };
	return semver_range_valid(out->range) ||
	       err_set(err, ERR_INVALID, "%.*s: \"%.*s\" is not a range of versions", SV_ARG(text),
		       SV_ARG(out->range));
}

void plugin_needs_read(plugin_needs *out, struct json list, const char *file, struct str *notes)
{
	struct json_iter it = json_each(list);
	struct json value;

	if (json_exists(list) && !json_is(list, JSON_ARRAY) && notes->len < LIMIT_COMMAND_NOTES)
		str_addf(notes, "%s: \"dependencies\" must be a list; it is ignored\n", file);
	while (!it.keyed && json_next(&it, NULL, &value)) {
		struct err err = ERR_INIT;
		struct plugin_need need;

		if (out->n == LIMIT_PLUGIN_NEEDS)
			err_set(&err, ERR_TOO_BIG, "there are more than %d", LIMIT_PLUGIN_NEEDS);
		else if (plugin_need_read(value, &need, &err))
			vec_push(out, need);
		if (err.kind && notes->len < LIMIT_COMMAND_NOTES)
			str_addf(notes, "%s: \"dependencies\": %s (skipped)\n", file, err.text);
		if (err.kind == ERR_TOO_BIG)
			break;
	}
}

bool plugin_need_takes(const struct plugin_need *need, struct sv version)
{
	struct semver v;

	return !need->range.len || (semver_read(version, &v) && semver_matches(&v, need->range));
}

/* Append "secrets ~2.1.0" or "x@other". */
static void plugin_need_describe(struct str *out, const struct plugin_need *need)
{
	str_add(out, need->name);
	if (need->marketplace.len)
		str_addf(out, "@%.*s", SV_ARG(need->marketplace));
	if (need->range.len)
		str_addf(out, " %.*s", SV_ARG(need->range));
}

/* --- a set of plugins ------------------------------------------------------------------------ */

/* Whether a plugin is the one that is needed. One of --plugin-dir stands for that of any marketplace. */
static bool plugin_need_means(const struct plugin_need *need, const struct plugin *of,
			      const struct plugin *candidate)
{
	struct plugin_id from, id;
	struct sv wanted;

	if (!sv_eq(need->name, candidate->name) || !plugin_id_read(of->id, &from) ||
	    !plugin_id_read(candidate->id, &id))
		return false;
	wanted = need->marketplace.len ? need->marketplace : from.marketplace;
	return sv_eq(id.marketplace, wanted) || sv_is(id.marketplace, "inline") ||
	       sv_is(wanted, "inline");
}

bool plugin_set_lacks(const struct plugin_set *set, const struct plugin *p, struct str *why)
{
	for (size_t i = 0; i < p->needs.n; i++) {
		const struct plugin_need *need = &p->needs.at[i];
		const struct plugin *found = plugin_set_find(set, need->name);

		if (found && plugin_need_means(need, p, found) &&
		    plugin_need_takes(need, found->version))
			continue;
		str_adds(why, "it needs the plugin ");
		plugin_need_describe(why, need);
		if (found && plugin_need_means(need, p, found))
			str_addf(why, ", but version %.*s is installed",
				 SV_ARG(found->version.len ? found->version : SV("unknown")));
		else
			str_addf(why,
				 ", which is not loaded; 'awl plugin install %.*s' installs and "
				 "enables what it needs",
				 SV_ARG(p->id));
		return true;
	}
	return false;
}

void plugin_set_check_needs(struct plugin_set *set)
{
	size_t at = 0;

	while (at < set->all.n) {
		const struct plugin *p = &set->all.at[at];
		defer(str_clear) struct str why = STR_INIT;
		size_t since = set->notes.len;

		if (!plugin_set_lacks(set, p, &why)) {
			at++;
			continue;
		}
		if (set->notes.len < LIMIT_COMMAND_NOTES)
			str_addf(&set->notes, "Plugin %.*s is not loaded: %s\n", SV_ARG(p->id),
				 str_c(&why));
		plugin_set_blame(set, since,
				 (struct plugin_error){ .plugin = p->id, .why = ERR_UNSUPPORTED });
		plugin_set_drop(set, at);
		at = 0; /* another one may need it */
	}
}
