internal import SluiceDiagnostics
internal import SluiceModel
package import SluiceStore

extension ReferenceOutcome {
    /// What people should know of it: nothing of it is an error.
    package var problems: [RunProblem] {
        problems(linked, "linked", .note) { name, rows in
            let count = rows.count
            return
                "\(Self.noun(count, rows)) of `\(name)` \(Plural.word(count, "is", "are")) \(rows.areLinks ? "made" : "linked") now: \(Plural.word(count, "the record that it", "the records that they")) waited for \(Plural.word(count, "has", "have")) arrived."
        }
            + refusals
            + problems(lost, "dangling", .warning) { name, rows in
                let isForGood = cleared[name] != nil
                return
                    "\(Self.losing(name, rows)), and \(Self.fate(rows, isForGood: isForGood, until: Plural.word(rows.count, "its record arrives", "their records arrive")))."
            }
            + problems(besidesLost(deferred), "dangling", .warning) { name, rows in
                "\(Self.dangling(name, rows)), and \(Self.fate(rows, isForGood: false, until: Plural.word(rows.count, "it arrives", "these arrive")))."
            }
            + problems(besidesLost(cleared), "dangling", .warning) { name, rows in
                "\(Self.dangling(name, rows)), and \(Self.fate(rows, isForGood: true, until: ""))."
            }
            + problems(stubs, "stubs", .note) { name, rows in
                let count = rows.count
                return
                    "\(Plural.of(count, "row")) of `\(name)` \(Plural.word(count, "was", "were")) made for \(Plural.word(count, "a record that is", "records that are")) referred to but not there."
            }
            + problems(removedStubs, "stubs_removed", .note) { name, rows in
                let count = rows.count
                return
                    "\(Plural.of(count, "row")) of `\(name)`, which \(Plural.word(count, "stands for a record that is", "stand for records that are")) not there, \(Plural.word(count, "goes", "go")): nothing refers to \(Plural.word(count, "it", "them")) any more."
            } + cascades
    }

    /// What tables refuse: to link references, and to let go of them.
    private var refusals: [RunProblem] {
        let waiting = problems(unlinked.mapValues(\.rows), "link_refused", .warning) { name, rows in
            let verb = Plural.word(rows.count, "goes", "go")
            return
                "\(Self.noun(rows.count, rows)) of `\(name)` \(verb) on waiting although \(Plural.word(rows.count, "its record has", "their records have")) arrived. \(unlinked[name]?.reason ?? "") Every run tries again."
        }
        let groups = Dictionary(grouping: unmet) { $0.table + "." + $0.name }
        return waiting
            + groups.sorted { $0.key < $1.key }.compactMap { name, references -> RunProblem? in
                guard let first = references.first, let refusal = first.refusal else { return nil }
                let count = references.count
                return RunProblem(
                    code: "dangling_kept", severity: .warning,
                    message:
                        "\(Plural.of(count, "reference")) of `\(name)` \(Plural.word(count, "leads to a record that is", "lead to records that are")) not there, and \(Plural.word(count, "stays", "stay")): that of \(first.owner.words) leads to \(first.targetKey.words) of `\(first.target)`. \(refusal)"
                )
            }
    }

    /// Those that no row held before.
    private func besidesLost(_ rows: [String: Rows]) -> [String: Rows] {
        rows.reduce(into: [:]) { rest, entry in
            var rows = entry.value
            if let lost = lost[entry.key] {
                rows.count -= min(rows.count, lost.count)
                rows.keys.removeAll { lost.keys.contains($0) }
                rows.targets.removeAll { lost.targets.contains($0) }
            }
            rest[entry.key] = rows
        }
    }

    /// Which references of rows lead nowhere from now on, in words, with what they led to.
    private static func losing(_ name: String, _ rows: Rows) -> String {
        let led =
            rows.targets.isEmpty ? "" : ": \(Plural.word(rows.count, "it led", "they led")) to \(targets(of: rows))"
        return
            "\(noun(rows.count, rows)) of `\(name)` \(Plural.word(rows.count, "loses its record", "lose their records"))\(led)"
    }

