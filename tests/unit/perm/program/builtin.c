#include "perm/program/case.h"
#include "test.h"

TEST(builtin_that_only_prints_or_changes_directory_is_read_only)
{
	static const struct program_case cases[] = {
		{ "cd", "ro enter:\"~\"" },
		{ "cd src", "ro enter:src" },
		{ "cd -", "ro enter:\"-\"" },
		{ "cd ..", "ro enter:.." },
		{ "cd -P src", "ro enter:src" },
		{ "cd \"$d\"", "? enter:\"\"" },
		{ "cd -- \"$d\"", "ro enter:\"\"" },
		{ "cd a b", "?" },
		{ "pushd src", "ro enter:src" },
		{ "pushd", "?" },
		{ "pushd +1", "?" },
		{ "popd", "ro" },
		{ "pwd", "ro" },
		{ "pwd -P", "ro" },
		{ "echo hi", "ro" },
		{ "echo -e $x \"$y\" *", "ro" },
		{ "echo -n", "ro" },
		{ "printf '%s\\n' \"$x\"", "ro" },
		{ "printf hi", "ro" },
		{ "printf -v x hi", "ro" },
		{ "printf -vPATH hi", "rule" },
		{ "printf \"$fmt\" x", "?" },
		{ "printf \"a$fmt\" x", "ro" },
		{ "printf -- -v x", "ro" },
		{ "true x", "ro" },
		{ "false", "ro" },
		{ ": $x", "ro" },
		{ "exit 1", "ro" },
		{ "return $x", "ro" },
	};

	program_check_all(cases, countof(cases));
}

TEST(test_is_read_only_unless_it_evaluates_a_subscript)
{
	static const struct program_case cases[] = {
		{ "test -f a", "ro list:a" },
		{ "test -e a -a -d b", "ro list:a list:-d list:b" },
		{ "[ -f a ]", "ro list:a" },
		{ "[ \"$x\" = y ]", "ro" },
		{ "[ -n \"$x\" ]", "ro" },
		{ "[ $x = y ]", "?" },
		{ "[ a -nt b ]", "ro list:a list:b" },
		{ "test -v 'a[$(touch x)]'", "rule escalates:'a[$(touch x)]' may be evaluated as a "
					     "subscript script{: a[$(touch x)]}" },
		{ "test -v a", "ro" },
		{ "test -v 'a[3]'", "ro" },
		{ "test -v \"$x\"", "rule escalates:\"$x\" may be evaluated as a subscript" },
		{ "test \"$op\" 'a[$(touch x)]'",
		  "rule escalates:'a[$(touch x)]' may be evaluated as a "
		  "subscript script{: a[$(touch x)]}" },
		{ "test \"$a\" \"$b\"", "rule escalates:\"$b\" may be evaluated as a subscript" },
		{ "[ -R 'a[x]' ]", "rule escalates:'a[x]' may be evaluated as a subscript" },
		{ "[[ -v 'a[$(x)]' ]]",
		  "rule escalates:'a[$(x)]' may be evaluated as a subscript script{: a[$(x)]}" },
		{ "[[ \"$x\" -eq 1 ]]", "rule escalates:-eq evaluates what it compares" },
		{ "[[ 'a[$(touch x)]' -eq 0 ]]",
		  "rule escalates:-eq evaluates what it compares script{: a[$(touch x)]}" },
		{ "[[ 3 -gt -2 ]]", "ro" },
		{ "[[ $x == y ]]", "ro" },
		{ "[[ -f src/a ]]", "ro list:src/a" },
	};

	program_check_all(cases, countof(cases));
}

