/// What `store check` looks at, in the order in which it is told.
package enum StoreCheck: String, CaseIterable, Sendable {
    case integrity
    case foreignKeys = "foreign_keys"
    case registry
    case columns
    case indexes
    case bases
    case references
    case children
    case links
    case waiting
    case conflicts
    case quarantine
    case history
    case state
    case runs

    /// What it looks at, as the end of a sentence.
    package var looksAt: String {
        switch self {
        case .integrity: "the database's own structures"
        case .foreignKeys: "the foreign keys that the database knows"
        case .registry: "the format, and what the store notes of pipelines, tables and fields"
        case .columns: "the tables and columns that pipelines fill, and their types"
        case .indexes: "the indexes and views that runs made"
        case .bases: "what the sources said last, row by row"
        case .references: "columns that refer to rows"
        case .children: "rows that belong to other rows"
        case .links: "pairs of rows that tables of links hold"
        case .waiting: "references that wait for their rows"
        case .conflicts: "conflicts and the records that they are about"
        case .quarantine: "records in quarantine"
        case .history: "what runs changed"
        case .state: "how far streams were read"
        case .runs: "the runs, and what a service started"
        }
    }
}

/// Something that a check found in a store.
package struct StoreFinding: Sendable, Equatable {
    /// What a finding means.
    package enum Verdict: String, Sendable {
        /// The store is not as it must be.
        case wrong
        /// It may be so, and is worth knowing.
        case note
    }

    /// How many examples a finding has at most.
    package static let listed = 3

    package let check: StoreCheck
    package let verdict: Verdict
    /// The table that it is about; nil for the whole store.
    package let table: String?
    /// How many rows or things it is true of.
    package let count: Int
    /// What is so, as a sentence.
    package let message: String
    /// The first of the rows, each as people know it.
    package let examples: [String]
    /// What to do, as a sentence; nil where nothing need be done.
    package let remedy: String?

    /// Makes a finding.
    package init(
        _ check: StoreCheck, _ verdict: Verdict = .wrong, table: String?, count: Int, message: String,
        examples: [String] = [], remedy: String?
    ) {
        (self.check, self.verdict, self.table, self.count) = (check, verdict, table, count)
        (self.message, self.examples, self.remedy) = (message, Array(examples.prefix(Self.listed)), remedy)
    }
}
