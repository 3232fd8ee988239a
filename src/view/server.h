// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
//
// A small web server for one run: pages and chunks over HTTP, live viewers over web sockets.
//
// What keeps others out: it listens on 127.0.0.1 unless told otherwise; every request needs the
// token of the printed address; the Host header must be the address itself (no rebinding of names)
// and the Origin, where a browser sends one, must be the same; only what the source hands out
// exists, no path of a request ever reaches the file system; connections, viewers and the size of
// messages are limited, and a connection that is silent is closed.
#ifndef VIEW_SERVER_H
#define VIEW_SERVER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Limits.
enum {
    KAI_SERVER_CONNECTIONS = 64, ///< at once
    KAI_SERVER_VIEWERS = 8,      ///< of a live run at once
    KAI_SERVER_MESSAGE = 4096    ///< bytes of a message from a viewer
};

/// What is sent in answer to a request: bytes in memory, or a part of a file.
typedef struct kai_server_body {
    const char* type; // as in Content-Type
    const void* data;
    size_t size;
    void* owned;     // free()d after it was sent; may be NULL
    int descriptor;  // read from here when data is NULL; closed by nobody
    uint64_t offset; // in the file
} kai_server_body;

/// A message to a viewer. The first KAI_SERVER_ROOM bytes of `buffer` belong to the server.
typedef struct kai_server_message {
    unsigned char* buffer; // [KAI_SERVER_ROOM + size]
    size_t size;
    bool binary;
} kai_server_message;

#define KAI_SERVER_ROOM 64

/// What a server shows. All calls come from the thread that runs the server.
typedef struct kai_server_source {
    void* context;
    /// The body of a resource such as "", "manifest.json", "chunk/3"; false: there is none.
    bool (*find)(void* context, const char* name, kai_server_body* out);
    /// The rest only for live runs, else NULL. A viewer comes (slot in 0…KAI_SERVER_VIEWERS-1),
    /// says something, goes.
    void (*joined)(void* context, int viewer);
    void (*said)(void* context, int viewer, const char* text, size_t size);
    void (*left)(void* context, int viewer);
    /// The next message for a viewer; false: none now.
    bool (*next)(void* context, int viewer, kai_server_message* out);
} kai_server_source;

typedef struct kai_server kai_server;

/// Opens a port (0: any free one) of an address (NULL: 127.0.0.1). KAI_ERROR_UNSUPPORTED where the
/// library was built without web sockets.
kai_result kai_server_create(kai_server** out, const char* host, int port,
                             const kai_server_source* source, kai_error* err);

/// The address to open, token included.
const char* kai_server_url(const kai_server* server);

/// Serves until `*stop` is not zero. kai_server_wake makes it look.
void kai_server_run(kai_server* server, const volatile int* stop);

/// From any thread: viewers have something to get, or stop was set.
void kai_server_wake(kai_server* server);

/// Closes. NULL is allowed.
void kai_server_destroy(kai_server* server);

#endif
