package import SluiceModel
package import SluiceReport

/// What was decoded of the records of a batch whose texts are not as they were.
package struct DecodedChanges: Sendable {
    /// The records.
    package var records: RecordBatch
    /// What stands within them.
    package var parts: [NestedBatch] = []
    /// Those that could not be decoded.
    package var failures: [DecodeFailure] = []
    /// The keys of those that are listed and left out.
    package var leftOut: [RecordKey] = []
    /// How many the stream's filter left out.
    package var filteredCount = 0

    /// Makes a value without records.
    package init(fieldCount: Int, capacity: Int = 0) {
        records = RecordBatch(fieldCount: fieldCount, capacity: capacity)
    }
}
