/// One of the two programs that are compared.
struct Program {
    enum Kind: String {
        case floor, sluice
    }

    let kind: Kind
    let path: String

    /// The command line for a job.
    func arguments(for job: Job, on data: Dataset, store: String) -> [String] {
        switch kind {
        case .floor:
            // The floor reads lines only: an array must not cost more than they do.
            let input = job.input == .secondLines ? data.secondLines : data.firstLines
            return [path, job.action == .write ? "sync" : "dry", input, store]
        case .sluice:
            let pipeline = PipelineFile.path(for: job.input, job.shape, in: data)
            let command = job.action == .write ? "run" : "plan"
            return [path, command, pipeline, "--store", "sqlite:\(store)", "--quiet"]
        }
    }
}
