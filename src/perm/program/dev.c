/* What developers run besides: build and test tools, package managers, compilers, interpreters,
 * editors, containers, the system itself. A rule for an interpreter or a build tool is full
 * trust in the project's code, but not in code that the command line brings in. */
#include "perm/program/dev.h"

#define RUNS   "runs a program"
#define LOADS  "brings in code"
#define TOLD   "takes its rules from elsewhere"
#define LEAVES "works on another project"

#define TOOL         .is_tool = true
#define BY(function) .operands = OPERANDS_OWN, .special = (function)

/* --- make and its like -------------------------------------------------------------------- */

static const struct option_row make_options[] = {
	{ "-bBdeiknpqrRsStvwm -oW= -jlO=? --always-make --debug=? --environment-overrides "
	  "--ignore-errors --jobs=? --jobserver-style= --keep-going --load-average=? "
	  "--max-load=? --check-symlink-times --just-print --dry-run --recon --old-file= "
	  "--assume-old= --output-sync=? --print-data-base --question --no-builtin-rules "
	  "--no-builtin-variables --silent --quiet --no-silent --no-keep-going --stop --touch "
	  "--trace --version --print-directory --no-print-directory --what-if= --new-file= "
	  "--assume-new= --warn-undefined-variables --shuffle=? --help" },
	{ "-f= --file= --makefile= -I= --include-dir=", EFFECT_ACTS, TOLD },
	{ "-E= --eval=", EFFECT_ACTS, LOADS },
	{ "-C= --directory=", EFFECT_ENTERS, .tag = DEV_ENTERS },
};

static const struct option_row cmake_options[] = {
	{ "-D=", .tag = DEV_DEFINES },
	{ "-GATUWjt= -LNv --build= --target= --config= --parallel=? --preset= --install= "
	  "--component= --log-level= --fresh --workflow --verbose --clean-first" },
	{ "-S=", EFFECT_READS },
	{ "-B= --graphviz= --profiling-output= --prefix=", EFFECT_WRITES },
	{ "-P= -C= --toolchain= --project-file=", EFFECT_ACTS, TOLD },
	{ "-E", EFFECT_ACTS, RUNS },
};

static const struct option_row ctest_options[] = {
	{ "-RELCUjIQ= --tests-regex= --exclude-regex= --label-regex= --build-config= "
	  "--parallel=? --timeout= --repeat= --preset= --test-dir=" },
	{ "-O= --output-log= --output-junit=", EFFECT_WRITES },
	{ "-S= -SP= -D= --script= --build-and-test --test-command --build-makeprogram=",
	  EFFECT_ACTS, TOLD },
};

static const struct option_row ninja_options[] = {
	{ "-nvh -jkltdw= --version --verbose --quiet --help" },
	{ "-f=", EFFECT_ACTS, TOLD },
	{ "-C=", EFFECT_ENTERS, .tag = DEV_ENTERS },
};

static const struct option_row meson_options[] = {
	{ "--wrapper= --wrap= --gdb-path=", EFFECT_ACTS, RUNS },
	{ "--native-file= --cross-file=", EFFECT_ACTS, TOLD },
	{ "-C=", EFFECT_ENTERS, .tag = DEV_ENTERS },
};

static const struct option_row rake_options[] = {
	{ "-ABDPTWmnNqst -j=? --all --describe=? --dry-run --help --jobs=? --multitask "
	  "--no-search --prereqs --quiet --rules --silent --suppress-backtrace= --tasks=? "
	  "--trace=? --verbose --version --where=?" },
	{ "-f= --rakefile= -R= --rakelibdir= --rakelib= -gG --system --no-system", EFFECT_ACTS,
	  TOLD },
	{ "-r= --require= -I= --libdir= -epE= --execute= --execute-print= --execute-continue=",
	  EFFECT_ACTS, LOADS },
	{ "-C= --directory=", EFFECT_ENTERS, .tag = DEV_ENTERS },
};

/* Subcommands that are like most others of a program are not listed. */

/* --- compiled languages ------------------------------------------------------------------------ */

static const struct option_row cargo_options[] = {
	{ "--config= -Z=", EFFECT_ACTS, "changes settings, which may run programs",
	  .anywhere = true },
	{ "-C=", EFFECT_ACTS, LEAVES },
	{ "--manifest-path= --lockfile-path=", EFFECT_READS, .anywhere = true },
	{ "--target-dir= --out-dir= --artifact-dir= --root=", EFFECT_WRITES, .anywhere = true },
	{ "--git= --path= --registry= --index=", EFFECT_ACTS, LOADS, .anywhere = true },
	{ "-pFj= --package= --features= --bin= --example= --test= --bench= --target= --profile= "
	  "--jobs= --message-format= --color= --exclude=",
	  .anywhere = true },
};

static const struct program_row cargo_subs[] = {
	{ "publish", .network = true },
	{ "yank", .network = true },
};

