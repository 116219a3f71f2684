internal import SluiceDiagnostics
internal import SluiceReport
internal import SluiceStore

extension RunProblem {
    /// What to tell of identifiers that keep another spelling than the one by which records are compared: of each table and
    /// each reason once.
    ///
    /// - Parameters:
    ///   - keys: The identifiers.
    ///   - entity: The entity of the stream that fills the tables.
    /// - Returns: A warning for each.
    static func unspelled(_ keys: [UnspelledKey], entity: String) -> [RunProblem] {
        var groups: [[UnspelledKey]] = []
        for key in keys {
            let place = groups.firstIndex { $0[0].table == key.table && $0[0].refusal == key.refusal }
            if let place { groups[place].append(key) } else { groups.append([key]) }
        }
        return groups.map { keys in
            let (first, count) = (keys[0], keys.reduce(0) { $0 + $1.rows })
            let rows =
                "\(Plural.of(count, "row")) of `\(first.table)` \(Plural.word(count, "has an identifier", "have identifiers")) in another spelling"
            let example = "`\(first.column)` is `\(first.old)` there, and `\(first.new)` as it is compared"
            let more = keys.count > 1 ? ", and so with \(keys.count - 1) more" : ""
            let reason =
                if let refusal = first.refusal {
                    "The table refuses the other one: \(refusal). So the row is not that of the record `\(first.new)` of the source, which gets a row of its own, or counts as deleted here. Change that rule of the table, or write `\(first.new)` there."
                } else {
                    "Another row has that one already. Delete one of the two, or give it another identifier."
                }
            var problem = RunProblem(
                code: "key_spelling", severity: .warning, message: "\(rows): \(example)\(more). \(reason)")
            problem.entity = entity
            return problem
        }
    }
}
