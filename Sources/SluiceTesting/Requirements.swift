public import Sluice
internal import SluiceDiagnostics

extension PersistentModel {
    /// Requires that a store gives the value back as it was: stored, read and stored again, its columns hold the same, and its properties
    /// are equal.
    ///
    /// It finds transforms and initialisers of one's own that lose something, where the type of the property is `Equatable`. Of a property
    /// of another type it compares what its column holds alone: it does not find a transform that loses the same each time. Times are equal
    /// where they are less than a nanosecond apart, which is what a store keeps. What the value leads to need not be there.
    ///
    /// - Throws: ``RequirementFailed`` with the properties that differ, and `SluiceError` where the value cannot be
    ///   saved or read.
    public func requireRoundTrip() async throws {
        let store = try Store.temporary(Self.self)
        do {
            try await store.write { transaction in
                var value = self
                // To this store the value is new, wherever it was read.
                value.storedOrigin = Origin()
                try transaction.save(&value)
                guard let identifier = value.savedIdentifier else {
                    throw RequirementFailed("The \(Self.self) has no identifier once it is saved.")
                }
                let read = try transaction.find(Self.self, identifier)
                let stored = try read.boxed().differences(from: value.boxed())
                let properties = stored + RoundTripComparison.differences(value, read).filter { !stored.contains($0) }
                // Nothing is kept, so that no reference is looked up.
                throw RoundTrip(properties: properties)
            }
        } catch let trip as RoundTrip {
            if trip.properties.isEmpty { return }
            let names = trip.properties.map { "`\($0)`" }.joined(separator: ", ")
            throw RequirementFailed("The \(Self.self) does not come back as it was saved; not the same: \(names).")
        }
    }
}

/// What came back, and the end of the transaction.
private struct RoundTrip: Error {
    let properties: [String]
}

extension Store {
    /// Requires that a query reads no table from end to end.
    ///
    /// - Throws: ``RequirementFailed`` with the steps of the plan, and `SluiceError`.
    public func requireIndex<M>(for query: Query<M>) async throws {
        let plan = try await plan(of: query)
        if plan.usesIndex { return }
        throw RequirementFailed("The query uses no index: \(plan.steps.joined(separator: "; ")).")
    }

    /// Requires that work changes no row of the store: saving what was not changed writes nothing, for example.
    ///
    /// It counts what this store's transactions write, of whatever task; other programs' are not counted. What a sync, an undo or a
    /// decision keeps of itself is no row in this sense: where the work has runs, the tables of the models are compared.
    ///
    /// - Returns: What the work returns.
    /// - Throws: ``RequirementFailed`` with the number of rows or the tables that differ, `SluiceError`, and what the work throws.
    @discardableResult
    public func requireUnchanged<R>(_ work: () async throws -> R) async throws -> R {
        let (earlier, run) = (try await contents(), try await history(limit: 1).first?.id)
        let before = try await totalChanges()
        let result = try await work()
        let count = try await totalChanges() - before
        if count == 0 { return result }
        if try await history(limit: 1).first?.id != run {
            let now = try await contents()
            let changed = now.keys.filter { now[$0] != earlier[$0] }.sorted().map { "`\($0)`" }
            if changed.isEmpty { return result }
            throw RequirementFailed(
                "A run wrote to the \(Plural.word(changed.count, "table", "tables")) \(changed.joined(separator: ", "))."
            )
        }
        throw RequirementFailed("\(Plural.of(count, "row")) \(Plural.word(count, "was", "were")) written.")
    }

    private func totalChanges() async throws -> Int {
        let rows = try await write { try $0.rows("SELECT total_changes()") }
        guard case .integer(let count) = rows.first?.values.first else { return 0 }
        return Int(count)
    }
}