static const struct option_row go_options[] = {
	{ "-exec= -toolexec= -vettool=", EFFECT_ACTS, RUNS, .anywhere = true },
	{ "-overlay= -modfile=", EFFECT_ACTS, LOADS, .anywhere = true },
	{ "-C=", EFFECT_ACTS, LEAVES, .anywhere = true },
	{ "-ldflags= -gccgoflags=", .tag = DEV_LINKS, .anywhere = true },
	{ "-o= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= "
	  "-trace= -outputdir= -pkgdir=",
	  EFFECT_WRITES, .anywhere = true },
	{ "-p= -run= -bench= -count= -timeout= -tags= -parallel= -cpu= -covermode= "
	  "-coverpkg= -asmflags= -gcflags= -mod= -buildmode= -skip= -fuzz= -fuzztime= "
	  "-benchtime= -list= -shuffle= -vet= -installsuffix= -compiler= -f=",
	  .anywhere = true },
};

static const struct option_row go_env_options[] = {
	{ "-w -u", EFFECT_ACTS, "changes settings, which may run programs" },
};

static const struct program_row go_subs[] = {
	{ "env", OPTIONS(go_env_options), .long_by_one_dash = true },
	{ "run", .long_by_one_dash = true, .stops_at_operand = true, .special = dev_links },
	{ "tool", .stops_at_operand = true, .special = dev_runs },
};

static const struct option_row gcc_options[] = {
	{ "-DUITLuxlA= -OgnpvcEPCSdQhr=? --param=" },
	{ "-f=?", .tag = DEV_FLAGS },
	{ "-W=?", .tag = DEV_WARNINGS },
	{ "-s=?", .tag = DEV_S },
	{ "-w=?", .tag = DEV_W },
	{ "-X=?", .tag = DEV_X },
	{ "-M=?", .tag = DEV_DEPENDS },
	{ "-miat=?" },
	{ "-o=", EFFECT_WRITES },
	{ "-B= --specs= --plugin= --gcc-toolchain= --sysroot=", EFFECT_ACTS, RUNS },
	{ "--config=", EFFECT_ACTS, TOLD },
};

static const struct option_row rustc_options[] = {
	{ "-LlAWDFg= --crate-type= --crate-name= --edition= --target= --cfg= --check-cfg= "
	  "--emit= --print= --cap-lints= --error-format= --color=" },
	{ "-C= --codegen=", .tag = DEV_LINKS },
	{ "-o= --out-dir=", EFFECT_WRITES },
	{ "-Z= --sysroot= --extern=", EFFECT_ACTS, LOADS },
};

static const struct option_row javac_options[] = {
	{ "-cp= --class-path= -classpath= --source-path= -sourcepath= --release= -source= "
	  "-target= -encoding=" },
	{ "-d= -s= -h=", EFFECT_WRITES },
	{ "-processor= -processorpath= --processor-path= --processor-module-path= -bootclasspath= "
	  "--patch-module= --system= --upgrade-module-path=",
	  EFFECT_ACTS, LOADS },
};

static const struct option_row mvn_options[] = {
	{ "-P= --activate-profiles= -pl= --projects= -T= --threads= -rf= --resume-from= -b= "
	  "--builder= -D= --define= --color=" },
	{ "-f= --file= -s= --settings= -gs= --global-settings= -t= --toolchains= -gt= "
	  "--global-toolchains= -is= --install-settings=",
	  EFFECT_ACTS, TOLD },
	{ "-l= --log-file=", EFFECT_WRITES },
};

static const struct option_row gradle_options[] = {
	{ "-xt= -P=? -D=? --exclude-task= --tests= --task= --max-workers= --console= "
	  "--configuration= --warning-mode= --project-prop=" },
	{ "-bcI= --build-file= --settings-file= --init-script= --system-prop=", EFFECT_ACTS, TOLD },
	{ "-pg= --project-dir= --include-build= --gradle-user-home=", EFFECT_ACTS, LEAVES },
	{ "--project-cache-dir=", EFFECT_WRITES },
};

static const struct option_row dotnet_options[] = {
	{ "--test-adapter-path= --additionalprobingpath= --additional-probing-path= --depsfile= "
	  "--runtimeconfig= --fx-version= --roll-forward= --source= --property=",
	  EFFECT_ACTS, LOADS, .anywhere = true },
	{ "--settings= --configfile=", EFFECT_ACTS, TOLD, .anywhere = true },
	{ "--output= --artifacts-path= --results-directory= --diag=", EFFECT_WRITES,
	  .anywhere = true },
	{ "--configuration= --framework= --runtime= --filter= --logger= --verbosity= --project=",
	  .anywhere = true },
};

static const struct program_row dotnet_subs[] = {
	{ "exec", .special = dev_runs },
};

/* --- JavaScript ---------------------------------------------------------------------------------- */

