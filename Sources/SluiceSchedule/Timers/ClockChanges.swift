internal import SluiceModel

/// The due times of an expression that clocks leave out or show twice.
struct ClockChanges {
    /// So many years ahead are looked at: 29 February falls on each weekday within them.
    private static let years: Int64 = 40
    private static let step: Int64 = 180 * 86_400

    let expression: CronExpression
    let zone: ZoneRules

    /// The first time that is due and that clocks leave out, as they would show it, unless it is due anyway at the moment
    /// that comes in its place.
    ///
    /// - Parameter moment: Changes of clocks before it do not count.
    /// - Returns: Seconds as though the time were UTC; nil where there is none.
    func firstLeftOut(after moment: Int64) -> Int64? {
        first(after: moment) { before, after, change in
            guard before < after else { return nil }
            let gap = (change + before)..<(change + after)
            guard let due = due(within: gap) else { return nil }
            return expression.nextLocal(after: gap.upperBound - 1) == gap.upperBound ? nil : due
        }
    }

    /// The first time that is due and that clocks leave out or show twice.
    ///
    /// - Parameter moment: Changes of clocks before it do not count.
    /// - Returns: Seconds as though the time were UTC; nil where there is none.
    func firstTouched(after moment: Int64) -> Int64? {
        first(after: moment) { before, after, change in
            due(within: (change + min(before, after))..<(change + max(before, after)))
        }
    }

    private func due(within times: Range<Int64>) -> Int64? {
        expression.nextLocal(after: times.lowerBound - 1).flatMap { times.contains($0) ? $0 : nil }
    }

    /// What is found at the first change of clocks at which something is: given are the offsets before and after, and the
    /// moment.
    private func first(after moment: Int64, where find: (Int64, Int64, Int64) -> Int64?) -> Int64? {
        let end = min(moment + Self.years * 366 * 86_400, ZoneRules.moments.upperBound)
        for start in stride(from: moment, to: end, by: Int64.Stride(Self.step)) {
            for change in zone.allChanges(in: start...(start + Self.step)) {
                let before = zone.offset(at: change.moment - 1)
                if let found = find(before, change.offset, change.moment) { return found }
            }
        }
        return nil
    }

    /// A time of ``firstLeftOut(after:)`` for messages, as in `2026-03-29 02:30`.
    static func text(ofLocal seconds: Int64) -> String {
        var bytes: [UInt8] = []
        Timestamp(seconds: seconds)?.appendRFC3339(to: &bytes)
        return String(
            decoding: bytes.prefix(16).map { $0 == UInt8(ascii: "T") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }
}
