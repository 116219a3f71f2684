internal import SluiceSQLiteStore

extension Transaction {
    /// Saves what belongs together, and writes what waited for all else.
    ///
    /// - Parameters:
    ///   - value: What is saved. Where that fails, it is as it was, and so is all that the transaction wrote.
    ///   - hasManyRows: Whether more than one row may be written; of links it is known once they are looked at.
    ///   - body: Saves it.
    /// - Throws: ``SluiceError``, with ``SluiceError/Code/unique`` where another record keeps a value.
    func savingTogether<Value>(
        _ value: inout Value, manyRows hasManyRows: Bool, _ body: (inout Value) throws -> Void
    ) throws {
        try check()
        together.calls += 1
        defer { together.calls -= 1 }
        if together.calls > 1 { return try body(&value) }
        defer { together.end() }
        let known = value
        do {
            if hasManyRows { try beginCall() }
            try body(&value)
            for entry in together.waiting {
                try write(entry.record, entry.fields)
                try recordLeading(entry.record.description, entry.record.key, isNew: false)
            }
            if together.before != nil { try SluiceError.translating { try store.releaseSavepoint() } }
        } catch {
            value = known
            if let before = together.before {
                takeBack(to: before)
                try SluiceError.translating { try store.rollBackToSavepoint() }
            }
            throw error
        }
    }

    /// Saves several records, all or none, of which one may take a unique value that another one gives up.
    ///
    /// - Parameters:
    ///   - values: The records.
    ///   - body: Saves one of them.
    /// - Throws: ``SluiceError``.
    func savingSeveral<M: PersistentModel>(_ values: inout [M], _ body: (inout M) throws -> Void) throws {
        let description = M.model.description
        try savingTogether(&values, manyRows: values.count > 1 || description.holdsRecords) { values in
            let owned = together.owned
            together.several += 1
            defer {
                together.several -= 1
                together.owned = owned
            }
            // One may have what another one had.
            if description.holdsRecords {
                together.owned += values.compactMap { RecordsWithin(of: $0.known, in: home) }
            }
            for index in values.indices { try body(&values[index]) }
        }
    }

    /// Does what is no save and may write several rows, all or none.
    ///
    /// - Parameters:
    ///   - hasManyRows: Whether it may.
    ///   - body: Does it.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``.
    func whole<Result>(manyRows hasManyRows: Bool, _ body: () throws -> Result) throws -> Result {
        try hasManyRows && !isOneCall ? part(body) : body()
    }

    /// Saves a value and, before it, the records that it has by value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - body: Saves it alone.
    /// - Throws: ``SluiceError``.
    func saving<M: PersistentModel>(_ value: inout M, _ body: (inout M) throws -> Void) throws {
        let (around, owned, isInserting) = (together.within, together.owned, together.isInserting)
        defer { (together.within, together.owned, together.isInserting) = (around, owned, isInserting) }
        try noteWithin(value)
        if M.model.description.holdsRecords, let own = RecordsWithin(of: value.known, in: home) {
            together.owned.append(own)
            if own.isGone { together.isInserting = true }
        }
        try saveWithin(&value)
        (together.owned, together.isInserting) = (owned, isInserting)
        try body(&value)
    }

    private func saveWithin<M: PersistentModel>(_ value: inout M) throws {
        together.owners += 1
        together.several += 1
        defer {
            together.owners -= 1
            together.several -= 1
        }
        try value.saveNested(in: self)
    }

    /// Notes which records a value has, so that none of them makes room for another one: its lists are written last.
    private func noteWithin(_ value: some PersistentModel) throws {
        if released.isEmpty { return }
        let description = type(of: value).modelDescription
        if !description.holdsRecords { return }
        let record: BoxedRecord
        do throws(BoxError) { record = try BoxedRecord(whole: value) } catch {
            throw SluiceError(error, of: value)
        }
        for part in record.inner {
            together.within[part.description.table.lowercased(), default: []].insert(part.key)
        }
    }

    /// Writes a record. Where its unique values are taken and it is one of several that are saved together, others stand in their place
    /// until all else is written.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - fields: The positions of the fields that are written.
    ///   - write: Writes them.
    /// - Returns: The positions of the fields that wait.
    /// - Throws: ``SluiceError``.
    func postponing(
        _ record: BoxedRecord, _ fields: @autoclosure () -> [Int], _ write: (BoxedRecord) throws -> Void
    ) throws -> [Int] {
        do {
            try write(record)
            return []
        } catch let refusal as SluiceError where refusal.code == .unique && together.several > 0 {
            var latest = refusal
            while true {
                let placeholders = placeholders(of: record.description, fields())
                let names = placeholders.keys.map { record.description.fields[$0].property }
                // What has no placeholder keeps its value, and another placeholder is of no use to it.
                guard let taken = latest.properties, taken.contains(where: names.contains) else {
                    throw refusal.sayingWhatCannotWait
                }
                try beginCall()
                do {
                    try write(record.holding(placeholders))
                    return placeholders.keys.sorted()
                } catch let error as SluiceError {
                    if error.code != .unique { throw refusal }
                    latest = error
                }
            }
        }
    }

    /// Begins the part of the transaction that is taken back where the call that is under way fails, unless it was begun.
    func beginCall() throws {
        if isOneCall || together.before != nil || together.calls == 0 { return }
        try SluiceError.translating { try store.beginSavepoint() }
        together.before = notes
    }

    /// Values that no other record has, for some of the unique ones among fields: null where that is possible.
    private func placeholders(of description: ModelDescription, _ fields: [Int]) -> [Int: BoxedValue] {
        var values: [Int: BoxedValue] = [:]
        for group in description.unique {
            let written = group.filter { fields.contains($0) && !description.fields[$0].isIdentifier }
            if written.contains(where: { values[$0] != nil }) { continue }
            if let field = written.first(where: { description.fields[$0].isOptional }) {
                values[field] = .null
                continue
            }
            for field in written {
                guard let value = placeholder(description.fields[field]) else { continue }
                values[field] = value
                break
            }
        }
        return values
    }

    /// A value that hardly any other record has, and that can be read: another one each time; nil where there is none.
    private func placeholder(_ field: ModelDescription.Field) -> BoxedValue? {
        if field.reference != nil || field.isEncoded || field.hasFallback { return nil }
        together.placeholders += 1
        let number = together.placeholders
        if let reading = field.reading { return reading.placeholder(number) }
        switch field.type {
        case .int: return Placeholder.integer(Int64.self, number)
        case .double: return Placeholder.real(number)
        case .string: return .text("\u{1}sluice \(number)")
        default: return nil
        }
    }
}
