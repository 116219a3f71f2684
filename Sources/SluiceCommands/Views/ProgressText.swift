internal import SluiceDiagnostics
internal import SluiceReport
internal import SluiceStore

/// How far a stage of a stream has come, for people and for programs.
extension ProgressMeter.Reading {
    /// A part of the text, and how little it matters: what has a number may be left out, the highest first.
    private typealias Part = (text: String, dispensability: Int)

    /// All that there is to tell, in a few words.
    var text: String { Self.joined(parts) }

    /// As much of it as fits into a line, or what is always told. What is too long even then is cut before its end, which people
    /// look for: how long it will take.
    ///
    /// - Parameter width: The columns of the line.
    /// - Returns: The text.
    func text(fitting width: Int) -> String {
        var parts = parts
        while TextWidth.of(Self.joined(parts)) > width,
            let least = parts.indices.max(by: { parts[$0].dispensability < parts[$1].dispensability }),
            parts[least].dispensability > 0
        {
            parts.remove(at: least)
        }
        let text = Self.joined(parts)
        guard width > 0, TextWidth.of(text) > width, parts.count > 1, let end = parts.last?.text else { return text }
        return ShortText.cut(Self.joined(parts.dropLast()), to: max(width - TextWidth.of(end) - 2, 1)) + ", " + end
    }

    private static func joined(_ parts: some Sequence<Part>) -> String { parts.map(\.text).joined(separator: ", ") }

    private var parts: [Part] {
        switch progress.stage {
        case .fetching:
            let place = progress.partition.map { "partition \($0.number) of \(CountText.grouped($0.count))" }
            // Where records tell how far it has come, pages may be left out.
            let pages: Part =
                total == nil && pageTotal != nil
                ? (amount(progress.pages, of: pageTotal, "page", "pages"), 0)
                : (CountText.of(progress.pages, "page"), 4)
            let amounts: [Part] = [pages, (CountText.bytes(progress.bytes), 5)]
            return [("fetching", 0)] + [place].compactMap { $0.map { ($0, 1) } } + amounts
                + (countsRecords ? [(records, 0)] : []) + pace
        case .inspecting: return counted("looking at what was found")
        case .merging: return counted("merging")
        case .confirming: return counted("asking for missing records")
        case .deleting: return counted("looking for deleted records")
        case .undoing: return counted("undoing")
        case .changing(let table, let step):
            guard let noun = step.noun else { return [("making `\(table)` anew", 0)] + pace }
            return [("changing `\(table)`", 0), (amount(progress.records, of: total, noun.one, noun.many), 0)] + pace
        case .resuming(let page): return [("continues at page \(CountText.grouped(page))", 0)]
        case .waiting(let seconds, let until, let reason, _):
            return [("waiting \(CountText.duration(seconds)), until \(until): \(reason)", 0)]
        }
    }

    private func counted(_ work: String) -> [Part] { [(work, 0), (records, 0)] + pace }

    /// Whether the records are counted: while pages are fetched, not every stream counts them.
    private var countsRecords: Bool { progress.stage != .fetching || total != nil || progress.records > 0 }

    /// `1,200 records`, or `1,200 of 5,000 records (24%)`.
    private var records: String { amount(progress.records, of: total, "record", "records") }

    private func amount(_ done: Int, of total: Int?, _ one: String, _ many: String) -> String {
        guard let total, let percent else { return CountText.of(done, one, many) }
        return "\(CountText.grouped(done)) of \(CountText.of(total, one, many)) (\(percent)%)"
    }

    /// How fast it goes, how long it has taken, and how long it will take.
    private var pace: [Part] {
        let rate =
            countsRecords
            ? recordsPerSecond.map { "\(CountText.grouped(Int($0.rounded())))/s" }
            : bytesPerSecond.map { "\(CountText.bytes(Int($0)))/s" }
        let taken = seconds >= 1 ? CountText.time(Int(seconds)) : nil
        let left = secondsLeft.map { "\(CountText.time(Int($0.rounded(.up)))) left" }
        let parts: [(String?, Int)] = [(rate, 2), (taken, 3), (left, 0)]
        return parts.compactMap { text, dispensability in text.map { ($0, dispensability) } }
    }

    /// What table is gone through, and what of it.
    var subject: [(LogDetail, LogValue)] {
        guard case .changing(let table, let step) = progress.stage else { return [] }
        return [(.table, .text(table)), (.step, .text(step.rawValue))]
    }

    /// What programs may want to know.
    var details: [(LogDetail, LogValue)] {
        var details: [(LogDetail, LogValue)] = [(.stage, .text(stage)), (.seconds, .decimal(seconds))]
        details += subject
        if progress.stage == .fetching {
            details += [(.pages, .number(progress.pages)), (.bytes, .number(progress.bytes))]
        }
        if progress.stage != .fetching || progress.records > 0 { details.append((.records, .number(progress.records))) }
        if let total { details.append((.total, .number(total))) }
        if let pageTotal { details.append((.pageTotal, .number(pageTotal))) }
        if let percent { details.append((.percent, .number(percent))) }
        if let recordsPerSecond { details.append((.recordsPerSecond, .decimal(recordsPerSecond))) }
        if let bytesPerSecond { details.append((.bytesPerSecond, .decimal(bytesPerSecond))) }
        if let secondsLeft { details.append((.secondsLeft, .decimal(secondsLeft))) }
        return details
    }
}

extension TableWork.Step {
    /// One of what is gone through; nil where nothing is counted.
    fileprivate var noun: (one: String, many: String)? {
        switch self {
        case .rows: ("row", "rows")
        case .bases: ("base", "bases")
        case .conflicts: ("conflict", "conflicts")
        case .quarantine: ("record in quarantine", "records in quarantine")
        case .history: ("history entry", "history entries")
        case .rebuild: nil
        }
    }
}
