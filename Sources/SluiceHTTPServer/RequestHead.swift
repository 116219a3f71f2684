/// The checks of a request's head that need no knowledge of what is served.
enum RequestHead {
    /// Why a head is refused; nil where it is not.
    static func refusal(_ headers: [HeaderField], limits: ServerLimits) -> OutgoingResponse? {
        func all(_ name: String) -> [String] { headers.filter { $0.isNamed(name) }.map(\.value) }
        let lengths = all("Content-Length")
        let codings = all("Transfer-Encoding")
        // Of what two readers may understand in two ways nothing is taken: a proxy in front may be the other one.
        if lengths.count > 1 || codings.count > 1 || (!lengths.isEmpty && !codings.isEmpty) {
            return refused(400, "The length of the body is said twice.")
        }
        if all("Host").count > 1 { return refused(400, "The host is said twice.") }
        if let coding = codings.first, coding.lowercased() != "chunked" {
            return refused(501, "This coding is not known.")
        }
        if let length = lengths.first {
            guard let count = Int(length), count >= 0 else { return refused(400, "The length is no number.") }
            if count > limits.bodyBytes {
                return refused(413, "The body has more than \(limits.bodyBytes) bytes.")
            }
        }
        return nil
    }

    static func refused(_ status: Int, _ text: String) -> OutgoingResponse {
        var response = OutgoingResponse.text(status, text + "\n")
        response.headers.append(HeaderField("Connection", "close"))
        return response
    }
}
