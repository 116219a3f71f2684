internal import SluiceDecode
internal import SluiceModel
internal import SluiceReview
internal import SluiceStore

/// What the store knows of a record from one of its sources: what became of it, and whose values it has.
public struct ModelLife<M: PersistentModel>: Sendable {
    /// How far the source has the record.
    public struct State: Sendable, Hashable, CustomStringConvertible {
        /// The word, as in `live`.
        public let description: String

        /// Both have it.
        public static var live: State { State(description: "live") }
        /// The source has it no more.
        public static var gone: State { State(description: "tomb_remote") }
        /// The source said that it is deleted.
        public static var stated: State { State(description: "tomb_stated") }
        /// The source has it, and it was deleted here.
        public static var deletedHere: State { State(description: "tomb_local") }
        /// The source has it, and another one said that it is deleted.
        public static var overruled: State { State(description: "overruled") }
        /// No source gave it.
        public static var ownRow: State { State(description: "unmanaged") }
        /// There is neither a row nor what a source said of it.
        public static var forgotten: State { State(description: "forgotten") }
    }

    /// A property.
    public struct Field: Sendable {
        /// Its name.
        public let property: String
        /// What the store holds, as JSON; nil where there is no row.
        public let json: String?
        /// What the source said, as JSON; nil where it never did, or where it is not kept.
        public let said: String?
        /// Whether people gave it another value than the source.
        public let isEdited: Bool
        /// The run that wrote the value; nil where that is not known, as for what people wrote.
        public let run: Int?
        /// The other source whose value it is; nil where it is none's.
        public let otherSource: String?
    }

    /// What a run did to the record.
    public struct Change: Sendable {
        /// A property that changed.
        public struct Field: Sendable {
            /// Its name; of a column that is no property's, that of the column.
            public let property: String
            /// What it held before, as JSON; nil where there was no row.
            public let old: String?
            /// What it held afterwards, as JSON; nil where there was no row.
            public let new: String?
        }

        /// The number of the run.
        public let run: Int
        /// When the run began, RFC 3339 in UTC; nil where the store has forgotten it.
        public let startedAt: String?
        /// Who asked for the run, where a person or a program decided; nil where nobody is noted.
        public let who: String?
        /// `insert`, `update`, `delete`, or `base` where the row stayed as it was.
        public let action: String
        /// What changed, as far as it is kept.
        public let fields: [Field]
    }

    /// Where the record comes from.
    public let source: Source
    /// How far the source has it.
    public let state: State
    /// Whether there is a row that is not marked as deleted.
    public let isThere: Bool
    /// The run that had it from the source first; nil where no run did.
    public let firstRun: Int?
    /// The properties that the source fills.
    public let fields: [Field]
    /// What runs did to it, the newest first. A run that made the row may be told by ``firstRun`` alone.
    public let changes: [Change]
    /// Whether runs that wrote it are so old that what they changed is not kept any more.
    public let isCut: Bool
    /// Its conflicts, open and closed.
    public let conflicts: [Conflict<M>]
    /// What waits or waited under its identifier because it does not fit.
    public let quarantined: [SyncResult<M>.Quarantined]

    /// The property of a path; nil where the source does not fill it.
    ///
    /// - Parameter path: The property.
    /// - Returns: What is known of it.
    public func field<Value>(_ path: KeyPath<M.Paths, Path<M, Value>>) -> Field? {
        let (index, fields) = (M.path[keyPath: path].index, M.model.description.fields)
        guard fields.indices.contains(index) else { return nil }
        return self.fields.first { $0.property == fields[index].property }
    }

    init(_ life: RecordLife) {
        let properties = M.model.description.fields
        func property(_ name: String) -> String { properties.first { $0.isNamed(name) }?.property ?? name }
        source = Source(pipeline: life.mapping.pipeline, stream: life.mapping.stream)
        state = State(description: life.state.rawValue)
        isThere = life.isThere
        isCut = life.isCut
        firstRun = life.firstRun.map { Int($0) }
        fields = life.fields.map { field in
            Field(
                property: property(field.name), json: field.value, said: field.base, isEdited: field.isEdited,
                run: field.run.map { Int($0) }, otherSource: field.from)
        }
        changes = life.changes.map { change in
            Change(
                run: Int(change.run), startedAt: life.runs[change.run]?.startedAt,
                who: life.runs[change.run]?.who, action: change.action.rawValue,
                fields: change.fields.map { Change.Field(property: property($0.name), old: $0.old, new: $0.new) })
        }
        conflicts = life.conflicts.map { Conflict(entry: $0) }
        quarantined = life.quarantine.map { SyncResult<M>.Quarantined($0) }
    }
}

extension Store {
    /// What the store knows of a record: what each source said of it, which runs changed it, and what people did.
    ///
    /// ```swift
    /// for life in try await store.life(of: Book.self, 7) {
    ///     for change in life.changes { print(change.run, change.action, change.fields.map(\.property)) }
    ///     if let title = life.field(\.title), title.isEdited { print("edited; the source says \(title.said ?? "nothing")") }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - identifier: The record's identifier.
    /// - Returns: What is known, by source; nothing where no source and no run ever had to do with the record.
    /// - Throws: ``SluiceError``.
    public func life<M: PersistentModel>(
        of model: M.Type, _ identifier: M.Identifier
    ) async throws -> [ModelLife<M>] {
        let description = M.model.description
        try check(description)
        let values = try identifier.key(of: description)
        let byColumn = Dictionary(
            zip(description.keyColumns.map { $0.lowercased() }, values.map { FieldValue($0) })
        ) { first, _ in first }
        return try await look { store in
            try RecordInspector(store: store).lives(inTable: description.table) { schema in
                let key = schema.keyFields.compactMap { byColumn[schema.fields[$0].column.lowercased()] }
                return key.count == byColumn.count && key.count == schema.keyFields.count ? RecordKey(key) : nil
            }.map { ModelLife<M>($0) }
        }
    }
}
