internal import SluiceDecode
internal import SluiceJSON
internal import SluiceModel
internal import SluiceReport
internal import SluiceReview
internal import SluiceStore

/// What the layers that merge and store say is wrong, in whatever error of theirs: what an error of the library is made of.
struct EngineFailure {
    /// The kind.
    let code: SluiceError.Code
    /// What is wrong and what to do in the words of those layers, without values of records.
    let message: String
    /// What it is about; nil where it is about no record.
    var place: RecordPlace?
    /// The values that it is about, each with whose it is.
    var values: [(owner: String, value: String)] = []
}

extension EngineFailure {
    /// What the merge reported.
    init(_ error: SyncError) {
        let code: SluiceError.Code =
            switch error.code {
            case .locked: .locked
            case .conflict: .conflict
            case .duplicateKey: .duplicate
            case .invalidDocument, .contractBroken: .mismatch
            case .unknownRun: .notFound
            case .undoneAlready, .nothingToUndo, .historyPruned, .noHistory: .notUndoable
            default: .ioFailed
            }
        self.init(
            code: code, message: error.plain ?? error.message, place: error.place,
            values: error.values.map { ($0.owner, $0.json) })
    }

    /// What the store reported.
    init(_ error: StoreError) {
        let code: SluiceError.Code =
            switch error.code {
            case .locked: .busy
            case .unavailable: .ioFailed
            case .damaged: .damaged
            case .notAStore: .notAStore
            case .newerFormat: .newerFormat
            case .mismatch: .schemaMismatch
            case .orphaned: .definitionDiffers
            case .rejected: .dangling
            case .full: .full
            default: .ioFailed
            }
        self.init(code: code, message: error.plain ?? error.message)
        guard let key = error.key else { return }
        let field: String? = if case .type(let field) = key.name { field } else { nil }
        place = RecordPlace(entity: key.entity, field: field)
    }

    /// A record that does not fit and ends its sync.
    ///
    /// - Parameters:
    ///   - failure: Why it does not fit.
    ///   - model: Its model.
    ///   - number: Which of the records it is, from 1.
    ///   - kept: What was kept of those before, as a sentence.
    init(_ failure: DecodeFailure, of model: ModelDescription, number: Int, kept: String) {
        self.init(
            code: .mismatch, message: "Record \(number) does not fit: \(failure.plain ?? failure.message) \(kept)",
            place: RecordPlace(entity: model.entity, key: failure.key, field: model.field(at: failure.pointer)))
        if let value = failure.value { values = [("source", value)] }
    }

    /// Two records of one identifier that differ, which ends their sync.
    init(_ dispute: (key: RecordKey, ordinals: (Int, Int)), of entity: String) {
        self.init(
            code: .duplicate,
            message:
                "Two records of \(entity) have the identifier \(dispute.key.text) and differ: records \(dispute.ordinals.0 + 1) and \(dispute.ordinals.1 + 1). Nothing was written.",
            place: RecordPlace(entity: entity, key: dispute.key))
    }

    /// A decision that cannot be carried out.
    ///
    /// - Parameters:
    ///   - entry: The conflict.
    ///   - resolution: What was decided; nil where that does not matter.
    ///   - start: What is said first.
    ///   - reason: Why, as a sentence.
    ///   - models: The models of the store.
    init(
        _ entry: ConflictEntry, _ resolution: Resolution?, _ start: String, _ reason: String,
        in models: [ModelDescription]
    ) {
        var reason = reason
        var given = [entry.base, entry.local, entry.remote].compactMap { $0 }
        if case .value(let text, _) = resolution { given.append(text) }
        // A value that is none any more comes first.
        for value in given {
            for shown in ["`\(value)`", value] where reason.hasPrefix("\(shown) is ") {
                reason = "The value" + reason.dropFirst(shown.count)
            }
        }
        self.init(code: .refused, message: start + reason, place: RecordPlace(entry, in: models))
    }

    /// A text that is no JSON.
    ///
    /// - Parameters:
    ///   - error: Why it is none.
    ///   - name: What the text is, as the beginning of a sentence.
    init(_ error: JSONError, in name: String) {
        self.init(
            code: .invalidJSON, message: "\(name) cannot be read: \(error.plainAdvice) Nothing was written.")
        if let found = error.found { values = [("source", found)] }
    }
}

