import Glibc
internal import TestSupport

/// Compares Sluice with the floor: the same work done by nothing but simdjson and SQLite or libpq.
@main
enum SluiceBench {
    static func main() {
        do throws(BenchError) {
            try run(Options(CommandLine.arguments.dropFirst()))
        } catch {
            note(error.message)
            exit(1)
        }
    }

    private static func run(_ options: Options) throws(BenchError) {
        let floor = Program(kind: .floor, path: options.floor)
        let relatedFloor = Program(kind: .floor, path: options.relatedFloor)
        let sluice = options.sluice.map { Program(kind: .sluice, path: $0) }
        var measurements: [Measurement] = []
        var edits: [EditedStore.Cost] = []
        var lone: [LoneJob.Cost] = []
        for size in options.isPagesOnly || options.isPostgresOnly || options.isLibraryOnly ? [] : options.sizes {
            let data = options.dataset(size)
            note("\(size): data")
            try data.prepare()
            try PipelineFile.writeAll(for: data)
            let related = Comparison(
                floor: relatedFloor, sluice: sluice, data: data, rounds: options.rounds(for: data))
            measurements += try measure(Job.related, related)
            if options.isRelatedOnly { continue }
            let comparison = Comparison(
                floor: floor, sluice: sluice, data: data, rounds: options.rounds(for: data))
            comparison.removeStores()
            defer { comparison.removeStores() }
            for job in Job.all {
                note("\(size): \(job.title)")
                measurements.append(try comparison.measure(job))
            }
            guard let sluice else { continue }
            let editedStore = EditedStore(comparison: comparison, sluice: sluice)
            for job in Job.all where job.start == .synced && job.action == .write {
                note("\(size): \(job.title), over edits")
                edits.append(try editedStore.measure(job))
            }
            let alone = LoneJob(sluice: sluice, comparison: comparison)
            note("\(size): undo")
            lone.append(try alone.undo())
            if size == options.sizes.first { lone.append(try alone.tiny()) }
            note("\(size): keys in random order")
            lone += try alone.scattered()
        }
        measurements += try measurePostgres(options)
        let pages = try measurePages(options)
        let (library, latencies) = try measureLibrary(options)
        let table = ResultTable(
            measurements: measurements, edits: edits, lone: lone, pages: pages, library: library, latencies: latencies)
        print(table.text, terminator: "")
        let results = options.folder + "/results.json"
        let file = ResultFile(
            measurements: measurements, edits: edits, lone: lone, pages: pages, library: library)
        try TextFile.write(file.text, to: results)
        note("The figures are in \(results).")
    }

    /// Measures the jobs of one size, whose stores are gone afterwards.
    private static func measure(_ jobs: [Job], _ comparison: Comparison) throws(BenchError) -> [Measurement] {
        comparison.removeStores()
        defer { comparison.removeStores() }
        var measurements: [Measurement] = []
        for job in jobs {
            note("\(comparison.data.label): \(job.title)")
            measurements.append(try comparison.measure(job))
        }
        return measurements
    }

    /// Measures stores on a PostgreSQL server of the bench's own, which ends with it.
    private static func measurePostgres(_ options: Options) throws(BenchError) -> [Measurement] {
        guard options.measuresPostgres, !options.isPagesOnly else { return [] }
        let server: PostgresCluster
        do {
            server = try PostgresCluster()
        } catch {
            throw BenchError(message: "\(error)")
        }
        var measurements: [Measurement] = []
        for size in options.sizes {
            let data = options.dataset(size)
            try data.prepare()
            try PipelineFile.writeAll(for: data)
            let comparison = PostgresComparison(
                server: server, floor: options.postgresFloor,
                sluice: options.sluice.map { Program(kind: .sluice, path: $0) }, data: data,
                rounds: options.rounds(for: data))
            measurements += try comparison.measure(Job.postgres, note: note)
        }
        return measurements
    }

    /// Measures the library for Swift programs.
    private static func measureLibrary(
        _ options: Options
    ) throws(BenchError) -> (costs: [LibraryComparison.Cost], latencies: [String]) {
        guard let library = options.library else { return ([], []) }
        var costs: [LibraryComparison.Cost] = []
        var latencies: [String] = []
        for size in options.sizes {
            let data = options.dataset(size)
            try data.prepare()
            let comparison = LibraryComparison(
                floor: options.libraryFloor, syncFloor: options.floor, library: library, data: data,
                rounds: options.rounds(for: data))
            costs += try comparison.measure(note: note)
            if latencies.isEmpty { latencies = try comparison.latencies() }
            latencies += try comparison.rates()
        }
        return (costs, latencies)
    }

    private static func measurePages(_ options: Options) throws(BenchError) -> [PagedFetch.Cost] {
        guard let sluice = options.sluice, !options.widths.isEmpty else { return [] }
        let data = options.dataset("100k")
        note("pages: data")
        try data.prepare()
        try PipelineFile.writeAll(for: data)
        return try PagedFetch(
            floor: options.pageFloor, sluice: sluice, fetcher: options.fetcher, data: data,
            rounds: options.rounds(for: data)
        ).measure(options.widths, note: note)
    }

    private static func note(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = unsafe line.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
