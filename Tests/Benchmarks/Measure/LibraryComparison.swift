import Glibc

/// What the library for Swift programs costs, beside the same work with nothing but SQLite, or as programs do it without it.
struct LibraryComparison {
    /// Two pieces of work that are compared by the time of the processor.
    struct Cost {
        let name: String
        let title: String
        let data: Dataset
        let reference: [Sample]
        let measured: [Sample]
        /// The least ratio to the speed of the reference, and the one that we want to reach.
        let bar: Double
        let aim: Double
        /// The most memory that it may take; nil where that grows with the rows.
        var memory: Int?

        /// Whether it is as fast as it has to be, and takes no more memory.
        var passes: Bool { ratio >= bar && memory.map { measured.peakBytes <= $0 } ?? true }
        /// How fast it is, as a share of the reference's speed.
        var ratio: Double { reference.medianProcessorSeconds / measured.medianProcessorSeconds }
    }

    /// A job that two programs do.
    private struct Job {
        let name: String
        let title: String
        let reference: [String]
        let measured: [String]
        let bar: Double
        let aim: Double
        /// The store that each begins with: a copy of this one, or none.
        var start: Start?
        /// The most memory that it may take; nil where that grows with the rows.
        var memory: Int?
    }

    /// Stores that jobs begin with.
    private enum Start: Equatable {
        case synced, read
        /// Records that lead to others.
        case related

        /// Whether the programs only read, and say what they read.
        var isRead: Bool { self != .synced }
    }

    let floor: String
    /// The floor of syncs.
    let syncFloor: String
    let library: String
    let data: Dataset
    let rounds: Int

    /// Measures all jobs.
    ///
    /// - Throws: ``BenchError`` where a program failed, or two of them did not do the same.
    func measure(note: (String) -> Void) throws(BenchError) -> [Cost] {
        defer { for path in [store(0), store(1), synced(0), synced(1), related] { remove(path) } }
        let first = [["sync", data.firstLines], ["sync", data.firstLines]]
        for index in [0, 1] {
            remove(synced(index))
            _ = try ChildProcess.run([program(index)] + first[index] + [synced(index)], output: log)
        }
        remove(related)
        _ = try ChildProcess.run([library, "relate", String(data.count), related], output: log)
        var costs: [Cost] = []
        for job in jobs {
            note("\(data.label): library: \(job.title)")
            costs.append(try measure(job))
        }
        return costs
    }

    private func program(_ index: Int) -> String { index == 0 ? syncFloor : library }

    private var jobs: [Job] {
        let count = String(data.count)
        return [
            Job(
                name: "library-fetch", title: "fetch all rows", reference: [floor, "fetch"],
                measured: [library, "fetch"], bar: 0.45, aim: 0.55, start: .read),
            Job(
                name: "library-fetch-hand", title: "fetch all rows, against a loop by hand",
                reference: [library, "fetch-hand"], measured: [library, "fetch"], bar: 0.8, aim: 0.95, start: .read),
            Job(
                name: "library-each", title: "visit all rows", reference: [floor, "each"], measured: [library, "each"],
                bar: 0.8, aim: 1, start: .read, memory: 32 << 20),
            Job(
                name: "library-including", title: "fetch with two relationships, against three queries by hand",
                reference: [library, "including-hand"], measured: [library, "including"], bar: 0.6, aim: 0.8,
                start: .related),
            Job(
                name: "library-origin", title: "fetch with origin, against without", reference: [library, "fetch"],
                measured: [library, "fetch-origin"], bar: 0.6, aim: 0.7, start: .read),
            Job(
                name: "library-save", title: "fetch and save all, against fetch", reference: [library, "fetch-origin"],
                measured: [library, "save"], bar: 0.6, aim: 0.7, start: .read),
            Job(
                name: "library-find", title: "find 200 k keys", reference: [floor, "find"],
                measured: [library, "find"],
                bar: 0.5, aim: 0.7, start: .read),
            Job(
                name: "library-insert", title: "insert values", reference: [floor, "insert", count],
                measured: [library, "insert", count], bar: 0.5, aim: 0.7),
            Job(
                name: "library-save-new", title: "save new values, against inserting them",
                reference: [library, "insert", count], measured: [library, "save-new", count], bar: 0.6, aim: 0.8),
            Job(
                name: "library-first", title: "first sync", reference: [syncFloor, "sync", data.firstLines],
                measured: [library, "sync", data.firstLines], bar: 0.6, aim: 0.9),
            Job(
                name: "library-unchanged", title: "sync, unchanged", reference: [syncFloor, "sync", data.firstLines],
                measured: [library, "sync", data.firstLines], bar: 0.5, aim: 0.9, start: .synced),
            Job(
                name: "library-1pct", title: "sync, 1 % changed", reference: [syncFloor, "sync", data.secondLines],
                measured: [library, "sync", data.secondLines], bar: 0.5, aim: 0.9, start: .synced),
            Job(
                name: "library-decode", title: "first sync, against JSONDecoder and save",
                reference: [library, "decode", data.firstLines], measured: [library, "sync", data.firstLines], bar: 3,
                aim: 5),
            Job(
                name: "library-stage", title: "first sync with a closure, against JSONDecoder and save",
                reference: [library, "decode", data.firstLines], measured: [library, "stage", data.firstLines], bar: 2,
                aim: 4),
        ]
    }