static const struct option_row npm_options[] = {
	{ "--script-shell= --shell= --node-options= --git= --editor= --viewer= --browser=? "
	  "--onload-script= --init-module= --node-gyp=",
	  EFFECT_ACTS, RUNS, .anywhere = true },
	{ "--userconfig= --globalconfig= --registry= --use-yarnrc=", EFFECT_ACTS, TOLD,
	  .anywhere = true },
	{ "-C= --prefix= --dir= --cwd=", EFFECT_ACTS, LEAVES, .anywhere = true },
	{ "-g --global --location=", EFFECT_ACTS, "works on all projects", .anywhere = true },
	{ "-w= --workspace= --loglevel= --tag= --otp= --omit= --include= --filter= -F= --access= "
	  "--depth= --cache=",
	  .anywhere = true },
};

static const struct option_row npx_options[] = {
	{ "-yq --yes --no --no-install --quiet --ignore-existing" },
	{ "-c= --call=", EFFECT_SCRIPT },
	{ "-p= --package=", EFFECT_ACTS, LOADS },
	{ "-n= --node-arg= --node-options= --shell= --script-shell=", EFFECT_ACTS, RUNS },
	{ "--userconfig= --registry= --prefix=", EFFECT_ACTS, TOLD },
};

#define NPX OPTIONS(npx_options), .stops_at_operand = true, .special = dev_starts

static const struct program_row npm_subs[] = {
	{ "install", .special = dev_packages },
	{ "i", .special = dev_packages },
	{ "add", .special = dev_packages },
	{ "unpublish", .network = true, .special = dev_loses },
	{ "exec", NPX },
	{ "x", NPX },
	{ "dlx", NPX },
	{ "node", .special = dev_runs },
	{ "explore", .special = dev_runs },
	{ "init", .special = dev_runs },
	{ "create", .special = dev_runs },
	{ "config", .special = dev_runs },
	{ "set", .special = dev_runs },
	{ "edit", .special = dev_runs },
	{ "plugin", .special = dev_runs },
};

static const struct option_row bun_options[] = {
	{ "-r= --preload= --require= --import= -ep= --eval= --print= -l= --loader= -d= --define= "
	  "--tsconfig-override= --plugin=",
	  EFFECT_ACTS, LOADS, .anywhere = true },
	{ "--shell=", EFFECT_ACTS, RUNS, .anywhere = true },
	{ "--config=? -c=? --env-file= --registry=", EFFECT_ACTS, TOLD, .anywhere = true },
	{ "--cwd=", EFFECT_ACTS, LEAVES, .anywhere = true },
	{ "--filter= --timeout= -t= --test-name-pattern= --rerun-each= --bail=?",
	  .anywhere = true },
};

static const struct program_row bun_subs[] = {
	{ "add", .special = dev_packages }, { "x", NPX },
	{ "exec", .special = dev_runs },    { "create", .special = dev_runs },
	{ "init", .special = dev_runs },
};

static const struct option_row eslint_options[] = {
	{ "--rulesdir= --resolve-plugins-relative-to= --parser= --plugin= -f= --format= "
	  "--parser-options= --flag=",
	  EFFECT_ACTS, LOADS },
	{ "-c= --config= --no-eslintrc --no-config-lookup", EFFECT_ACTS, TOLD },
	{ "--ignore-path= --suppressions-location=", EFFECT_READS },
	{ "-o= --output-file= --cache-file= --cache-location=", EFFECT_WRITES },
	{ "--fix", .tag = DEV_WRITES },
	{ "--cache --stdin --report-unused-disable-directives" },
	{ "--ext= --rule= --env= --global= --max-warnings= --ignore-pattern= --cache-strategy= "
	  "--stdin-filename= --fix-type= --report-unused-disable-directives-severity=" },
};

static const struct option_row prettier_options[] = {
	{ "--plugin= --plugin-search-dir=", EFFECT_ACTS, LOADS },
	{ "--config=", EFFECT_ACTS, TOLD },
	{ "--ignore-path=", EFFECT_READS },
	{ "--cache-location=", EFFECT_WRITES },
	{ "-w --write", .tag = DEV_WRITES },
	{ "--cache" },
	{ "--parser= --log-level= --tab-width= --print-width= --stdin-filepath= "
	  "--trailing-comma= --end-of-line=" },
};

static const struct option_row jest_options[] = {
	{ "--setupFiles= --setup-files= --setupFilesAfterEnv= --setup-files-after-env= "
	  "--setupTestFrameworkScriptFile= --globalSetup= --global-setup= --globalTeardown= "
	  "--global-teardown= --testRunner= --test-runner= --runner= --transform= --preset= "
	  "--resolver= --reporters= --reporter= --testEnvironment= --test-environment= --env= "
	  "--environment= --moduleNameMapper= --module-name-mapper= --snapshotSerializers= "
	  "--snapshot-serializers= --watchPlugins= --testSequencer= --test-sequencer= --filter= "
	  "--modulePaths= --module-paths= --moduleDirectories= --testResultsProcessor= "
	  "--test-results-processor= --prettierPath= --haste= --dependencyExtractor= "
	  "--coverageProvider= --browser=? --execArgv=",
	  EFFECT_ACTS, LOADS },
	{ "-c= --config= --projects= --selectProjects= --globals=", EFFECT_ACTS, TOLD },
	{ "-r= --root= --rootDir= --root-dir= --roots=", EFFECT_ACTS, LEAVES },
	{ "--outputFile= --outputFile.json= --coverageDirectory= --coverage-directory= "
	  "--cacheDirectory= --cache-directory=",
	  EFFECT_WRITES },
	{ "--cache --no-cache --coverage --run --watch --watchAll" },
	{ "-t= --testNamePattern= --testPathPattern= --testPathPatterns= --maxWorkers= "
	  "--testTimeout= --shard=" },
};

