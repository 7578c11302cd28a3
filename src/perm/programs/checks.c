/* Test runners, linters and formatters. As with build tools, a rule for one is full trust in
 * the project's code, but not in code that the command line brings in. */
#include "perm/program/special.h"

static const struct option_row lint_options[] = {
	{ "--rcfile= --init-hook= --load-plugins= --plugins=", EFFECT_ESCALATES, LOADS },
	{ "--config-file= --config= -c= --conf= --append-config= --custom-typeshed-dir= "
	  "--pythonpath= --venvpath= --python-executable= --typeshedpath=",
	  EFFECT_ESCALATES, CONFIGURES },
	{ "-p= --project=", EFFECT_READS },
	{ "-o= --output= --output-file= --createstub=", EFFECT_WRITES },
};

static const struct program_row checks_rows[] = {
	{ "eslint", .special = dev_formatter,
	  OPTIONS({ "--rulesdir= --resolve-plugins-relative-to= --parser= --plugin= -f= --format= "
		    "--parser-options= --flag=",
		    EFFECT_ESCALATES, LOADS },
		  { "-c= --config= --no-eslintrc --no-config-lookup", EFFECT_ESCALATES,
		    CONFIGURES },
		  { "--ignore-path= --suppressions-location=", EFFECT_READS },
		  { "-o= --output-file= --cache-file= --cache-location=", EFFECT_WRITES },
		  { "--fix", .tag = DEV_WRITES },
		  { "--cache --stdin --report-unused-disable-directives" },
		  { "--ext= --rule= --env= --global= --max-warnings= --ignore-pattern= "
		    "--cache-strategy= --stdin-filename= --fix-type= "
		    "--report-unused-disable-directives-severity=" }) },
	{ "jest",
	  OPTIONS({ "--setupFiles= --setup-files= --setupFilesAfterEnv= --setup-files-after-env= "
		    "--setupTestFrameworkScriptFile= --globalSetup= --global-setup= "
		    "--globalTeardown= --global-teardown= --testRunner= --test-runner= --runner= "
		    "--transform= --preset= --resolver= --reporters= --reporter= "
		    "--testEnvironment= --test-environment= --env= --environment= "
		    "--moduleNameMapper= --module-name-mapper= --snapshotSerializers= "
		    "--snapshot-serializers= --watchPlugins= --testSequencer= --test-sequencer= "
		    "--filter= --modulePaths= --module-paths= --moduleDirectories= "
		    "--testResultsProcessor= --test-results-processor= --prettierPath= --haste= "
		    "--dependencyExtractor= --coverageProvider= --browser=? --execArgv=",
		    EFFECT_ESCALATES, LOADS },
		  { "-c= --config= --projects= --selectProjects= --globals=", EFFECT_ESCALATES,
		    CONFIGURES },
		  { "-r= --root= --rootDir= --root-dir= --roots=", EFFECT_ESCALATES, LEAVES },
		  { "--outputFile= --outputFile.json= --coverageDirectory= --coverage-directory= "
		    "--cacheDirectory= --cache-directory=",
		    EFFECT_WRITES },
		  { "--cache --no-cache --coverage --run --watch --watchAll" },
		  { "-t= --testNamePattern= --testPathPattern= --testPathPatterns= --maxWorkers= "
		    "--testTimeout= --shard=" }) },
	{ "mocha", .operands = OPERANDS_READ,
	  OPTIONS({ "-r= --require= --import= --loader= --experimental-loader= -R= --reporter= "
		    "-u= --ui= --file= --eval= --node-option= -n=",
		    EFFECT_ESCALATES, LOADS },
		  { "--config= --package= --opts=", EFFECT_ESCALATES, CONFIGURES },
		  { "-gfst= --grep= --fgrep= --timeout= --slow= --spec= --ignore= --extension= "
		    "--retries= -O= --reporter-option=" }) },
	{ "mypy", .operands = OPERANDS_READ, OPTIONS_OF(lint_options) },
	{ "prettier", .special = dev_formatter,
	  OPTIONS({ "--plugin= --plugin-search-dir=", EFFECT_ESCALATES, LOADS },
		  { "--config=", EFFECT_ESCALATES, CONFIGURES }, { "--ignore-path=", EFFECT_READS },
		  { "--cache-location=", EFFECT_WRITES }, { "-w --write", .tag = DEV_WRITES },
		  { "--cache" },
		  { "--parser= --log-level= --tab-width= --print-width= --stdin-filepath= "
		    "--trailing-comma= --end-of-line=" }) },
	{ "pylint", .operands = OPERANDS_READ, OPTIONS_OF(lint_options) },
	{ "pyright", .operands = OPERANDS_READ, OPTIONS_OF(lint_options) },
	{ "pytest", RESPONSE_FILES, .special = dev_pytest,
	  OPTIONS({ "-p=", .tag = DEV_PLUGIN },
		  { "-o= --override-ini= -c= --config-file= --rootdir= --confcutdir= --cov-config=",
		    EFFECT_ESCALATES, CONFIGURES },
		  { "--pdbcls= --pastebin=", EFFECT_ESCALATES, RUNS },
		  { "--basetemp= --junitxml= --junit-xml= --log-file= --report-log= --resultlog= "
		    "--debug=?",
		    EFFECT_WRITES },
		  { "-qvxslh -kmnrW= --pdb --co --collect-only --maxfail= --tb= --durations= "
		    "--cov=? --cov-report= --ignore= --ignore-glob= --deselect= --timeout= "
		    "--numprocesses= --dist= --color= --capture= --log-level= --log-cli-level= "
		    "--import-mode= --reruns= --junit-prefix=" }) },
	{ "rspec", .operands = OPERANDS_READ,
	  OPTIONS({ "-r= --require= -I= -f= --format=", EFFECT_ESCALATES, LOADS },
		  { "-O= --options=", EFFECT_ESCALATES, CONFIGURES },
		  { "-o= --out=", EFFECT_WRITES },
		  { "-ePt= --example= --pattern= --tag= --seed= --order=" }) },
	{ "ruff", .operands = OPERANDS_TEXT_READ, OPTIONS_OF(lint_options) },
	{ "tox", OPTIONS({ "-c= --conf= -x= --override= --runner= --discover= --root=",
			   EFFECT_ESCALATES, CONFIGURES },
			 { "--workdir= --result-json=", EFFECT_WRITES },
			 { "-empf= --skip-env= --parallel=? --installpkg= --colored=" }) },
	{ "vitest", .alias_of = "jest" },
};

const struct program_table program_table_checks = { checks_rows, countof(checks_rows) };
