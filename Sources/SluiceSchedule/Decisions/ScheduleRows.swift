/// Rows of a ledger, as a store keeps them.
package struct ScheduleRows: Hashable, Sendable {
    /// What is known of a pipeline besides its due times.
    package struct Mark: Hashable, Sendable {
        /// Up to this moment, due times were decided on.
        package var decided: Int64
        /// Up to this moment, rows were forgotten; nil where none were.
        package var forgotten: Int64?

        /// Says what is known.
        package init(decided: Int64, forgotten: Int64?) { (self.decided, self.forgotten) = (decided, forgotten) }
    }

    /// What is known of each pipeline.
    package var marks: [String: Mark] = [:]
    /// The due times.
    package var dueTimes: [DueTime] = []
    /// Due times of which there is no row any more.
    package var forgotten: [DueTimeID] = []

    /// No rows.
    package init() {}

    /// Whether there is nothing to write.
    package var isEmpty: Bool { marks.isEmpty && dueTimes.isEmpty && forgotten.isEmpty }
}

extension Ledger {
    /// The rows of some due times, and the marks of some pipelines, as they are now.
    package func rows(of ids: some Sequence<DueTimeID>, marks names: some Sequence<String>) -> ScheduleRows {
        var rows = ScheduleRows()
        rows.dueTimes = ids.compactMap(dueTime)
        for name in names {
            guard let pipeline = pipelines[name] else { continue }
            rows.marks[name] = ScheduleRows.Mark(decided: pipeline.mark, forgotten: pipeline.floor)
        }
        return rows
    }

    /// Takes in the rows of pipelines.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - replaces: Whether they take the place of what is here of these pipelines; else those that are here stay.
    package mutating func restore(_ rows: ScheduleRows, replacing replaces: Bool = false) {
        let dueTimes = Dictionary(grouping: rows.dueTimes, by: \.id.pipeline)
        for (name, mark) in rows.marks where replaces || pipelines[name] == nil {
            restore(name, mark: mark.decided, floor: mark.forgotten, dueTimes[name] ?? [])
        }
    }
}
