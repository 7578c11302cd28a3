#include "perm/program/case.h"
#include "test.h"

TEST(docker_only_lists_without_a_rule_and_says_what_a_container_gets)
{
	static const struct program_case cases[] = {
		{ "docker ps", "ro" },
		{ "docker ps -a --format '{{.Names}}'", "ro" },
		{ "docker images -q", "ro" },
		{ "docker inspect x", "ro" },
		{ "docker logs -f --tail 10 x", "ro" },
		{ "docker version", "ro" },
		{ "docker info", "ro" },
		{ "docker container ls", "ro" },
		{ "docker image inspect x", "ro" },
		{ "docker -H tcp://evil.example ps", "rule acts:-H talks to another host" },
		{ "docker --host=x ps", "rule acts:--host talks to another host" },
		{ "docker --context x ps", "rule acts:--context talks to another host" },
		{ "docker --config x ps", "rule acts:--config takes its rules from elsewhere" },
		{ "docker ps --unheard", "rule acts:--unheard is not known to be harmless" },
		{ "docker run alpine ls", "rule" },
		{ "docker run -v /:/host alpine ls",
		  "rule acts:-v gives the container files of this machine" },
		{ "docker run -it --rm --volume=/:/x alpine",
		  "rule acts:--volume gives the container files of this machine" },
		{ "docker run --privileged alpine", "rule acts:--privileged opens the container" },
		{ "docker run --network=host alpine", "rule acts:--network opens the container" },
		{ "docker run alpine rm -v /", "rule" },
		{ "docker exec -it x sh", "rule" },
		{ "docker exec --privileged x sh", "rule acts:--privileged opens the container" },
		{ "docker build .", "rule read:./.." },
		{ "docker build -t x -f ../Dockerfile ..", "rule read:../Dockerfile read:../.." },
		{ "docker build --output=../x .",
		  "rule acts:--output writes a file write:../x read:./.." },
		{ "docker compose up -d", "rule" },
		{ "docker compose -f x.yml up", "rule read:x.yml" },
		{ "docker compose -f - up", "rule acts:--file takes its rules from elsewhere" },
		{ "docker compose -f oci://x run app",
		  "rule acts:--file takes its rules from elsewhere read:oci://x" },
		{ "docker compose --env-file=x up",
		  "rule acts:--env-file takes its rules from elsewhere" },
		{ "docker compose run -v /:/x app",
		  "rule acts:-v gives the container files of this machine" },
		{ "docker-compose -f x.yml up", "rule read:x.yml" },
		{ "docker rm x", "rule loses!:rm cannot be undone" },
		{ "docker volume rm x", "rule loses!:rm cannot be undone" },
		{ "docker system prune -f", "rule loses!:prune cannot be undone" },
		{ "docker cp x:/a b", "rule acts:cp reaches beyond the project" },
		{ "docker push x", "rule net" },
		{ "podman ps", "ro" },
	};

	program_check_all(cases, countof(cases));
}
