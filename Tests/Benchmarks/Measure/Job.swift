/// One piece of work that both programs do.
struct Job {
    /// Which records are read.
    enum Input {
        case firstLines, firstArray, secondLines
    }

    /// What the store holds before.
    enum Start {
        case empty
        /// The first version, synced.
        case synced
    }

    /// What is done about the differences.
    enum Action {
        case write, compare
    }

    /// What becomes of the records.
    enum Shape {
        /// One table.
        case flat
        /// A table for each kind of record, and one of links.
        case related
        /// One table, some of whose fields are the source's alone: an edit of one is put back, so that no record is passed over by its text.
        case owned
    }

    let name: String
    let title: String
    var shape = Shape.flat
    let input: Input
    let start: Start
    let action: Action
    /// The least ratio to the floor's speed.
    let bar: Double
    /// The ratio that we want to reach.
    let aim: Double

    /// Whether the store holds the second version afterwards.
    var storesSecond: Bool { input == .secondLines && action == .write }

    /// In order: the first one leaves the stores that the others start from.
    static let all = [
        Job(
            name: "first", title: "first import", input: .firstLines, start: .empty, action: .write,
            bar: 0.6, aim: 0.9),
        Job(
            name: "first-array", title: "first import, one array", input: .firstArray, start: .empty, action: .write,
            bar: 0.6, aim: 0.9),
        Job(
            name: "unchanged", title: "unchanged", input: .firstLines, start: .synced, action: .write,
            bar: 0.5, aim: 0.9),
        Job(
            name: "unchanged-owned", title: "unchanged, owner: remote", shape: .owned, input: .firstLines,
            start: .synced, action: .write, bar: 0.5, aim: 0.9),
        Job(
            name: "1pct", title: "1 % changed", input: .secondLines, start: .synced, action: .write,
            bar: 0.5, aim: 0.8),
        Job(
            name: "dry", title: "1 % changed, dry run", input: .secondLines, start: .synced, action: .compare,
            bar: 0.5, aim: 0.8),
    ]

    /// The same on PostgreSQL, where the input's form makes no difference.
    static let postgres = [
        Job(
            name: "postgres-first", title: "PostgreSQL: first import", input: .firstLines, start: .empty,
            action: .write, bar: 0.5, aim: 0.8),
        Job(
            name: "postgres-unchanged", title: "PostgreSQL: unchanged", input: .firstLines, start: .synced,
            action: .write, bar: 0.5, aim: 0.8),
        Job(
            name: "postgres-1pct", title: "PostgreSQL: 1 % changed", input: .secondLines, start: .synced,
            action: .write, bar: 0.5, aim: 0.8),
        Job(
            name: "postgres-dry", title: "PostgreSQL: 1 %, dry run", input: .secondLines, start: .synced,
            action: .compare, bar: 0.5, aim: 0.8),
    ]

    /// The least lead over what is written by hand, where few records changed.
    static let byHandBar = 1.0

    /// The same over tables that refer to each other.
    static let related = [
        Job(
            name: "related-first", title: "related: first import", shape: .related, input: .firstLines, start: .empty,
            action: .write, bar: 0.5, aim: 0.8),
        Job(
            name: "related-unchanged", title: "related: unchanged", shape: .related, input: .firstLines,
            start: .synced, action: .write, bar: 0.5, aim: 0.9),
        Job(
            name: "related-1pct", title: "related: 1 % changed", shape: .related, input: .secondLines, start: .synced,
            action: .write, bar: 0.5, aim: 0.8),
        Job(
            name: "related-dry", title: "related: 1 %, dry run", shape: .related, input: .secondLines, start: .synced,
            action: .compare, bar: 0.5, aim: 0.8),
    ]
}
