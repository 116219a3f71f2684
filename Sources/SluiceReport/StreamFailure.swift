/// An error with the stream in whose work it came up.
package struct StreamFailure: Error {
    package let stream: String
    package let error: any Error

    /// Names the stream of an error.
    package init(stream: String, error: any Error) {
        self.stream = stream
        self.error = error
    }

    /// Does something for a stream.
    ///
    /// - Throws: ``StreamFailure``, for whatever the work throws.
    package static func naming<Result>(_ stream: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let failure as StreamFailure {
            throw failure
        } catch {
            throw StreamFailure(stream: stream, error: error)
        }
    }
}
