package import SluiceStore

extension ReferenceOutcome {
    /// What people should know of it: nothing of it is an error.
    package var problems: [RunProblem] {
        problems(linked, "linked", .note) { name, count in
            "\(values(count, "reference", "references")) of `\(name)` had waited for what is there now."
        }
            + problems(deferred, "dangling", .warning) { name, count in
                "\(values(count, "reference", "references")) of `\(name)` \(count == 1 ? "leads" : "lead") to what is not there. \(count == 1 ? "It is null until that arrives." : "They are null until that arrives.")"
            }
            + problems(cleared, "dangling", .warning) { name, count in
                "\(values(count, "reference", "references")) of `\(name)` \(count == 1 ? "leads" : "lead") to what is not there, and \(count == 1 ? "becomes" : "become") null."
            }
            + problems(stubs, "stubs", .note) { name, count in
                "\(values(count, "row", "rows")) of `\(name)` \(count == 1 ? "was" : "were") made for \(count == 1 ? "a record that is" : "records that are") referred to and not there."
            } + cascades
    }

    /// The rows that no report lists: the database itself deletes them.
    var cascades: [RunProblem] {
        problems(cascaded, "deleted_along", .warning) { name, count in
            "\(values(count, "row", "rows")) of `\(name)` \(count == 1 ? "goes" : "go") along with rows that are deleted, through a foreign key or a trigger of the database. `sluice undo` does not bring \(count == 1 ? "it" : "them") back."
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

    private func values(_ count: Int, _ one: String, _ many: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }
}
