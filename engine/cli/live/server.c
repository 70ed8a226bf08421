// Requests (RFC 9112) end with an empty line; of their fields Host, Origin and Content-Length count. Answers close the
// connection, but for the stream of events (text/event-stream), which stays open.
//
//   GET  /TOKEN/        the page
//   GET  /TOKEN/states  events
//   POST /TOKEN/push    a message
//
// Sockets never block. Each connection has a buffer for its request and one for the event under way.
#include "engine/cli/live/server.h"

#include "engine/cli/shared/messages.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CONNECTIONS = 16, REQUEST = 8192, TOKEN = 16, PATIENCE = 30 }; // PATIENCE: s without a byte

typedef struct connection {
  int socket; // -1: free
  bool is_stream, is_answered;
  time_t heard; // when a byte last came or went, s
  size_t n;     // bytes of the request so far
  char request[REQUEST + 1];
  char head[512];           // of the answer
  size_t head_length, sent; // bytes of the answer that have gone
  const char *body;         // the page, or the event
  size_t body_length;
  char *event; // memory of the event
} connection;

struct srs_server {
  int listener, port;
  char token[2 * TOKEN + 1], address[80];
  const char *page;
  size_t page_length;
  srs_server_take take;
  void *context;
  connection connections[CONNECTIONS];
};

// ---------------------------------------------------------------------------------------------------------------------
// Opening and closing
// ---------------------------------------------------------------------------------------------------------------------

static time_t now(void)
{
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec;
}

static bool draw_token(char token[2 * TOKEN + 1])
{
  unsigned char bytes[TOKEN];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
  for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

static bool listen_at(srs_server *s, int port)
{
  const int on = 1;
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  socklen_t size = sizeof place;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  s->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (s->listener < 0) return false;
  (void)setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(s->listener, (const struct sockaddr *)&place, sizeof place) != 0 || listen(s->listener, CONNECTIONS) != 0 ||
      getsockname(s->listener, (struct sockaddr *)&place, &size) != 0)
    return false;
  s->port = ntohs(place.sin_port);
  return true;
}

srs_status srs_server_open(int port, const char *page, size_t length, srs_server_take take, void *context,
                           srs_server **server, srs_error *error)
{
  srs_server *s = calloc(1, sizeof *s);
  *server = NULL;
  if (s == NULL) return srs_report_fill(error, SRS_ERROR_MEMORY, "out of memory for the server");
  s->page = page, s->page_length = length, s->take = take, s->context = context;
  for (int i = 0; i < CONNECTIONS; i++) s->connections[i].socket = -1;
  if (!draw_token(s->token) || !listen_at(s, port)) {
    const int number = errno;
    if (s->listener > 0) close(s->listener);
    free(s);
    return srs_report_fill(error, SRS_ERROR_FILE, "--live %d: the port cannot be taken: %s; name another, 0 for any",
                           port, strerror(number));
  }
  snprintf(s->address, sizeof s->address, "http://127.0.0.1:%d/%s/", s->port, s->token);
  *server = s;
  return SRS_OK;
}

static void drop(connection *c)
{
  if (c->socket >= 0) close(c->socket);
  free(c->event);
  c->event = NULL;
  c->socket = -1;
}

void srs_server_close(srs_server *s)
{
  if (s == NULL) return;
  for (int i = 0; i < CONNECTIONS; i++) drop(&s->connections[i]);
  close(s->listener);
  free(s);
}

const char *srs_server_address(const srs_server *s) { return s->address; }

int srs_server_listeners(const srs_server *s)
{
  int n = 0;
  for (int i = 0; i < CONNECTIONS; i++) n += s->connections[i].socket >= 0 && s->connections[i].is_stream;
  return n;
}

// ---------------------------------------------------------------------------------------------------------------------
// Requests
// ---------------------------------------------------------------------------------------------------------------------

