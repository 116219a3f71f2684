internal import SluiceReport

/// How far a stage of a stream has come, for people and for programs.
extension ProgressMeter.Reading {
    /// A few words, the most important first, since a line may be cut.
    var text: String {
        let counts: [String]
        switch progress.stage {
        case .fetching:
            let place = progress.partition.map { "partition \($0.number) of \(CountText.grouped($0.count))" }
            let amounts = [CountText.of(progress.pages, "page"), CountText.bytes(progress.bytes)]
            counts = ["fetching"] + [place].compactMap { $0 } + amounts + (total == nil ? [] : [records])
        case .inspecting: counts = ["looking at what was found", records]
        case .merging: counts = ["merging", records]
        case .confirming: counts = ["asking for missing records", records]
        case .deleting: counts = ["looking for deleted records", records]
        case .undoing: counts = ["undoing", records]
        case .resuming(let page): return "continues at page \(CountText.grouped(page))"
        case .waiting(let seconds, let until, let reason):
            return "waiting \(CountText.duration(seconds)), until \(until): \(reason)"
        }
        return (counts + pace).joined(separator: ", ")
    }

    /// `1,200 records`, or `1,200 of 5,000 records (24%)`.
    private var records: String {
        guard let total, let percent else { return CountText.of(progress.records, "record") }
        return "\(CountText.grouped(progress.records)) of \(CountText.of(total, "record")) (\(percent)%)"
    }

    /// How fast it goes, how long it has taken, and how long it will take.
    private var pace: [String] {
        let isFetching = progress.stage == .fetching
        let rate =
            isFetching && total == nil
            ? bytesPerSecond.map { "\(CountText.bytes(Int($0)))/s" }
            : recordsPerSecond.map { "\(CountText.grouped(Int($0.rounded())))/s" }
        let taken = seconds >= 1 ? CountText.time(Int(seconds)) : nil
        let left = secondsLeft.map { "\(CountText.time(Int($0.rounded(.up)))) left" }
        return [rate, taken, left].compactMap { $0 }
    }

    /// What programs may want to know.
    var details: [(LogDetail, LogValue)] {
        var details: [(LogDetail, LogValue)] = [(.stage, .text(stage)), (.seconds, .decimal(seconds))]
        if progress.stage == .fetching {
            details += [(.pages, .number(progress.pages)), (.bytes, .number(progress.bytes))]
        }
        if progress.stage != .fetching || progress.records > 0 { details.append((.records, .number(progress.records))) }
        if let total, let percent { details += [(.total, .number(total)), (.percent, .number(percent))] }
        if let recordsPerSecond { details.append((.recordsPerSecond, .decimal(recordsPerSecond))) }
        if let bytesPerSecond { details.append((.bytesPerSecond, .decimal(bytesPerSecond))) }
        if let secondsLeft { details.append((.secondsLeft, .decimal(secondsLeft))) }
        return details
    }
}