extension SluiceError {
    /// What a layer below said, with what the program calls it: the one place where errors of those layers become errors of the library.
    ///
    /// - Parameters:
    ///   - failure: What was said.
    ///   - models: The models of the store, by which fields are properties.
    init(_ failure: EngineFailure, in models: some Sequence<ModelDescription> = []) {
        var message = ProgramWording.of(failure.message)
        var property = failure.place?.field
        if let place = failure.place, let name = place.field,
            let model = models.first(where: { $0.isEntity(place.entity) }), let own = model.property(named: name)
        {
            property = own
            message = message.replacing("`\(name)`", with: "`\(own)`").replacing("`\(name): ", with: "`\(own): ")
        }
        self.init(
            failure.code, message, entity: failure.place?.entity, identifier: failure.place?.key?.text,
            field: property)
        values = failure.values.map { ($0.owner, .text($0.value)) }
    }

    /// Tables differ from their models, and are to stay as they are.
    ///
    /// - Parameters:
    ///   - problems: What differs.
    ///   - remedy: What to do, as a sentence without its end.
    /// - Returns: The error.
    static func schemaDiffers(_ problems: [String], _ remedy: String) -> SluiceError {
        SluiceError(
            .schemaMismatch,
            "The tables of the store differ from the models, and opening it may not change them: \(problems.joined(separator: "; ")). \(remedy).",
            problems: problems)
    }

    /// A model that the store was not opened with.
    init(unopened model: ModelDescription) {
        self.init(
            .invalidModel,
            "The store was opened without `\(model.typeName)`. Open it with `\(model.typeName).self` among its models.",
            entity: model.entity)
    }

    /// A value of a record, or one that records are looked for by, that no column holds.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - entity: The record's entity; nil where it is of none.
    ///   - identifier: The record's identifier; nil where it is not known.
    ///   - what: What cannot be stored, where that is no record.
    init(_ error: BoxError, entity: String?, identifier: String? = nil, what: String? = nil) {
        let record = [entity, identifier].compactMap { $0 }.joined(separator: " ")
        let name = what ?? (record.isEmpty ? "A value" : record)
        self.init(
            .box, "\(name) cannot be stored: \(error.description).", entity: entity, identifier: identifier,
            field: error.property)
    }

    /// A record that no row holds.
    init(_ error: BoxError, of value: some PersistentModel) {
        let key = try? value.savedIdentifier?.boxKey()
        self.init(
            error, entity: type(of: value).modelDescription.entity,
            identifier: key?.map(\.text).joined(separator: ", "))
    }
}

extension RecordPlace {
    /// What a conflict is about.
    fileprivate init(_ entry: ConflictEntry, in models: [ModelDescription]) {
        let model = models.first { $0.isEntity(entry.entity) }
        let members = StoredJSON().members(entry.key) ?? []
        let values = model?.identifiers.map { index -> FieldValue? in
            let field = model?.fields[index]
            return members.first { field?.isNamed($0.name) == true }.flatMap {
                StoredJSON().value($0.json, type: field?.fieldType ?? .string)
            }
        }
        let known = (values ?? []).compactMap { $0 }
        let isWhole = !known.isEmpty && known.count == values?.count
        self.init(entity: entry.entity, key: isWhole ? RecordKey(known) : nil, field: entry.field)
    }
}

extension ModelDescription {
    /// The property that has a name in the store; nil where none has.
    fileprivate func property(named name: String) -> String? {
        fields.first { $0.isNamed(name) }?.property ?? relationships.first { $0.name == name }?.property
    }

    /// The name in the store of what has the value at a place of a record's JSON, or of what the place is within; nil where nothing
    /// has.
    ///
    /// - Parameter pointer: The place, in the JSON of a source or in that of a value as a store keeps it.
    /// - Returns: The name.
    fileprivate func field(at pointer: String) -> String? {
        if pointer.isEmpty { return nil }
        let places =
            fields.map { (name: $0.name, path: $0.json) } + relationships.map { (name: $0.name, path: $0.json) }
        func depth(_ place: String) -> Int? {
            pointer == place || pointer.hasPrefix(place + "/") ? place.utf8.count : nil
        }
        return places.compactMap { name, path -> (name: String, depth: Int)? in
            let read = path.flatMap { depth(DecodePlan.pointer($0)) }
            let stored = depth(DecodePlan.pointer(Array(name.utf8), below: ""))
            return (read ?? stored).map { (name, $0) }
        }.max { $0.depth < $1.depth }?.name
    }
}
