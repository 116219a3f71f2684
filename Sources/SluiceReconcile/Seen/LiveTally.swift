internal import Dispatch
package import SluiceModel
package import SluiceStore
internal import Synchronization

/// The records that a source had before a run, taken down by who reads the store beside the run anyway.
package final class LiveTally: Sendable {
    private let mapping: RecordMapping
    private let limit: Int
    private let progress = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        /// The table that the records are in, and their keys as far as they were read; nil where they are not told.
        var table: String?
        var keys: LiveKeys? = LiveKeys()
        /// Whether all of them were read.
        var isWhole = false
        /// Whether nobody reads any more.
        var isEnded = false
    }

    /// Makes an empty one.
    ///
    /// - Parameters:
    ///   - mapping: What gives the records.
    ///   - room: The room that keys may take; beyond it they are only counted.
    package init(of mapping: RecordMapping, room: SpillableHashes.Room) {
        self.mapping = mapping
        limit = room.bytes
    }

    /// Takes down some records.
    ///
    /// - Parameters:
    ///   - found: The records; the last of their table where there is no key to go on after.
    ///   - schema: The schema of the table.
    package func accept(_ found: ComparedRows, of schema: RecordSchema) {
        guard schema.source == mapping else { return }
        state.withLock { state in
            state.table = schema.table
            if let listed = found.listed {
                for key in listed { state.keys?.insert(key) }
                state.keys?.shrink(to: limit)
            } else {
                state.keys = nil
            }
            if found.last == nil { state.isWhole = true }
        }
        if found.last == nil { progress.signal() }
    }

    /// Ends the reading: what was not taken down by now is not known.
    package func end() {
        state.withLock { $0.isEnded = true }
        progress.signal()
    }

    /// The records, once all were read; nil where they could not be.
    ///
    /// - Parameter schema: The schema of the records, as the run before left it.
    /// - Returns: The records.
    package func keys(of schema: RecordSchema) -> LiveKeys? {
        while true {
            let (isDone, keys) = state.withLock { state in
                let isKnown = state.isWhole && state.table == schema.table && schema.source == mapping
                return (state.isWhole || state.isEnded, isKnown ? state.keys : nil)
            }
            if isDone { return keys }
            progress.wait()
        }
    }
}
