import Glibc

/// Work of Sluice that no other program does, measured against a bar.
struct LoneJob {
    /// What some runs of it took.
    struct Cost {
        let name: String
        let title: String
        let data: String
        let samples: [Sample]
        /// The most seconds that it may take.
        let bar: Double

        var isPassed: Bool { samples.medianSeconds <= bar }
    }

    let sluice: Program
    let comparison: Comparison

    /// How many inserts are to be taken back in a second.
    private static let undoneRecords = 57_000.0
    /// How long a run may take over a file of ten records that are as before, in seconds.
    private static let tinyBar = 0.02
    private static let tinyRounds = 21

    /// Takes back the run that first filled the store.
    ///
    /// - Throws: ``BenchError`` where a program failed.
    func undo() throws(BenchError) -> Cost {
        var samples: [Sample] = []
        let store = comparison.store(of: sluice)
        for _ in 0..<comparison.rounds {
            comparison.removeStore(of: sluice)
            try TextFile.copy(comparison.template(of: sluice), to: store)
            let arguments = [sluice.path, "undo", "1", "--store", "sqlite:\(store)", "--quiet"]
            sync()
            samples.append(try ChildProcess.run(arguments, output: comparison.log))
        }
        comparison.removeStore(of: sluice)
        let data = comparison.data
        return Cost(
            name: "undo", title: "undo of the first import", data: data.label, samples: samples,
            bar: Double(data.count) / Self.undoneRecords)
    }

    /// Runs over a file of ten records, which are as before but for the first time.
    ///
    /// - Throws: ``BenchError`` where a program failed.
    func tiny() throws(BenchError) -> Cost {
        let folder = comparison.data.folder
        let (file, store) = (folder + "/tiny.yaml", folder + "/tiny.db")
        let records = (1...10).map { "{\"id\":\($0),\"title\":\"Record \($0)\"}" }
        try TextFile.write("[\(records.joined(separator: ","))]\n", to: folder + "/tiny.json")
        try TextFile.write(
            """
            version: 1
            name: tiny
            source: {base_url: "file:."}
            entities: {Record: {table: records, primary_key: id, fields: {id: int, title: string}}}
            streams: [{name: records, entity: Record, path: tiny.json}]

            """, to: file)
        var samples: [Sample] = []
        for _ in 0...Self.tinyRounds {
            let arguments = [sluice.path, "run", file, "--store", "sqlite:\(store)", "--quiet"]
            samples.append(try ChildProcess.run(arguments, output: comparison.log))
        }
        for suffix in ["", "-wal", "-shm"] { unsafe unlink(store + suffix) }
        return Cost(
            name: "tiny", title: "ten records, unchanged", data: "10", samples: Array(samples.dropFirst()),
            bar: Self.tinyBar)
    }
}

extension LoneJob.Cost {
    /// The figure as a line for people.
    var line: String {
        let mark = isPassed ? "pass" : "miss"
        return
            "\(data), \(title): \(Self.milliseconds(samples.medianSeconds)) ms, bar \(Self.milliseconds(bar)) ms: \(mark)"
    }

    /// The figure as JSON for machines.
    var json: String {
        let seconds = samples.map { "\(($0.seconds * 10_000).rounded() / 10_000)" }.joined(separator: ", ")
        return
            "{\"job\": \"\(name)\", \"size\": \"\(data)\", \"seconds\": [\(seconds)], \"bar_seconds\": \((bar * 10_000).rounded() / 10_000), \"passed\": \(isPassed)}"
    }

    private static func milliseconds(_ seconds: Double) -> String { "\(Int((seconds * 1000).rounded()))" }
}
