internal import SluiceDiagnostics
internal import SluiceModel
internal import SluiceReport

/// Rows that their table does not let go.
extension StreamMerger {
    /// What people should know of them; nil where there are none.
    ///
    /// - Parameter name: What they are rows of.
    /// - Returns: The problem.
    func rejectedDeletes(of name: String) -> RunProblem? {
        guard let example = refusedDeletes.first else { return nil }
        let count = refusedDeletes.count
        let remedy =
            context.children.isEmpty
            ? ""
            : " A record goes before its children: where their foreign key is what refuses it, declare that `DEFERRABLE INITIALLY DEFERRED` or `ON DELETE CASCADE`."
        return RunProblem(
            code: "delete_rejected", severity: .warning,
            message:
                "\(Plural.of(count, "row")) of `\(name)` \(Plural.word(count, "is", "are")) gone from the source but could not be deleted, for example \(example) Every run tries again.\(remedy)"
        )
    }
}