static const struct option_row mocha_options[] = {
	{ "-r= --require= --import= --loader= --experimental-loader= -R= --reporter= -u= --ui= "
	  "--file= --eval= --node-option= -n=",
	  EFFECT_ACTS, LOADS },
	{ "--config= --package= --opts=", EFFECT_ACTS, TOLD },
	{ "-gfst= --grep= --fgrep= --timeout= --slow= --spec= --ignore= --extension= --retries= "
	  "-O= --reporter-option=" },
};

static const struct option_row tsc_options[] = {
	{ "--outDir= --outFile= --declarationDir= --tsBuildInfoFile= --generateTrace= "
	  "--generateCpuProfile=",
	  EFFECT_WRITES },
	{ "-p= --project=", EFFECT_READS },
	{ "--declaration --incremental --composite" },
	{ "-tmb=? --target= --module= --lib= --jsx= --rootDir= --baseUrl= --types= "
	  "--moduleResolution= --typeRoots=" },
};

/* --- Python, Ruby ------------------------------------------------------------------------------------ */

static const struct option_row pytest_options[] = {
	{ "-p=", .tag = DEV_PLUGIN },
	{ "-o= --override-ini= -c= --config-file= --rootdir= --confcutdir= --cov-config=",
	  EFFECT_ACTS, TOLD },
	{ "--pdbcls= --pastebin=", EFFECT_ACTS, RUNS },
	{ "--basetemp= --junitxml= --junit-xml= --log-file= --report-log= --resultlog= --debug=?",
	  EFFECT_WRITES },
	{ "-qvxslh -kmnrW= --pdb --co --collect-only --maxfail= --tb= --durations= --cov=? "
	  "--cov-report= --ignore= "
	  "--ignore-glob= --deselect= --timeout= --numprocesses= --dist= --color= --capture= "
	  "--log-level= --log-cli-level= --import-mode= --reruns= --junit-prefix=" },
};

static const struct option_row tox_options[] = {
	{ "-c= --conf= -x= --override= --runner= --discover= --root=", EFFECT_ACTS, TOLD },
	{ "--workdir= --result-json=", EFFECT_WRITES },
	{ "-empf= --skip-env= --parallel=? --installpkg= --colored=" },
};

static const struct option_row pip_options[] = {
	{ "--index-url= --pypi-url= --extra-index-url= --find-links= --trusted-host= "
	  "--index= --default-index= --proxy=",
	  EFFECT_ACTS, LOADS, .anywhere = true },
	{ "--config-settings= --global-option= --install-option= --build-option= --python=",
	  EFFECT_ACTS, RUNS, .anywhere = true },
	{ "-rce= --requirement= --constraint= --editable= --cert=", EFFECT_READS,
	  .anywhere = true },
	{ "-td= --target= --prefix= --root= --dest= --log= --src= --report= --cache-dir=",
	  EFFECT_WRITES, .anywhere = true },
	{ "--pre --format= --timeout= --retries= --platform= --only-binary= --no-binary=",
	  .anywhere = true },
};

static const struct option_row pip_install_options[] = {
	{ "-if=", EFFECT_ACTS, LOADS },
};

static const struct program_row pip_subs[] = {
	{ "install", OPTIONS(pip_install_options), .special = dev_packages },
	{ "download", OPTIONS(pip_install_options), .special = dev_packages },
	{ "wheel", OPTIONS(pip_install_options), .special = dev_packages },
	{ "config", .special = dev_runs },
};

static const struct option_row uv_options[] = {
	{ "--index-url= --extra-index-url= --default-index= --index= --find-links= "
	  "--allow-insecure-host=",
	  EFFECT_ACTS, LOADS, .anywhere = true },
	{ "--config-file= --env-file=", EFFECT_ACTS, TOLD, .anywhere = true },
	{ "--directory= --project= -C= --python=", EFFECT_ACTS, LEAVES, .anywhere = true },
};

static const struct option_row uv_run_options[] = {
	{ "--with= --with-editable= --with-requirements= -w= --from=", EFFECT_ACTS, LOADS },
	{ "--extra= --group= --package= --only-group= --no-group=" },
	{ "-p=", EFFECT_ACTS, RUNS },
};

#define RUNNER OPTIONS(uv_run_options), .wraps = WRAPS_APART

static const struct program_row uv_subs[] = {
	{ "run", RUNNER },
	{ "pip", OPTIONS(pip_options), SUBS(pip_subs) },
	{ "add", .special = dev_packages },
	{ "publish", .network = true },
	{ "tool", .special = dev_runs },
	{ "config", .special = dev_runs },
	{ "self", .special = dev_runs },
};

