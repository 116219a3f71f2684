internal import CSluiceCurl
internal import SluiceGzip

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension HTTPError {
    /// The error for a transfer that did not bring a response; nil where it did.
    ///
    /// See: curl.se/libcurl/c/libcurl-errors.html
    init?(_ outcome: TransferOutcome, _ context: FailureContext) {
        let timeout = context.configuration.timeout
        switch outcome {
        case .complete:
            return nil
        case .failed(let failure):
            self.init(failure, context)
        case .headTooLarge:
            self.init(
                .responseTooLarge,
                "\(context.prefix)the response's headers are larger than \(HeadParser.maximumBytes) bytes. "
                    + "Check that `base_url` names the right server.")
        case .headMalformed:
            self.init(
                .protocolViolation,
                "\(context.prefix)the server's answer does not begin as HTTP does. \(Self.wrongServer)")
        case .bodyTooLarge:
            self.init(
                .responseTooLarge,
                "\(context.prefix)the response is larger than \(context.configuration.maximumResponseBytes.inBinaryUnits). "
                    + "If such a response is expected, raise `max_response`.")
        case .packedBodyDamaged(let error) where error.isTruncated:
            self.init(
                .truncatedBody,
                "\(context.prefix)the packed body is cut off: it ended before its data did. \(Self.again)",
                isTransient: true)
        case .packedBodyDamaged(let error):
            self.init(
                .badContentEncoding,
                "\(context.prefix)the packed body cannot be unpacked: \(error.message). "
                    + "It is not what its `Content-Encoding` says, or was changed on the way: run again later.",
                isTransient: true)
        case .packingUnknown(let packing):
            self.init(
                .badContentEncoding,
                "\(context.prefix)the body cannot be unpacked: its `Content-Encoding` is `\(context.redactor.plain(packing))`, and `gzip` was asked for. "
                    + "Leave `Accept-Encoding` out of `headers`, or tell whoever keeps the server.")
        case .idleTooLong:
            self.init(
                .idleTimeout,
                "\(context.prefix)no byte was received for \(timeout.idle.inWords). "
                    + "If the server needs longer, raise `timeout.idle`.", isTransient: true)
        case .tookTooLong:
            self.init(
                .totalTimeout,
                "\(context.prefix)the response was not complete after \(timeout.total.inWords). "
                    + "Ask for smaller pages or raise `timeout.total`.", isTransient: true)
        case .shutDown:
            self.init(.shutDown, "\(context.prefix)the HTTP client was shut down.")
        case .refused(let error):
            self.init(error.code, context.prefix + error.message)
        }
    }

    private init(_ failure: CurlFailure, _ context: FailureContext) {
        let detail = " (\(context.redactor.plain(failure.text)))"
        let (code, sentences, isTransient) = Self.explain(failure, context, detail: detail)
        self.init(code, context.prefix + sentences, isTransient: isTransient)
    }

    private static func explain(
        _ failure: CurlFailure, _ context: FailureContext, detail: String
    ) -> (Code, String, isTransient: Bool) {
        let host = context.origin.host
        let address = "\(host):\(context.origin.port)"
        switch CURLcode(rawValue: failure.code) {
        case CURLE_UNSUPPORTED_PROTOCOL
        where failure.text.contains("HTTP/0.9") || failure.text.contains("HTTP version in response"):
            return (.protocolViolation, "the server's answer does not begin as HTTP does. \(wrongServer)", false)
        // What libcurl says of a header that outgrows its own limit.
        case CURLE_OUT_OF_MEMORY:
            let remedy = "Check that `base_url` names the right server."
            return (.responseTooLarge, "the response's headers are too large\(detail). \(remedy)", false)
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL:
            return (.invalidURL, "the URL cannot be used\(detail). It must be an http or https URL.", false)
        case CURLE_COULDNT_RESOLVE_PROXY:
            return (.hostNotFound, "the proxy was not found\(detail). Check `proxy`.", true)
        case CURLE_COULDNT_RESOLVE_HOST:
            return (
                .hostNotFound, "the host \(host) was not found. Check how it is written in the URL, and the network.",
                true
            )
        case CURLE_COULDNT_CONNECT where failure.systemError == Int(ECONNREFUSED):
            let remedy = "Check that the server runs, and the port in the URL."
            return (.connectionRefused, "\(address) refused the connection. \(remedy)", true)
        case CURLE_COULDNT_CONNECT:
            return (
                .connectionFailed, "\(address) could not be reached\(detail). Check the URL and the network.", true
            )
        case CURLE_OPERATION_TIMEDOUT:
            let time = context.configuration.timeout.connect.inWords
            let remedy = "If it is only slow, raise `timeout.connect`."
            return (.connectTimeout, "no connection to \(address) within \(time). \(remedy)", true)
        case CURLE_PARTIAL_FILE:
            return (.truncatedBody, "the body ended before its announced length\(detail). \(again)", true)
        case CURLE_GOT_NOTHING:
            return (.connectionLost, "\(address) closed the connection without an answer. \(again)", true)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return (.connectionLost, "the connection to \(address) broke off\(detail). \(again)", true)
        case CURLE_SSL_CONNECT_ERROR:
            let remedy = "If the port speaks plain http, say so in `base_url`."
            return (.tlsFailed, "the TLS handshake with \(address) failed\(detail). \(remedy)", true)
        case CURLE_PEER_FAILED_VERIFICATION:
            let remedy = certificateRemedy(failure.text)
            return (.certificateInvalid, "the certificate of \(host) is not valid\(detail). \(remedy)", false)
        case CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            let remedy = "Check `tls.ca_file`, `tls.client_cert` and `tls.client_key`."
            return (.tlsConfiguration, "the configured certificates cannot be used\(detail). \(remedy)", false)
        case CURLE_WEIRD_SERVER_REPLY:
            return (.protocolViolation, "the server's answer is not HTTP\(detail). \(wrongServer)", false)
        default:
            return (.transferFailed, "the transfer failed\(detail). \(again)", false)
        }
    }

    /// What helps against a certificate, by what the TLS library says of it.
    private static func certificateRemedy(_ reason: String) -> String {
        if reason.contains("expired") || reason.contains("not yet valid") {
            return "Check this machine's clock; if it is right, the operator of the server must renew the certificate."
        }
        if reason.contains("subject name") { return "Check that `base_url` names the host of the certificate." }
        return "If a private authority signed it, name that in `tls.ca_file`."
    }

    private static let again =
        "Run again. If it happens again, request smaller pages, or tell the operator of the server."
    private static let wrongServer = "Check that `base_url` names the right port, and `https` if it speaks TLS."
}
