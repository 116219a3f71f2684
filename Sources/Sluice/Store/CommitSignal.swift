internal import Synchronization

/// Tells those that watch a store that something was committed.
final class CommitSignal: Sendable {
    private struct Listener {
        let continuation: AsyncStream<Void>.Continuation
        /// The tables that it reads; nil where any commit concerns it.
        var tables: Set<String>?
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var next = 0
        var poll: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let watcher: StoreWatcher?
    private let interval: StoreOptions.WatchRule.Interval?
    private let ownVersion: @Sendable () async -> Int64?

    /// - Parameters:
    ///   - watcher: Looks for commits; nil where there can be none of other programs.
    ///   - interval: How often it looks; nil for never.
    ///   - ownVersion: A number that changes with each commit but those of the store's own connection; nil where it is not known.
    init(
        _ watcher: StoreWatcher?, every interval: StoreOptions.WatchRule.Interval?,
        ownVersion: @escaping @Sendable () async -> Int64?
    ) {
        self.watcher = watcher
        self.interval = interval
        self.ownVersion = ownVersion
    }

    /// Wakes those whom a commit concerns. Who is busy is woken once, however often it is called meanwhile.
    ///
    /// - Parameter tables: The tables in which rows changed; nil where that is not known.
    func send(_ tables: Set<String>? = nil) {
        let concerned = state.withLock { state in
            state.listeners.values.filter { listener in
                guard let tables, let read = listener.tables else { return true }
                return !read.isDisjoint(with: tables)
            }
        }
        for listener in concerned { listener.continuation.yield() }
    }

    /// Waits from now on for any commit; who looks at the store afterwards misses nothing.
    func subscribe() -> AsyncStream<Void> { listen().commits }

    /// Waits from now on for any commit, until ``limit(_:to:)`` says which tables are read.
    func listen() -> (number: Int, commits: AsyncStream<Void>) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            let number = state.next
            state.next += 1
            state.listeners[number] = Listener(continuation: continuation)
            if state.poll == nil { state.poll = makePoll() }
            return number
        }
        continuation.onTermination = { [weak self] _ in self?.end(number) }
        return (number, stream)
    }

    /// Says which tables somebody reads who listens; nil where any commit concerns them, as while they read.
    func limit(_ number: Int, to tables: Set<String>?) {
        state.withLock { $0.listeners[number]?.tables = tables }
    }

    private func end(_ number: Int) {
        state.withLock { state in
            state.listeners[number] = nil
            guard state.listeners.isEmpty else { return }
            state.poll?.cancel()
            state.poll = nil
        }
    }

    /// Looks for commits of other programs for as long as anybody waits.
    private func makePoll() -> Task<Void, Never>? {
        guard let watcher, let interval else { return nil }
        return Task { [weak self, ownVersion] in
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
                    var (seen, foreign): (Int64?, Int64?)
                    continuation.yield()
                    for await _ in wakes {
                        let version = await watcher.version(after: seen)
                        if version == seen { continue }
                        seen = version
                        // The watcher sees the store's own commits as well, of which whoever made them tells.
                        let others = await ownVersion()
                        if others != nil && others == foreign { continue }
                        foreign = others
                        self?.send()
                    }
                }
            }
        }
    }

    deinit { state.withLock { $0.poll }?.cancel() }
}
