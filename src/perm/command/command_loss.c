#include "perm/command/command_loss.h"

/* Programs that the tables of src/perm/programs leave to rules, and the subcommands that destroy something. */
static const struct {
	const char *program, *word, *loss;
} command_losses[] = {
	{ "pulumi", "destroy", "destroys infrastructure" },
	{ "kubectl", "delete", "deletes resources of the cluster" },
	{ "oc", "delete", "deletes resources of the cluster" },
	{ "dropdb", NULL, "deletes a database" },
};

static const char *const command_databases[] = { "psql", "mysql", "mariadb", "sqlite3", "duckdb" };

static const struct {
	const char *statement, *loss;
} command_statements[] = {
	{ "drop table", "deletes a table" },
	{ "drop database", "deletes a database" },
	{ "drop schema", "deletes a schema" },
	{ "truncate ", "empties a table" },
};

static bool command_loss_has_word(const struct shell_command *command, const char *word)
{
	for (size_t i = 1; i < command->n; i++)
		if (!word || sv_is(command->argv[i].text, word))
			return true;
	return false;
}

static bool command_loss_by_program(struct str *out, const struct shell_command *command,
				    struct sv name)
{
	for (size_t i = 0; i < countof(command_losses); i++) {
		const char *word = command_losses[i].word;

		if (!sv_is(name, command_losses[i].program) ||
		    !command_loss_has_word(command, word))
			continue;
		str_addf(out, "%s %s", word ? word : command_losses[i].program,
			 command_losses[i].loss);
		return true;
	}
	return false;
}

static bool command_loss_in_text(struct str *out, struct sv text)
{
	for (size_t i = 0; i < countof(command_statements); i++) {
		struct sv statement = sv_cstr(command_statements[i].statement);

		for (size_t at = 0; at + statement.len <= text.len; at++) {
			struct sv here = sv_slice(text, at, at + statement.len);

			if (!sv_eq_nocase(here, statement))
				continue;
			str_addf(out, "%.*s %s", SV_ARG(sv_trim(here)), command_statements[i].loss);
			return true;
		}
	}
	return false;
}

/* A statement for a database, in an argument or in what the command reads. */
static bool command_loss_by_statement(struct str *out, const struct shell_command *command,
				      struct sv name)
{
	bool is_database = false;

	for (size_t i = 0; i < countof(command_databases); i++)
		is_database = is_database || sv_is(name, command_databases[i]);
	if (!is_database)
		return false;
	for (size_t i = 1; i < command->n; i++)
		if (command_loss_in_text(out, command->argv[i].text))
			return true;
	return command_loss_in_text(out, command->input);
}

void command_loss_add(struct str *out, const struct command_analysis *analysis)
{
	for (size_t i = 0; i < analysis->commands.n; i++) {
		const struct shell_command *command = &analysis->commands.at[i];
		struct sv name = shell_command_name(command);

		if (command->use.loses) {
			str_adds(out, command->use.loses);
			return;
		}
		if (command_loss_by_program(out, command, name) ||
		    command_loss_by_statement(out, command, name))
			return;
	}
}
