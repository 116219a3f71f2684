internal import CSluiceMicrohttpd

/// One connection of libmicrohttpd.
///
/// It is `@unchecked Sendable` because `MHD_suspend_connection` and `MHD_resume_connection` may be called from any thread
/// while the connection is there, and a connection that is suspended stays there.
@safe
struct ClientConnection: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    /// Leaves it alone until it is resumed.
    func suspend() { unsafe MHD_suspend_connection(pointer) }

    /// Goes on with it.
    func resume() { unsafe MHD_resume_connection(pointer) }

    /// What names it among the connections of its server.
    var id: Int { unsafe Int(bitPattern: sluice_http_context(pointer)) }

    /// The fields of a request's head.
    var headers: [HeaderField] {
        let list = HeaderList()
        unsafe sluice_http_headers(
            pointer,
            { context, _, name, nameCount, value, valueCount in
                guard let context = unsafe context, let name = unsafe name else { return sluice_http_result(0) }
                let list = unsafe Unmanaged<HeaderList>.fromOpaque(context).takeUnretainedValue()
                let key = unsafe UnsafeRawBufferPointer(start: name, count: nameCount)
                let text = unsafe UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount)
                unsafe list.fields.append(
                    HeaderField(String(decoding: key, as: UTF8.self), String(decoding: text, as: UTF8.self)))
                return sluice_http_result(1)
            }, Unmanaged.passUnretained(list).toOpaque())
        return list.fields
    }
}

private final class HeaderList {
    var fields: [HeaderField] = []
}
