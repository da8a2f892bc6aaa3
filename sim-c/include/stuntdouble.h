/* Stuntdouble in process: worlds without a server, a socket or a second process.
 *
 *     stuntdouble_world *world = stuntdouble_new("{\"seed\": 7}");
 *     stuntdouble_response *answer =
 *         stuntdouble_handle(world, "GET", "/v1/projects", "authorization: Bearer TOKEN", NULL, 0);
 *     puts((const char *) answer->body);
 *     stuntdouble_response_free(answer);
 *     stuntdouble_free(world);
 *
 * Link with -lstuntdouble_c. All texts are UTF-8 and end with a NUL.
 *
 * Errors. A function that returns a pointer returns NULL if an argument can't be used, or after a bug of the simulator;
 * stuntdouble_last_error() says why. A refusal by the simulated service is no error: it is a response with its status.
 *
 * Memory. Free each world with stuntdouble_free() and each response with stuntdouble_response_free(), once. All texts belong to
 * the world or response that has them.
 *
 * Threads. Any thread may use any world or response. Calls to one world wait for each other. Only while a world is freed must
 * no other thread use it.
 *
 * Time. Nothing waits and no clock runs: stuntdouble_advance() moves the time of a world.
 */
#ifndef STUNTDOUBLE_H
#define STUNTDOUBLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A world. */
typedef struct stuntdouble_world stuntdouble_world;

/* How a fault rule changes the delivery of an answer. There is no connection here: whoever imitates one acts on it. */
enum stuntdouble_mishap {
  /* The answer arrives. */
  STUNTDOUBLE_NONE = 0,
  /* The answer is late by mishap_ms milliseconds. */
  STUNTDOUBLE_DELAYED = 1,
  /* There is no answer: the connection is reset. */
  STUNTDOUBLE_RESET = 2,
  /* The connection breaks after the body, which is shorter than announced. */
  STUNTDOUBLE_TORN = 3,
  /* The body arrives in pieces, over mishap_ms milliseconds. */
  STUNTDOUBLE_SLOW = 4
};

/* An answer. */
typedef struct stuntdouble_response {
  /* Its HTTP status. */
  uint16_t status;
  /* One of stuntdouble_mishap. */
  uint32_t mishap;
  uint64_t mishap_ms;
  /* Lines of "name: value", each with "\n" at its end. Names are in lower case. */
  const char *headers;
  /* Its body, with a NUL after body_length bytes. */
  const uint8_t *body;
  size_t body_length;
} stuntdouble_response;

/* The version of the library. */
const char *stuntdouble_version(void);

/* Why the last call of this thread that returned NULL did so. Valid until the next one that does. */
const char *stuntdouble_last_error(void);

/* Makes a world. The settings are a JSON object with the fields of POST /_sim/worlds, such as seed, scenario, seed_file, policy,
 * service; NULL is {}. */
stuntdouble_world *stuntdouble_new(const char *settings);

/* Makes a second world, equal to this one. From then on they are independent, and either may be freed first. */
stuntdouble_world *stuntdouble_fork(const stuntdouble_world *world);

/* Frees a world. Does nothing with NULL. */
void stuntdouble_free(stuntdouble_world *world);

/* A JSON object: the world's name, url, token, analytics_token, seed and instant when it was made. */
const char *stuntdouble_info(const stuntdouble_world *world);

/* Answers a request.
 *
 * target: a path with its query, or a URL, whose scheme says whether the request is secure. Besides the simulated services it
 *   may be an operation of the control API, below /_sim. Below /w/NAME it goes to the fork of that name.
 * headers: lines of "name: value", or NULL.
 * body: body_length bytes; NULL if there are none. */
stuntdouble_response *stuntdouble_handle(const stuntdouble_world *world, const char *method, const char *target,
                                         const char *headers, const uint8_t *body, size_t body_length);

/* Control calls. Their answers are JSON, described by GET /_sim/openapi.json. */

/* Advances the clock; the answer lists what happened. */
stuntdouble_response *stuntdouble_advance(const stuntdouble_world *world, uint64_t milliseconds);

/* Keeps the state of the world under a name. */
stuntdouble_response *stuntdouble_snapshot(const stuntdouble_world *world, const char *name);

/* Restores the world, with its clock and journal, from a snapshot. */
stuntdouble_response *stuntdouble_restore(const stuntdouble_world *world, const char *name);

/* Lists at most limit calls from number from on, oldest first. */
stuntdouble_response *stuntdouble_journal(const stuntdouble_world *world, uint64_t from, uint64_t limit);

/* Explains the answer to a call: the checks, and the earlier calls that caused it. */
stuntdouble_response *stuntdouble_explain(const stuntdouble_world *world, uint64_t call);

/* Frees a response. Does nothing with NULL. */
void stuntdouble_response_free(stuntdouble_response *response);

#ifdef __cplusplus
}
#endif

#endif
