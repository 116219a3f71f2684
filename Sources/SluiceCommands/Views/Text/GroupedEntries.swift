internal import SluiceStore
internal import SluiceSync

/// The entries of a report by group, as many of each sort as are to be listed.
final class GroupedEntries {
    /// Entries that share a limit.
    enum Sort: CaseIterable { case change, kept, conflict, invalid }

    private let limit: Int?
    private var spools: [ReportGroup: ListSpool] = [:]
    /// The tables in the order in which they came.
    private var tables: [String] = []
    private var counts: [Sort: Int] = [:]

    /// - Parameter limit: The most entries of each sort to keep, nil for all.
    init(limit: Int?) { self.limit = limit }

    var isEmpty: Bool { counts.isEmpty && spools.isEmpty }
    var allSpools: [TextSpool] { spools.values.map(\.spool) }

    /// Whether the next entry of a sort would only be counted.
    func isFull(_ sort: Sort) -> Bool { limit.map { counts[sort, default: 0] >= $0 } ?? false }

    /// How many entries of a sort are not kept.
    func omitted(_ sort: Sort) -> Int { limit.map { max(0, counts[sort, default: 0] - $0) } ?? 0 }

    /// Adds an entry to a group.
    func append(_ kind: ReportGroup.Kind, table: String, _ sort: Sort, _ text: @autoclosure () -> String) {
        let isFull = isFull(sort)
        counts[sort, default: 0] += 1
        if isFull { return }
        let group = ReportGroup(kind: kind, table: table)
        if let spool = spools[group] { return spool.append(text()) }
        if !tables.contains(table) { tables.append(table) }
        let spool = ListSpool(limit: nil)
        spools[group] = spool
        spool.append(text())
    }

    /// Counts an entry that is not listed.
    func skip(_ sort: Sort) { counts[sort, default: 0] += 1 }

    /// Forgets everything.
    func clear() {
        spools.removeAll()
        tables.removeAll()
        counts.removeAll()
    }

    /// Writes the groups, each under its heading: first what happens, table by table, then what needs a person.
    ///
    /// - Parameters:
    ///   - isPlan: Whether nothing of it has happened.
    ///   - totals: How many entries a group has at least, listed or not.
    ///   - style: How it is painted.
    ///   - output: Where the text goes.
    /// - Throws: `SystemError`.
    func write(
        isPlan: Bool, totals: (ReportGroup) -> Int, style: TextStyle, to output: ResultOutput
    ) throws {
        var before = ""
        for part in [ReportGroup.Kind.allCases.filter { !$0.needsPerson }, [.conflict], [.invalid]] {
            for table in tables {
                for kind in part {
                    let group = ReportGroup(kind: kind, table: table)
                    guard let entries = spools[group] else { continue }
                    let total = max(totals(group), entries.count)
                    let heading = group.heading(count: total, listed: entries.count, isPlan: isPlan, style: style)
                    try output.write(before + heading)
                    try entries.spool.copy(to: output)
                    before = "\n"
                }
            }
        }
    }
}

extension ReportGroup.Kind {
    /// Whether somebody has to look at it.
    fileprivate var needsPerson: Bool { self == .conflict || self == .invalid }
}
