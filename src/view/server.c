// SPDX-License-Identifier: BSD-3-Clause
// SPDX-FileCopyrightText: 2026 Kairos contributors
#include "view/server.h"

#include "view/template.h"

#include <kairos/info.h>

#ifdef KAIROS_HAVE_LIBWEBSOCKETS

#include <errno.h>
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

_Static_assert(LWS_PRE <= KAI_SERVER_ROOM, "room before a message");

enum { TOKEN_BYTES = 16, PIECE = 64 * 1024, SECONDS_IDLE = 20, PATH_MOST = 256 };

// One connection: a request that is being answered, or a viewer.
typedef struct session {
    kai_server_body body;
    uint64_t sent;
    int viewer; // 1 + slot, 0: none
    char said[KAI_SERVER_MESSAGE];
    size_t said_size;
} session;

struct kai_server {
    struct lws_context* context;
    struct lws_protocols protocols[2];
    kai_server_source source;
    char token[2 * TOKEN_BYTES + 1];
    char url[256];
    char host[128]; // that was asked for; "" for 127.0.0.1
    int port;
    int connections;
    struct lws* viewers[KAI_SERVER_VIEWERS];
    unsigned char* piece; // [LWS_PRE + PIECE]
};

static kai_server* server_of(struct lws* wsi) { return lws_context_user(lws_get_context(wsi)); }

// Who may ask ------------------------------------------------------------------------------------

// Takes as long for a wrong token as for the right one.
static bool same_token(const kai_server* s, const char* token)
{
    if (strlen(token) != sizeof s->token - 1) return false;
    unsigned differ = 0;
    for (size_t i = 0; i < sizeof s->token - 1; i++) differ |= (unsigned)(token[i] ^ s->token[i]);
    return differ == 0;
}

static bool server_header(struct lws* wsi, enum lws_token_indexes which, char* out, size_t size)
{
    out[0] = '\0';
    const int length = lws_hdr_total_length(wsi, which);
    if (length == 0) return true; // not there
    return length > 0 && (size_t)length < size &&
           lws_hdr_copy(wsi, out, (int)size, which) == length;
}

// The name that a browser was told to open must be ours.
static bool is_our_host(const kai_server* s, const char* host)
{
    static const char* const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char own[256];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(own, sizeof own, "%s:%d", names[i], s->port);
        if (strcmp(own, host) == 0) return true;
    }
    if (s->host[0] == '\0') return false;
    // All addresses of the machine: any name may lead here, the token must do.
    if (strcmp(s->host, "0.0.0.0") == 0 || strcmp(s->host, "::") == 0) return true;
    snprintf(own, sizeof own, "%s:%d", s->host, s->port);
    return strcmp(own, host) == 0;
}

// 0 when a request may be answered, else the status to refuse it with.
static unsigned server_refusal(kai_server* s, struct lws* wsi)
{
    char host[200], origin[220], expected[220], argument[80];
    if (!server_header(wsi, WSI_TOKEN_HOST, host, sizeof host) || !is_our_host(s, host)) return 403;
    if (!server_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin)) return 403;
    snprintf(expected, sizeof expected, "http://%s", host);
    if (origin[0] != '\0' && strcmp(origin, expected) != 0) return 403;
    const char* token = lws_get_urlarg_by_name(wsi, "token=", argument, sizeof argument);
    return token != NULL && same_token(s, token) ? 0 : 403;
}

// Requests ---------------------------------------------------------------------------------------

static int server_refuse(struct lws* wsi, unsigned status)
{
    lws_return_http_status(wsi, status, NULL);
    return -1;
}

// What the page may load: itself, and from here only. The host has been seen to be ours; a name of
// other letters than names have is left out.
static void write_policy(struct lws* wsi, char* out, size_t size)
{
    char host[200];
    const bool told = server_header(wsi, WSI_TOKEN_HOST, host, sizeof host) && host[0] != '\0';
    const bool plain = told && strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789.:[]-_") == strlen(host);
    snprintf(out, size, "%s'self'%s%s", KAI_TEMPLATE_POLICY, plain ? " ws://" : "",
             plain ? host : "");
}