TEST(builtin_that_names_variables_may_evaluate_them_or_affect_later_commands)
{
	static const struct program_case cases[] = {
		{ "unset x", "ro" },
		{ "unset 'a[$(touch x)]'", "rule escalates:'a[$(touch x)]' may be evaluated as a "
					   "subscript script{: a[$(touch x)]}" },
		{ "unset 'a[0]'", "ro" },
		{ "unset PATH", "rule" },
		{ "unset -f f", "ro" },
		{ "unset \"$x\"", "? escalates:\"$x\" may be evaluated as a subscript" },
		{ "read x", "ro" },
		{ "read -r line", "ro" },
		{ "read -r -a arr", "ro" },
		{ "read -ra 'a[$(x)]'",
		  "rule escalates:'a[$(x)]' may be evaluated as a subscript script{: a[$(x)]}" },
		{ "read 'a[$(touch x)]'", "rule escalates:'a[$(touch x)]' may be evaluated as a "
					  "subscript script{: a[$(touch x)]}" },
		{ "read PATH", "rule" },
		{ "read -p hi name", "ro" },
		{ "local x=1", "ro" },
		{ "local \"x=$y\"", "ro" },
		{ "local -n r=x", "rule escalates:-n changes what the value means or who sees it" },
		{ "local -a x=\"$y\"", "rule escalates:x=\"$y\" may be evaluated as an array" },
		{ "local -ar x=1 y", "ro" },
		{ "local PATH=.", "rule" },
		{ "export FOO=bar", "rule escalates:FOO=bar changes the environment" },
		{ "export LC_ALL=C TZ=UTC", "ro" },
		{ "export", "rule" },
		{ "declare", "rule" },
		{ "declare -p", "rule escalates:-p changes what the value means or who sees it" },
		{ "declare -i n=5",
		  "rule escalates:-i changes what the value means or who sees it" },
		{ "declare 'a[$(x)]=1'", "rule escalates:'a[$(x)]=1' may be evaluated as a "
					 "subscript script{: a[$(x)]=1}" },
		{ "declare x='($(y))'", "rule escalates:x='($(y))' may be evaluated as an array "
					"script{: x=($(y))}" },
		{ "declare \"x=$y\"", "rule escalates:\"x=$y\" may be evaluated as an array" },
		{ "typeset x", "ro" },
		{ "readonly x=1", "ro" },
		{ "readonly X=1", "rule" },
		{ "let x=1", "rule escalates:let evaluates its arguments" },
		{ "let 'a[$(x)]=1'",
		  "rule escalates:let evaluates its arguments script{: a[$(x)]=1}" },
		{ "wait", "ro" },
		{ "wait 12", "ro" },
		{ "wait -n", "ro" },
		{ "wait -p x", "ro" },
		{ "wait -p 'a[$(x)]'",
		  "rule escalates:'a[$(x)]' may be evaluated as a subscript script{: a[$(x)]}" },
		{ "mapfile -t lines", "ro" },
		{ "mapfile -C 'touch x' -c 1 a",
		  "rule escalates:-C evaluates a command script{touch x}" },
		{ "readarray -t 'a[$(x)]'",
		  "rule escalates:'a[$(x)]' may be evaluated as a subscript script{: a[$(x)]}" },
	};

	program_check_all(cases, countof(cases));
}

TEST(builtin_that_changes_how_the_shell_works_escalates)
{
	static const struct program_case cases[] = {
		{ "compgen -W '$(x)'", "rule escalates:compgen evaluates its arguments" },
		{ "complete -C x y", "rule escalates:complete evaluates its arguments" },
		{ "trap 'touch x' EXIT",
		  "rule escalates:trap runs a command later script{touch x}" },
		{ "trap - INT", "ro" },
		{ "trap '' INT", "ro" },
		{ "trap", "ro" },
		{ "trap -p", "ro" },
		{ "trap \"$x\" EXIT", "? escalates:trap runs a command later" },
		{ "alias", "ro" },
		{ "alias ls='touch x'",
		  "rule escalates:alias changes what a name runs script{touch x}" },
		{ "alias ls", "ro" },
		{ "unalias ls", "rule" },
		{ "hash", "ro" },
		{ "hash -r", "ro" },
		{ "hash -p ./x ls", "rule escalates:-p changes what a name runs" },
		{ "enable -f ./x.so x", "rule escalates:enable changes what a name runs" },
		{ "enable -n test", "rule escalates:enable changes what a name runs" },
		{ "shopt", "ro" },
		{ "shopt -s expand_aliases", "rule escalates:-s changes how commands are read" },
		{ "shopt -u extglob", "rule escalates:-u changes how commands are read" },
		{ "set -e", "ro" },
		{ "set -euo pipefail", "ro" },
		{ "set -o pipefail", "ro" },
		{ "set -o xtrace", "rule escalates:xtrace changes how commands are run" },
		{ "set -x", "rule escalates:-x changes how commands are run" },
		{ "set -a", "rule escalates:-a changes how commands are run" },
		{ "set +e", "ro" },
		{ "set -- \"$@\"", "ro" },
		{ "set -- a b", "ro" },
		{ "set", "rule" },
		{ "set -o", "ro" },
		{ "set \"$x\"", "?" },
		{ "set -eo posix", "rule escalates:posix changes how commands are run" },
		{ "history", "ro" },
		{ "history -s 'touch x'", "rule escalates:-s reads or writes the history" },
		{ "history -a /root/.bashrc", "rule escalates:-a reads or writes the history" },
		{ "history 5", "ro" },
		{ "umask", "ro" },
		{ "umask 022", "rule escalates:022 is an argument that may set something" },
		{ "ulimit -a", "ro" },
		{ "ulimit -n 100", "rule escalates:100 is an argument that may set something" },
		{ "kill -l", "ro" },
		{ "kill 12", "rule" },
		{ "kill -9 12", "rule" },
		{ "jobs", "ro" },
		{ "jobs -x touch x", "rule escalates:-x runs a command" },
		{ "type ls", "ro" },
		{ "type -a ls", "ro" },
		{ "getopts ab: opt", "ro" },
		{ "getopts ab: 'a[$(x)]'",
		  "rule escalates:'a[$(x)]' may be evaluated as a subscript script{: a[$(x)]}" },
		{ "read http_proxy", "rule" },
		{ "fc -e vi", "rule escalates:fc evaluates its arguments" },
		{ "bind -x x", "rule escalates:bind evaluates its arguments" },
		{ "help cd", "ro" },
		{ "shift $n", "ro" },
		{ "times", "ro" },
	};

	program_check_all(cases, countof(cases));
}
