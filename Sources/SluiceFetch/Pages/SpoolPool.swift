import Synchronization

/// The spools of a run: as many as there are requests under way, or one for each page.
package final class SpoolPool: Sendable {
    private let idle = Mutex<[Spool]>([])
    private let isReused: Bool

    /// - Parameter isReused: Whether pages share spools, which then grow; else each goes with its page.
    package init(isReused: Bool = true) { self.isReused = isReused }

    /// A spool that nobody else writes to.
    ///
    /// - Throws: `SystemError` where there is no room for one.
    package func take() throws -> Spool { try idle.withLock { $0.popLast() } ?? Spool() }

    /// Takes a spool back; what was not finished in it is overwritten.
    package func give(_ spool: Spool) {
        if !isReused { return }
        var spool = spool
        spool.restart()
        idle.withLock { $0.append(spool) }
    }
}
