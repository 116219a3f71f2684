package import SluiceMerge
package import SluiceModel

/// A conflict whose policy is to fail the run.
package struct PolicyFailure: Error {
    /// What is in conflict.
    package enum Subject: Sendable {
        /// A field that both sides changed, with what they say.
        case field(Int, FieldClass, local: FieldValue, remote: FieldValue?)
        /// A record that one side no longer has and the other one changed.
        case record(RowKind)
    }

    /// The record.
    package let key: RecordKey
    package let subject: Subject

    /// Makes a failure over a record.
    package init(key: RecordKey, subject: Subject) { (self.key, self.subject) = (key, subject) }
}
