/// What the command line asks for.
struct Options {
    /// The floor's program.
    var floor = ".build/bench/sluice-floor"
    /// The floor's program for tables that refer to each other.
    var relatedFloor = ".build/bench/sluice-related-floor"
    /// The floor's program on PostgreSQL.
    var postgresFloor = ".build/bench/sluice-postgres-floor"
    /// The floor's program for pages, and the program that does a run's fetch alone.
    var pageFloor = ".build/bench/sluice-fetch-floor"
    var fetcher = ".build/release/sluice-fetch-bench"
    /// The library's floor, and the program that does its jobs; nil to leave the library out.
    var libraryFloor = ".build/bench/sluice-library-floor"
    var library: String? = ".build/release/sluice-library-bench"
    /// Whether nothing but the library is measured.
    var isLibraryOnly = false
    /// How many requests for pages are under way at a time; none to leave pages out.
    var widths = [2, 4, 8]
    /// The program that is measured, or nil for the floor alone.
    var sluice: String? = ".build/release/sluice"
    /// Where data and results are kept.
    var folder = ".build/bench"
    /// Runs per program and job; where it is nil, five, and three from a million records on.
    var rounds: Int?
    /// Whether nothing but pages is measured.
    var isPagesOnly = false
    /// Whether nothing but tables that refer to each other is measured.
    var isRelatedOnly = false
    /// Whether stores on PostgreSQL are measured, and whether nothing else is.
    var measuresPostgres = true
    var isPostgresOnly = false
    /// Sizes as given, such as `100k` or `1m`.
    var sizes: [String] = []

    static let usage = """
        usage: sluice-bench [--floor FILE] [--sluice FILE | --floor-only] [--folder FOLDER] [--rounds N]
                            [--no-pages] [--no-postgres] [--no-library]
                            [--pages-only | --related-only | --postgres-only | --library-only] SIZE…
        A size is a number of records: 10k, 100k, 1m, 10m. Pages are measured on 100k.
        """

    init(_ arguments: ArraySlice<String>) throws(BenchError) {
        var rest = arguments
        while let argument = rest.popFirst() {
            switch argument {
            case "--floor-only": (sluice, library) = (nil, nil)
            case "--no-pages": widths = []
            case "--pages-only": (isPagesOnly, library) = (true, nil)
            case "--related-only": (isRelatedOnly, measuresPostgres, widths, library) = (true, false, [], nil)
            case "--no-postgres": measuresPostgres = false
            case "--postgres-only": (isPostgresOnly, widths, library) = (true, [], nil)
            case "--no-library": library = nil
            case "--library-only": (isLibraryOnly, measuresPostgres, widths) = (true, false, [])
            case "--floor": floor = try Self.value(of: argument, &rest)
            case "--sluice": sluice = try Self.value(of: argument, &rest)
            case "--folder": folder = try Self.value(of: argument, &rest)
            case "--rounds":
                guard let number = Int(try Self.value(of: argument, &rest)), number > 0 else {
                    throw BenchError(message: Self.usage)
                }
                rounds = number
            default:
                guard Self.count(of: argument) != nil else { throw BenchError(message: Self.usage) }
                sizes.append(argument)
            }
        }
        if sizes.isEmpty, !isPagesOnly { throw BenchError(message: Self.usage) }
    }

    /// The data of a size, below the folder.
    func dataset(_ size: String) -> Dataset {
        Dataset(label: size, count: Self.count(of: size) ?? 0, folder: folder + "/" + size)
    }

    func rounds(for data: Dataset) -> Int { rounds ?? (data.count < 1_000_000 ? 5 : 3) }

    /// At least a thousand, since a thousandth of the records changes.
    private static func count(of size: String) -> Int? {
        let factor = size.hasSuffix("k") ? 1000 : size.hasSuffix("m") ? 1_000_000 : 1
        guard let number = Int(factor == 1 ? size : String(size.dropLast())), number > 0, number <= 100_000_000 else {
            return nil
        }
        let count = number * factor
        return (1000...100_000_000).contains(count) ? count : nil
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(BenchError) -> String {
        guard let value = rest.popFirst() else {
            throw BenchError(message: "\(option) needs a value.\n\(usage)")
        }
        return value
    }
}
