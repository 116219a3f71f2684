extension StoreError {
    /// One error for all that stands against the same change, so that nobody learns of it step by step.
    ///
    /// - Parameter parts: What stands against it, first what is to be settled first.
    /// - Returns: An error with the words of each; the only one as it is, and nil where there is none.
    package static func together(_ parts: [StoreError]) -> StoreError? {
        let parts = parts.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }
        guard let first = parts.first, parts.count > 1 else { return parts.first }
        let code = parts.allSatisfy { $0.code == first.code } ? first.code : .mismatch
        let plain = parts.map { $0.plain ?? $0.message }.joined(separator: " ")
        return StoreError(
            code, parts.map(\.message).joined(separator: " "), plain: plain, about: first.key, parts: parts)
    }
}

extension [StoreError] {
    /// Does a part of a change, or looks at it, and keeps what stands against it.
    ///
    /// Once something is kept, the change is off: what else fails then is of no importance.
    ///
    /// - Parameter body: The part.
    /// - Returns: What it gives; nil where something stands against it.
    /// - Throws: What is no refusal.
    package mutating func gather<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as StoreError where error.code.isRefusal {
            append(error)
        } catch {
            if isEmpty { throw error }
        }
        return nil
    }
}
