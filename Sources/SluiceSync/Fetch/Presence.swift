internal import SluiceMerge

/// What a source answered where it was asked for records that its list did not have.
struct Presence: Sendable {
    /// What is known of one record.
    enum Answer: Sendable {
        /// The source says that it has no such record.
        case gone
        /// The source still has it.
        case there
        /// Neither is sure.
        case unknown
    }

    private(set) var answers: [RecordKey: Answer] = [:]
    /// Requests, retries not counted.
    var requests = 0
    /// Requests that were tried again.
    var retries = 0
    /// Why the first of the others is not sure, as sentences; nil where all are.
    private(set) var obstacle: String?

    /// Notes an answer.
    mutating func note(_ key: RecordKey, _ answer: Answer, because reason: String? = nil) {
        answers[key] = answer
        if answer == .unknown { obstacle = obstacle ?? reason }
    }

    /// What is known of a record; one that nobody asked for is not known to be gone.
    func answer(_ key: RecordKey) -> Answer { answers[key] ?? .unknown }
}
