internal import SluiceDiagnostics
package import SluiceStore

extension ReferenceOutcome {
    /// What people should know of it: nothing of it is an error.
    package var problems: [RunProblem] {
        problems(linked, "linked", .note) { name, rows in
            let count = rows.count
            return
                "\(Plural.of(count, "reference")) of `\(name)` \(Plural.word(count, "is", "are")) linked now: \(Plural.word(count, "the record that it", "the records that they")) waited for \(Plural.word(count, "has", "have")) arrived."
        }
            + problems(deferred, "dangling", .warning) { name, rows in
                let fate = rows.areLinks ? "left out" : "null"
                return
                    "\(dangling(name, rows)), and \(Plural.word(rows.count, "is \(fate) until it arrives", "are \(fate) until these arrive"))."
            }
            + problems(cleared, "dangling", .warning) { name, rows in
                let fate =
                    rows.areLinks
                    ? Plural.word(rows.count, "is left out", "are left out")
                    : Plural.word(rows.count, "becomes null", "become null")
                return "\(dangling(name, rows)), and \(fate)."
            }
            + problems(stubs, "stubs", .note) { name, rows in
                let count = rows.count
                return
                    "\(Plural.of(count, "row")) of `\(name)` \(Plural.word(count, "was", "were")) made for \(Plural.word(count, "a record that is", "records that are")) referred to but not there."
            } + cascades
    }

    /// Which references lead nowhere, in words.
    private func dangling(_ name: String, _ rows: Rows) -> String {
        let noun = rows.areLinks ? "link" : "reference"
        let targets = missing[name]
        let place = targets.map { " of `\($0.table)`" } ?? ""
        let keys = targets?.keys.map { $0.contains(",") ? $0 : String($0.dropFirst().dropLast()) } ?? []
        let more = keys.count == Targets.listed && rows.count > keys.count ? ", …" : ""
        let named = keys.isEmpty ? "" : " (\(keys.joined(separator: ", "))\(more))"
        return
            "\(Plural.of(rows.count, noun)) of `\(name)` \(Plural.word(rows.count, "leads to a record\(place) that is", "lead to records\(place) that are")) not there\(named)"
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
