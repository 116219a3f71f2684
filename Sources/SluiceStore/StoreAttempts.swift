/// Transactions that are repeated where others were in the way.
package enum StoreAttempts {
    /// How often a transaction is tried at most.
    package static let most = 8

    /// Runs a body that is one transaction, again where others were in its way.
    ///
    /// - Parameters:
    ///   - prepare: What is done before each further attempt; throws where there shall be none.
    ///   - body: Begins the transaction, and commits it or takes it back; it must not leave anything behind outside of the
    ///     store where it throws.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, where repeating does not help or was done often enough.
    package static func perform<Result>(
        again prepare: () throws -> Void = {}, _ body: () throws -> Result
    ) throws -> Result {
        var left = most
        while true {
            left -= 1
            do {
                return try body()
            } catch {
                guard left > 0, (error as? StoreError)?.mayRepeat == true else { throw error }
                try prepare()
            }
        }
    }
}
