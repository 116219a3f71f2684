/// What a request is answered with.
package struct OutgoingResponse: Sendable {
    /// What follows the head.
    package enum Body: Sendable {
        /// What is there already.
        case bytes([UInt8])
        /// A file, which is sent as long as it is when it is opened.
        case file(String)
        /// What comes bit by bit.
        case events(EventStream)
    }

    /// The status.
    package var status: Int
    /// The fields of the head; a length is added.
    package var headers: [HeaderField]
    /// What follows the head.
    package var body: Body

    /// Makes a response.
    package init(_ status: Int, _ headers: [HeaderField] = [], body: Body = .bytes([])) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// A response of plain text.
    package static func text(_ status: Int, _ text: String) -> OutgoingResponse {
        OutgoingResponse(
            status, [HeaderField("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Array(text.utf8)))
    }
}
