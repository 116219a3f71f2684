package import SluiceJSON
package import SluiceModel

/// A record that could not be decoded, with what is needed to find and mend it.
package struct DecodeFailure: Sendable {
    package let reason: Mismatch.Reason
    /// The JSON pointer of the offending value within the record.
    package var pointer: String
    /// The offending value as JSON text, nil where there is none.
    package var value: String?
    package let message: String
    /// The same without values of the record; nil where the message has none.
    package var plain: String?
    /// The record as it was read.
    package let record: [UInt8]
    /// The record's key, where it could be read.
    package var key: RecordKey?
    package let ordinal: Int
    /// The page, from 0.
    package var page = 0
    /// Where the text of the record is not JSON, with offsets from its start; nil where it is and cannot be taken.
    package var syntaxError: JSONError?
    /// The rule by which it ends the run, nil where it does not.
    package var runEnd: RunEnd?
    /// The quarantine entry that keeps the record already.
    package var entry: Int64?

    /// Makes a value of its parts.
    package init(
        reason: Mismatch.Reason, pointer: String, value: String? = nil, message: String, record: [UInt8],
        key: RecordKey? = nil, ordinal: Int, page: Int = 0, syntaxError: JSONError? = nil, runEnd: RunEnd? = nil,
        entry: Int64? = nil
    ) {
        self.reason = reason
        self.pointer = pointer
        self.value = value
        self.message = message
        self.record = record
        self.key = key
        self.ordinal = ordinal
        self.page = page
        self.syntaxError = syntaxError
        self.runEnd = runEnd
        self.entry = entry
    }
}
