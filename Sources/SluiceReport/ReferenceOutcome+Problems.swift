internal import SluiceDiagnostics
package import SluiceStore

extension ReferenceOutcome {
    /// What people should know of it: nothing of it is an error.
    package var problems: [RunProblem] {
        problems(linked, "linked", .note) { name, count in
            "\(Plural.of(count, "reference")) of `\(name)` \(Plural.word(count, "is", "are")) linked now: \(Plural.word(count, "the record that it", "the records that they")) waited for \(Plural.word(count, "has", "have")) arrived."
        }
            + problems(deferred, "dangling", .warning) { name, count in
                "\(Plural.of(count, "reference")) of `\(name)` \(Plural.word(count, "leads", "lead")) to \(Plural.word(count, "a record that is", "records that are")) not there, and \(Plural.word(count, "is null until it arrives", "are null until these arrive"))."
            }
            + problems(cleared, "dangling", .warning) { name, count in
                "\(Plural.of(count, "reference")) of `\(name)` \(Plural.word(count, "leads", "lead")) to \(Plural.word(count, "a record that is", "records that are")) not there, and \(Plural.word(count, "becomes", "become")) null."
            }
            + problems(stubs, "stubs", .note) { name, count in
                "\(Plural.of(count, "row")) of `\(name)` \(Plural.word(count, "was", "were")) made for \(Plural.word(count, "a record that is", "records that are")) referred to but not there."
            } + cascades
    }

    /// The rows that no report lists: the database itself deletes them.
    var cascades: [RunProblem] {
        problems(cascaded, "deleted_along", .warning) { name, count in
            "\(Plural.of(count, "row")) of `\(name)` \(Plural.word(count, "goes", "go")) along with rows that are deleted, through a foreign key or a trigger of the database. `sluice undo` does not bring \(Plural.word(count, "it", "them")) back."
        }
    }

    private func problems(
        _ rows: [String: Rows], _ code: String, _ severity: RunProblem.Severity, _ words: (String, Int) -> String
    ) -> [RunProblem] {
        rows.sorted { $0.key < $1.key }.filter { $0.value.count > 0 }.map { name, rows in
            var problem = RunProblem(code: code, severity: severity, message: words(name, rows.count))
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
