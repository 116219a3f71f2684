internal import TestSupport

/// Runs the jobs of one size on databases of a PostgreSQL server: the floor, Sluice, and what people write by hand, in
/// turn. All must have written the same.
///
/// Each program has a database of its own. A job that starts from a synced store gets a copy of the database that the
/// program's first import left.
struct PostgresComparison {
    let server: PostgresCluster
    /// The path of the floor's program.
    let floor: String
    let sluice: Program?
    let data: Dataset
    let rounds: Int

    private var floorProgram: Program { Program(kind: .floor, path: floor) }
    private var log: String { data.folder + "/last-output.txt" }

    /// Takes the measurements of all jobs; no database is left.
    ///
    /// - Parameters:
    ///   - jobs: The jobs, of which the first one starts from an empty store.
    ///   - note: Gets what is measured next.
    /// - Returns: A measurement for each job.
    /// - Throws: ``BenchError`` where a program failed or what they wrote differs.
    func measure(_ jobs: [Job], note: (String) -> Void) throws(BenchError) -> [Measurement] {
        var measurements: [Measurement] = []
        var first: StoreContent?
        for job in jobs {
            note("\(data.label): \(job.title)")
            measurements.append(try measure(job, after: &first))
        }
        for program in programs(for: jobs[0]) {
            try execute("DROP DATABASE \(name(program))", "DROP DATABASE \(synced(program))")
        }
        return measurements
    }

    /// Takes all measurements of a job.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - first: What the first import of all wrote; nil before it.
    /// - Returns: The samples of all programs.
    /// - Throws: ``BenchError`` where a program failed or what they wrote differs.
    private func measure(_ job: Job, after first: inout StoreContent?) throws(BenchError) -> Measurement {
        let programs = programs(for: job)
        var samples: [Program.Kind: [Sample]] = [:]
        for round in 0..<rounds {
            // Who goes first changes, as it does on SQLite.
            for program in round % 2 == 0 ? programs : programs.reversed() {
                try prepareDatabase(of: program, for: job)
                let arguments = program.arguments(for: job, on: data, store: url(name(program)))
                samples[program.kind, default: []].append(try ChildProcess.run(arguments, output: log))
            }
        }
        let content = try verify(job, programs, first)
        if first == nil {
            first = content
            for program in programs { try keep(program) }
        }
        return Measurement(
            job: job, data: data, floor: samples[.floor] ?? [], sluice: samples[.sluice] ?? [],
            byHand: samples[.byHand] ?? [])
    }

    /// Who does a job: by hand nobody can say beforehand what would change.
    private func programs(for job: Job) -> [Program] {
        let byHand = Program(kind: .byHand, path: floor)
        return [floorProgram] + (job.action == .write ? [byHand] : []) + (sluice.map { [$0] } ?? [])
    }

    /// Nothing that an earlier run left to be written is charged to this one.
    private func prepareDatabase(of program: Program, for job: Job) throws(BenchError) {
        let template = job.start == .synced ? synced(program) : "template0"
        try execute(
            "DROP DATABASE IF EXISTS \(name(program)) WITH (FORCE)",
            "CREATE DATABASE \(name(program)) TEMPLATE \(template)", "CHECKPOINT")
    }

    /// Keeps what the first import wrote, with the statistics that a server's own upkeep would have collected by the
    /// next run.
    private func keep(_ program: Program) throws(BenchError) {
        try execute("VACUUM (ANALYZE)", in: name(program))
        try execute(
            "DROP DATABASE IF EXISTS \(synced(program)) WITH (FORCE)",
            "CREATE DATABASE \(synced(program)) TEMPLATE \(name(program))")
    }

    /// All databases must hold the same rows, as many as the generator made, and those of the right version.
    private func verify(
        _ job: Job, _ programs: [Program], _ first: StoreContent?
    ) throws(BenchError) -> StoreContent {
        let contents = try programs.map { program throws(BenchError) in
            try StoreContent(of: url(name(program)), by: floorProgram, log: log)
        }
        guard let content = contents.first, contents.allSatisfy({ $0 == content }), content.count == data.count else {
            throw failure(job, "expected \(data.count) equal rows, found \(contents)")
        }
        if let first, (first == content) == job.storesSecond {
            throw failure(job, job.storesSecond ? "no row was written" : "rows were written that had not changed")
        }
        return content
    }

    private func failure(_ job: Job, _ problem: String) -> BenchError {
        BenchError(message: "\(data.label), \(job.title): \(problem)")
    }

    private func execute(_ statements: String..., in database: String = "postgres") throws(BenchError) {
        _ = try ChildProcess.run([floor, "execute", url(database)] + statements, output: log)
    }

    private func url(_ database: String) -> String { server.url(user: "postgres", database: database) }
    private func name(_ program: Program) -> String { program.kind.rawValue }
    private func synced(_ program: Program) -> String { name(program) + "_synced" }
}

extension Measurement {
    /// How Sluice compares with what is written by hand, as a line for people; nil where that is not measured.
    var byHandLine: String? {
        guard !byHand.isEmpty else { return nil }
        let speed = ResultTable.thousands(Double(data.count) / byHand.medianSeconds)
        let memory = ResultTable.megabytes(byHand.peakBytes)
        let rival = "\(data.label), \(job.title): staging table and ON CONFLICT \(speed)/s, \(memory) MB"
        guard let lead else { return rival }
        let line = rival + "; sluice \(ResultTable.decimal(lead)) times as fast"
        // An upsert has less to do than a merge where all records are new.
        guard job.start == .synced else { return line }
        return line + ", bar \(ResultTable.decimal(Job.byHandBar)): \(lead >= Job.byHandBar ? "pass" : "miss")"
    }
}
