/* Build tools and compilers. A rule for one is full trust in the project's code, but not in
 * code that the command line brings in. A subcommand that is like most others of its program
 * has no row. */
#include "perm/program/special.h"

static const struct program_row cargo_subcommands[] = {
	{ "init", .operands = OPERANDS_WRITE },
	{ "new", .operands = OPERANDS_WRITE },
	{ "publish", NETWORK },
	{ "rustc", NAMED, .escalates = "passes options to the compiler" },
	{ "rustdoc", NAMED, .escalates = "passes options to the compiler" },
	{ "vendor", .operands = OPERANDS_WRITE },
	{ "yank", NETWORK },
};

static const struct program_row go_subcommands[] = {
	{ "env", LOOKS | ONE_DASH_LONG,
	  OPTIONS({ "-json -changed" },
		  { "-w -u", EFFECT_ESCALATES, "changes settings, which may run programs" }) },
	{ "run", ONE_DASH_LONG | STOPS_AT_OPERAND, .special = dev_links },
	{ "tool", STOPS_AT_OPERAND | NAMED, .escalates = REACHES },
};

static const struct program_row dotnet_subcommands[] = {
	{ "exec", NAMED, .escalates = REACHES },
};

static const struct program_row build_rows[] = {
	{ "c++", .alias_of = "gcc" },
	{ "cargo", .special = dev_cargo,
	  .other_names = "b=build c=check d=doc r=run rm=remove t=test",
	  SUBCOMMANDS_OF(cargo_subcommands),
	  OPTIONS({ "--config= -Z=", EFFECT_ESCALATES, "changes settings, which may run programs",
		    .anywhere = true },
		  { "-C=", EFFECT_ESCALATES, LEAVES },
		  { "--manifest-path= --lockfile-path=", EFFECT_READS, .anywhere = true },
		  { "--target-dir= --out-dir= --artifact-dir= --root=", EFFECT_WRITES,
		    .anywhere = true },
		  { "--git= --path= --registry= --index=", EFFECT_ESCALATES, LOADS,
		    .anywhere = true },
		  { "-pFj= --package= --features= --bin= --example= --test= --bench= --target= "
		    "--profile= --jobs= --message-format= --color= --exclude=",
		    .anywhere = true }) },
	{ "cc", .alias_of = "gcc" },
	{ "clang", .alias_of = "gcc" },
	{ "clang++", .alias_of = "gcc" },
	{ "cmake", .operands = OPERANDS_READ, .special = dev_cmake,
	  OPTIONS({ "-D=", .tag = DEV_DEFINES },
		  { "-GATUWjt= -LNv --build= --target= --config= --parallel=? --preset= "
		    "--install= --component= --log-level= --fresh --workflow --verbose "
		    "--clean-first" },
		  { "-S=", EFFECT_READS },
		  { "-B= --graphviz= --profiling-output= --prefix=", EFFECT_WRITES },
		  { "-P= -C= --toolchain= --project-file=", EFFECT_ESCALATES, CONFIGURES },
		  { "-E", EFFECT_ESCALATES, RUNS }) },
	{ "ctest",
	  OPTIONS({ "-RELCUjIQ= --tests-regex= --exclude-regex= --label-regex= --build-config= "
		    "--parallel=? --timeout= --repeat= --preset= --test-dir=" },
		  { "-O= --output-log= --output-junit=", EFFECT_WRITES },
		  { "-S= -SP= -D= --script= --build-and-test --test-command --build-makeprogram=",
		    EFFECT_ESCALATES, CONFIGURES }) },
	{ "dotnet", RESPONSE_FILES, .special = dev_dotnet, SUBCOMMANDS_OF(dotnet_subcommands),
	  OPTIONS({ "--test-adapter-path= --additionalprobingpath= --additional-probing-path= "
		    "--depsfile= --runtimeconfig= --fx-version= --roll-forward= --source= "
		    "--property=",
		    EFFECT_ESCALATES, LOADS, .anywhere = true },
		  { "--settings= --configfile=", EFFECT_ESCALATES, CONFIGURES, .anywhere = true },
		  { "--output= --artifacts-path= --results-directory= --diag=", EFFECT_WRITES,
		    .anywhere = true },
		  { "--configuration= --framework= --runtime= --filter= --logger= --verbosity= "
		    "--project=",
		    .anywhere = true }) },
	{ "g++", .alias_of = "gcc" },
	{ "gcc", RESPONSE_FILES, OPERANDS_READ, .special = dev_compiler,
	  OPTIONS({ "-DUITLuxlA= -OgnpvcEPCSdQhr=? --param=" }, { "-f=?", .tag = DEV_FLAGS },
		  { "-W=?", .tag = DEV_WARNINGS }, { "-s=?", .tag = DEV_S },
		  { "-w=?", .tag = DEV_W }, { "-X=?", .tag = DEV_X },
		  { "-M=?", .tag = DEV_DEPENDS }, { "-miat=?" }, { "-o=", EFFECT_WRITES },
		  { "-B= --specs= --plugin= --gcc-toolchain= --sysroot=", EFFECT_ESCALATES, RUNS },
		  { "--config=", EFFECT_ESCALATES, CONFIGURES }) },
	{ "gmake", .alias_of = "make" },
	{ "go", ONE_DASH_LONG, .special = dev_links, SUBCOMMANDS_OF(go_subcommands),
	  OPTIONS({ "-exec= -toolexec= -vettool=", EFFECT_ESCALATES, RUNS, .anywhere = true },
		  { "-overlay= -modfile=", EFFECT_ESCALATES, LOADS, .anywhere = true },
		  { "-C=", EFFECT_ESCALATES, LEAVES, .anywhere = true },
		  { "-ldflags= -gccgoflags=", .tag = DEV_LINKS, .anywhere = true },
		  { "-o= -coverprofile= -cpuprofile= -memprofile= -blockprofile= -mutexprofile= "
		    "-trace= -outputdir= -pkgdir=",
		    EFFECT_WRITES, .anywhere = true },
		  { "-p= -run= -bench= -count= -timeout= -tags= -parallel= -cpu= -covermode= "
		    "-coverpkg= -asmflags= -gcflags= -mod= -buildmode= -skip= -fuzz= -fuzztime= "
		    "-benchtime= -list= -shuffle= -vet= -installsuffix= -compiler= -f=",
		    .anywhere = true }) },
	{ "gradle", .special = dev_java,
	  OPTIONS({ "-xt= -P=? -D=? --exclude-task= --tests= --task= --max-workers= --console= "
		    "--configuration= --warning-mode= --project-prop=" },
		  { "-bcI= --build-file= --settings-file= --init-script= --system-prop=",
		    EFFECT_ESCALATES, CONFIGURES },
		  { "-pg= --project-dir= --include-build= --gradle-user-home=", EFFECT_ESCALATES,
		    LEAVES },
		  { "--project-cache-dir=", EFFECT_WRITES }) },
	{ "gradlew", .alias_of = "gradle" },
	{ "javac", ONE_DASH_LONG | RESPONSE_FILES, OPERANDS_READ, .special = dev_java,
	  OPTIONS({ "-cp= --class-path= -classpath= --source-path= -sourcepath= --release= "
		    "-source= -target= -encoding=" },
		  { "-d= -s= -h=", EFFECT_WRITES },
		  { "-processor= -processorpath= --processor-path= --processor-module-path= "
		    "-bootclasspath= --patch-module= --system= --upgrade-module-path=",
		    EFFECT_ESCALATES, LOADS }) },
	{ "make", ANY_ORDER, .special = dev_variables,
	  OPTIONS({ "-bBdeiknpqrRsStvwm -oW= -jlO=? --always-make --debug=? "
		    "--environment-overrides --ignore-errors --jobs=? --jobserver-style= "
		    "--keep-going --load-average=? --max-load=? --check-symlink-times "
		    "--just-print --dry-run --recon --old-file= --assume-old= --output-sync=? "
		    "--print-data-base --question --no-builtin-rules --no-builtin-variables "
		    "--silent --quiet --no-silent --no-keep-going --stop --touch --trace "
		    "--version --print-directory --no-print-directory --what-if= --new-file= "
		    "--assume-new= --warn-undefined-variables --shuffle=? --help" },
		  { "-f= --file= --makefile= -I= --include-dir=", EFFECT_ESCALATES, CONFIGURES },
		  { "-E= --eval=", EFFECT_ESCALATES, LOADS },
		  { "-C= --directory=", EFFECT_ENTERS, .tag = DEV_ENTERS }) },
	{ "meson", .special = dev_directory,
	  OPTIONS({ "--wrapper= --wrap= --gdb-path=", EFFECT_ESCALATES, RUNS },
		  { "--native-file= --cross-file=", EFFECT_ESCALATES, CONFIGURES },
		  { "-C=", EFFECT_ENTERS, .tag = DEV_ENTERS }) },
	{ "mvn", ONE_DASH_LONG, .special = dev_java,
	  OPTIONS({ "-P= --activate-profiles= -pl= --projects= -T= --threads= -rf= --resume-from= "
		    "-b= --builder= -D= --define= --color=" },
		  { "-f= --file= -s= --settings= -gs= --global-settings= -t= --toolchains= -gt= "
		    "--global-toolchains= -is= --install-settings=",
		    EFFECT_ESCALATES, CONFIGURES },
		  { "-l= --log-file=", EFFECT_WRITES }) },
	{ "mvnw", .alias_of = "mvn" },
	{ "ninja", .special = dev_directory,
	  OPTIONS({ "-nvh -jkltdw= --version --verbose --quiet --help" },
		  { "-f=", EFFECT_ESCALATES, CONFIGURES },
		  { "-C=", EFFECT_ENTERS, .tag = DEV_ENTERS }) },
	{ "rake", .special = dev_variables,
	  OPTIONS({ "-ABDPTWmnNqst -j=? --all --describe=? --dry-run --help --jobs=? --multitask "
		    "--no-search --prereqs --quiet --rules --silent --suppress-backtrace= "
		    "--tasks=? --trace=? --verbose --version --where=?" },
		  { "-f= --rakefile= -R= --rakelibdir= --rakelib= -gG --system --no-system",
		    EFFECT_ESCALATES, CONFIGURES },
		  { "-r= --require= -I= --libdir= -epE= --execute= --execute-print= "
		    "--execute-continue=",
		    EFFECT_ESCALATES, LOADS },
		  { "-C= --directory=", EFFECT_ENTERS, .tag = DEV_ENTERS }) },
	{ "rustc", RESPONSE_FILES, OPERANDS_READ, .special = dev_links,
	  OPTIONS({ "-LlAWDFg= --crate-type= --crate-name= --edition= --target= --cfg= "
		    "--check-cfg= --emit= --print= --cap-lints= --error-format= --color=" },
		  { "-C= --codegen=", .tag = DEV_LINKS }, { "-o= --out-dir=", EFFECT_WRITES },
		  { "-Z= --sysroot= --extern=", EFFECT_ESCALATES, LOADS }) },
	{ "tsc", RESPONSE_FILES, OPERANDS_READ,
	  OPTIONS({ "--outDir= --outFile= --declarationDir= --tsBuildInfoFile= --generateTrace= "
		    "--generateCpuProfile=",
		    EFFECT_WRITES },
		  { "-p= --project=", EFFECT_READS }, { "--declaration --incremental --composite" },
		  { "-tmb=? --target= --module= --lib= --jsx= --rootDir= --baseUrl= --types= "
		    "--moduleResolution= --typeRoots=" }) },
};

const struct program_table program_table_build = { build_rows, countof(build_rows) };
