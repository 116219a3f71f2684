internal import Synchronization

/// A transaction, or a part of one that is taken back alone: what a value remembers of the store since holds until that is taken back.
final class WritePart: Sendable {
    private enum State { case open, kept, takenBack }

    /// What it is a part of; nil for a whole transaction.
    let around: WritePart?
    /// How many rows the connection had changed when it began.
    let changes: Int
    private let state = Mutex<State>(.open)

    init(within around: WritePart? = nil, changes: Int) { (self.around, self.changes) = (around, changes) }

    /// Ends it: its writes belong to what it is a part of, or are durable.
    func keep() { state.withLock { $0 = .kept } }

    /// Ends it: nothing of it is left.
    func takeBack() { state.withLock { $0 = .takenBack } }

    /// What decides by now whether its writes stay: itself, or what it is a part of; nil where they are durable.
    var deciding: WritePart? {
        let isKept = state.withLock { $0 == .kept }
        return isKept ? around?.deciding : self
    }

    /// Whether nothing of it is left.
    var isTakenBack: Bool {
        guard let deciding else { return false }
        return deciding.state.withLock { $0 == .takenBack }
    }
}
