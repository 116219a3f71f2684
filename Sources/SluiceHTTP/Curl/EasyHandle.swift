internal import CSluiceCurl

/// One libcurl easy handle, set up for one transfer and used on the transfer thread only.
@safe
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// Kept until the transfer is over, as libcurl does not copy the list.
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let errorText: UnsafeMutablePointer<CChar>
    /// The callbacks see it without owning it; the handle keeps it alive.
    private let transfer: Transfer

    /// An option that libcurl does not take.
    struct Refused: Error {
        let code: CURLcode
    }

    /// Makes a handle; nil where libcurl has none to give.
    init?(_ transfer: Transfer) {
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = pointer
        self.transfer = transfer
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe curl_slist_free_all(headerList)
        unsafe errorText.deallocate()
    }

    /// Sets everything up for the transfer.
    func configure(_ configuration: HTTPConfiguration) throws(Refused) {
        let request = transfer.request
        try unsafe set(CURLOPT_ERRORBUFFER, pointer: UnsafeMutableRawPointer(errorText))
        try set(CURLOPT_URL, request.url.text)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_FOLLOWLOCATION, 0)
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        // The body is unpacked by whoever reads it, see PackedBody.
        if request.acceptsCompression { try set(CURLOPT_ACCEPT_ENCODING, "gzip") }
        try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_TCP_KEEPALIVE, 1)
        // Where the server takes several requests on one connection, they wait for it rather than open more.
        try set(CURLOPT_PIPEWAIT, 1)
        try set(CURLOPT_BUFFERSIZE, configuration.bufferBytes)
        // Signals are no means to time out in a program with threads.
        try set(CURLOPT_NOSIGNAL, 1)
        // A slow name server must not hold up the other transfers when this one is given up.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, configuration.timeout.connect.roundedUpMilliseconds))
        try set(CURLOPT_USERAGENT, configuration.userAgent)
        try configureTrust(configuration)
        try configureMethod(request)
        try configureHeaders(request.headers, hasBody: request.body != nil)
        try configureCallbacks()
    }

    /// A number that grows while bytes go either way, or nil while the connection is being made.
    var progress: Int64? {
        if offset(CURLINFO_PRETRANSFER_TIME_T) == 0 { return nil }
        let sizes = offset(CURLINFO_SIZE_DOWNLOAD_T) + offset(CURLINFO_SIZE_UPLOAD_T)
        return sizes + Int64(long(CURLINFO_HEADER_SIZE)) + Int64(long(CURLINFO_REQUEST_SIZE))
    }

    /// What to say about a failure.
    func failure(_ code: CURLcode) -> CurlFailure {
        let detail = unsafe String(cString: errorText)
        let text = unsafe detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        return CurlFailure(code: code.rawValue, text: text, systemError: long(CURLINFO_OS_ERRNO))
    }

    /// Lets the server go on.
    func resume() {
        // A failure shows when the transfer is driven on.
        _ = unsafe curl_easy_pause(pointer, CURLPAUSE_CONT)
    }

    private func configureTrust(_ configuration: HTTPConfiguration) throws(Refused) {
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = configuration.tls.authorityFile { try set(CURLOPT_CAINFO, file) }
        if let file = configuration.tls.clientCertificateFile { try set(CURLOPT_SSLCERT, file) }
        if let file = configuration.tls.clientKeyFile { try set(CURLOPT_SSLKEY, file) }
        switch configuration.proxy {
        case .environment: break
        case .none: try set(CURLOPT_PROXY, "")
        case .url(let url): try set(CURLOPT_PROXY, url)
        }
    }

    private func configureMethod(_ request: TransferRequest) throws(Refused) {
        if let body = request.body ?? (request.method == "POST" ? [] : nil) {
            try set(CURLOPT_POST, 1)
            try check(
                unsafe sluice_easy_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
            // An empty array has no address, but libcurl would take none for a body that is read from a callback.
            let bytes = body.isEmpty ? [0] : body
            try check(
                unsafe bytes.withUnsafeBytes {
                    unsafe sluice_easy_set_bytes(pointer, CURLOPT_COPYPOSTFIELDS, $0.baseAddress)
                })
        }
        switch request.method {
        case "GET" where request.body == nil: try set(CURLOPT_HTTPGET, 1)
        case "HEAD": try set(CURLOPT_NOBODY, 1)
        default: try set(CURLOPT_CUSTOMREQUEST, request.method)
        }
    }

    private func configureHeaders(_ fields: [HTTPField], hasBody: Bool) throws(Refused) {
        // An empty value takes out what libcurl would add by itself: waiting for a go-ahead, and a form's type.
        var lines = ["Expect:"]
        if !fields.contains(where: { $0.isNamed("Content-Type") }) { lines.append("Content-Type:") }
        if !fields.contains(where: { $0.isNamed("Accept") }) { lines.append("Accept: application/json") }
        for field in fields {
            // A semicolon is how libcurl is told to send a header without a value.
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        for line in lines {
            guard let list = unsafe curl_slist_append(headerList, line) else {
                throw Refused(code: CURLE_OUT_OF_MEMORY)
            }
            unsafe headerList = list
        }
        try check(unsafe sluice_easy_set_list(pointer, CURLOPT_HTTPHEADER, headerList))
    }

    private func configureCallbacks() throws(Refused) {
        let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
        try unsafe set(CURLOPT_WRITEDATA, pointer: context)
        try unsafe set(CURLOPT_HEADERDATA, pointer: context)
        try check(
            unsafe sluice_easy_set_callback(pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                guard let context = unsafe context else { return 0 }
                let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                return unsafe transfer.receive(headerLine: line) ? line.count : 0
            })
        try check(
            unsafe sluice_easy_set_callback(pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                guard let context = unsafe context else { return 0 }
                let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
                switch unsafe transfer.receive(body: piece) {
                case .taken: return piece.count
                case .paused: return Int(CURL_WRITEFUNC_PAUSE)
                case .refused: return Int(CURL_WRITEFUNC_ERROR)
                }
            })
    }

    private func set(_ option: CURLoption, _ value: Int) throws(Refused) {
        try check(unsafe sluice_easy_set_long(pointer, option, value))
    }

    private func set(_ option: CURLoption, _ value: String) throws(Refused) {
        try check(unsafe sluice_easy_set_string(pointer, option, value))
    }

    private func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer) throws(Refused) {
        try check(unsafe sluice_easy_set_pointer(pointer, option, value))
    }

    private func check(_ code: CURLcode) throws(Refused) {
        if code != CURLE_OK { throw Refused(code: code) }
    }

    private func offset(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        _ = unsafe sluice_easy_get_offset(pointer, info, &value)
        return Int64(value)
    }

    private func long(_ info: CURLINFO) -> Int {
        var value = 0
        _ = unsafe sluice_easy_get_long(pointer, info, &value)
        return value
    }
}
