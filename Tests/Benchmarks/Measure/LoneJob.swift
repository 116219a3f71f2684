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
        /// The most memory that it may take, in bytes; nil where that is not asked.
        var memoryBar: Int?

        var isPassed: Bool { samples.medianSeconds <= bar && memoryBar.map { samples.peakBytes <= $0 } ?? true }
    }

    let sluice: Program
    let comparison: Comparison

    /// How many inserts are to be taken back in a second.
    private static let undoneRecords = 57_000.0
    /// How long a run may take over a file of ten records that are as before, in seconds.
    private static let tinyBar = 0.02
    private static let tinyRounds = 21
    /// How many small records with keys in random order are to be imported in a second, and passed over in one.
    private static let scatteredRecords = (first: 100_000.0, unchanged: 220_000.0)
    private static let scatteredBytes = 100_000_000

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

    /// Imports small records whose keys come in random order into an empty store, and reads them once more.
    ///
    /// - Throws: ``BenchError`` where a program failed.
    func scattered() throws(BenchError) -> [Cost] {
        let data = comparison.data
        let paths = ["scattered.yaml", "scattered.jsonl", "scattered.db"].map { data.folder + "/" + $0 }
        try writeScattered(data.count, to: paths[1])
        try TextFile.write(
            """
            version: 1
            name: scattered
            source: {base_url: "file:."}
            entities: {Record: {table: records, primary_key: id, fields: {id: int, name: string, number: int}}}
            streams: [{name: records, entity: Record, path: scattered.jsonl, format: jsonl}]

            """, to: paths[0])
        let store = paths[2]
        func removeStore() { for suffix in ["", "-wal", "-shm"] { unsafe unlink(store + suffix) } }
        var (first, again): ([Sample], [Sample]) = ([], [])
        for _ in 0..<comparison.rounds {
            removeStore()
            let arguments = [sluice.path, "run", paths[0], "--store", "sqlite:\(store)", "--quiet"]
            sync()
            first.append(try ChildProcess.run(arguments, output: comparison.log))
            again.append(try ChildProcess.run(arguments, output: comparison.log))
        }
        removeStore()
        unsafe unlink(paths[1])
        let rates = Self.scatteredRecords
        return [
            Cost(
                name: "scattered-first", title: "keys in random order, first import", data: data.label, samples: first,
                bar: Double(data.count) / rates.first, memoryBar: Self.scatteredBytes),
            Cost(
                name: "scattered-unchanged", title: "keys in random order, unchanged", data: data.label, samples: again,
                bar: Double(data.count) / rates.unchanged, memoryBar: Self.scatteredBytes),
        ]
    }

    /// Writes records with each key below some number once.
    private func writeScattered(_ count: Int, to path: String) throws(BenchError) {
        var file = try OutputFile(path)
        var size = 1
        while size < count { size *= 2 }
        // A generator of full period modulo a power of two. See: Knuth, The Art of Computer Programming, 3.2.1.2.
        var key = 1
        for _ in 0..<size {
            key = (key &* 1_664_525 &+ 1_013_904_223) & (size - 1)
            if key >= count { continue }
            try file.writeLine(Array(#"{"id":\#(key * 7 + 3),"name":"name \#(key)","number":\#(key % 1000)}"#.utf8))
        }
        try file.finish()
    }
}

extension LoneJob.Cost {
    /// The figure as a line for people.
    var line: String {
        let mark = isPassed ? "pass" : "miss"
        let memory = memoryBar.map {
            ", \(ResultTable.megabytes(samples.peakBytes)) MB of at most \(ResultTable.megabytes($0)) MB"
        }
        return
            "\(data), \(title): \(Self.milliseconds(samples.medianSeconds)) ms, bar \(Self.milliseconds(bar)) ms\(memory ?? ""): \(mark)"
    }

    /// The figure as JSON for machines.
    var json: String {
        let seconds = samples.map { "\(($0.seconds * 10_000).rounded() / 10_000)" }.joined(separator: ", ")
        return
            "{\"job\": \"\(name)\", \"size\": \"\(data)\", \"seconds\": [\(seconds)], \"bar_seconds\": \((bar * 10_000).rounded() / 10_000), \"passed\": \(isPassed)}"
    }

    private static func milliseconds(_ seconds: Double) -> String { "\(Int((seconds * 1000).rounded()))" }
}
