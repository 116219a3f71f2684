internal import SluiceJSON
internal import SluiceReport

/// Values that are made, and stand at no place of the record: what is said of one that does not fit names its field.
extension RecordDecoder {
    /// Why a field's value could not be taken, with the field's name where no pointer leads to the value.
    func naming(_ mismatch: Mismatch, _ index: Int) -> Mismatch {
        let field = plan.fields[index]
        guard let key = field.maker else { return mismatch }
        let words: String
        switch mismatch.reason {
        case .typeMismatch, .notAllowed: words = "The value that `\(key)` gives for `\(field.name)` does not fit."
        case .programFailed, .lossyNumber: words = "`\(key)` gives no value for `\(field.name)`."
        // They name it themselves.
        default: return mismatch
        }
        return Mismatch(
            reason: mismatch.reason, message: "\(words) \(mismatch.message)",
            plain: mismatch.plain.map { "\(words) \($0)" })
    }

    /// The value that a field's program gives for a record, as JSON; nil where it has none.
    func made(_ index: Int, of root: JSONElement) -> [UInt8]? {
        guard let program = programs[index] else { return nil }
        return try? program.first(of: root)
    }

    /// The same as it may be shown; nil where fields are redacted.
    func shownMade(_ index: Int, of root: JSONElement) -> String? {
        plan.redactor == nil ? made(index, of: root).map { String(decoding: $0, as: UTF8.self) } : nil
    }
}

extension DecodePlan.Field {
    /// The key of the pipeline file that says how its value is made; nil where it is taken from the record or around it.
    fileprivate var maker: String? {
        if program != nil { return "expr" }
        return template == nil ? nil : "value"
    }
}
