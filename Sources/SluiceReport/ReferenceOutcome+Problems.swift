internal import SluiceDiagnostics
internal import SluiceModel
package import SluiceStore

extension ReferenceOutcome {
    /// What people should know of it: nothing of it is an error.
    package var problems: [RunProblem] {
        problems(linked, "linked", .note) { name, rows in
            let count = rows.count
            return
                "\(Plural.of(count, "reference")) of `\(name)` \(Plural.word(count, "is", "are")) linked now: \(Plural.word(count, "the record that it", "the records that they")) waited for \(Plural.word(count, "has", "have")) arrived."
        }
            + refusals
            + problems(deferred, "dangling", .warning) { name, rows in
                let fate = rows.areLinks ? "left out" : "null"
                return
                    "\(Self.dangling(name, rows)), and \(Plural.word(rows.count, "is \(fate) until it arrives", "are \(fate) until these arrive"))."
            }
            + problems(cleared, "dangling", .warning) { name, rows in
                let fate =
                    rows.areLinks
                    ? Plural.word(rows.count, "is left out", "are left out")
                    : Plural.word(rows.count, "becomes null", "become null")
                return "\(Self.dangling(name, rows)), and \(fate)."
            }
            + problems(stubs, "stubs", .note) { name, rows in
                let count = rows.count
                return
                    "\(Plural.of(count, "row")) of `\(name)` \(Plural.word(count, "was", "were")) made for \(Plural.word(count, "a record that is", "records that are")) referred to but not there."
            } + cascades
    }

    /// What tables refuse: to link references, and to let go of them.
    private var refusals: [RunProblem] {
        let waiting = problems(unlinked.mapValues(\.rows), "link_refused", .warning) { name, rows in
            let (noun, verb) = (rows.areLinks ? "link" : "reference", Plural.word(rows.count, "goes", "go"))
            return
                "\(Plural.of(rows.count, noun)) of `\(name)` \(verb) on waiting although \(Plural.word(rows.count, "its record has", "their records have")) arrived. \(unlinked[name]?.reason ?? "") Every run tries again."
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

    /// Which references lead nowhere, in words.
    private static func dangling(_ name: String, _ rows: Rows) -> String {
        let noun = rows.areLinks ? "link" : "reference"
        return
            "\(Plural.of(rows.count, noun)) of `\(name)` \(Plural.word(rows.count, "leads to a record that is", "lead to records that are")) not there"
    }

    /// The rows that no report lists: the database itself deletes them.
    var cascades: [RunProblem] {
        problems(cascaded, "deleted_along", .warning) { name, count in
            "\(Plural.of(count, "row")) of `\(name)` \(Plural.word(count, "goes", "go")) along with rows that are deleted, through a foreign key or a trigger of the database. `sluice undo` does not bring \(Plural.word(count, "it", "them")) back."
        }
    }

    private func problems(
        _ rows: [String: Rows], _ code: String, _ severity: RunProblem.Severity, _ words: (String, Rows) -> String
    ) -> [RunProblem] {
        rows.sorted { $0.key < $1.key }.filter { $0.value.count > 0 }.map { name, rows in
            var problem = RunProblem(code: code, severity: severity, message: words(name, rows))
            (problem.entity, problem.keys) = (rows.entity, rows.keys)
            problem.unlisted = rows.keys.isEmpty ? 0 : rows.count - rows.keys.count
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
