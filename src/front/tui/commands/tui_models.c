/* The models that can be chosen, as a list. */
#include "front/tui/commands/tui_models.h"

#include "base/limits.h"
#include "front/tui/commands/tui_list.h"
#include "front/tui/prompt/tui_prompt.h"
#include "front/tui/tui_internal.h"
#include "proto/reply_read.h"

struct tui_model {
	struct str value, name, help;
};

struct tui_models {
	VEC(struct tui_model) list; /* that can be chosen */
};

static void tui_models_use(struct tui *t, bool is_chosen, struct sv name)
{
	defer(str_clear) struct str command = STR_INIT;

	if (!is_chosen)
		return;
	str_addf(&command, "/model %.*s", SV_ARG(name));
	tui_submit(t, sv_of(&command));
}

void tui_choose_model(struct tui *t)
{
	tui_list_open(t, "Model", tui_models_use);
	for (size_t i = 0; i < t->models->list.n; i++)
		tui_list_add(t, sv_of(&t->models->list.at[i].value),
			     sv_of(&t->models->list.at[i].name),
			     sv_of(&t->models->list.at[i].help));
}

/* What is said about a model, without its name, which stands before it. */
static struct sv tui_models_help(const struct reply_model *model)
{
	struct sv help = model->description;

	if (sv_starts(help, model->name) && sv_starts(sv_skip(help, model->name.len), SV(", ")))
		help = sv_skip(help, model->name.len + 2);
	return help;
}

void tui_models_load(struct tui *t, struct json reply)
{
	struct reply_model list[LIMIT_MENU_MODELS];
	size_t n = reply_read_models(reply, list, countof(list));

	for (size_t i = 0; i < n; i++) {
		struct tui_model *model = vec_add(&t->models->list);

		str_add(&model->value, list[i].value);
		str_add(&model->name, list[i].name.len ? list[i].name : list[i].value);
		str_add(&model->help, tui_models_help(&list[i]));
	}
}

bool tui_models_are_known(const struct tui *t)
{
	return t->models->list.n > 0;
}

/* --- init and free ----------------------------------------------------------------- */

void tui_models_init(struct tui *t)
{
	t->models = xnew(struct tui_models);
}

void tui_models_free(struct tui *t)
{
	for (size_t i = 0; i < t->models->list.n; i++) {
		str_clear(&t->models->list.at[i].value);
		str_clear(&t->models->list.at[i].name);
		str_clear(&t->models->list.at[i].help);
	}
	vec_clear(&t->models->list);
	free(t->models);
}
