/// An error with the stream in whose work it came up.
struct StreamFailure: Error {
    let stream: String
    let error: any Error

    /// Does something for a stream.
    ///
    /// - Throws: ``StreamFailure``, for whatever the work throws.
    static func naming<Result>(_ stream: String, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let failure as StreamFailure {
            throw failure
        } catch {
            throw StreamFailure(stream: stream, error: error)
        }
    }
}
