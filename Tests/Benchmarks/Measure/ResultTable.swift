/// The figures as text for people.
struct ResultTable {
    let measurements: [Measurement]
    let edits: [EditedStore.Cost]
    let lone: [LoneJob.Cost]
    let pages: [PagedFetch.Cost]
    let library: [LibraryComparison.Cost]
    let latencies: [String]

    /// The largest peak that is allowed, in bytes, and the growth from the smallest to the largest size.
    static let peakBar = 100_000_000
    static let growthBar = 1.2

    var text: String {
        var lines = measurements.isEmpty ? [] : table + [""]
        lines.append(contentsOf: measurements.compactMap(\.byHandLine))
        lines.append(contentsOf: edits.map(\.line) + lone.map(\.line))
        lines.append(contentsOf: pages.map(\.line))
        lines.append(contentsOf: library.map(\.line) + latencies)
        lines.append(contentsOf: memoryLines)
        return lines.joined(separator: "\n") + "\n"
    }

    private var table: [String] {
        var lines = [
            Self.row("size", "job", "floor/s", "sluice/s", "ratio", "bar", "", "aim", "floor MB", "sluice MB")
        ]
        for measurement in measurements { lines.append(row(measurement)) }
        return lines
    }

    private func row(_ measurement: Measurement) -> String {
        let job = measurement.job
        let count = Double(measurement.data.count)
        let ratio = measurement.ratio
        return Self.row(
            measurement.data.label, job.title, Self.thousands(count / measurement.floor.medianSeconds),
            ratio == nil ? "–" : Self.thousands(count / measurement.sluice.medianSeconds),
            ratio.map(Self.decimal) ?? "–", Self.decimal(job.bar),
            ratio.map { $0 >= job.bar ? "pass" : "miss" } ?? "", Self.decimal(job.aim),
            Self.megabytes(measurement.floor.peakBytes),
            ratio == nil ? "–" : Self.megabytes(measurement.sluice.peakBytes))
    }

    private var memoryLines: [String] {
        let measured = measurements.filter { !$0.sluice.isEmpty }
        guard let peak = measured.map(\.sluice.peakBytes).max() else { return [] }
        let limit = Self.megabytes(Self.peakBar)
        var lines = ["peak memory: \(Self.megabytes(peak)) MB, bar \(limit) MB: \(Self.mark(peak < Self.peakBar))"]
        guard let growth = MemoryGrowth(measured) else { return lines }
        for (job, factor) in growth.factors {
            let mark = Self.mark(factor <= Self.growthBar)
            lines.append(
                "memory \(growth.large) / \(growth.small), \(job): \(Self.decimal(factor)), "
                    + "bar \(Self.decimal(Self.growthBar)): \(mark)")
        }
        return lines
    }

    private static func row(_ cells: String...) -> String {
        let widths = [5, 24, 9, 9, 6, 5, 5, 5, 9, 10]
        return zip(cells, widths).enumerated().map { index, cell in
            let padding = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index < 2 || index == 6 ? cell.0 + padding : padding + cell.0
        }
        .joined(separator: " ")
    }

    private static func mark(_ isPassed: Bool) -> String { isPassed ? "pass" : "miss" }

    static func decimal(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        return "\(hundredths / 100)." + "\(hundredths % 100 + 100)".dropFirst()
    }

    static func thousands(_ value: Double) -> String { "\(Int((value / 1000).rounded())) k" }
    static func megabytes(_ bytes: Int) -> String { "\((bytes + 500_000) / 1_000_000)" }
}

/// How much more memory the largest size took than the smallest, per job.
struct MemoryGrowth {
    let small: String
    let large: String
    let factors: [(job: String, factor: Double)]

    init?(_ measurements: [Measurement]) {
        let sizes = measurements.map(\.data.count)
        guard let least = sizes.min(), let most = sizes.max(), least < most else { return nil }
        let smallest = measurements.filter { $0.data.count == least }
        let largest = measurements.filter { $0.data.count == most }
        guard let small = smallest.first, let large = largest.first else { return nil }
        self.small = small.data.label
        self.large = large.data.label
        factors =
            zip(smallest, largest).map { ($0.job.title, Self.factor([$0], [$1])) }
            + [("highest of all jobs", Self.factor(smallest, largest))]
    }

    private static func factor(_ smallest: [Measurement], _ largest: [Measurement]) -> Double {
        func peak(_ measurements: [Measurement]) -> Double {
            Double(measurements.map(\.sluice.peakBytes).max() ?? 0)
        }
        return peak(largest) / max(1, peak(smallest))
    }
}
