/* Uses each function of the interface as a program in C does. Ends with 1 at the first thing that is not as it should be. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stuntdouble.h"

static void check(int holds, const char *what, const char *found) {
  if (!holds) {
    fprintf(stderr, "not so: %s; found: %s\n", what, found);
    exit(1);
  }
}

/* Whether the answer has this status and its body this text. Frees it. */
static void expect(stuntdouble_response *answer, int status, const char *part) {
  char found[16];
  check(answer != NULL, part, stuntdouble_last_error());
  snprintf(found, sizeof found, "%d", answer->status);
  check(answer->status == status, part, found);
  check(answer->body[answer->body_length] == '\0', "a NUL after the body", "another byte");
  check(strstr((const char *) answer->body, part) != NULL, part, (const char *) answer->body);
  stuntdouble_response_free(answer);
}

/* The header with the world's token, to be freed. */
static char *bearer(const stuntdouble_world *world) {
  const char *start = strstr(stuntdouble_info(world), "\"token\":\"");
  size_t length;
  char *header;
  check(start != NULL, "a token", stuntdouble_info(world));
  start += strlen("\"token\":\"");
  length = strcspn(start, "\"");
  header = malloc(length + 64);
  sprintf(header, "authorization: Bearer %.*s\ncontent-type: application/json\n", (int) length, start);
  return header;
}

static stuntdouble_response *send(const stuntdouble_world *world, const char *headers, const char *method,
                                  const char *target, const char *body) {
  return stuntdouble_handle(world, method, target, headers, (const uint8_t *) body, body ? strlen(body) : 0);
}

static void a_project_comes_up(void) {
  const char *demo = "{\"name\":\"demo\",\"organization_id\":\"acme\",\"region\":\"us-east-1\",\"db_pass\":\"a-password\"}";
  stuntdouble_world *world = stuntdouble_new("{\"seed\": 7}");
  stuntdouble_world *fork;
  char *headers = bearer(world);

  expect(stuntdouble_snapshot(world, "before"), 201, "\"before\"");
  expect(send(world, headers, "POST", "/v1/projects", demo), 201, "\"demo\"");
  expect(send(world, headers, "POST", "/v1/projects", demo), 400, "exists");
  expect(stuntdouble_explain(world, 2), 200, "\"because_of\"");
  fork = stuntdouble_fork(world);
  expect(stuntdouble_advance(world, 60000), 200, "ACTIVE_HEALTHY");
  expect(send(world, headers, "GET", "/v1/projects", NULL), 200, "ACTIVE_HEALTHY");
  expect(send(fork, headers, "GET", "/v1/projects", NULL), 200, "COMING_UP");
  expect(stuntdouble_journal(world, 1, 1), 200, "v1-create-a-project");
  expect(stuntdouble_restore(world, "before"), 200, "\"calls\":0");
  expect(stuntdouble_restore(world, "no such"), 404, "no snapshot \\\"no such\\\"");
  expect(send(world, headers, "GET", "/v1/projects", NULL), 200, "[]");
  /* A fork stays when its origin is freed. */
  stuntdouble_free(world);
  expect(send(fork, headers, "GET", "/v1/projects", NULL), 200, "COMING_UP");
  stuntdouble_free(fork);
  free(headers);
}

static void a_lost_answer_is_told(void) {
  stuntdouble_world *world = stuntdouble_new(NULL);
  stuntdouble_response *answer;
  char *headers = bearer(world);
  expect(send(world, headers, "POST", "/_sim/faults", "{\"on\": {\"path\": \"*\"}, \"effect\": {\"kind\": \"reset\"}}"), 201, "reset");
  answer = send(world, headers, "GET", "/v1/projects", NULL);
  check(answer->mishap == STUNTDOUBLE_RESET, "a reset connection", answer->headers);
  check(strstr(answer->headers, "x-sim-reason: no_answer\n") != NULL, "the reason", answer->headers);
  stuntdouble_response_free(answer);
  stuntdouble_free(world);
  free(headers);
}

static void bad_arguments_are_refused(void) {
  stuntdouble_world *world = stuntdouble_new("{}");
  check(stuntdouble_new("{\"sed\": 7}") == NULL, "a refusal", "a world");
  check(strstr(stuntdouble_last_error(), "`sed`") != NULL, "the field's name", stuntdouble_last_error());
  check(stuntdouble_new("\xff") == NULL, "a refusal", "a world");
  check(strstr(stuntdouble_last_error(), "settings: is not UTF-8") != NULL, "the argument", stuntdouble_last_error());
  check(stuntdouble_fork(NULL) == NULL, "a refusal", "a world");
  check(strcmp(stuntdouble_last_error(), "world: is NULL") == 0, "the argument", stuntdouble_last_error());
  check(stuntdouble_info(NULL) == NULL, "a refusal", "a text");
  check(stuntdouble_handle(world, "GET", NULL, NULL, NULL, 0) == NULL, "a refusal", "an answer");
  check(stuntdouble_handle(world, "GET", "/", NULL, NULL, 3) == NULL, "a refusal", "an answer");
  check(strcmp(stuntdouble_last_error(), "body: is NULL, but has 3 bytes") == 0, "the argument", stuntdouble_last_error());
  check(stuntdouble_snapshot(world, NULL) == NULL, "a refusal", "an answer");
  stuntdouble_free(NULL);
  stuntdouble_response_free(NULL);
  stuntdouble_free(world);
}

int main(void) {
  a_project_comes_up();
  a_lost_answer_is_told();
  bad_arguments_are_refused();
  printf("the C interface of %s is as its header says\n", stuntdouble_version());
  return 0;
}
