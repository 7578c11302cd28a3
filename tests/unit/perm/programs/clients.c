#include "perm/program/case.h"
#include "test.h"

TEST(client_of_a_cloud_or_a_cluster_says_what_leads_elsewhere_or_runs_something)
{
	static const struct program_case cases[] = {
		{ "aws s3 ls --profile x", "? net" },
		{ "aws s3 ls --endpoint-url http://evil.example",
		  "? net escalates:--endpoint-url talks to another host" },
		{ "aws --endpoint-url=http://evil.example s3 ls",
		  "? net escalates:--endpoint-url talks to another host" },
		{ "gcloud projects list --format json", "? net" },
		{ "gcloud projects list --configuration x",
		  "? net escalates:--configuration uses another configuration" },
		{ "helm list -n x", "? net" },
		{ "helm list --kubeconfig ./x", "? net escalates:--kubeconfig may run a program "
						"that the file names read:./x" },
		{ "helm list --kube-apiserver http://evil.example",
		  "? net escalates:--kube-apiserver reaches another cluster or acts as "
		  "somebody else" },
		{ "helm template x . --post-renderer ./x",
		  "? net escalates:--post-renderer runs a program" },
		{ "helm install x . -f values.yml", "? net read:values.yml" },
		{ "helm uninstall x", "? net loses!:uninstall deletes a release from the cluster" },
		{ "helm plugin install x", "? net escalates:plugin reaches beyond the project" },
		{ "terraform plan -var-file=x.tfvars", "? read:x.tfvars" },
		{ "terraform plan -out tfplan", "? write:tfplan" },
		{ "terraform -chdir=../x plan", "? escalates:-chdir works on another project" },
		{ "terraform init -from-module=x", "? escalates:-from-module loads other code" },
		{ "terraform apply -destroy", "? loses!:-destroy destroys infrastructure" },
		{ "tofu destroy", "? loses!:destroy destroys infrastructure" },
		{ "pandoc a.md -o a.html", "? escalates:-o writes a file write:a.html read:a.md" },
		{ "pandoc --filter ./x a.md", "? escalates:--filter runs a program read:a.md" },
		{ "pandoc --lua-filter=x a.md",
		  "? escalates:--lua-filter runs a program read:a.md" },
		{ "hg log -l 3", "?" },
		{ "hg --config hooks.pre-log=./x log",
		  "? escalates:--config uses another configuration" },
		{ "svn log --config-option x",
		  "? net escalates:--config-option uses another configuration" },
		{ "svn diff --diff-cmd ./x", "? net escalates:--diff-cmd runs a program" },
	};

	program_check_all(cases, countof(cases));
}

TEST(client_of_a_database_says_what_its_text_may_run)
{
	static const struct program_case cases[] = {
		{ "psql -h db -U me -c 'select 1' app", "? net" },
		{ "psql -c '\\d+ users'", "? net" },
		{ "psql -c '\\! sh'",
		  "? net escalates:its text may run a program or use other files" },
		{ "psql -c '\\dt \\! sh'",
		  "? net escalates:its text may run a program or use other files" },
		{ "psql -c '\\lo_export 1 x'",
		  "? net escalates:its text may run a program or use other files" },
		{ "psql -c $x", "? net escalates:its text may run a program or use other files" },
		{ "psql -f x.sql", "? net escalates:-f runs the commands of a file read:x.sql" },
		{ "psql -o '|sh'", "? net escalates:-o writes a file write:|sh" },
		{ "mysql -e 'select source from t'", "? net" },
		{ "mysql -e 'select 1; system sh'",
		  "? net escalates:its text may run a program or use other files" },
		{ "mysql -e '\\! sh'",
		  "? net escalates:its text may run a program or use other files" },
		{ "mariadb --execute=' SYSTEM sh'",
		  "? net escalates:its text may run a program or use other files" },
		{ "mysql --pager=sh", "? net escalates:--pager runs a program" },
		{ "mysql --defaults-file=x",
		  "? net escalates:--defaults-file uses another configuration" },
		{ "redis-cli --eval x.lua",
		  "? net escalates:--eval runs the commands of a file read:x.lua" },
		{ "sqlite3 x.db .tables", "? read:x.db" },
		{ "sqlite3 -header x.db 'select * from t'", "? read:x.db" },
		{ "sqlite3 x.db '.shell x'",
		  "? escalates:its text may run a program or use other files read:x.db" },
		{ "sqlite3 x.db '.mode csv' '.output ../x'",
		  "? escalates:its text may run a program or use other files read:x.db" },
		{ "sqlite3 x.db \"select WriteFile('x','y')\"",
		  "? escalates:its text may run a program or use other files read:x.db" },
		{ "sqlite3 -cmd '.shell x' x.db",
		  "? escalates:its text may run a program or use other files read:x.db" },
		{ "sqlite3 -init x x.db",
		  "? escalates:-init runs the commands of a file read:x read:x.db" },
	};

	program_check_all(cases, countof(cases));
}