    private func measure(_ job: Job) throws(BenchError) -> Cost {
        let programs = [job.reference, job.measured]
        var samples: [[Sample]] = [[], []]
        var said: [String] = ["", ""]
        for round in 0..<rounds {
            for index in round % 2 == 0 ? [0, 1] : [1, 0] {
                try prepare(index, job)
                sync()
                samples[index].append(try ChildProcess.run(programs[index] + [store(index)], output: log))
                said[index] = try TextFile.read(log)
            }
        }
        let isRead = job.start?.isRead ?? false
        if isRead && said[0] != said[1] {
            throw BenchError(message: "\(job.title): \(said[0]) is not \(said[1])")
        }
        if !isRead {
            let contents = try [0, 1].map { index throws(BenchError) in
                try StoreContent(of: store(index), by: Program(kind: .floor, path: syncFloor), log: log)
            }
            guard contents[0] == contents[1] else {
                throw BenchError(message: "\(job.title): \(contents[0]) is not \(contents[1])")
            }
        }
        return Cost(
            name: job.name, title: job.title, data: data, reference: samples[0], measured: samples[1], bar: job.bar,
            aim: job.aim, memory: job.memory)
    }

    private func prepare(_ index: Int, _ job: Job) throws(BenchError) {
        remove(store(index))
        switch job.start {
        case nil: return
        case .synced: try TextFile.copy(synced(index), to: store(index))
        // What is only read is the same file for both.
        case .read: try TextFile.copy(synced(1), to: store(index))
        case .related: try TextFile.copy(related, to: store(index))
        }
    }

    private func remove(_ path: String) { for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) } }
    private func store(_ index: Int) -> String { data.folder + "/library-\(index).db" }
    private func synced(_ index: Int) -> String { data.folder + "/library-synced-\(index).db" }
    private var related: String { data.folder + "/library-related.db" }
    private var log: String { data.folder + "/last-output.txt" }
}

extension LibraryComparison {
    /// Measures how long it takes from a commit to the value that tells of it.
    ///
    /// - Returns: Lines for people.
    /// - Throws: ``BenchError`` where the program failed.
    func latencies() throws(BenchError) -> [String] {
        remove(store(0))
        defer { remove(store(0)) }
        _ = try ChildProcess.run([library, "latency", store(0)], output: log)
        let bars = [
            "same": ("the same store", 5.0), "other": ("another store", 20.0), "process": ("another process", 20.0),
        ]
        return try TextFile.read(log).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let (writer, bar) = bars[String(words[0])], let value = Double(words[1]) else {
                return nil
            }
            let mark = value <= bar ? "pass" : "miss"
            return
                "library, from a commit of \(writer) to its value: \(ResultTable.decimal(value)) ms, bar \(ResultTable.decimal(bar)): \(mark)"
        }
    }
}

extension LibraryComparison {
    /// Measures what nothing does beside it: records in a second of the processor's time.
    ///
    /// - Returns: Lines for people.
    /// - Throws: ``BenchError`` where the program failed, or where saving unchanged values wrote anything.
    func rates() throws(BenchError) -> [String] {
        remove(store(0))
        defer { remove(store(0)) }
        _ = try ChildProcess.run([library, "rates", data.firstArray, store(0)], output: log)
        let jobs = [
            "save": ("save of unchanged values, which writes nothing", 1_000_000.0),
            "upserts": ("`Upserts`, decoded and merged", 100_000.0),
        ]
        return try TextFile.read(log).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count == 2, let (title, bar) = jobs[String(words[0])], let value = Double(words[1]) else {
                return nil
            }
            return
                "\(data.label), library, \(title): \(ResultTable.thousands(value))/s, bar \(ResultTable.thousands(bar))/s: \(value >= bar ? "pass" : "miss")"
        }
    }
}

extension [Sample] {
    var medianProcessorSeconds: Double {
        let sorted = map(\.processorSeconds).sorted()
        let middle = sorted.count / 2
        let median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        return Swift.max(0.000_1, median)
    }
}

extension LibraryComparison.Cost {
    /// The figure as a line for people.
    var line: String {
        let mark = passes ? "pass" : "miss"
        let limit = memory.map { " of at most \(ResultTable.megabytes($0)) MB" } ?? ""
        let speed = ResultTable.thousands(Double(data.count) / measured.medianProcessorSeconds)
        return
            "\(data.label), library, \(title): \(speed)/s, ratio \(ResultTable.decimal(ratio)), bar \(ResultTable.decimal(bar)): \(mark), aim \(ResultTable.decimal(aim)), \(ResultTable.megabytes(measured.peakBytes)) MB\(limit)"
    }

    /// The figure as JSON for machines.
    var json: String {
        func seconds(_ samples: [Sample]) -> String {
            samples.map { "\(($0.processorSeconds * 10_000).rounded() / 10_000)" }.joined(separator: ", ")
        }
        return
            "{\"job\": \"\(name)\", \"size\": \"\(data.label)\", \"reference\": [\(seconds(reference))], \"library\": [\(seconds(measured))], \"peak_bytes\": \(measured.peakBytes), \"ratio\": \(ResultTable.decimal(ratio)), \"bar\": \(bar), \"aim\": \(aim), \"passed\": \(passes)}"
    }
}
