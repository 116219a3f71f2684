/// How a stream's records get into the table.
package enum WriteMode: String, Codable, Sendable, CaseIterable {
    /// As a three-way merge.
    case merge
    /// Each as a new row. A row is never touched again, and a record whose key the table has from elsewhere is refused.
    case append
    /// Those whose key the table does not have yet; rows that are there are never touched.
    case insertOnly = "insert_only"
    /// All of them: the table becomes what the source says, whatever was edited or deleted in it.
    case replace
}

extension RecordSchema {
    /// Lets the mode's side win every field and every record.
    ///
    /// The other modes are the merge with one side that always wins, so all of them plan, count and report alike.
    package mutating func follow(_ mode: WriteMode) {
        writeMode = mode
        let winner: (owner: FieldOwner, policy: ConflictPolicy)
        switch mode {
        case .merge: return
        case .replace: winner = (.remote, .remoteWins)
        case .append, .insertOnly: winner = (.local, .localWins)
        }
        policies = ConflictPolicies(layers: [ConflictPolicies.Layer(fallback: winner.policy)])
        for index in fields.indices {
            fields[index].owner = winner.owner
            fields[index].policies = nil
        }
    }
}
