/// Where the body of a response goes.
///
/// The calls come on the thread that called ``HTTPClient/fetch(_:into:cancellation:onEvent:)``, in this order: `begin`,
/// any number of `write`, and, where the body failed on the way and is fetched again, `restart` before the next `begin`.
/// An error thrown by any of them ends the fetch and is passed on as it is.
package protocol HTTPBodySink {
    /// A response with a successful status begins.
    ///
    /// - Parameter head: What the server said before the body.
    /// - Throws: Whatever the sink cannot do; it ends the fetch.
    mutating func begin(_ head: HTTPResponseHead) throws

    /// The next bytes of the body, decoded.
    ///
    /// - Parameter bytes: Valid during the call only.
    /// - Throws: Whatever the sink cannot do; it ends the fetch.
    mutating func write(_ bytes: Span<UInt8>) throws

    /// What was written is void: the request is tried again.
    ///
    /// - Throws: Whatever the sink cannot do; it ends the fetch.
    mutating func restart() throws

    /// What was written since the response began: for those who judge a response by its body.
    ///
    /// - Returns: The bytes; none where the sink does not keep them.
    /// - Throws: Whatever the sink cannot do; it ends the fetch.
    func received() throws -> [UInt8]
}

extension HTTPBodySink {
    /// Nothing.
    package func received() -> [UInt8] { [] }
}

/// A sink that keeps the body in memory.
package struct HTTPBodyBuffer: HTTPBodySink, Sendable {
    /// The body so far.
    package private(set) var bytes: [UInt8] = []

    /// Makes an empty buffer.
    package init() {}

    /// Does nothing: the buffer is empty already.
    package mutating func begin(_ head: HTTPResponseHead) {}

    /// Appends the bytes.
    package mutating func write(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe self.bytes.append(contentsOf: $0) }
    }

    /// The body so far.
    package func received() -> [UInt8] { bytes }

    /// Empties the buffer.
    package mutating func restart() {
        bytes.removeAll(keepingCapacity: true)
    }
}
