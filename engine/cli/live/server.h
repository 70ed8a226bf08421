// A small HTTP server for one page on this machine: the page, a stream of events, and short messages back. Internal.
//
// It listens on 127.0.0.1 alone. Every path begins with a token drawn at random, and requests must name this machine as
// their host, and as their origin where they have one, so that pages of others cannot reach it, by whatever name. It
// opens no file. What it does not expect it refuses, and closes.
#pragma once
#include <sarrus/base.h>

typedef struct srs_server srs_server;

enum { SRS_SERVER_MESSAGE = 512 }; // bytes of a message at most

/// Takes a message.  @param text  terminated   @return false: it is none (the page is told 400)
typedef bool (*srs_server_take)(void *context, const char *text);

/// @param port  0: any that is free   @param page  what GET /TOKEN/ answers; outlives the server
/// @return SRS_OK, SRS_ERROR_FILE (the port is taken, or not for us), _MEMORY
srs_status srs_server_open(int port, const char *page, size_t length, srs_server_take take, void *context,
                           srs_server **server, srs_error *error);
void srs_server_close(srs_server *server);

/// "http://127.0.0.1:PORT/TOKEN/"
const char *srs_server_address(const srs_server *server);

/// Serves what has come, and waits so long at most where nothing has.  @param wait  ms
void srs_server_serve(srs_server *server, int wait);

/// Pages that listen to events.
int srs_server_listeners(const srs_server *server);

/// Sends an event to all that have taken the last one; the others miss it.
void srs_server_send(srs_server *server, const char *text, size_t length);
