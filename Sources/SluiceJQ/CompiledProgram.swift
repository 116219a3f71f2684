internal import CSluiceJQ

/// What libjq made of a program: for one thread at a time, and for another one after that.
@safe
final class CompiledProgram: @unchecked Sendable {
    /// What it was made of. Limits of outputs are no part of it.
    struct Key: Hashable, Sendable {
        let source: String
        let memory: Int
        let nanoseconds: UInt64
    }

    let key: Key
    let handle: OpaquePointer

    /// Makes one that is not compiled yet.
    ///
    /// Nil where there is no memory.
    ///
    /// - Parameter key: What to make it of.
    init?(_ key: Key) {
        self.key = key
        let handle = unsafe sluice_jq_program_new(key.source, key.source.utf8.count, key.memory, key.nanoseconds)
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe sluice_jq_program_free(handle) }

    /// Drops what the last evaluation has left.
    ///
    /// - Returns: Whether it is as good as new.
    func rest() -> Bool { unsafe sluice_jq_rest(handle) != 0 }
}
