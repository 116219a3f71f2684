internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceStore

/// An `enum` that gets other values. What a row holds and may hold no longer is refused or put into the quarantine, and
/// comes back with its value.
extension TypeConversion {
    /// Has a column hold the values that it may have now.
    ///
    /// - Returns: What was done; nothing where no row was concerned.
    /// - Throws: `StoreError` where rows hold a value that was taken away, with the first of them.
    func changeChoices(_ target: Target) throws -> [SchemaChange] {
        let before = try target.sources.map(keptBefore)
        let kept = target.takenAway.isEmpty ? LostValues() : try fill(target).kept
        let restored = try restoreKept(before, of: target)
        for source in target.sources {
            var slot = source.slot
            slot.allowed = source.field.choices
            try registry.record(slot, of: EntityRegistry.name(source.mapping))
            try record(source)
            if kept.count + restored > 0 { try registry.forgetTexts(ofStreamOf: source.mapping) }
        }
        var changes: [SchemaChange] = []
        if kept.count + restored > 0 {
            var change = SchemaChange(table: target.table, kind: .changeType, sql: choiceWords(target))
            change.rows = kept.count + restored
            changes.append(change)
        }
        return changes + moved(target, kept, restored: restored)
    }

    /// A condition of the rows whose values pass or do not, with its values: all that hold one, or, of an `enum` that loses
    /// values, those with one that it may have no longer.
    func choice(_ target: Target, from first: Int) -> (sql: String, values: [FieldValue]) {
        let column = SQLText.quoted(target.column)
        guard target.isOfChoices else { return ("\(column) IS NOT NULL", []) }
        let texts = Set(target.now.allowed.map { String(decoding: $0, as: UTF8.self) })
        let (isAllowed, values) = database.isAny(column, of: texts, from: first)
        return ("\(column) IS NOT NULL AND NOT (\(isAllowed))", values)
    }

    /// Marks a value that its column may hold no longer where a base says it: a source said it, and nobody edited the row.
    ///
    /// - Parameters:
    ///   - key: The record's key.
    ///   - local: What the row held.
    ///   - target: The column.
    ///   - id: The number of the entry that keeps the value of the row.
    /// - Throws: What the database throws.
    func markSaid(_ key: [FieldValue], _ local: FieldValue, of target: Target, _ id: Int64) throws {
        let json = FieldJSON.text(local, type: target.before.type)
        for source in target.sources {
            try changeBase(key, source) { entry in
                guard isGone(entry, local, target) else { return entry }
                try registry.put(Self.keptBase, String(id), json)
                return waiting(json)
            }
        }
    }

    // MARK: Words

    private func choiceWords(_ target: Target) -> String {
        let added = target.now.allowed.subtracting(target.sources[0].slot.allowed ?? [])
        return "\(SQLText.quoted(target.column)) \(ChoiceText.words(gone: target.takenAway, new: added)) (UPDATE)"
    }

    /// What the quarantine says of a value that its column may have no longer.
    func choiceMessage(_ target: Target, _ value: String) -> String {
        "`\(target.now.name)` may be \(LostValues.short(value)) no longer. The column is null, and the value waits here. Write the value that is meant into the table, or put the value back into `values`: then it comes back."
    }

    /// Says which rows hold a value that they may hold no longer.
    func choiceRefusal(_ target: Target, _ lost: LostValues, _ entity: String) -> StoreError {
        let name = target.now.name
        let more = lost.count > lost.first.count ? " and \(lost.count - lost.first.count) more" : ""
        let them = Plural.word(lost.count, "it", "them")
        func words(_ lost: [String], of count: Int) -> String {
            let list = lost.joined(separator: ", ") + more
            let rows = "\(Plural.of(count, "row")) of `\(target.table)` \(Plural.word(count, "holds", "hold"))"
            if undone != nil {
                return
                    "\(rows) what would be no value of `\(name)`: \(list). Correct \(them) in the table, and undo the run then."
            }
            return
                "`values` of `\(name)` of `\(entity)` has \(ChoiceText.list(target.takenAway)) no longer, and \(rows) what is no value now: \(list). Correct \(them) in the table, or run once with `--allow-schema quarantine`, which keeps \(them) in the quarantine and leaves the column null there, or put the value back into `values`."
        }
        return StoreError(
            .mismatch, words(lost.first, of: lost.count), plain: words(lost.keys, of: lost.count),
            about: undone == nil ? PipelineKey(.type(field: name), of: entity) : nil)
    }
}
