/// What may be kept of a record in quarantine whose values must not appear in clear.
package struct RedactedQuarantine: Sendable {
    /// The record.
    package var record: [UInt8]
    /// What stands for the value that was not valid, as JSON.
    package var value: String
    /// What stands for the message, which may quote values.
    package var message: String

    /// Makes one.
    package init(record: [UInt8], value: String, message: String) {
        self.record = record
        self.value = value
        self.message = message
    }
}
