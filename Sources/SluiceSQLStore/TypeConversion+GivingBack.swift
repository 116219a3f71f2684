internal import SluiceModel
internal import SluiceStore

/// Values that a run brought back from the quarantine, and that go there again once it is taken back.
extension TypeConversion {
    /// Empties the column where it holds such a value still, so that no value stands against the type of before. The ledger
    /// opens their entries again.
    ///
    /// - Parameters:
    ///   - run: The run that is taken back.
    ///   - target: The column; ``Target/now`` is the type of before that run.
    /// - Returns: How many rows hold such a value no longer.
    /// - Throws: What the database throws.
    func giveBack(restoredBy run: Int64, to target: Target) throws -> Int {
        var given = 0
        let paused = try database.pauseTriggers(of: target.table)
        let column = SQLText.quoted(target.column)
        for source in target.sources {
            let isMeant = "\(column) = ?1 AND \(SQLText.match(try keyColumns(source), from: 2))"
            let entries = try kept(source, "status = 'closed' AND last_run = \(run)")
            try database.monitor.begin(.quarantine, of: target.table, total: entries.count)
            for id in entries {
                try database.monitor.advance()
                guard let entry = try quarantine.entry(id: id), let json = entry.value,
                    let value = held(json, target.before), !value.isNull, let key = try key(of: entry, source)
                else { continue }
                let count = try database.run(
                    "UPDATE \(database.table(target.table)) SET \(column) = NULL WHERE \(isMeant)",
                    [value] + key)
                if count > 0 { try giveBackBase(of: id, value, json, key, source, target) }
                given += count
            }
        }
        try database.resumeTriggers(paused)
        return given
    }

    /// Has the base of a record wait with its value again, where it says the same and can say nothing in the type of before.
    private func giveBackBase(
        of id: Int64, _ value: FieldValue, _ json: String, _ key: [FieldValue], _ source: Source, _ target: Target
    ) throws {
        try changeBase(key, source) { entry in
            guard isGone(entry, value, target) else { return entry }
            try registry.put(Self.keptBase, String(id), json)
            return waiting(json)
        }
    }
}
