internal import SluiceDecode

/// What became of the records of a batch and of what stands within them, as far as it matters to the hashes of their
/// texts.
package struct TextSettling {
    /// The positions in the stream of records within which something was not as the base says.
    var touched: Set<Int> = []
    /// The positions of those within which something is not settled: every run has to look at them.
    var unsettled: Set<Int> = []

    /// Begins with another batch.
    mutating func begin() {
        if !touched.isEmpty { touched.removeAll() }
        if !unsettled.isEmpty { unsettled.removeAll() }
    }

    /// Records the records whose children were not looked at.
    mutating func recordLeft(_ scopes: [NestedBatch.Scope], taken: [NestedBatch.Scope]) {
        if taken.count == scopes.count { return }
        let known = Set(taken.map(\.owner))
        for scope in scopes where !known.contains(scope.owner) { unsettled.insert(scope.ordinal) }
    }
}
