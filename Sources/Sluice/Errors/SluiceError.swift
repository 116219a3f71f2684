/// Why a store, a model or a query could not be used.
public struct SluiceError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable {
        /// The name.
        public let name: String

        private init(_ name: String) { self.name = name }

        /// The database is no store yet: nobody has written to it.
        public static let notAStore = Code("notAStore")
        /// A newer version wrote the store.
        public static let newerFormat = Code("newerFormat")
        /// The file is damaged, or no SQLite database at all.
        public static let damaged = Code("damaged")
        /// The store may only be read.
        public static let readOnly = Code("readOnly")
        /// The disk is full.
        public static let full = Code("full")
        /// The file cannot be opened, read or written.
        public static let ioFailed = Code("ioFailed")
        /// Another program held the store for longer than the store's options wait.
        public static let busy = Code("busy")
        /// A reader or transaction was used after its closure ended.
        public static let ended = Code("ended")
        /// A transaction of an actor that does not run where its store writes.
        public static let notOnWriter = Code("notOnWriter")
        /// There is no such record.
        public static let notFound = Code("notFound")
        /// A record of that identifier is there already.
        public static let exists = Code("exists")
        /// The row changed after the value was read.
        public static let stale = Code("stale")
        /// A value that was read has another identifier now.
        public static let identifierChanged = Code("identifierChanged")
        /// A relationship keeps the record from being deleted.
        public static let denied = Code("denied")
        /// A record leads to one that is not there.
        public static let dangling = Code("dangling")
        /// Another record has the same unique values.
        public static let unique = Code("unique")
        /// The table refuses the record.
        public static let constraint = Code("constraint")
        /// The source alone may change the property.
        public static let ownedBySource = Code("ownedBySource")
        /// A column holds what a property cannot.
        public static let unbox = Code("unbox")
        /// A property holds what a column cannot.
        public static let box = Code("box")
        /// A property breaks a check of its attribute.
        public static let check = Code("check")
        /// Models do not fit together.
        public static let invalidModel = Code("invalidModel")
        /// A table does not fit a model.
        public static let schemaMismatch = Code("schemaMismatch")
        /// A migration failed, or was not run.
        public static let migration = Code("migration")
        /// Another sync or run of the same source is at work.
        public static let locked = Code("locked")
        /// A text is no JSON, or has no records where they should be.
        public static let invalidJSON = Code("invalidJSON")
        /// A record does not fit its model, and that ends the sync.
        public static let mismatch = Code("mismatch")
        /// Records share an identifier and differ, and that ends the sync.
        public static let duplicate = Code("duplicate")
        /// A conflict, whose policy is to end the sync.
        public static let conflict = Code("conflict")
        /// A source filled fields before that the model lacks.
        public static let definitionDiffers = Code("definitionDiffers")
        /// A run cannot be taken back, or a decision carried out.
        public static let notUndoable = Code("notUndoable")
        /// A decision, a deletion or an update of a query cannot be carried out, or a transaction begins within another one.
        public static let refused = Code("refused")
        /// A pipeline file cannot be run.
        public static let invalidPipeline = Code("invalidPipeline")
        /// A statement that the database does not understand.
        public static let invalidSQL = Code("invalidSQL")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong and what to do. It never holds values of records but identifiers, but for what the program's own code says.
    public let message: String
    /// The entity, nil where it is none's.
    public var entity: String?
    /// The identifier of the record as text, nil where it is none's.
    public var identifier: String?
    /// The property, nil where it is none's.
    public var field: String?
    /// All that is wrong with models.
    public var problems: [String] = []
    /// The error of the program's own code that was the reason, nil where there was none.
    public var underlying: (any Error)?
    /// Values of the record that it is about, each with whose it is.
    var values: [(owner: String, value: BoxedValue)] = []

    /// Makes an error, for what takes the place of a store in a test.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: What went wrong, as a sentence.
    ///   - entity: The entity, nil where it is none's.
    ///   - identifier: The identifier of the record as text, nil where it is none's.
    ///   - field: The property, nil where it is none's.
    ///   - problems: All that is wrong with models.
    ///   - underlying: The error that was the reason, nil where there was none.
    public init(
        _ code: Code, _ message: String, entity: String? = nil, identifier: String? = nil, field: String? = nil,
        problems: [String] = [], underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.entity = entity
        self.identifier = identifier
        self.field = field
        self.problems = problems
        self.underlying = underlying
    }

    /// The message.
    public var description: String { message }

    /// The message, and the values that it is about: for ``Code/stale`` those of the program and of others, for ``Code/conflict`` those
    /// of the store and of the source, and for ``Code/mismatch`` what the source sent.
    public var debugDescription: String {
        if values.isEmpty { return message }
        return "\(message) (\(values.map { "\($0.owner): \($0.value.text)" }.joined(separator: ", ")))"
    }
}
