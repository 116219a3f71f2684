internal import SluiceJSON
internal import SluiceMerge

/// A record that could not be decoded, with what is needed to find and mend it.
struct DecodeFailure: Sendable {
    let reason: Mismatch.Reason
    /// The JSON pointer of the offending value within the record.
    var pointer: String
    /// The offending value as JSON text, nil where there is none.
    var value: String?
    let message: String
    /// The record as it was read.
    let record: [UInt8]
    /// The record's key, where it could be read.
    var key: RecordKey?
    let ordinal: Int
    /// The page, from 0.
    var page = 0
    /// Where the text of the record is not JSON, with offsets from its start; nil where it is and cannot be taken.
    var syntaxError: JSONError?
    /// The rule by which it ends the run, nil where it does not.
    var runEnd: RunEnd?
    /// The quarantine entry that keeps the record already.
    var entry: Int64?
}