static const struct program_row bundle_subs[] = {
	{ "exec", .wraps = WRAPS_APART },
	{ "config", .special = dev_runs },
};

static const struct option_row rspec_options[] = {
	{ "-r= --require= -I= -f= --format=", EFFECT_ACTS, LOADS },
	{ "-O= --options=", EFFECT_ACTS, TOLD },
	{ "-o= --out=", EFFECT_WRITES },
	{ "-ePt= --example= --pattern= --tag= --seed= --order=" },
};

static const struct option_row lint_options[] = {
	{ "--rcfile= --init-hook= --load-plugins= --plugins=", EFFECT_ACTS, LOADS },
	{ "--config-file= --config= -c= --conf= --append-config= --custom-typeshed-dir= "
	  "--pythonpath= --venvpath= --python-executable= --typeshedpath=",
	  EFFECT_ACTS, TOLD },
	{ "-p= --project=", EFFECT_READS },
	{ "-o= --output= --output-file= --createstub=", EFFECT_WRITES },
};

/* --- gh ------------------------------------------------------------------------------------------------ */

#define GH_NAMES                                                                           \
	"-qtLsaASHBlm= --jq= --template= --json= --limit= --state= --author= --assignee= " \
	"--label= --search= --head= --base= --app= --milestone= --mention="

static const struct option_row gh_options[] = {
	{ "-R= --repo=", EFFECT_ACTS, "works on another repository", .anywhere = true },
	{ "--web", EFFECT_ACTS, RUNS, .anywhere = true },
	{ "--hostname=", EFFECT_ACTS, "talks to another host", .anywhere = true },
	{ "-F= --body-file= --notes-file=", EFFECT_READS, .anywhere = true },
};

static const struct option_row gh_view_options[] = {
	{ GH_NAMES " -dc --draft --comments --patch --name-only --color= --required --watch" },
	{ "-w", EFFECT_ACTS, RUNS },
};

static const struct option_row gh_run_options[] = {
	{ "-wbeujLqtSc= --workflow= --branch= --event= --user= --job= --attempt= --json= --jq= "
	  "--limit= --status= --created= --commit= --log --log-failed --exit-status" },
};

static const struct option_row gh_api_options[] = {
	{ "-X= --method=", .tag = DEV_METHOD },
	{ "-fF= --field= --raw-field=", .tag = DEV_FIELD },
	{ "--input=", EFFECT_ACTS, "changes things" },
	{ "-i -qtHp= --jq= --template= --header= --preview= --cache= --paginate --silent --slurp "
	  "--include --verbose" },
};

static const struct option_row gh_download_options[] = {
	{ "-pnA= --pattern= --name= --archive=" },
	{ "-DO= --dir= --output=", EFFECT_WRITES },
};

#define GH_VIEW(name)                          \
	{                                      \
		name, OPTIONS(gh_view_options) \
	}
#define GH_ENDS(name)                      \
	{                                  \
		name, .special = dev_loses \
	}

static const struct program_row gh_pr_subs[] = {
	GH_VIEW("list"), GH_VIEW("view"),   GH_VIEW("status"),
	GH_VIEW("diff"), GH_VIEW("checks"), GH_ENDS("delete"),
};

static const struct program_row gh_repo_subs[] = {
	GH_VIEW("list"),   GH_VIEW("view"), GH_ENDS("archive"),
	GH_ENDS("delete"), GH_ENDS("edit"), GH_ENDS("rename"),
};

static const struct program_row gh_release_subs[] = {
	GH_VIEW("list"),   GH_VIEW("view"),         { "download", OPTIONS(gh_download_options) },
	GH_ENDS("delete"), GH_ENDS("delete-asset"),
};

static const struct program_row gh_run_subs[] = {
	{ "list", OPTIONS(gh_run_options) },
	{ "view", OPTIONS(gh_run_options) },
	{ "watch", OPTIONS(gh_run_options) },
	{ "download", OPTIONS(gh_download_options) },
	GH_ENDS("delete"),
};

static const struct program_row gh_subs[] = {
	{ "pr", SUBS(gh_pr_subs) },
	{ "issue", SUBS(gh_pr_subs) },
	{ "repo", SUBS(gh_repo_subs) },
	{ "release", SUBS(gh_release_subs) },
	{ "run", SUBS(gh_run_subs) },
	{ "api", OPTIONS(gh_api_options), BY(dev_gh_api) },
	{ "gist", .operands = OPERANDS_READ },
	{ "alias", .special = dev_runs },
	{ "extension", .special = dev_runs },
	{ "ext", .special = dev_runs },
	{ "config", .special = dev_runs },
	{ "browse", .special = dev_runs },
	{ "codespace", .special = dev_runs },
	{ "cs", .special = dev_runs },
	{ "auth", .special = dev_runs },
	{ "secret", .special = dev_runs },
	{ "variable", .special = dev_runs },
	{ "ssh-key", .special = dev_runs },
	{ "gpg-key", .special = dev_runs },
	{ "copilot", .special = dev_runs },
};