static int server_answer(kai_server* s, struct lws* wsi, session* one, const char* path)
{
    while (*path == '/') path++;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0) return server_refuse(wsi, 405);
    const unsigned status = server_refusal(s, wsi);
    if (status != 0) return server_refuse(wsi, status);
    one->body = (kai_server_body){.descriptor = -1};
    one->sent = 0;
    if (strlen(path) > PATH_MOST || !s->source.find(s->source.context, path, &one->body))
        return server_refuse(wsi, 404);
    unsigned char headers[LWS_PRE + 2048], *p = headers + LWS_PRE, *end = headers + sizeof headers;
    char policy[600];
    write_policy(wsi, policy, sizeof policy);
    static const char keep[] = "no-store", sniff[] = "nosniff", refer[] = "no-referrer";
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, one->body.type, one->body.size, &p, end) ||
        lws_add_http_header_by_token(wsi, WSI_TOKEN_HTTP_CACHE_CONTROL, (const void*)keep,
                                     (int)sizeof keep - 1, &p, end) ||
        lws_add_http_header_by_name(wsi, (const void*)"x-content-type-options:", (const void*)sniff,
                                    (int)sizeof sniff - 1, &p, end) ||
        lws_add_http_header_by_name(wsi, (const void*)"referrer-policy:", (const void*)refer,
                                    (int)sizeof refer - 1, &p, end) ||
        lws_add_http_header_by_name(wsi, (const void*)"content-security-policy:",
                                    (const void*)policy, (int)strlen(policy), &p, end) ||
        lws_finalize_write_http_header(wsi, headers + LWS_PRE, &p, end))
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

static void drop_body(session* one)
{
    if (one == NULL) return;
    free(one->body.owned);
    one->body = (kai_server_body){.descriptor = -1};
}

static int send_piece(kai_server* s, struct lws* wsi, session* one)
{
    const uint64_t left = one->body.size - one->sent;
    const size_t n = left < PIECE ? (size_t)left : PIECE;
    unsigned char* to = s->piece + LWS_PRE;
    if (one->body.data != NULL)
        memcpy(to, (const char*)one->body.data + one->sent, n);
    else if (n > 0 && pread(one->body.descriptor, to, n, (off_t)(one->body.offset + one->sent)) !=
                          (ssize_t)n)
        return -1;
    const bool last = n == left;
    if (lws_write(wsi, to, n, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) != (int)n) return -1;
    one->sent += n;
    if (!last) {
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SECONDS_IDLE);
        lws_callback_on_writable(wsi);
        return 0;
    }
    drop_body(one);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

// Viewers ----------------------------------------------------------------------------------------

// Before a connection becomes a web socket: 1 after an answer of our own, else 0.
static int check_upgrade(kai_server* s, struct lws* wsi)
{
    char path[64];
    unsigned status = server_refusal(s, wsi);
    if (status == 0 && (!server_header(wsi, WSI_TOKEN_GET_URI, path, sizeof path) ||
                        strcmp(path, "/live") != 0 || s->source.next == NULL))
        status = 404;
    int free_slot = -1;
    for (int i = 0; i < KAI_SERVER_VIEWERS; i++)
        if (s->viewers[i] == NULL) free_slot = i;
    if (status == 0 && free_slot < 0) status = 503;
    if (status == 0) return 0;
    lws_return_http_status(wsi, status, NULL);
    return 1;
}

static int server_join(kai_server* s, struct lws* wsi, session* one)
{
    *one = (session){.body = {.descriptor = -1}};
    for (int i = 0; i < KAI_SERVER_VIEWERS; i++) {
        if (s->viewers[i] != NULL) continue;
        s->viewers[i] = wsi;
        one->viewer = i + 1;
        s->source.joined(s->source.context, i);
        lws_callback_on_writable(wsi);
        return 0;
    }
    return -1;
}

static void server_leave(kai_server* s, session* one)
{
    if (one == NULL || one->viewer == 0) return;
    s->viewers[one->viewer - 1] = NULL;
    s->source.left(s->source.context, one->viewer - 1);
    one->viewer = 0;
}

