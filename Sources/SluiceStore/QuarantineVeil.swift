/// What may be kept of a record in quarantine whose values must not appear in clear.
public struct QuarantineVeil: Sendable {
    /// The record.
    public var record: [UInt8]
    /// What stands for the value that was not valid, as JSON.
    public var value: String
    /// What stands for the message, which may quote values.
    public var message: String

    /// Makes a veil.
    public init(record: [UInt8], value: String, message: String) {
        self.record = record
        self.value = value
        self.message = message
    }
}
