internal import Dispatch
package import SluiceModel
package import SluiceStore
internal import Synchronization

/// The records that a source had before a run, taken down by who reads the store beside the run anyway.
package final class LiveTally: Sendable {
    private let mapping: RecordMapping
    private let limit: Int
    /// The marks of the records' texts, for who takes them.
    package let marks = TextsBeside(isPrompt: false)
    private let progress = DispatchSemaphore(value: 0)
    private let state = Mutex(State())

    private struct State {
        /// The table that the records are in, and their keys as far as they were read; nil where they are not told.
        var table: String?
        var keys: LiveKeys? = LiveKeys()
        /// Whether anybody takes marks.
        var wantsMarks = false
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
    ///   - withMarks: Whether the store has marks of the records' texts.
    package init(of mapping: RecordMapping, room: SpillableHashes.Room, withMarks: Bool = false) {
        self.mapping = mapping
        limit = room.bytes
        if withMarks { state.withLock { $0.wantsMarks = true } } else { marks.close() }
    }

    /// Whether the marks of the texts of records are asked for.
    package func wantsMarks(of schema: RecordSchema) -> Bool {
        schema.source == mapping && state.withLock { $0.wantsMarks }
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
        guard let marks = found.marks else { return }
        let isTaken = self.marks.push(marks, areLast: found.last == nil)
        if !isTaken { state.withLock { $0.wantsMarks = false } }
    }

    /// Ends the reading: what was not taken down by now is not known.
    package func end() {
        state.withLock { $0.isEnded = true }
        marks.close()
        progress.signal()
    }

    /// The records, once all were read; nil where they could not be.
    ///
    /// - Parameter schema: The schema of the records, as the run before left it.
    /// - Returns: The records.
    package func keys(of schema: RecordSchema) -> LiveKeys? {
        marks.close()
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
