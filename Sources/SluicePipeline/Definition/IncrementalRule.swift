/// How a stream asks for what changed since the last run, rather than for everything.
package struct IncrementalRule: Sendable, Hashable {
    /// In which order the source gives records, by their cursor.
    package enum Order: String, Sendable, CaseIterable {
        /// In any order.
        case none
        /// The oldest first.
        case ascending = "asc"
        /// The newest first.
        case descending = "desc"
    }

    /// What becomes of a record without a cursor.
    package enum MissingRule: String, Sendable, CaseIterable {
        /// The run fails.
        case fail
        /// It is taken, and says nothing about how far the source was read.
        case include
        /// It is left out, as if it were filtered.
        case exclude
    }

    /// The field that grows with each change of a record.
    package var field: String
    /// Where the first run begins, as JSON text in the field's own format; nil is the beginning.
    package var initialJSON: String?
    /// How far before the last cursor a run begins, to catch records that the source shows late.
    package var lookback: Duration = .zero
    /// In which order the source gives records.
    package var order = Order.none
    /// How much time one series of requests covers; nil is all of it.
    package var step: Duration?
    /// Whether records that are older than the cursor are left out here, since the source gives all of them.
    package var isClientSide = false
    /// Whether requests say where they end.
    package var asksForEnd = false
    /// What becomes of a record without a cursor.
    package var onMissing = MissingRule.fail
    /// How requests write the cursor, as a field's `format`; nil is the field's own first format.
    package var format: String?

    /// Makes a rule with the defaults of the pipeline file.
    ///
    /// - Parameter field: The field that grows with each change of a record.
    package init(field: String) { self.field = field }
}
