package import SluiceModel

/// What a source answered where it was asked for records that its list did not have.
package struct ExistenceAnswers: Sendable {
    /// What is known of one record.
    package enum Answer: Sendable {
        /// The source says that it has no such record.
        case gone
        /// The source still has it.
        case there
        /// Neither is sure.
        case unknown
    }

    package private(set) var answers: [RecordKey: Answer] = [:]
    /// Requests, retries not counted.
    package var requests = 0
    /// Requests that were tried again.
    package var retries = 0
    /// Why the first of the others is not sure, as sentences; nil where all are.
    package private(set) var obstacle: String?

    /// Makes a value of its parts.
    package init(answers: [RecordKey: Answer] = [:], requests: Int = 0, retries: Int = 0, obstacle: String? = nil) {
        self.answers = answers
        self.requests = requests
        self.retries = retries
        self.obstacle = obstacle
    }

    /// Records an answer.
    package mutating func record(_ key: RecordKey, _ answer: Answer, because reason: String? = nil) {
        answers[key] = answer
        if answer == .unknown { obstacle = obstacle ?? reason }
    }

    /// What is known of a record; one that nobody asked for is not known to be gone.
    package func answer(_ key: RecordKey) -> Answer { answers[key] ?? .unknown }
}
