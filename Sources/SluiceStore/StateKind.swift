internal import SluiceDiagnostics

/// The kinds of things that a store remembers of a stream between runs, by the names that are part of its format.
///
/// A new kind is a case here and a typed ``StateKey``.
package enum StateKind: String, CaseIterable, Sendable {
    /// What the stream's pages said of their version.
    case validators
    /// The token by which the source is asked for what changed.
    case token = "cursor_token"
    /// The run whose undoing gave the token up, until everything was read and there is another one.
    case tokenGivenUp = "token_given_up"
    /// Which fingerprints of records are to be believed.
    case fingerprints = "record_texts"
    /// The partitions that failed, and the last run whose changed parents were asked for.
    case partitions
    /// The rows before the first run that missed too many of them.
    case heldRows = "rows_before_refused_deletes"
    /// The first run whose deletes were refused, until a scan of everything finds nothing to refuse.
    case refusedRun = "run_with_refused_deletes"
    /// The keys that the source sends and no field takes.
    case unmappedKeys = "unmapped_keys"
    /// How far the stream was read, by a field: another field is another cursor.
    case cursor = "cursor."
    /// How far each partition of the stream was read, by a field.
    case partitionCursors = "cursors."
    /// What the pipeline said of the records when it was kept how far the stream was read.
    case definition = "definition"
    /// What the pipeline last asked the source for, by which the same pipeline is known under another name.
    case request
    /// That the pipeline went by another name before.
    case formerName = "formerly:"
    /// That an import filled the table from a source.
    case origin = "import:"
    /// The saved plan that was carried out last, and the run that did it.
    case appliedPlan = "applied_plan"
    /// The order among the sources of the stream's table, and the run since which it holds.
    case order

    /// What undoing a run does to it.
    package enum AfterUndo: Sendable {
        /// It is as before the run. What a later run changed stays.
        case before
        /// It is as before the run. What a later run changed is forgotten, so that the stream is read from its beginning.
        case unread
        /// It is as before the run. What a later run changed stays, and the stream is read from its beginning.
        case reread
        /// It is void, whoever wrote it: what was taken back has to be read again, although its source did not change.
        case void
        /// It stays, since it says nothing of records.
        case same
    }

    /// The kind that a name is of; nil where this version knows none.
    package init?(name: String) {
        let kind = Self.allCases.first { kind in
            kind.takesDetail ? name.hasPrefix(kind.rawValue) : name == kind.rawValue
        }
        guard let kind else { return nil }
        self = kind
    }

    /// Whether a name goes on behind that of the kind, so that a stream may have several.
    package var takesDetail: Bool {
        switch self {
        case .cursor, .partitionCursors, .origin, .formerName: true
        case .validators, .token, .tokenGivenUp, .fingerprints, .partitions, .heldRows, .refusedRun, .unmappedKeys,
            .definition, .request, .appliedPlan, .order:
            false
        }
    }

    /// What undoing a run does to it.
    package var afterUndo: AfterUndo {
        switch self {
        case .cursor, .partitionCursors, .token: .unread
        case .validators, .fingerprints: .void
        case .tokenGivenUp, .partitions, .heldRows, .refusedRun, .order: .before
        case .definition: .reread
        case .unmappedKeys, .request, .formerName, .origin, .appliedPlan: .same
        }
    }

    /// Whether the history of a run tells that it changed, which undo needs to know what was before.
    package var isRecorded: Bool {
        switch self {
        case .validators, .token, .tokenGivenUp, .partitions, .heldRows, .refusedRun, .cursor, .partitionCursors,
            .definition, .order:
            true
        case .fingerprints, .unmappedKeys, .request, .formerName, .origin, .appliedPlan: false
        }
    }

    /// What it is called where people read of it.
    private var words: String {
        switch self {
        case .validators: "page versions"
        case .token: "sync token"
        case .tokenGivenUp: "note that its sync token was given up"
        case .fingerprints: "fingerprints of records"
        case .partitions: "list of requests to repeat"
        case .heldRows: "count of rows before refused deletes"
        case .refusedRun: "run whose deletes were refused"
        case .unmappedKeys: "unmapped keys"
        case .cursor: "cursor"
        case .partitionCursors: "cursors of its requests"
        case .definition: "definition"
        case .request: "requests"
        case .formerName: "former name"
        case .origin: "origin"
        case .appliedPlan: "saved plan that was applied"
        case .order: "order of sources"
        }
    }

    /// Whether people can read its values.
    private var isReadable: Bool { [.cursor, .heldRows, .refusedRun].contains(self) }

    /// What is told of a change of marks that runs leave for later ones; nil where nothing is, and for what is no such mark.
    ///
    /// - Parameters:
    ///   - name: Its name in the store.
    ///   - new: The value since; nil where there is none.
    /// - Returns: A sentence without its full stop, and whether it is such a mark.
    package static func mark(_ name: String, new: String?) -> (isMark: Bool, words: String?) {
        switch StateKind(name: name) {
        case .heldRows?:
            guard let new else { return (true, "no more is missing than may go in one run") }
            return (
                true,
                "more is missing than may go in one run, of \(Int(new).map { Plural.of($0, "row") } ?? new) before"
            )
        // It goes with the one before, as this one goes with the token.
        case .refusedRun?, .tokenGivenUp?, .order?: return (true, nil)
        default: return (false, nil)
        }
    }

    /// What is told of a change of it.
    ///
    /// - Parameters:
    ///   - name: Its name in the store.
    ///   - old: The value before; nil where there was none.
    ///   - new: The value since; nil where there is none.
    /// - Returns: What it is called, and both values where people can read them.
    package static func telling(_ name: String, old: String?, new: String?) -> (
        words: String, values: (old: String, new: String)?
    ) {
        guard let kind = StateKind(name: name) else { return (name, (old ?? "nothing", new ?? "nothing")) }
        let detail = kind.takesDetail ? String(name.dropFirst(kind.rawValue.count)) : ""
        let words = detail.isEmpty ? kind.words : "\(kind.words) `\(detail)`"
        return (words, kind.isReadable ? (old ?? "nothing", new ?? "nothing") : nil)
    }
}
