internal import SluiceReview

/// A form of a list of what people changed, written as it comes.
protocol EditView {
    /// What stands before the first record.
    var start: String { get }
    /// A record.
    mutating func text(_ edit: RecordEdit) -> String
    /// What stands behind the last record: where nobody could look, and how many were left out.
    func end(_ tally: EditTally, _ missing: [MissingPlace], left: Int) -> String
}
