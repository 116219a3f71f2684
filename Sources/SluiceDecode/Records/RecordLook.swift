package import SluiceModel

/// What a program makes of a record that was decoded, before it is merged.
package enum RecordVerdict: Sendable {
    /// It is merged, with other values of some fields, as a store keeps them.
    case keep([Int: FieldValue])
    /// It is left out.
    case skip
    /// It is kept aside; why, as a sentence.
    case refuse(String)
    /// It is kept aside since a value does not fit: why, as a sentence, and which field has it.
    case misfit(String, plain: String?, field: Int)
}

extension RecordVerdict {
    /// Whether the record is kept aside.
    var refuses: Bool {
        switch self {
        case .keep, .skip: false
        case .refuse, .misfit: true
        }
    }
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
