#include "perm/program/case.h"
#include "test.h"

TEST(shell_script_is_analysed_only_when_known_and_unambiguous)
{
	static const struct program_case cases[] = {
		{ "bash -c 'git status && git log -3'",
		  "ro shell throughscript{git status && git log -3}" },
		{ "bash -c \"$CMD\"", "? shell" },
		{ "bash -ec 'ls'", "ro shell throughscript{ls}" },
		{ "bash -e -u -o pipefail -c 'ls'", "ro shell throughscript{ls}" },
		{ "bash -euo pipefail -c 'ls'", "ro shell throughscript{ls}" },
		{ "bash -c -e 'ls'", "ro shell throughscript{ls}" },
		{ "bash -c -- 'ls'", "ro shell throughscript{ls}" },
		{ "bash -c 'ls' x y", "ro shell throughscript{ls}" },
		{ "bash -xc ls", "ro shell throughscript{ls}" },
		{ "bash -lc ls", "rule shell escalates:-l makes it read other files script{ls}" },
		{ "bash -ic ls", "rule shell escalates:-i makes it read other files script{ls}" },
		{ "bash --rcfile ./x -c ls",
		  "rule shell escalates:--rcfile makes it read other files script{ls}" },
		{ "bash --rc ./x -c ls",
		  "rule shell escalates:--rcfile makes it read other files script{ls}" },
		{ "bash --norc -c ls", "ro shell throughscript{ls}" },
		{ "bash -O extglob -c ls",
		  "rule shell escalates:-O changes how commands are read script{ls}" },
		{ "bash -o allexport -c ls",
		  "rule shell escalates:-o changes how commands are run script{ls}" },
		{ "bash x.sh", "rule shell" },
		{ "bash", "rule shell" },
		{ "bash -s", "rule shell escalates:-s makes it read other files" },
		{ "bash -", "rule shell" },
		{ "sh -c 'ls'", "ro shell throughscript{ls}" },
		{ "sh -c 'echo $'\"'\"'a'\"'\"", "rule shell script{echo $'a'}" },
		{ "sh -c '((touch x))'", "rule shell script{((touch x))}" },
		{ "sh -c 'echo $((1+2))'", "ro shell throughscript{echo $((1+2))}" },
		{ "sh -c '[[ a || touch ]]'", "rule shell script{[[ a || touch ]]}" },
		{ "dash -c ls", "ro shell throughscript{ls}" },
		{ "zsh -c 'rm x'", "rule shell script{rm x}" },
		{ "fish -c 'rm x'", "rule shell script{rm x}" },
		{ "ksh -c ls", "rule shell script{ls}" },
		{ "eval 'git status'",
		  "rule shell escalates:eval evaluates its arguments script{git status}" },
		{ "eval rm x", "rule shell escalates:eval evaluates its arguments script{rm x}" },
		{ "eval \"$x\"", "rule shell escalates:eval evaluates its arguments" },
		{ "source ./env.sh",
		  "rule shell escalates:source runs a file in this shell read:./env.sh" },
		{ ". ./env.sh", "rule shell escalates:. runs a file in this shell read:./env.sh" },
	};

	program_check_all(cases, countof(cases));
}
