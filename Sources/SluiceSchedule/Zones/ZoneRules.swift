internal import SluiceModel

/// When the clocks of a time zone show what: its changes, and the rule for all years after them.
package struct ZoneRules: Sendable {
    /// From a moment on, clocks are so many seconds ahead of UTC.
    struct Change: Hashable, Sendable {
        let moment: Int64
        let offset: Int64
    }

    /// The name, as in `Europe/Berlin`.
    package let name: String
    /// The offset before the first change.
    let first: Int64
    /// In the order of their moments.
    let changes: [Change]
    /// What holds after the last change; the last offset stays where it is nil.
    let rule: YearlyRule?

    /// The moments that dates with years of four digits have in every zone.
    package static let moments = (Timestamp.range.lowerBound + 200_000)...(Timestamp.range.upperBound - 200_000)

    /// Universal time.
    package static let utc = ZoneRules(name: "UTC", first: 0, changes: [], rule: nil)

    /// How many seconds clocks are ahead of UTC at a moment.
    package func offset(at moment: Int64) -> Int64 {
        // The number of changes up to the moment.
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].moment <= moment { low = middle + 1 } else { high = middle }
        }
        if low == changes.count, let rule { return rule.offset(at: moment) }
        return low == 0 ? first : changes[low - 1].offset
    }

    /// The moment at which clocks first show a time, or first show a later one where they never show it.
    ///
    /// - Parameter local: The time, in seconds as though it were UTC.
    /// - Returns: Seconds since the epoch.
    package func moment(ofLocal local: Int64) -> Int64 {
        // No offset is longer than a day and some hours, nor is any change.
        let window = (local - 200_000)...(local + 200_000)
        var offset = offset(at: window.lowerBound)
        for change in allChanges(in: window) {
            if local - offset < change.moment { break }
            // Shown neither before the change nor after it: the change itself is next.
            if local - change.offset < change.moment { return change.moment }
            offset = change.offset
        }
        return local - offset
    }

    /// The changes within a window of at most a year, in the order of their moments.
    func allChanges(in window: ClosedRange<Int64>) -> [Change] {
        let listed = changes.filter { window.contains($0.moment) }
        guard let rule, window.upperBound > changes.last?.moment ?? .min else { return listed }
        let last = changes.last?.moment ?? .min
        return listed
            + rule.changes(around: window.upperBound).filter { $0.moment > last && window.contains($0.moment) }
    }
}
