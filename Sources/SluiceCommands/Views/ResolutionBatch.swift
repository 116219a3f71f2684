internal import SluiceReport
internal import SluiceReview
internal import SluiceStore

/// Decisions that are carried out together, in the order in which they were given.
struct ResolutionBatch {
    /// One decision as the result tells it.
    struct Item {
        let id: Int64
        /// Where it was given, as `line 7` of a file.
        var place: String?
        /// Nil where there is no such conflict.
        var decision: ConflictDecision?
        var outcome: ResolutionOutcome
    }

    let who: String?
    let note: String?
    var items: [Item] = []
    /// The numbers of the runs that it became, one for each pipeline.
    var runs: [Int64] = []
    /// What people should know of what went along with rows that the decisions deleted.
    var problems: [RunProblem] = []
    private var decided: Set<Int64> = []
    /// How many rows of a file decide nothing; nil where there is no file.
    var undecided: Int?

    init(who: String?, note: String?) {
        self.who = who
        self.note = note
    }

    /// Adds a decision.
    mutating func add(_ entry: ConflictEntry, _ resolution: Resolution, place: String? = nil) {
        let decision = ConflictDecision(entry, resolution)
        items.append(Item(id: entry.id ?? 0, place: place, decision: decision, outcome: .refused("")))
        decided.insert(entry.id ?? 0)
    }

    /// Adds what cannot even be tried.
    mutating func refuse(id: Int64, place: String? = nil, _ reason: String) {
        items.append(Item(id: id, place: place, decision: nil, outcome: .refused(reason)))
    }

    /// Whether a conflict was decided already.
    func contains(id: Int64) -> Bool { decided.contains(id) }

    var resolved: Int { items.count { $0.outcome == .resolved } }
    var reopened: Int { items.count { $0.outcome == .reopened } }
    /// How many were decided so before.
    var standing: Int { items.count { $0.outcome == .standing } }
    /// How many were decided with another one.
    var answered: Int { items.count { if case .answered = $0.outcome { true } else { false } } }
    var refused: Int { items.count - resolved - reopened - standing - answered }
}
