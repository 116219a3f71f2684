import Glibc

/// What one job took on one size of data.
struct Measurement {
    let job: Job
    let data: Dataset
    let floor: [Sample]
    /// Empty where only the floor ran.
    let sluice: [Sample]
    /// Empty where nobody would do the job by hand, and where that is not measured.
    var byHand: [Sample] = []

    /// How fast Sluice is, as a share of the floor's speed.
    var ratio: Double? { sluice.isEmpty ? nil : floor.medianSeconds / sluice.medianSeconds }
    /// How many times as fast as what is written by hand Sluice is.
    var lead: Double? { sluice.isEmpty || byHand.isEmpty ? nil : byHand.medianSeconds / sluice.medianSeconds }
}

extension [Sample] {
    var medianSeconds: Double {
        let sorted = map(\.seconds).sorted()
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// The largest peak of any run.
    var peakBytes: Int { map(\.peakBytes).max() ?? 0 }
}

/// Runs the jobs of one size, the two programs in turn, and checks that both wrote the same.
struct Comparison {
    let floor: Program
    let sluice: Program?
    let data: Dataset
    let rounds: Int

    private var programs: [Program] { [floor] + (sluice.map { [$0] } ?? []) }

    /// Takes all measurements of a job. The first job must start from an empty store.
    ///
    /// - Throws: ``BenchError`` where a program failed or the stores differ.
    func measure(_ job: Job) throws(BenchError) -> Measurement {
        var samples: [Program.Kind: [Sample]] = [:]
        for round in 0..<rounds {
            // Who goes first changes, so that neither always finds what the other one left in the caches.
            for program in round % 2 == 0 ? programs : programs.reversed() {
                try prepareStore(of: program, for: job)
                let arguments = program.arguments(for: job, on: data, store: store(of: program))
                sync()
                samples[program.kind, default: []].append(try ChildProcess.run(arguments, output: log))
            }
        }
        try verify(job)
        return Measurement(job: job, data: data, floor: samples[.floor] ?? [], sluice: samples[.sluice] ?? [])
    }

    /// Removes the stores, those that an earlier run was stopped over included.
    func removeStores() {
        for program in programs {
            removeStore(of: program)
            unsafe unlink(template(of: program))
        }
    }

    private func prepareStore(of program: Program, for job: Job) throws(BenchError) {
        removeStore(of: program)
        if job.start == .synced { try TextFile.copy(template(of: program), to: store(of: program)) }
    }

    func removeStore(of program: Program) {
        for suffix in ["", "-wal", "-shm"] { unsafe unlink(store(of: program) + suffix) }
    }

    /// Both stores must hold the same rows, as many as the generator made, and those of the right version.
    ///
    /// The first import of all leaves its stores for the jobs that start from a synced one.
    private func verify(_ job: Job) throws(BenchError) {
        let contents = try programs.map { program throws(BenchError) in try content(of: store(of: program)) }
        guard let content = contents.first, contents.allSatisfy({ $0 == content }), content.count == data.count else {
            throw failure(job, "expected \(data.count) equal rows, found \(contents)")
        }
        if !TextFile.exists(template(of: floor)) {
            for program in programs { try TextFile.copy(store(of: program), to: template(of: program)) }
        }
        let isFirst = try self.content(of: template(of: floor)) == content
        if isFirst == job.storesSecond {
            throw failure(job, job.storesSecond ? "no row was written" : "rows were written that had not changed")
        }
    }

    private func failure(_ job: Job, _ problem: String) -> BenchError {
        BenchError(message: "\(data.label), \(job.title): \(problem)")
    }

    /// The number of rows of a store and a checksum that does not depend on their order.
    private func content(of store: String) throws(BenchError) -> StoreContent {
        try StoreContent(of: store, by: floor, log: log)
    }

    var log: String { data.folder + "/last-output.txt" }
    func store(of program: Program) -> String { data.folder + "/\(program.kind.rawValue).db" }
    func template(of program: Program) -> String { data.folder + "/\(program.kind.rawValue)-synced.db" }
}