/* --- docker ---------------------------------------------------------------------------------------------- */

#define LOOKS .closed = true, .read_only = true

static const struct option_row docker_options[] = {
	{ "-Hc= --host= --context= --tlscacert= --tlscert= --tlskey= --tls --tlsverify",
	  EFFECT_ACTS, "talks to another host" },
	{ "--config=", EFFECT_ACTS, TOLD },
	{ "-Dv -l= --debug --version --log-level=" },
};

static const struct option_row docker_list_options[] = {
	{ "-aqlstg -fn= --all --quiet --latest --size --no-trunc --digests --tree --filter= "
	  "--last= --format= --type= --since= --until= --timestamps --tail= --details "
	  "--human=? --volumes --platform=" },
};

/* Here -f follows, and -n is a number of lines. */
static const struct option_row docker_logs_options[] = {
	{ "-ft -n= --follow --timestamps --tail= --since= --until= --details" },
};

static const struct option_row docker_inspect_options[] = {
	{ "-sv -f= --format= --size --type= --verbose --platform=" },
};

static const struct option_row docker_run_options[] = {
	{ "-v= --volume= --mount= --volumes-from= --device= --tmpfs=", EFFECT_ACTS,
	  "gives the container files of this machine" },
	{ "--privileged --cap-add= --security-opt= --pid= --ipc= --userns= --uts= --cgroupns= "
	  "--network= --net= --gpus= --group-add= --cgroup-parent= --runtime= --add-host=",
	  EFFECT_ACTS, "opens the container" },
	{ "-p= -P --publish= --publish-all", EFFECT_ACTS, "opens a port" },
	{ "--env-file= --label-file=", EFFECT_READS },
	{ "--cidfile=", EFFECT_WRITES },
	{ "-ditq -ehlumwc= --detach --interactive --tty --rm --init --env= --hostname= --label= "
	  "--user= --memory= --workdir= --name= --entrypoint= --platform= --pull= --restart= "
	  "--cpus= --shm-size= --ulimit= --stop-signal= --read-only" },
};

#define DOCKER_RUN OPTIONS(docker_run_options), .stops_at_operand = true, .special = dev_starts

static const struct option_row docker_build_options[] = {
	{ "-f= --file=", EFFECT_READS },
	{ "--secret= --ssh= --build-context= --allow= --add-host= --network= --builder= "
	  "--cache-from= --cache-to=",
	  EFFECT_ACTS, "gives the build more than its directory" },
	{ "-o= --output= --iidfile= --metadata-file=", EFFECT_WRITES },
	{ "-q -tm= --tag= --build-arg= --target= --platform= --label= --progress= --memory=" },
};

static const struct option_row compose_options[] = {
	{ "-f= --file=", EFFECT_READS, .tag = DEV_FILE },
	{ "--env-file= --project-directory=", EFFECT_ACTS, TOLD },
	{ "-p= --profile= --project-name= --ansi= --progress= --parallel=" },
};

static const struct program_row docker_of_subs[] = {
	{ "ls", OPTIONS(docker_list_options), LOOKS },
	{ "list", OPTIONS(docker_list_options), LOOKS },
	{ "ps", OPTIONS(docker_list_options), LOOKS },
	{ "inspect", OPTIONS(docker_inspect_options), LOOKS },
	{ "logs", OPTIONS(docker_logs_options), LOOKS },
	{ "history", OPTIONS(docker_list_options), LOOKS },
	{ "run", DOCKER_RUN },
	{ "create", DOCKER_RUN },
	{ "exec", DOCKER_RUN },
	{ "rm", .special = dev_loses },
	{ "prune", .special = dev_loses },
	{ "remove", .special = dev_loses },
};

static const struct program_row compose_subs[] = {
	{ "rm", .special = dev_loses },
	{ "run", DOCKER_RUN },
	{ "exec", DOCKER_RUN },
};

static const struct program_row docker_subs[] = {
	{ "ps", OPTIONS(docker_list_options), LOOKS },
	{ "images", OPTIONS(docker_list_options), LOOKS },
	{ "inspect", OPTIONS(docker_inspect_options), LOOKS },
	{ "logs", OPTIONS(docker_logs_options), LOOKS },
	{ "version", OPTIONS(docker_inspect_options), LOOKS },
	{ "info", OPTIONS(docker_inspect_options), LOOKS },
	{ "history", OPTIONS(docker_list_options), LOOKS },
	{ "container", SUBS(docker_of_subs) },
	{ "image", SUBS(docker_of_subs) },
	{ "volume", SUBS(docker_of_subs) },
	{ "network", SUBS(docker_of_subs) },
	{ "system", SUBS(docker_of_subs) },
	{ "builder", SUBS(docker_of_subs) },
	{ "compose", OPTIONS(compose_options), SUBS(compose_subs), .special = dev_compose },
	{ "run", DOCKER_RUN },
	{ "create", DOCKER_RUN },
	{ "exec", DOCKER_RUN },
	{ "build", OPTIONS(docker_build_options), .operands = OPERANDS_READ, .recursive = true },
	{ "rm", .special = dev_loses },
	{ "rmi", .special = dev_loses },
	{ "cp", .special = dev_runs },
	{ "plugin", .special = dev_runs },
	{ "context", .special = dev_runs },
	{ "swarm", .special = dev_runs },
	{ "login", .network = true },
	{ "push", .network = true },
	{ "pull", .network = true },
	{ "search", .network = true },
};