static void answer(connection *c, const char *status, const char *type, const char *body, size_t length)
{
  const int n = snprintf(c->head, sizeof c->head,
                         "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
                         "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
                         "Connection: close\r\n\r\n",
                         status, type, length);
  c->head_length = (size_t)n;
  c->body = body;
  c->body_length = length;
  c->sent = 0;
  c->is_answered = true;
}

static void refuse(connection *c, const char *status) { answer(c, status, "text/plain", "", 0); }

static void start_stream(connection *c)
{
  const int n = snprintf(c->head, sizeof c->head,
                         "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
                         "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n");
  c->head_length = (size_t)n;
  c->body_length = c->sent = 0;
  c->is_answered = c->is_stream = true;
}

// The value of a field among those of the head, "" where there is none; cut where it is long. Given twice: "?".
static void field(const char *head, const char *name, char value[128])
{
  const size_t length = strlen(name);
  int n = 0;
  value[0] = '\0';
  for (const char *at = strstr(head, "\r\n"); at != NULL && strncmp(at, "\r\n\r\n", 4) != 0;
       at = strstr(at + 2, "\r\n")) {
    if (strncasecmp(at + 2, name, length) != 0 || at[2 + length] != ':') continue;
    const char *from = at + 3 + length;
    from += strspn(from, " \t");
    snprintf(value, 128, "%.*s", (int)strcspn(from, "\r"), from);
    if (++n > 1) snprintf(value, 128, "?");
  }
}

// "127.0.0.1:PORT" or "localhost:PORT", behind `scheme`.
static bool is_here(const srs_server *s, const char *value, const char *scheme)
{
  static const char *const names[] = {"127.0.0.1", "localhost"};
  char here[128];
  for (int i = 0; i < 2; i++) {
    snprintf(here, sizeof here, "%s%s:%d", scheme, names[i], s->port);
    if (strcmp(value, here) == 0) return true;
  }
  return false;
}

// Takes as long whatever differs.
static bool has_token(const srs_server *s, const char *path)
{
  unsigned char difference = 0;
  if (strlen(path) < 2 * TOKEN + 2) return false;
  for (int i = 0; i < 2 * TOKEN; i++) difference |= (unsigned char)(path[1 + i] ^ s->token[i]);
  return difference == 0 && path[0] == '/' && path[1 + 2 * TOKEN] == '/';
}

static void push(const srs_server *s, connection *c, const char *body, size_t there, long length)
{
  char text[SRS_SERVER_MESSAGE + 1];
  if (length < 0 || length > SRS_SERVER_MESSAGE) {
    refuse(c, "413 Content Too Large");
    return;
  }
  if (there < (size_t)length) return; // the rest is under way
  memcpy(text, body, (size_t)length);
  text[length] = '\0';
  refuse(c, s->take(s->context, text) ? "204 No Content" : "400 Bad Request");
}

// A head that is whole.
static void serve_head(const srs_server *s, connection *c, const char *body)
{
  char method[8] = "", path[128] = "", version[16] = "", host[128], origin[128], length[128];
  if (sscanf(c->request, "%7s %127s %15[^\r]", method, path, version) != 3 || strncmp(version, "HTTP/1.", 7) != 0) {
    refuse(c, "400 Bad Request");
    return;
  }
  field(c->request, "Host", host);
  field(c->request, "Origin", origin);
  field(c->request, "Content-Length", length);
  const bool is_ours = is_here(s, host, "") && (origin[0] == '\0' || is_here(s, origin, "http://"));
  const char *rest = has_token(s, path) ? &path[2 + 2 * TOKEN] : NULL;
  const bool is_get = strcmp(method, "GET") == 0, is_post = strcmp(method, "POST") == 0;
  char *end = length;
  const long n = length[0] != '\0' ? strtol(length, &end, 10) : 0;
  if (!is_ours || rest == NULL)
    refuse(c, "404 Not Found");
  else if (*end != '\0')
    refuse(c, "400 Bad Request");
  else if (is_get && rest[0] == '\0')
    answer(c, "200 OK", "text/html; charset=utf-8", s->page, s->page_length);
  else if (is_get && strcmp(rest, "states") == 0)
    start_stream(c);
  else if (is_post && strcmp(rest, "push") == 0)
    push(s, c, body, c->n - (size_t)(body - c->request), n);
  else
    refuse(c, is_get || is_post ? "404 Not Found" : "405 Method Not Allowed");
}

