internal import SluiceSQLite
internal import SluiceStore

extension SluiceError {
    /// What SQLite reported of a record of a model, as what it means here.
    init(_ error: SQLiteError, of description: ModelDescription? = nil, identifier: String? = nil) {
        let entity = description?.entity
        let record = [entity, identifier].compactMap { $0 }.joined(separator: " ")
        let what = record.isEmpty ? "" : " (\(record))"
        switch error.code {
        case .uniqueConstraint:
            let properties = description?.properties(namedIn: error.message)
            // What is no property's is named as the database does.
            let names = properties ?? error.message.split(separator: ": ").last.map { String($0) }
            let place = [record.isEmpty ? nil : record, names.map { "`\($0)`" }].compactMap { $0 }
            self.init(
                .unique, "Another record has the same unique values (\(place.joined(separator: ", "))).",
                entity: entity, identifier: identifier, field: properties)
        case .primaryKeyConstraint:
            self.init(
                .exists, "A record of this identifier is there already\(what).", entity: entity,
                identifier: identifier)
        case .foreignKeyConstraint:
            self.init(
                .dangling, "A record leads to one that is not there\(what).", entity: entity, identifier: identifier)
        default:
            self = Self.other(error, what, entity, identifier)
            if error.code.primary == .constraint { field = description?.properties(namedIn: error.message) }
        }
    }

    /// The properties that it is about.
    var properties: [String]? { field?.split(separator: ", ").map { String($0) } }

    /// The same of values that another record may give up in the same call, but later than they are needed.
    var sayingWhatCannotWait: SluiceError {
        guard let field else { return self }
        return SluiceError(
            code, "\(message) Where that one gives it up, save it in a call before: `\(field)` cannot wait for that.",
            entity: entity, identifier: identifier, field: field)
    }

    private static func other(
        _ error: SQLiteError, _ what: String, _ entity: String?, _ identifier: String?
    ) -> SluiceError {
        switch error.code.primary {
        case .constraint:
            SluiceError(
                .constraint, "The table refuses the record\(what): \(error.message).", entity: entity,
                identifier: identifier)
        case .busy, .locked: SluiceError(.busy, "Another program is using the store. Try again, or wait longer.")
        case .readOnly: SluiceError(.readOnly, "The store may only be read.")
        case .full: SluiceError(.full, "The disk is full.")
        case .corrupt: SluiceError(.damaged, "The store is damaged: \(error.message).")
        case .notADatabase: SluiceError(.damaged, "The file is no SQLite database.")
        case .ioError, .cannotOpen:
            SluiceError(
                .ioFailed, "The store cannot be read or written: \(error.systemReason ?? error.message).")
        default: SluiceError(.invalidSQL, "The database refuses a statement\(what): \(error.message).")
        }
    }

    /// Any error of the layers below as one of these; others as they are.
    ///
    /// - Parameters:
    ///   - description: The model of the record that the work is about; nil where it is about none.
    ///   - identifier: That record's identifier, for people.
    ///   - models: The models of the store, by which fields are properties.
    ///   - body: The work.
    /// - Returns: What the body returns.
    /// - Throws: ``SluiceError``, or `CancellationError` where the task was cancelled.
    static func translating<Result>(
        of description: ModelDescription? = nil, identifier: @autoclosure () -> String? = nil,
        in models: [ModelDescription] = [], _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch let error as SQLiteError {
            if error.code == .interrupted { throw CancellationError() }
            throw SluiceError(error, of: description, identifier: identifier())
        } catch let error as StoreError {
            if error.code == .interrupted { throw CancellationError() }
            throw SluiceError(EngineFailure(error), in: models)
        } catch var error as SluiceError {
            // The statement did not know which record it was for.
            if error.entity == description?.entity, error.identifier == nil { error.identifier = identifier() }
            throw error
        }
    }
}

extension ModelDescription {
    /// The properties whose columns SQLite names in a message, as in `UNIQUE constraint failed: books.row, books.place`.
    fileprivate func properties(namedIn message: String) -> String? {
        let columns = message.split(separator: ": ").last?.split(separator: ", ").map { name in
            name.hasPrefix(table + ".") ? String(name.dropFirst(table.count + 1)) : ""
        }
        let found = (columns ?? []).compactMap { column in
            fields.first { $0.column.lowercased() == column.lowercased() }?.property
        }
        return found.isEmpty ? nil : found.joined(separator: ", ")
    }
}

extension StoredKey {
    /// The columns of the key of a record.
    ///
    /// - Throws: ``SluiceError`` with ``SluiceError/Code/box`` where no column holds it.
    func key(of description: ModelDescription) throws(SluiceError) -> [BoxedValue] {
        do throws(BoxError) { return try boxKey() } catch {
            throw SluiceError(
                error, entity: description.entity, what: "An identifier of \(description.entity)")
        }
    }
}
