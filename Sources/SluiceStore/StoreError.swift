/// Why a store could not be used.
public struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    public struct Code: Sendable, Hashable {
        /// The name, as reports give it.
        public let name: String
        /// Another run or program holds the store.
        public static let locked = Code(name: "locked")
        /// The path cannot be opened or written.
        public static let unavailable = Code(name: "unavailable")
        /// The file is no SQLite database, or a damaged one.
        public static let damaged = Code(name: "damaged")
        /// The database has none of our tables.
        public static let notAStore = Code(name: "not_a_store")
        /// A newer version of the program wrote the store.
        public static let newerFormat = Code(name: "newer_format")
        /// A table does not fit the pipeline.
        public static let mismatch = Code(name: "schema_mismatch")
        /// A constraint of a table refuses a value.
        public static let rejected = Code(name: "value_rejected")
        /// The disk is full.
        public static let full = Code(name: "disk_full")
        /// The work was stopped on request.
        public static let interrupted = Code(name: "interrupted")
        /// Anything else that the database reported.
        public static let failed = Code(name: "store_failed")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong and what to do, as sentences.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
    /// The code as the report names it.
    public var name: String { code.name }
}
