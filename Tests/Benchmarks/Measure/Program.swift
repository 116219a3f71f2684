/// One of the programs that are compared.
struct Program {
    enum Kind: String {
        case floor, sluice
        /// What people write by hand: a staging table and an upsert, without a base.
        case byHand = "by_hand"
    }

    let kind: Kind
    let path: String

    /// The command line for a job.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - data: The records.
    ///   - store: A file of SQLite, or the URL of a database of PostgreSQL.
    /// - Returns: The program's path and its arguments.
    func arguments(for job: Job, on data: Dataset, store: String) -> [String] {
        // The floor reads lines only: an array must not cost more than they do.
        let input = job.input == .secondLines ? data.secondLines : data.firstLines
        switch kind {
        case .floor: return [path, job.action == .write ? "sync" : "dry", input, store]
        case .byHand: return [path, "upsert", input, store]
        case .sluice:
            let pipeline = PipelineFile.path(for: job.input, job.shape, in: data)
            let command = job.action == .write ? "run" : "plan"
            let url = store.contains("://") ? store : "sqlite:\(store)"
            return [path, command, pipeline, "--store", url, "--quiet"]
        }
    }
}
