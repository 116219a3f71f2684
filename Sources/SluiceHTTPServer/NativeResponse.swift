internal import CSluiceMicrohttpd

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A response of libmicrohttpd.
@safe
struct NativeResponse: ~Copyable {
    private let pointer: OpaquePointer
    private let status: UInt32

    /// Makes it; nil where there is no such file, or no memory.
    init?(_ response: OutgoingResponse, of server: HTTPServer) {
        let made: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            unsafe made = bytes.withUnsafeBytes { unsafe sluice_http_response($0.count, $0.baseAddress) }
        case .file(let path): unsafe made = Self.file(path)
        case .events(let stream):
            let context = unsafe Unmanaged.passRetained(Reader(stream, server)).toOpaque()
            unsafe made = sluice_http_stream(
                { context, _, buffer, count in
                    guard let context = unsafe context else { return -1 }
                    let reader = unsafe Unmanaged<Reader>.fromOpaque(context).takeUnretainedValue()
                    return unsafe reader.stream.read(
                        into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
                }, context,
                { context in
                    guard let context = unsafe context else { return }
                    let reader = unsafe Unmanaged<Reader>.fromOpaque(context).takeRetainedValue()
                    reader.server.forget(reader.stream)
                })
        }
        guard let pointer = unsafe made else { return nil }
        unsafe self.pointer = pointer
        status = UInt32(clamping: response.status)
        // A value with a line break is not taken, and nothing else could be done about it.
        for field in response.headers { _ = unsafe sluice_http_add(pointer, field.name, field.value) }
    }

    deinit { unsafe MHD_destroy_response(pointer) }

    /// Sends it.
    func queue(on connection: ClientConnection) -> Bool {
        unsafe sluice_http_queue(connection.pointer, status, pointer) != 0
    }

    private static func file(_ path: String) -> OpaquePointer? {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if number < 0 { return nil }
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(number)
            return nil
        }
        return unsafe MHD_create_response_from_fd64(UInt64(clamping: Int64(status.st_size)), number)
    }

    private final class Reader {
        let stream: EventStream
        let server: HTTPServer

        init(_ stream: EventStream, _ server: HTTPServer) { (self.stream, self.server) = (stream, server) }
    }
}
