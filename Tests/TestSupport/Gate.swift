import Dispatch

/// A door that one thread opens for others: how a test says when a server goes on.
public final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Makes a closed gate.
    public init() {}

    /// Lets everybody through from now on.
    public func open() {
        semaphore.signal()
    }

    /// Waits until the gate is open.
    ///
    /// - Returns: False where that took more than half a minute.
    @discardableResult
    public func wait() -> Bool {
        guard semaphore.wait(timeout: .now() + .seconds(30)) == .success else { return false }
        semaphore.signal()
        return true
    }
}
