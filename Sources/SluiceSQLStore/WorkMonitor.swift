package import SluiceStore

/// Tells an observer how far work on the tables of a database has come, and ends it where the observer wants that.
///
/// All loops over rows call ``advance(by:)`` for each batch, so that none of them goes on for long.
package final class WorkMonitor {
    /// Who follows the work; nil where nobody does.
    package var observer: TableWorkObserver?
    /// The table that is worked on.
    private(set) var table = ""
    private var work: TableWork?
    private var told = 0
    /// What was run since somebody wants to know; nil where nobody does.
    private var taken: [TakenStatement]?
    /// How many rows lie between two times that the observer is told.
    private static let pace = 500

    /// Makes a monitor without an observer.
    package init() {}

    /// Begins a step.
    ///
    /// - Parameters:
    ///   - step: What is gone through.
    ///   - table: The table; nil for the one of the step before.
    ///   - total: How many there are; asked only where somebody follows the work.
    /// - Throws: What the observer throws to end the work, and what `total` throws.
    package func begin(
        _ step: TableWork.Step, of table: String? = nil, total: @autoclosure () throws -> Int? = nil
    ) throws {
        self.table = table ?? self.table
        guard let observer else { return }
        try observer.check()
        let work = TableWork(table: self.table, step: step, total: try total())
        (self.work, told) = (work, 0)
        observer.progress(work)
    }

    // MARK: Statements

    /// Runs a change of tables, and takes down what it runs on tables of people.
    ///
    /// - Parameter body: The change.
    /// - Returns: What it returns, and the statements in their order, each once.
    /// - Throws: What the body throws.
    package func statements<Result>(
        of body: () throws -> Result
    ) rethrows -> (result: Result, statements: [TakenStatement]) {
        let before = taken
        taken = []
        defer { taken = before.map { $0 + (taken ?? []) } }
        let result = try body()
        return (result, taken ?? [])
    }

    /// Is told of each statement that was run.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - isRepeated: Whether it may run again and again with other values.
    package func ran(_ sql: String, isRepeated: Bool = false) {
        guard taken != nil, let statement = TakenStatement(sql, isRepeated: isRepeated) else { return }
        if isRepeated && taken?.contains(statement) == true { return }
        taken?.append(statement)
    }

    /// Counts what is done of the step.
    ///
    /// - Throws: What the observer throws to end the work.
    package func advance(by count: Int = 1) throws {
        guard let observer else { return }
        try observer.check()
        work?.count += count
        guard let work, work.count - told >= Self.pace || work.count == work.total else { return }
        told = work.count
        observer.progress(work)
    }
}