    /// The keys of what references lead to, in words.
    private static func targets(of rows: Rows) -> String {
        let targets = rows.targets.prefix(3).map { target in
            "`\(target.contains(",") ? target : String(target.dropFirst().dropLast()))`"
        }
        return targets.joined(separator: ", ") + (rows.targets.count > 3 ? " and others" : "")
    }

    /// What becomes of references that lead nowhere, in words.
    private static func fate(_ rows: Rows, isForGood: Bool, until arrival: String) -> String {
        let fate =
            rows.areLinks
            ? Plural.word(rows.count, "is left out", "are left out")
            : isForGood
                ? Plural.word(rows.count, "becomes null", "become null")
                : Plural.word(rows.count, "is null", "are null")
        return isForGood ? fate : "\(fate) until \(arrival)"
    }

    /// References, or links where each is a pair of a table of its own.
    private static func noun(_ count: Int, _ rows: Rows) -> String {
        Plural.of(count, rows.areLinks ? "link" : "reference")
    }

    /// Which references lead nowhere, in words.
    private static func dangling(_ name: String, _ rows: Rows) -> String {
        let which = rows.targets.isEmpty ? "" : " (\(targets(of: rows)))"
        return
            "\(noun(rows.count, rows)) of `\(name)` \(Plural.word(rows.count, "leads to a record that is", "lead to records that are")) not there\(which)"
    }

    /// The rows that no report lists: the database itself deletes them.
    var cascades: [RunProblem] {
        func going(_ count: Int, _ name: String, by rule: String) -> String {
            "\(Plural.of(count, "row")) of `\(name)` \(Plural.word(count, "goes", "go")) along with rows that are deleted, through \(rule) of the database."
        }
        return problems(cascadedKept, "deleted_along", .warning) { name, count in
            "\(going(count, name, by: "a foreign key")) `sluice undo` brings \(Plural.word(count, "it", "them")) back."
        }
            + emptiedProblems
            + problems(cascaded, "deleted_along", .warning) { name, count in
                "\(going(count, name, by: "a foreign key or a trigger")) `sluice undo` does not bring \(Plural.word(count, "it", "them")) back."
            }
    }

    private var emptiedProblems: [RunProblem] {
        emptied.sorted { $0.key.name < $1.key.name }.map { place, count in
            let them = Plural.word(count, "it", "them")
            let outlook =
                switch place.standing {
                case .given: "brings \(them) back; the next runs leave \(them) null, as an edit."
                case .beside: "brings \(them) back; the next runs leave \(them) null."
                case .foreign: "does not bring \(them) back."
                }
            return RunProblem(
                code: "emptied_along", severity: .warning,
                message:
                    "\(Plural.of(count, "value")) of `\(place.name)` \(Plural.word(count, "becomes", "become")) null with rows that are deleted, through a foreign key of the database (`ON DELETE SET NULL`). `sluice undo` \(outlook)"
            )
        }
    }

    private func problems(
        _ rows: [String: Rows], _ code: String, _ severity: RunProblem.Severity, _ words: (String, Rows) -> String
    ) -> [RunProblem] {
        rows.sorted { $0.key < $1.key }.filter { $0.value.count > 0 }.map { name, rows in
            var problem = RunProblem(code: code, severity: severity, message: words(name, rows))
            (problem.entity, problem.keys) = (rows.entity, rows.keys)
            // Several links of one row name it once.
            let named = rows.areLinks ? max(rows.keys.count, Rows.listed) : rows.keys.count
            problem.unlisted = rows.keys.isEmpty ? 0 : max(0, rows.count - named)
            return problem
        }
    }

    private func problems(
        _ counts: [String: Int], _ code: String, _ severity: RunProblem.Severity, _ words: (String, Int) -> String
    ) -> [RunProblem] {
        counts.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { name, count in
            RunProblem(code: code, severity: severity, message: words(name, count))
        }
    }
}
