import Glibc

/// What fetching pages over a slow line costs, alone and together with all the rest of a run.
struct PagedFetch {
    /// Two things that are compared: what is measured must take at most so many times as long as the other one.
    struct Cost {
        let name: String
        let title: String
        let reference: [Sample]
        let measured: [Sample]
        let bar: Double

        /// How many times as long it takes.
        var factor: Double { measured.medianSeconds / reference.medianSeconds }
    }

    static let pageSize = 1000
    static let milliseconds = 50
    /// The bar of the fetch against the floor, and of a run against its slowest stage.
    static let fetchBar = 1.3
    static let runBar = 1.15

    /// The floor's program for pages.
    let floor: String
    let sluice: String
    /// The program that does a run's fetch alone.
    let fetcher: String
    let data: Dataset
    let rounds: Int

    /// Measures each number of requests under way.
    ///
    /// - Throws: ``BenchError`` where a program failed.
    func measure(_ widths: [Int], note: (String) -> Void) throws(BenchError) -> [Cost] {
        let server = try PageServer(
            program: floor, file: data.firstLines, pageSize: Self.pageSize, milliseconds: Self.milliseconds)
        defer { server.stop() }
        var costs: [Cost] = []
        let writing = try samples([sluice, "run", data.folder + "/v1.yaml", "--store", "sqlite:\(store)", "--quiet"])
        for width in widths {
            note("\(title): \(width) at a time")
            costs += try measure(width, server, writing: writing)
        }
        return costs
    }

    private var title: String { "\(data.count / Self.pageSize) pages at \(Self.milliseconds) ms" }
    private var store: String { data.folder + "/paged.db" }
    private var log: String { data.folder + "/last-output.txt" }

    private func measure(
        _ width: Int, _ server: PageServer, writing: [Sample]
    ) throws(BenchError) -> [Cost] {
        let pipeline = data.folder + "/paged-\(width).yaml"
        try TextFile.write(PipelineFile.paged(url: server.url, concurrency: width), to: pipeline)
        let byPage = data.folder + "/paged-\(width)-page.yaml"
        try TextFile.write(PipelineFile.paged(url: server.url, concurrency: width) + "\ncommit: page\n", to: byPage)
        let pages = data.count / Self.pageSize
        let programs = [
            [floor, "fetch", server.url + "/", String(pages), String(width)], [fetcher, pipeline],
            [sluice, "run", pipeline, "--store", "sqlite:\(store)", "--quiet"],
            [sluice, "run", byPage, "--store", "sqlite:\(store)", "--quiet"],
        ]
        var samples: [[Sample]] = [[], [], [], []]
        for round in 0..<rounds {
            for index in round % 2 == 0 ? [0, 1, 2, 3] : [3, 2, 1, 0] {
                samples[index].append(try sample(programs[index]))
            }
        }
        let fetch = samples[1]
        let isFetchSlower = fetch.medianSeconds > writing.medianSeconds
        func run(_ index: Int, _ name: String, _ words: String) -> Cost {
            Cost(
                name: "\(name)-\(width)",
                title:
                    "\(title), \(width) at a time, fetch and write \(words) against \(isFetchSlower ? "fetch" : "write") alone",
                reference: isFetchSlower ? fetch : writing, measured: samples[index], bar: Self.runBar)
        }
        return [
            Cost(
                name: "fetch-\(width)", title: "\(title), \(width) at a time, against libcurl alone",
                reference: samples[0], measured: fetch, bar: Self.fetchBar),
            run(2, "run", "as a whole"), run(3, "pages", "page by page"),
        ]
    }

    private func samples(_ arguments: [String]) throws(BenchError) -> [Sample] {
        var samples: [Sample] = []
        for _ in 0..<rounds { samples.append(try sample(arguments)) }
        return samples
    }

    private func sample(_ arguments: [String]) throws(BenchError) -> Sample {
        for suffix in ["", "-wal", "-shm"] { unsafe unlink(store + suffix) }
        defer { for suffix in ["", "-wal", "-shm"] { unsafe unlink(store + suffix) } }
        sync()
        return try ChildProcess.run(arguments, output: log)
    }
}

extension PagedFetch.Cost {
    /// The figure as a line for people.
    var line: String {
        let times =
            "\(ResultTable.decimal(measured.medianSeconds)) s / \(ResultTable.decimal(reference.medianSeconds)) s"
        let mark = factor <= bar ? "pass" : "miss"
        return "\(title): \(times) = \(ResultTable.decimal(factor)), bar \(ResultTable.decimal(bar)): \(mark)"
    }

    /// The figure as JSON for machines.
    var json: String {
        func seconds(_ samples: [Sample]) -> String {
            samples.map { "\(($0.seconds * 10_000).rounded() / 10_000)" }.joined(separator: ", ")
        }
        return
            "{\"job\": \"\(name)\", \"reference\": [\(seconds(reference))], \"sluice\": [\(seconds(measured))], \"peak_bytes\": \(measured.peakBytes), \"factor\": \(ResultTable.decimal(factor)), \"bar\": \(bar), \"passed\": \(factor <= bar)}"
    }
}