/* --- pages and editors -------------------------------------------------------------------------------------- */

static const struct option_row man_options[] = {
	{ "-fkwWcDdaiIt7uhV -LmSserRE= --whatis --apropos --where --path --location "
	  "--where-cat --location-cat --catman --default --debug --all --ignore-case "
	  "--match-case --update --regex --wildcard --names-only --no-subpages --sections= "
	  "--extension= --locale= --systems= --recode= --encoding= --prompt= --no-hyphenation "
	  "--nh --no-justification --nj --ascii --ditroff-device=? --warnings=? --help --usage "
	  "--version --global-apropos -K" },
	{ "-l --local-file", .tag = 'l' },
	{ "-P= --pager= -H=? --html=? -X=? --gxditview=? -p= --preprocessor= -T=? -Z "
	  "--ditroff --troff-device=?",
	  EFFECT_RUNS },
	{ "-CM= --config-file= --manpath=", EFFECT_ACTS, TOLD },
};

static void man_local(struct look *look)
{
	for (size_t i = 0; i < look->operands.n && look_seen(look, 'l'); i++)
		look_operand(look, look->operands.at[i], OPERAND_READ);
}

static const struct option_row less_options[] = {
	{ "-aABcCdeEfFgGiIJKmMnNqQrRsSuUVwWXL? -bhjpPxyzD=" },
	{ "-oO= --log-file= --LOG-FILE=", EFFECT_WRITES },
	{ "-kt= --lesskey-file= --lesskey-src= --lesskey-content= --tag= -T= --tag-file=",
	  EFFECT_ACTS, TOLD },
};

static const struct option_row vi_options[] = {
	{ "-c= -S= -s= -u= -U= --cmd= -i= -w= -W= -t= -q= -eE --startuptime= -P -l= "
	  "--remote-expr= --remote-send= --luamod-dev= --listen= --server=",
	  EFFECT_ACTS, "may run commands" },
};

static const struct option_row emacs_options[] = {
	{ "-lfLx= --eval= --execute= --load= --funcall= --directory= --script= --batch --user= "
	  "-u= --init-directory=",
	  EFFECT_ACTS, "may run commands" },
};

static const struct option_row nano_options[] = {
	{ "-QrTsXYCfJ= --backupdir= --rcfile= --speller= --operatingdir=", EFFECT_ACTS, RUNS },
};

/* --- the system ----------------------------------------------------------------------------------------------- */

static const struct option_row systemctl_options[] = {
	{ "-HM= --host= --machine= --root= --image=", EFFECT_ACTS, "works on another system" },
	{ "-tpnos= --type= --property= --lines= --output= --state= --signal= --job-mode=" },
};

static const struct option_row apt_options[] = {
	{ "-oc= --option= --config-file=", EFFECT_ACTS,
	  "changes settings, which may run programs" },
	{ "-t= --target-release= --default-release=" },
};

static const struct option_row dpkg_options[] = {
	{ "--pre-invoke= --post-invoke= --status-logger= --debsig-verify", EFFECT_ACTS, RUNS },
	{ "--root= --admindir= --instdir= --path-exclude= --path-include=", EFFECT_ACTS, LEAVES },
};

/* --- the table ----------------------------------------------------------------------------------------------------- */

#define INTERPRETER .is_interpreter = true
#define COMPILER                                                                 \
	OPTIONS(gcc_options), .response_files = true, .operands = OPERANDS_READ, \
			      .special = dev_compiler
#define NPM OPTIONS(npm_options), SUBS(npm_subs), .special = dev_npm

