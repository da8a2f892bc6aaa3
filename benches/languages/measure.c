/* A call and a fork from C. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stuntdouble.h"

enum { BATCHES = 21, CALLS = 200 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void call(stuntdouble_world *world, const char *headers) {
  stuntdouble_response *answer = stuntdouble_handle(world, "GET", "/v1/organizations", headers, NULL, 0);
  if (answer->status != 200) exit(1);
  stuntdouble_response_free(answer);
}

static void fork_once(stuntdouble_world *world, const char *headers) {
  (void) headers;
  stuntdouble_free(stuntdouble_fork(world));
}

static void measure(const char *name, void (*work)(stuntdouble_world *, const char *), stuntdouble_world *world,
                    const char *headers) {
  double best = 0;
  for (int batch = 0; batch < BATCHES; batch += 1) {
    double began = now();
    for (int index = 0; index < CALLS; index += 1) work(world, headers);
    double time = (now() - began) / CALLS;
    if (batch == 0 || time < best) best = time;
  }
  printf("c       %-28s %8.1f us\n", name, best);
}

int main(void) {
  stuntdouble_world *world =
      stuntdouble_new("{\"seed\": 7, \"policy\": {\"rate_limit\": {\"enabled\": false}}}");
  const char *token = world ? strstr(stuntdouble_info(world), "\"token\":\"") : NULL;
  char headers[128];
  if (token == NULL) {
    fprintf(stderr, "%s\n", stuntdouble_last_error());
    return 1;
  }
  token += strlen("\"token\":\"");
  snprintf(headers, sizeof headers, "authorization: Bearer %.*s", (int) strcspn(token, "\""), token);
  measure("fork", fork_once, world, headers);
  measure("call", call, world, headers);
  stuntdouble_free(world);
  return 0;
}
