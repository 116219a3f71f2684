// zlib for Swift: initialising a stream is a macro, which Swift cannot call.
#ifndef SLUICE_ZLIB_SHIM_H
#define SLUICE_ZLIB_SHIM_H

#include <zlib.h>

// A stream that reads the gzip format with the largest window. See: zlib.h, inflateInit2
static inline int sluice_gunzip_init(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

#endif
