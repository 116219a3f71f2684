internal import Synchronization

/// Tells those that watch a store that something was committed.
final class CommitSignal: Sendable {
    private struct State {
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var next = 0
        var poll: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let watcher: StoreWatcher?
    private let interval: StoreOptions.WatchRule.Interval?

    /// - Parameters:
    ///   - watcher: Looks for the commits of other programs; nil where there can be none.
    ///   - interval: How often it looks; nil for never.
    init(_ watcher: StoreWatcher?, every interval: StoreOptions.WatchRule.Interval?) {
        self.watcher = watcher
        self.interval = interval
    }

    /// Wakes all that wait. Who is busy is woken once, however often it is called meanwhile.
    func send() {
        for continuation in state.withLock({ Array($0.waiting.values) }) { continuation.yield() }
    }

    /// Waits from now on; who looks at the store afterwards misses nothing.
    func subscribe() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            let number = state.next
            state.next += 1
            state.waiting[number] = continuation
            if state.poll == nil { state.poll = makePoll() }
            return number
        }
        continuation.onTermination = { [weak self] _ in self?.end(number) }
        return stream
    }

    private func end(_ number: Int) {
        state.withLock { state in
            state.waiting[number] = nil
            guard state.waiting.isEmpty else { return }
            state.poll?.cancel()
            state.poll = nil
        }
    }

    /// Looks for commits of other programs for as long as anybody waits.
    private func makePoll() -> Task<Void, Never>? {
        guard let watcher, let interval else { return nil }
        return Task { [weak self] in
            let (wakes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let events = watcher.events
            await withTaskGroup(of: Void.self) { group in
                if let events {
                    group.addTask { for await _ in events { continuation.yield() } }
                }
                group.addTask {
                    // Where nothing tells of writes, somebody has to look.
                    let pause = events == nil ? interval.withoutEvents : interval.withEvents
                    while (try? await Task.sleep(for: pause)) != nil { continuation.yield() }
                }
                group.addTask { [weak self] in
                    // Nobody knows what came between this look and the first one of whoever waits.
                    var version: Int64?
                    continuation.yield()
                    for await _ in wakes { version = await watcher.version(after: version) { self?.send() } }
                }
            }
        }
    }

    deinit { state.withLock { $0.poll }?.cancel() }
}
