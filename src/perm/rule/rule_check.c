#include "perm/rule/rule_check.h"

#include "base/ascii.h"
#include "perm/rule/rule.h"
#include "perm/rule/rule_match.h"

/* Finds the first of `marks` outside of quotes; a '$' and a '`' count in double quotes, too. */
static size_t check_find_mark(struct sv text, const char *marks)
{
	char quote = '\0';

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		bool is_expansion = c == '$' || c == '`';

		if (c == '\\' && quote != '\'')
			i++;
		else if ((quote == '\0' || (quote == '"' && is_expansion)) &&
			 ascii_is_one_of(c, marks))
			return i;
		else if (quote == '\0' && ascii_is_one_of(c, "'\""))
			quote = c;
		else if (c == quote)
			quote = '\0';
	}
	return SIZE_MAX;
}

/* Words of the shell's grammar that no command starts with. */
static bool check_is_keyword(struct sv word)
{
	static const char words[][7] = { "case", "do", "done", "elif", "else",  "esac",   "fi",
					 "for",  "if", "in",   "then", "until", "select", "while",
					 "{",    "}",  ";;",   "!",    "(",     ")" };

	return sv_is_among(word, words);
}

/* Whether a variable other than $HOME and $PWD, or the output of a command, is part of it. */
static bool check_has_unknown(struct sv text)
{
	size_t at;

	while ((at = check_find_mark(text, "$`")) != SIZE_MAX) {
		struct sv rest = sv_skip(text, at);

		if (!sv_starts(rest, SV("$HOME")) && !sv_starts(rest, SV("$PWD")) &&
		    (rest.ptr[0] == '`' ||
		     (rest.len > 1 &&
		      (ascii_is_word(rest.ptr[1]) || ascii_is_one_of(rest.ptr[1], "({?!@#$*")))))
			return true;
		text = sv_skip(rest, 1);
	}
	return false;
}

/* What a rule about commands cannot be: the commands of a line are matched one by one. */
static bool check_command(const struct perm_rule *rule, enum behavior what, struct err *err)
{
	struct sv content = rule->content, first = sv_slice(content, 0, sv_find_char(content, ' '));
	bool is_exact = rule_pattern_star(content) == SIZE_MAX;

	if (sv_starts(content, SV("#")))
		return err_set(err, ERR_INVALID, "it is a comment, not a command");
	if (check_is_keyword(first) && (!is_exact || check_find_mark(content, ";\n") == SIZE_MAX))
		return err_set(err, ERR_INVALID, "\"%.*s\" is not a command", SV_ARG(first));
	if (sv_find(sv_slice(content, 0, content.len - 1), SV(":* ")) != SIZE_MAX)
		return err_set(err, ERR_INVALID,
			       "\":*\" has a meaning only at its end; use \" *\" elsewhere");
	if (what != BEHAVIOR_ALLOW)
		return true;
	if (!is_exact && check_find_mark(content, "|;&\n") != SIZE_MAX)
		return err_set(err, ERR_INVALID,
			       "an allow rule with a \"*\" is matched with one command at a time; "
			       "write a rule for each");
	if (check_has_unknown(content))
		return err_set(err, ERR_INVALID,
			       "it contains a variable or another command's output, and only a "
			       "rule without a pattern allows what can't be checked in advance");
	if (sv_ends(content, SV("=:*")) || sv_ends(content, SV("= *")))
		return err_set(err, ERR_INVALID,
			       "its last word is cut off; write \"=*\" to match any value");
	return true;
}

static bool check_tool(const struct perm_rule *rule, enum behavior what, struct err *err)
{
	bool is_named = sv_is(rule->tool, "Skill") || sv_is(rule->tool, "Agent");

	if (what != BEHAVIOR_ALLOW)
		return true;
	if (sv_is(rule->tool, "WebFetch") && !sv_starts(rule->content, SV("domain:")))
		return err_set(err, ERR_INVALID,
			       "it does not name a host, as in WebFetch(domain:example.org)");
	if (sv_starts(rule->tool, SV("mcp__")))
		return err_set(err, ERR_INVALID,
			       "a rule that allows a server's tool has no parentheses");
	if (is_named && sv_starts(rule->content, SV("model:")))
		return err_set(err, ERR_INVALID,
			       "only rules that deny or ask match a parameter of a call");
	return true;
}

bool perm_check_rule(enum behavior what, struct sv text, struct sv home, struct err *err)
{
	struct perm_rule rule;
	bool is_command;

	if (!rule_read(&rule, what, text, home, err))
		return false;
	is_command = sv_is(rule.tool, "Bash") || sv_is(rule.tool, "Monitor");
	if (!rule.content.len ||
	    (is_command ? check_command(&rule, what, err) : check_tool(&rule, what, err)))
		return true;
	return err_context(err, "the rule \"%.*s\" never matches", SV_ARG(sv_slice(text, 0, 100)));
}
