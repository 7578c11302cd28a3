#include "perm/program/case.h"
#include "test.h"

TEST(interpreter_is_full_trust)
{
	static const struct program_case cases[] = {
		{ "python3 -c 'print(1)'", "rule interpreter open" },
		{ "python3 scripts/gen.py", "rule interpreter open" },
		{ "python3 -m pytest", "rule interpreter open" },
		{ "python3 \"$x\"", "? interpreter" },
		{ "node -e 1", "rule interpreter open" },
		{ "node --require ./x a.js", "rule interpreter open" },
		{ "ruby -e 1", "rule interpreter open" },
		{ "perl -pi -e s/a/b/ f", "rule interpreter open" },
		{ "php -r 1", "rule interpreter open" },
		{ "lua x.lua", "rule interpreter open" },
		{ "deno run x.ts", "rule interpreter open" },
		{ "java -jar x.jar", "rule interpreter open" },
	};

	program_check_all(cases, countof(cases));
}
