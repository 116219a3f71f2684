package import SluiceStore

/// What the state holds of a run beside its row and its counts: `run 7` ⇥ `(who)` ⇥ `Ana`. No entity is called so.
package enum RunNote: String, CaseIterable, Sendable {
    /// What a run alone was asked for.
    case scope = "(scope)"
    /// Who asked for it.
    case who = "(who)"
    /// How many references it linked.
    case linked = "(linked)"
    /// How many rows of an entity lost a reference. The entity's name stands behind it.
    case unlinked = "(unlinked)"
    /// How many records were not as a saved plan found them. With an entity's name behind it: of those within others.
    case stale = "(stale)"
    /// How many rows are gone from the source and stay, since that is only to be reported.
    case deletesReported = "(delete_reported)"
    /// How many records had a key that came again.
    case duplicates = "(duplicates)"
    /// How many pages the source has, all of them as before.
    case pagesAsBefore = "(pages_as_before)"
    /// How many records that were read were left out.
    case filtered = "(filtered)"
    /// How many rows were missing, and are gone once further scans miss them too.
    case suspected = "(suspected)"
}

extension RunEntry {
    /// The notes of a run, each with its name.
    ///
    /// - Parameter kept: The notes that are kept elsewhere.
    /// - Returns: The others.
    package func notes(besides kept: Set<RunNote> = []) -> [(name: String, value: String)] {
        var notes: [(RunNote, String, String)] = []
        if let scope { notes.append((.scope, "", scope)) }
        if let who { notes.append((.who, "", who)) }
        if linked > 0 { notes.append((.linked, "", String(linked))) }
        if let pagesAsBefore { notes.append((.pagesAsBefore, "", String(pagesAsBefore))) }
        for (entity, count) in unlinked.sorted(by: { $0.key < $1.key }) where count > 0 {
            notes.append((.unlinked, " \(entity)", String(count)))
        }
        let counts: [(RunNote, Int)] = [
            (.stale, stale), (.deletesReported, deletesReported), (.duplicates, duplicates), (.filtered, filtered),
            (.suspected, suspected),
        ]
        for (note, count) in counts where count > 0 {
            notes.append((note, "", String(count)))
        }
        for (entity, counts) in within.sorted(by: { $0.key < $1.key }) where counts.stale > 0 {
            notes.append((.stale, " \(entity)", String(counts.stale)))
        }
        return notes.filter { !kept.contains($0.0) }.map { ("\($0.rawValue)\($1)", $2) }
    }

    /// Takes a note that was kept; what is none is left out.
    package mutating func accept(note name: String, _ value: String) {
        switch RunNote(rawValue: name) {
        case .scope: scope = value
        case .who: who = value
        case .linked: linked = Int(value) ?? 0
        case .stale: stale = Int(value) ?? 0
        case .deletesReported: deletesReported = Int(value) ?? 0
        case .duplicates: duplicates = Int(value) ?? 0
        case .pagesAsBefore: pagesAsBefore = Int(value)
        case .filtered: filtered = Int(value) ?? 0
        case .suspected: suspected = Int(value) ?? 0
        case .unlinked: break
        case nil:
            if let entity = Self.entity(of: .stale, name) { within[entity]?.stale = Int(value) ?? 0 }
            if let entity = Self.entity(of: .unlinked, name) { unlinked[entity] = Int(value) }
        }
    }

    /// The entity whose name stands behind a note's.
    private static func entity(of note: RunNote, _ name: String) -> String? {
        let mark = note.rawValue + " "
        return name.hasPrefix(mark) ? String(name.dropFirst(mark.count)) : nil
    }
}