static const struct program_row rows[] = {
	{ "apt", OPTIONS(apt_options), TOOL, .network = true },
	{ "apt-get", .as = "apt" },
	{ "brew", TOOL, .network = true },
	{ "bun", OPTIONS(bun_options), SUBS(bun_subs) },
	{ "bundle", SUBS(bundle_subs) },
	{ "bunx", NPX },
	{ "c++", .as = "gcc" },
	{ "cargo", OPTIONS(cargo_options), SUBS(cargo_subs), .special = dev_cargo },
	{ "cc", .as = "gcc" },
	{ "clang", .as = "gcc" },
	{ "clang++", .as = "gcc" },
	{ "cmake", OPTIONS(cmake_options), .operands = OPERANDS_READ, .special = dev_cmake },
	{ "ctest", OPTIONS(ctest_options) },
	{ "deno", INTERPRETER },
	{ "dnf", TOOL, .network = true },
	{ "docker", OPTIONS(docker_options), SUBS(docker_subs), TOOL },
	{ "docker-compose", OPTIONS(compose_options), SUBS(compose_subs), TOOL,
	  .special = dev_compose },
	{ "dotnet", OPTIONS(dotnet_options), SUBS(dotnet_subs), .response_files = true,
	  .special = dev_dotnet },
	{ "dpkg", OPTIONS(dpkg_options), TOOL },
	{ "ed", TOOL, .operands = OPERANDS_WRITE, .acts = "runs the commands it is given" },
	{ "emacs", OPTIONS(emacs_options), TOOL, BY(dev_editor) },
	{ "eslint", OPTIONS(eslint_options), BY(dev_formatter) },
	{ "ex", .as = "ed" },
	{ "g++", .as = "gcc" },
	{ "gcc", COMPILER },
	{ "gh", OPTIONS(gh_options), SUBS(gh_subs), TOOL, .network = true },
	{ "gmake", .as = "make" },
	{ "go", OPTIONS(go_options), SUBS(go_subs), .long_by_one_dash = true,
	  .special = dev_links },
	{ "gradle", OPTIONS(gradle_options), .special = dev_java },
	{ "gradlew", .as = "gradle" },
	{ "ipython", INTERPRETER },
	{ "java", INTERPRETER },
	{ "javac", OPTIONS(javac_options), .long_by_one_dash = true, .response_files = true,
	  .operands = OPERANDS_READ, .special = dev_java },
	{ "jest", OPTIONS(jest_options) },
	{ "julia", INTERPRETER },
	{ "killall", TOOL },
	{ "less", OPTIONS(less_options), TOOL, BY(dev_pager) },
	{ "lua", INTERPRETER },
	{ "luajit", INTERPRETER },
	{ "make", OPTIONS(make_options), .any_order = true, .special = dev_variables },
	{ "man", OPTIONS(man_options), TOOL, .closed = true, .special = man_local },
	{ "meson", OPTIONS(meson_options), .special = dev_directory },
	{ "mocha", OPTIONS(mocha_options), .operands = OPERANDS_READ },
	{ "more", .as = "less" },
	{ "most", .as = "less" },
	{ "mount", TOOL },
	{ "mvn", OPTIONS(mvn_options), .long_by_one_dash = true, .special = dev_java },
	{ "mvnw", .as = "mvn" },
	{ "mypy", OPTIONS(lint_options), .operands = OPERANDS_READ },
	{ "nano", OPTIONS(nano_options), TOOL, BY(dev_editor) },
	{ "ninja", OPTIONS(ninja_options), .special = dev_directory },
	{ "node", INTERPRETER },
	{ "npm", NPM },
	{ "npx", NPX },
	{ "nvim", .as = "vim" },
	{ "pdm", .as = "uv" },
	{ "perl", INTERPRETER },
	{ "php", INTERPRETER },
	{ "pip", OPTIONS(pip_options), SUBS(pip_subs) },
	{ "pip3", .as = "pip" },
	{ "pipenv", .as = "uv" },
	{ "pkill", TOOL },
	{ "pnpm", .as = "npm" },
	{ "pnpx", NPX },
	{ "podman", .as = "docker" },
	{ "poetry", .as = "uv" },
	{ "prettier", OPTIONS(prettier_options), BY(dev_formatter) },
	{ "pylint", OPTIONS(lint_options), .operands = OPERANDS_READ },
	{ "pypy", INTERPRETER },
	{ "pypy3", INTERPRETER },
	{ "pyright", OPTIONS(lint_options), .operands = OPERANDS_READ },
	{ "pytest", OPTIONS(pytest_options), .response_files = true, BY(dev_pytest) },
	{ "python", INTERPRETER },
	{ "python2", INTERPRETER },
	{ "python3", INTERPRETER },
	{ "rake", OPTIONS(rake_options), .special = dev_variables },
	{ "rspec", OPTIONS(rspec_options), .operands = OPERANDS_READ },
	{ "ruby", INTERPRETER },
	{ "ruff", OPTIONS(lint_options), .operands = OPERANDS_TEXT_READ },
	{ "rustc", OPTIONS(rustc_options), .response_files = true, .operands = OPERANDS_READ,
	  .special = dev_links },
	{ "service", TOOL },
	{ "systemctl", OPTIONS(systemctl_options), TOOL },
	{ "tox", OPTIONS(tox_options) },
	{ "ts-node", INTERPRETER },
	{ "tsc", OPTIONS(tsc_options), .response_files = true, .operands = OPERANDS_READ },
	{ "tsx", INTERPRETER },
	{ "umount", TOOL },
	{ "uv", OPTIONS(uv_options), SUBS(uv_subs) },
	{ "uvx", NPX },
	{ "vi", .as = "vim" },
	{ "view", .as = "vim" },
	{ "vim", OPTIONS(vi_options), TOOL, BY(dev_editor) },
	{ "vitest", .as = "jest" },
	{ "yarn", .as = "npm" },
	{ "yum", TOOL, .network = true },
};

const struct program_table program_table_dev = { rows, countof(rows) };
