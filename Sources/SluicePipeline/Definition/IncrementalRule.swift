/// How a stream asks for what changed since the last run, rather than for everything.
public struct IncrementalRule: Sendable, Hashable {
    /// In which order the source gives records, by their cursor.
    public enum Order: String, Sendable, CaseIterable {
        /// In any order.
        case none
        /// The oldest first.
        case ascending = "asc"
        /// The newest first.
        case descending = "desc"
    }

    /// What becomes of a record without a cursor.
    public enum MissingRule: String, Sendable, CaseIterable {
        /// The run fails.
        case fail
        /// It is taken, and says nothing about how far the source was read.
        case include
        /// It is left out, as if it were filtered.
        case exclude
    }

    /// The field that grows with each change of a record.
    public var field: String
    /// Where the first run begins, as JSON text in the field's own format; nil is the beginning.
    public var initialJSON: String?
    /// How far before the last cursor a run begins, to catch records that the source shows late.
    public var lookback: Duration = .zero
    /// In which order the source gives records.
    public var order = Order.none
    /// How much time one series of requests covers; nil is all of it.
    public var step: Duration?
    /// Whether records that are older than the cursor are left out here, since the source gives all of them.
    public var isClientSide = false
    /// What becomes of a record without a cursor.
    public var onMissing = MissingRule.fail
    /// How requests write the cursor, as a field's `format`; nil is the field's own first format.
    public var format: String?

    /// Makes a rule with the defaults of the pipeline file.
    ///
    /// - Parameter field: The field that grows with each change of a record.
    public init(field: String) { self.field = field }
}
