/// Something that people should know about a run.
package struct RunProblem: Codable, Sendable, Equatable {
    /// How bad it is.
    package enum Severity: String, Codable, Sendable {
        /// Nothing is wrong.
        case note
        case warning, error
    }

    /// The kind of problem, in snake_case.
    package var code: String
    /// How bad it is.
    package var severity: Severity
    /// What is wrong and what to do, as sentences.
    package var message: String
    /// The stream that it is about, nil where it is about the run.
    package var stream: String?
    /// The entity whose records it is about, nil where it is about none.
    package var entity: String?
    /// The first of these records, each key as a JSON object.
    package var keys: [String] = []
    /// How many more there are.
    package var unlisted = 0

    /// The codes of warnings that not everything was read.
    private static let unread: Set<String> = [
        "more_in_list", "rest_incomplete", nothingTaken, FetchWarning.Code.morePages.rawValue,
        FetchWarning.Code.pageLimit.rawValue, FetchWarning.Code.pageErrors.rawValue,
    ]
    /// The codes of warnings that `--strict` takes for unfinished work.
    private static let unfinished = unread.union(["differing_duplicates", "listed_and_deleted", redactionDiffers])

    /// Whether somebody has to look at it before the run counts as done.
    package var needsAttention: Bool { severity == .warning && Self.unfinished.contains(code) }

    /// Whether a warning of this kind says that not everything was read.
    package static func leavesUnread(_ code: String) -> Bool { unread.contains(code) }

    /// How many records a problem lists at most.
    package static let listedKeys = 10

    /// Makes a problem.
    package init(code: String, severity: Severity, message: String) {
        self.code = code
        self.severity = severity
        self.message = message
    }
}

extension [RunProblem] {
    /// The problems, each with the stream that it is about.
    package func of(stream: String) -> [RunProblem] {
        map { problem in
            var problem = problem
            problem.stream = problem.stream ?? stream
            return problem
        }
    }
}