static void read_request(const srs_server *s, connection *c)
{
  const ssize_t n = recv(c->socket, c->request + c->n, REQUEST - c->n, 0);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    drop(c);
    return;
  }
  c->n += (size_t)n;
  c->heard = now();
  c->request[c->n] = '\0';
  if (memchr(c->request, '\0', c->n) != NULL) {
    refuse(c, "400 Bad Request");
    return;
  }
  const char *end = strstr(c->request, "\r\n\r\n");
  if (end != NULL)
    serve_head(s, c, end + 4);
  else if (c->n == REQUEST)
    refuse(c, "431 Request Header Fields Too Large");
}

// A page that listens says nothing further; what it sends is thrown away.
static void hear_end(connection *c)
{
  char rest[256];
  const ssize_t n = recv(c->socket, rest, sizeof rest, 0);
  if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) drop(c);
}

static void send_rest(connection *c)
{
  while (c->sent < c->head_length + c->body_length) {
    const bool is_head = c->sent < c->head_length;
    const char *from = is_head ? c->head + c->sent : c->body + (c->sent - c->head_length);
    const size_t left = is_head ? c->head_length - c->sent : c->head_length + c->body_length - c->sent;
    const ssize_t n = send(c->socket, from, left, MSG_NOSIGNAL);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
      drop(c);
      return;
    }
    c->sent += (size_t)n;
    c->heard = now();
  }
  if (c->is_stream) return;
  (void)shutdown(c->socket, SHUT_WR);
  drop(c);
}

static void welcome(srs_server *s)
{
  for (;;) {
    const int socket = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    connection *c = NULL;
    for (int i = 0; i < CONNECTIONS && c == NULL; i++)
      if (s->connections[i].socket < 0) c = &s->connections[i];
    if (c == NULL) {
      close(socket);
      continue;
    }
    memset(c, 0, sizeof *c);
    c->socket = socket;
    c->heard = now();
  }
}

void srs_server_serve(srs_server *s, int wait)
{
  struct pollfd polls[CONNECTIONS + 1] = {{.fd = s->listener, .events = POLLIN}};
  for (int i = 0; i < CONNECTIONS; i++) {
    const connection *c = &s->connections[i];
    const bool has_rest = c->is_answered && c->sent < c->head_length + c->body_length;
    polls[1 + i].fd = c->socket;
    polls[1 + i].events = has_rest ? POLLOUT : POLLIN;
  }
  (void)poll(polls, CONNECTIONS + 1, wait);
  for (int i = 0; i < CONNECTIONS; i++) {
    connection *c = &s->connections[i];
    if (c->socket < 0) continue;
    if (!c->is_stream && now() - c->heard > PATIENCE)
      drop(c);
    else if (!c->is_answered && polls[1 + i].revents != 0)
      read_request(s, c);
    else if (c->is_stream && (polls[1 + i].revents & (POLLIN | POLLHUP | POLLERR)) != 0)
      hear_end(c);
    if (c->socket >= 0 && c->is_answered) send_rest(c);
  }
  welcome(s);
}

void srs_server_send(srs_server *s, const char *text, size_t length)
{
  for (int i = 0; i < CONNECTIONS; i++) {
    connection *c = &s->connections[i];
    if (c->socket < 0 || !c->is_stream || c->sent < c->head_length + c->body_length) continue;
    char *event = malloc(length + 16);
    if (event == NULL) return;
    c->body_length = (size_t)snprintf(event, length + 16, "data: %.*s\n\n", (int)length, text);
    free(c->event);
    c->event = event;
    c->body = event;
    c->head_length = c->sent = 0;
    send_rest(c);
  }
}
