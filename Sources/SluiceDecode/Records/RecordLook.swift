package import SluiceModel

/// What a program makes of a record that was decoded, before it is merged.
package enum RecordVerdict: Sendable {
    /// It is merged, with other values of some fields, as a store keeps them.
    case keep([Int: FieldValue])
    /// It is left out.
    case skip
    /// It is kept aside; why, as a sentence.
    case refuse(String)
}

/// Looks at the records of a stream, one after the other.
package protocol RecordLook: AnyObject {
    /// What becomes of a batch's last record, of which the values are there and the hashes are not yet.
    func verdict(onLastOf batch: borrowing RecordBatch) -> RecordVerdict
}

/// Makes what looks at the records of a stream: one for each decoder, since several may be at work beside each other.
package protocol RecordLooks: AnyObject, Sendable {
    /// Makes it.
    ///
    /// - Parameter plan: How the records are decoded.
    /// - Returns: What looks at them.
    /// - Throws: Why nobody can look at them.
    func look(by plan: DecodePlan) throws -> any RecordLook
}
