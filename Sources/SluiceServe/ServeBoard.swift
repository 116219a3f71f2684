internal import SluiceServeModel
internal import Synchronization

/// What other threads may know of a service: how it is, and what happens.
final class ServeBoard: Sendable {
    private struct Subscribers {
        var handlers: [Int: @Sendable (ServeEvent) -> Void] = [:]
        var last = 0
    }

    private let state: Mutex<ServeStatus>
    private let subscribers = Mutex(Subscribers())

    init(_ status: ServeStatus) { state = Mutex(status) }

    var status: ServeStatus { state.withLock { $0 } }

    func show(_ status: ServeStatus) { state.withLock { $0 = status } }

    func subscribe(_ handler: @escaping @Sendable (ServeEvent) -> Void) -> ServeSubscription {
        subscribers.withLock { subscribers in
            subscribers.last += 1
            subscribers.handlers[subscribers.last] = handler
            return ServeSubscription(number: subscribers.last)
        }
    }

    func unsubscribe(_ subscription: ServeSubscription) {
        subscribers.withLock { $0.handlers[subscription.number] = nil }
    }

    func report(_ event: ServeEvent) {
        let handlers = subscribers.withLock { $0.handlers.sorted { $0.key < $1.key }.map(\.value) }
        for handler in handlers { handler(event) }
    }
}
