/* google_auth.h - private to src/model: Google access tokens for Vertex, and where credentials and
 * project come from.
 *
 * Credentials: the file that GOOGLE_APPLICATION_CREDENTIALS names (google_key.h lists the kinds), or
 * the one that `gcloud auth application-default login` writes. The machine's metadata server is asked
 * only where the environment says so (GCE_METADATA_HOST, or METADATA_SERVER_DETECTION=assume-present):
 * elsewhere the attempt costs 12 seconds for nothing.
 * Project: ANTHROPIC_VERTEX_PROJECT_ID, GCLOUD_PROJECT, GOOGLE_CLOUD_PROJECT; the credentials file;
 * CLOUDSDK_CORE_PROJECT and the active gcloud configuration.
 * Quota project: GOOGLE_CLOUD_QUOTA_PROJECT, or the credentials file. */
#ifndef AWL_MODEL_AUTH_GOOGLE_AUTH_H
#define AWL_MODEL_AUTH_GOOGLE_AUTH_H

#include "model/config.h"
#include "net/http.h"
#include "sys/op.h"

#define GOOGLE_ADVICE                                                                             \
	"set GOOGLE_APPLICATION_CREDENTIALS, or run: gcloud auth application-default login (awl " \
	"queries the metadata server only with METADATA_SERVER_DETECTION=assume-present)"

#define GOOGLE_PROJECT_ADVICE \
	"set ANTHROPIC_VERTEX_PROJECT_ID, or run: gcloud config set project <id>"

/* Completes a config whose variables have been read (config.c): credentials, auth origin, project
 * and the regions of single models. Reads files only for a project that no variable names. What is
 * not found stays NULL, and the request that needs it says so. Fails on a file that is malformed or
 * cannot be read, naming it. */
must_use bool google_config_read(struct model_config *config, model_env_fn *env, void *arg,
				 struct err *err);

/* Whether these credentials are the URL of a metadata server; NULL is not. */
bool google_is_metadata(const char *credentials);

struct google_auth;

/* Borrows all three. No fetch may be under way when it is freed. */
struct google_auth *google_auth_new(struct loop *loop, struct http *http,
				    const struct model_config *config);
void google_auth_free(struct google_auth *auth);

/* Done when google_auth_token() may be used: at once while the current token is good for five more
 * minutes, else after a few requests or a command. */
struct op *google_auth_start(struct google_auth *auth, struct then then);

/* The token, and the project that requests are billed to if the credentials name one. Both borrow
 * until the next fetch and are empty before the first. */
struct sv google_auth_token(const struct google_auth *auth);
struct sv google_auth_quota_project(const struct google_auth *auth);

/* The service has rejected the token: the next start fetches another one. */
void google_auth_forget(struct google_auth *auth);

#endif
