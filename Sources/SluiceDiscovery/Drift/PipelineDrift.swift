package import SluiceReport
package import SluiceStore

/// Where a pipeline, its source and its store are no longer as one.
package struct PipelineDrift: Sendable {
    /// A key that the source sends and no field takes.
    package struct Key: Sendable, Equatable {
        /// The path within the record.
        package let path: String
        /// How many records of the page have it; nil where no page was read.
        package var records: Int?
        /// A value as JSON; nil where there is none or it must not be shown.
        package var sample: String?
        /// Whether a run has met it.
        package var isRemembered = false
    }

    /// A field that no record of the page says anything of, and that the same records had before: its column stays as it is.
    package struct MissingField: Sendable, Equatable {
        /// The field.
        package let field: String
        /// How many records of the page had a value for it before.
        package let before: Int
        /// A key that no field takes and that may have taken its place; nil where none suggests itself.
        package var candidate: String?
    }

    /// How it was found out what a stream sends.
    package enum Reading: Sendable {
        /// A page was read, of which so many records were looked at.
        case page(records: Int)
        /// What runs remember was looked up, and nothing asked for.
        case memory
        /// Nothing can be asked for yet, for a reason that is a sentence.
        case unasked(String)
        /// The page cannot be read.
        case failure(RunFailure)
    }

    /// What a stream sends.
    package struct Stream: Sendable {
        package let name: String
        package let entity: String
        package var reading: Reading
        /// Whether its contract is to ignore keys that no field takes, so that nobody looks at them.
        package var ignoresKeys = false
        /// The keys that no field takes, those of the page first.
        package var keys: [Key] = []
        /// The fields that its records had and have no longer.
        package var missingFields: [MissingField] = []
    }

    /// Values that do not fit their field.
    package struct Misfit: Sendable {
        /// Where they are.
        package enum Place: String, Sendable, CaseIterable {
            /// In the page that was read.
            case page
            /// In records in quarantine.
            case quarantine
            /// In the table.
            case table
        }

        package let place: Place
        package let stream: String
        package let entity: String
        /// The JSON pointer of the values within their records, where `*` stands for any position in a list; in the table
        /// the column.
        package let pointer: String
        package let reason: String
        package var count: Int
        /// One of them as JSON; nil where there is none or it must not be shown.
        package var sample: String?
    }

    package let pipeline: String
    /// Whether the store is there and a run has written to it.
    package var hasStore = false
    package var streams: [Stream] = []
    package var columns: [ColumnDrift] = []
    package var misfits: [Misfit] = []
    package var problems: [RunProblem] = []

    /// Whether something is not as the pipeline says. Columns that people added are theirs.
    package var isDrifting: Bool {
        streams.contains { !$0.keys.isEmpty || !$0.missingFields.isEmpty } || columns.contains { $0.kind != .own }
            || !misfits.isEmpty
    }

    /// Whether a page could not be read.
    package var hasFailed: Bool {
        streams.contains { if case .failure = $0.reading { true } else { false } }
            || problems.contains { $0.severity == .error }
    }
}
