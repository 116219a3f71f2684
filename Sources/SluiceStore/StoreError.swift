/// Why a store could not be used.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure.
    package struct Code: Sendable, Hashable {
        /// The name, as reports give it.
        package let name: String
        /// Another run or program holds the store.
        package static let locked = Code(name: "locked")
        /// Another worker has taken the run over.
        package static let superseded = Code(name: "superseded")
        /// The path cannot be opened or written.
        package static let unavailable = Code(name: "unavailable")
        /// The file is no SQLite database, or a damaged one.
        package static let damaged = Code(name: "damaged")
        /// The database has none of our tables.
        package static let notAStore = Code(name: "not_a_store")
        /// A newer version of the program wrote the store.
        package static let newerFormat = Code(name: "newer_format")
        /// A table does not fit the pipeline.
        package static let mismatch = Code(name: "schema_mismatch")
        /// The store keeps something for a name that the pipeline no longer has.
        package static let orphaned = Code(name: "orphaned")
        /// A constraint of a table refuses a value.
        package static let rejected = Code(name: "value_rejected")
        /// The disk is full.
        package static let full = Code(name: "disk_full")
        /// The work was stopped on request.
        package static let interrupted = Code(name: "interrupted")
        /// The connection was lost while a commit was on its way, and whether it was kept could not be found out.
        package static let outcomeUnknown = Code(name: "outcome_unknown")
        /// Anything else that the database reported.
        package static let failed = Code(name: "store_failed")

        /// Whether it stands against a change of tables, which is for people to settle; nothing was written then.
        package var isRefusal: Bool { [.mismatch, .orphaned].contains(self) }
    }

    /// The kind of failure.
    package let code: Code
    /// What is wrong and what to do, as sentences.
    package let message: String
    /// The same without values of records but keys; nil where the message has none.
    package let plain: String?
    /// The key of the pipeline's file that it is about; nil where it is about none.
    package let key: PipelineKey?
    /// Whether others were in the way, so that the same transaction may well succeed when it is repeated from its start.
    package let mayRepeat: Bool
    /// Whether the store is free again once another program is done with it; the message ends with "Try again later." then.
    package let isBusy: Bool
    /// The errors of which it is made, see ``together(_:)``; none where it is one of its own.
    package let parts: [StoreError]

    /// Makes an error.
    package init(
        _ code: Code, _ message: String, plain: String? = nil, about key: PipelineKey? = nil, mayRepeat: Bool = false,
        isBusy: Bool = false, parts: [StoreError] = []
    ) {
        self.code = code
        self.message = message
        self.plain = plain
        self.key = key
        self.mayRepeat = mayRepeat
        self.isBusy = isBusy
        self.parts = parts
    }

    /// The message as a command tells it that can wait for a busy store, with its option.
    package var messageWhereWaiting: String { isBusy ? Self.addingWait(to: message) : message }

    /// Names the option that waits in the message of a busy store.
    package static func addingWait(to message: String) -> String { message.dropLast() + ", or wait with `--wait 10m`." }

    /// The message.
    package var description: String { message }
    /// The code as the report names it.
    package var name: String { code.name }
}

/// A key of a pipeline's file that says what a table is.
package struct PipelineKey: Sendable, Hashable {
    /// Which key.
    package enum Name: Sendable, Hashable {
        case type(field: String)
        case identifier
        case unique
        /// The entity itself.
        case entity
        /// A stream that reads it.
        case stream(String)
        /// Something that the file does not have.
        case missing
    }

    /// The entity's name.
    package let entity: String
    /// Which key of it.
    package let name: Name

    /// Names a key.
    package init(_ name: Name, of entity: String) {
        (self.name, self.entity) = (name, entity)
    }
}
