// libmicrohttpd for Swift: Swift cannot call variadic C functions, and sees neither unions by name nor these enumerations.
#ifndef SLUICE_MICROHTTPD_SHIM_H
#define SLUICE_MICROHTTPD_SHIM_H

#include <microhttpd.h>

typedef void *(*sluice_http_begin)(void *context, const char *target, struct MHD_Connection *connection);

static inline struct MHD_Daemon *sluice_http_start(
    int listening, void *context, unsigned int connections, unsigned int idle_seconds, size_t memory,
    sluice_http_begin begin, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback end,
    MHD_NotifyConnectionCallback notify) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC, 0, NULL, NULL, handle, context,
        MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds, MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, begin, context,
        MHD_OPTION_NOTIFY_COMPLETED, end, context, MHD_OPTION_NOTIFY_CONNECTION, notify, context, MHD_OPTION_END);
}

static inline enum MHD_Result sluice_http_result(int is_well) { return is_well ? MHD_YES : MHD_NO; }

static inline int sluice_http_is_start(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

static inline int sluice_http_descriptor(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline void *sluice_http_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

static inline void sluice_http_headers(
    struct MHD_Connection *connection, MHD_KeyValueIteratorN body, void *context) {
    (void)MHD_get_connection_values_n(connection, MHD_HEADER_KIND, body, context);
}

static inline struct MHD_Response *sluice_http_response(size_t size, const void *bytes) {
    return MHD_create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline struct MHD_Response *sluice_http_stream(
    MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback end) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, read, context, end);
}

static inline int sluice_http_add(struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

static inline int sluice_http_queue(struct MHD_Connection *connection, unsigned int status, struct MHD_Response *response) {
    return MHD_queue_response(connection, status, response) == MHD_YES;
}

#endif