static int server_hear(kai_server* s, struct lws* wsi, session* one, const void* in, size_t size)
{
    if (one->viewer == 0) return -1;
    if (size > sizeof one->said - one->said_size || lws_frame_is_binary(wsi)) {
        server_leave(s, one); // at once: it may take its time to close
        lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
        return -1;
    }
    memcpy(one->said + one->said_size, in, size);
    one->said_size += size;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0) return 0;
    s->source.said(s->source.context, one->viewer - 1, one->said, one->said_size);
    one->said_size = 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int server_tell(kai_server* s, struct lws* wsi, const session* one)
{
    kai_server_message message;
    if (one->viewer == 0 || !s->source.next(s->source.context, one->viewer - 1, &message)) return 0;
    const int sent = lws_write(wsi, message.buffer + KAI_SERVER_ROOM, message.size,
                               message.binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
    if (sent < (int)message.size) return -1;
    lws_callback_on_writable(wsi); // there may be more
    return 0;
}

// Events -----------------------------------------------------------------------------------------

static int on_event(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in,
                    size_t length)
{
    kai_server* s = server_of(wsi);
    session* one = user;
    switch (reason) {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION: return s->connections >= KAI_SERVER_CONNECTIONS;
    case LWS_CALLBACK_WSI_CREATE: s->connections++; return 0;
    case LWS_CALLBACK_WSI_DESTROY: s->connections--; return 0;
    case LWS_CALLBACK_HTTP: return server_answer(s, wsi, one, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return send_piece(s, wsi, one);
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP: drop_body(one); return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return check_upgrade(s, wsi);
    case LWS_CALLBACK_ESTABLISHED: return server_join(s, wsi, one);
    case LWS_CALLBACK_RECEIVE: return server_hear(s, wsi, one, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE: return server_tell(s, wsi, one);
    case LWS_CALLBACK_CLOSED: server_leave(s, one); return 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        for (int i = 0; i < KAI_SERVER_VIEWERS; i++)
            if (s->viewers[i] != NULL) lws_callback_on_writable(s->viewers[i]);
        return 0;
    default: return 0;
    }
}

// Calls ------------------------------------------------------------------------------------------

static kai_result make_token(kai_server* s, kai_error* err)
{
    unsigned char bytes[TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return kai_error_set(err, KAI_ERROR_FILE, "no random numbers from the system: %s",
                             strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(s->token + 2 * i, 3, "%02x", bytes[i]);
    return KAI_OK;
}

static kai_result open_port(kai_server* s, const char* host, int port, kai_error* err)
{
    s->protocols[0] = (struct lws_protocols){.name = "kairos",
                                             .callback = on_event,
                                             .per_session_data_size = sizeof(session),
                                             .rx_buffer_size = KAI_SERVER_MESSAGE};
    const struct lws_context_creation_info info = {
        .port = port,
        .iface = host != NULL ? host : "127.0.0.1",
        .protocols = s->protocols,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .user = s,
        .options = LWS_SERVER_OPTION_DISABLE_IPV6 | LWS_SERVER_OPTION_VALIDATE_UTF8 |
                   LWS_SERVER_OPTION_SKIP_SERVER_CANONICAL_NAME |
                   LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
        .server_string = "kairos",
        .timeout_secs = SECONDS_IDLE,
        .keepalive_timeout = SECONDS_IDLE,
        .max_http_header_pool = KAI_SERVER_CONNECTIONS,
        .fd_limit_per_thread = KAI_SERVER_CONNECTIONS + 16};
    lws_set_log_level(0, NULL);
    s->context = lws_create_context(&info);
    if (s->context == NULL)
        return kai_error_set(err, KAI_ERROR_FILE, "cannot listen at %s port %d", info.iface, port);
    s->port = lws_get_vhost_port(lws_get_vhost_by_name(s->context, "default"));
    if (port == 0)
        s->port = lws_get_vhost_listen_port(lws_get_vhost_by_name(s->context, "default"));
    snprintf(s->url, sizeof s->url, "http://%s:%d/?token=%s", info.iface, s->port, s->token);
    return KAI_OK;
}

kai_result kai_server_create(kai_server** out, const char* host, int port,
                             const kai_server_source* source, kai_error* err)
{
    *out = NULL;
    if (port < 0 || port > 65535)
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "port is %d; must be from 0 to 65535", port);
    if (host != NULL && (host[0] == '\0' || strlen(host) > 100))
        return kai_error_set(err, KAI_ERROR_ARGUMENT, "host is '%.99s'; must be an address", host);
    kai_server* s = calloc(1, sizeof *s);
    if (s != NULL) s->piece = malloc(LWS_PRE + PIECE);
    if (s == NULL || s->piece == NULL) {
        free(s);
        return kai_error_set(err, KAI_ERROR_MEMORY, "no memory for a server");
    }
    s->source = *source;
    if (host != NULL) snprintf(s->host, sizeof s->host, "%s", host);
    kai_result r = make_token(s, err);
    if (r == KAI_OK) r = open_port(s, host, port, err);
    if (r == KAI_OK)
        *out = s;
    else
        kai_server_destroy(s);
    return r;
}

const char* kai_server_url(const kai_server* s) { return s->url; }

void kai_server_run(kai_server* s, const volatile int* stop)
{
    while (__atomic_load_n(stop, __ATOMIC_RELAXED) == 0 && lws_service(s->context, 0) >= 0) {}
}

void kai_server_wake(kai_server* s) { lws_cancel_service(s->context); }

void kai_server_destroy(kai_server* s)
{
    if (s == NULL) return;
    if (s->context != NULL) lws_context_destroy(s->context);
    free(s->piece);
    free(s);
}

#else

kai_result kai_server_create(kai_server** out, const char* host, int port,
                             const kai_server_source* source, kai_error* err)
{
    (void)host, (void)port, (void)source;
    *out = NULL;
    return kai_error_set(err, KAI_ERROR_UNSUPPORTED,
                         "built without libwebsockets (Debian package libwebsockets-dev); "
                         "index.html opens without a server");
}

const char* kai_server_url(const kai_server* server)
{
    (void)server;
    return "";
}

void kai_server_run(kai_server* server, const volatile int* stop) { (void)server, (void)stop; }

void kai_server_wake(kai_server* server) { (void)server; }

void kai_server_destroy(kai_server* server) { (void)server; }

#endif
