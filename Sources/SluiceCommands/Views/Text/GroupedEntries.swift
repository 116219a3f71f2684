internal import SluiceStore

/// The entries of a report by group, as many of each sort as are to be listed.
final class GroupedEntries {
    /// Entries that share a limit.
    enum Sort: CaseIterable { case change, kept, conflict, invalid }

    /// How many entries of records with others in them wait for more, where there is no limit.
    private static let mostWaiting = 50_000

    private let limit: Int?
    private let view: RecordTreeText
    private var spools: [ReportGroup: ListSpool] = [:]
    /// The groups whose entries have conflicts within.
    private var withConflicts: Set<ReportGroup> = []
    /// The kinds of the conflicts of each table.
    private var causes: [String: Set<String>] = [:]
    /// The tables in the order in which they came.
    private var tables: [String] = []
    private var listed: [Sort: Int] = [:]
    private var left: [Sort: Int] = [:]
    /// Records with others in them, of which more may come.
    private var trees = RecordTrees()
    /// Whether some of them are listed already.
    private var hasSettled = false

    /// - Parameters:
    ///   - limit: The most entries of each sort to keep, nil for all.
    ///   - view: How records look that others belong to.
    init(limit: Int?, view: RecordTreeText) { (self.limit, self.view) = (limit, view) }

    var isEmpty: Bool { listed.isEmpty && left.isEmpty }
    var allSpools: [TextSpool] { spools.values.map(\.spool) }

    /// Whether the next entry of a sort would only be counted.
    func isFull(_ sort: Sort) -> Bool {
        guard let limit else { return false }
        return left[sort] != nil || listed[sort, default: 0] >= limit
    }

    /// Whether an entry of a record would be listed.
    func wants(_ sort: Sort, _ path: [RecordName]?) -> Bool {
        !isFull(sort) || path?.first.map { trees.has($0) } ?? false
    }

    /// Whether some record is listed whose key begins with a value, as JSON text.
    func mayWant(_ value: String) -> Bool { trees.mayHave(value) }

    /// How many entries of a sort are not kept.
    func omitted(_ sort: Sort) -> Int { left[sort, default: 0] }

    /// Adds an entry to a group.
    ///
    /// - Parameters:
    ///   - kind: What happens.
    ///   - table: The table of the record.
    ///   - sort: The entries that it shares a limit with.
    ///   - path: The records that the record belongs to, and itself; nil where it stands for itself.
    ///   - text: Whole lines.
    func append(
        _ kind: ReportGroup.Kind, table: String, _ sort: Sort, path: [RecordName]? = nil,
        _ text: @autoclosure () -> String
    ) {
        if !wants(sort, path) { return skip(sort) }
        guard let path, let root = path.first else {
            listed[sort, default: 0] += 1
            return append(ReportGroup(kind: kind, table: table), text())
        }
        record(view.families.table(of: root.entity))
        listed[sort, default: 0] += 1
        trees.add(
            RecordTree.Entry(path: path, kind: kind, sort: sort, text: text()),
            mayLack: hasSettled || left[.change] != nil)
        if let limit, listed[sort, default: 0] > limit, trees.dropLast(sort) {
            listed[sort, default: 0] -= 1
            skip(sort)
        }
        if limit == nil && trees.count > Self.mostWaiting {
            hasSettled = true
            for tree in trees.takeFirst() { settle(tree) }
        }
    }

    /// Records what conflicts are about that are listed in the group of a table.
    func record(_ conflicts: [ConflictEntry], in table: String) {
        causes[table, default: []].formUnion(conflicts.lazy.filter { $0.status == .open }.map(\.kind))
    }

    /// Counts an entry that is not listed.
    func skip(_ sort: Sort) { left[sort, default: 0] += 1 }

    private func append(_ group: ReportGroup, _ text: String) {
        record(group.table)
        let spool = spools[group] ?? ListSpool(limit: nil)
        spools[group] = spool
        spool.append(text)
    }

    private func record(_ table: String) { if !tables.contains(table) { tables.append(table) } }

    private func settle(_ tree: RecordTree) {
        let group = ReportGroup(kind: tree.kind, table: view.families.table(of: tree.root.entity))
        if tree.hasConflictWithin { withConflicts.insert(group) }
        append(group, view.text(tree))
    }

    /// Forgets everything.
    func clear() {
        spools.removeAll()
        withConflicts.removeAll()
        causes.removeAll()
        tables.removeAll()
        listed.removeAll()
        left.removeAll()
        trees = RecordTrees()
        hasSettled = false
    }

    /// Lists the records of which more might have come.
    func settle() {
        for tree in trees.all { settle(tree) }
        trees = RecordTrees()
    }

    /// Writes the groups, each under its heading: first what happens, table by table, then what needs a person.
    ///
    /// - Parameters:
    ///   - isPlan: Whether nothing of it has happened.
    ///   - totals: How many entries a group has at least, listed or not.
    ///   - omission: What is said of the entries of a sort that are not listed.
    ///   - style: How it is painted.
    ///   - output: Where the text goes.
    /// - Throws: `SystemError`.
    func write(
        isPlan: Bool, totals: (ReportGroup) -> Int, omission: (Sort) -> String, style: TextStyle,
        to output: ResultOutput
    ) throws {
        var before = ""
        let parts: [(kinds: [ReportGroup.Kind], sorts: [Sort])] = [
            (ReportGroup.Kind.allCases.filter { !$0.needsPerson }, [.change, .kept]),
            ([.conflict, .conflictWithin], [.conflict]), ([.invalid], [.invalid]),
        ]
        for part in parts {
            for table in tables {
                for kind in part.kinds {
                    let group = ReportGroup(kind: kind, table: table)
                    guard let entries = spools[group] else {
                        // The first changes may all be of one kind: of the others it is said how many there are.
                        if left[.change] != nil && kind.isOfRows && totals(group) > 0 {
                            let heading = group.heading(
                                count: totals(group), listed: 0, isPlan: isPlan, isCut: true, hasConflicts: false,
                                causes: [], style: style)
                            try output.write(before + heading)
                            before = "\n"
                        }
                        continue
                    }
                    // A row about which several streams disagree is listed for each of them.
                    let known = totals(group)
                    let total = kind == .conflict && known > 0 ? known : max(known, entries.count)
                    let heading = group.heading(
                        count: total, listed: entries.count, isPlan: isPlan,
                        isCut: left[.change] != nil || left[.conflict] != nil,
                        hasConflicts: withConflicts.contains(group), causes: causes[table] ?? [], style: style)
                    try output.write(before + heading)
                    try entries.spool.copy(to: output)
                    before = "\n"
                }
            }
            for sort in part.sorts { try output.write(omission(sort)) }
        }
    }
}

extension ReportGroup.Kind {
    /// Whether it is that rows come or change, which a report counts by table.
    fileprivate var isOfRows: Bool { [.insert, .update].contains(self) }

    /// Whether somebody has to look at it.
    var needsPerson: Bool { [.conflict, .conflictWithin, .invalid].contains(self) }
}
