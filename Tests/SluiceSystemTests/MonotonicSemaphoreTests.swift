import Dispatch
import SluiceSystem
import Synchronization
import Testing

@Suite("A semaphore that waits by the monotonic clock")
struct MonotonicSemaphoreTests {
    @Test func aSignalBeforeTheWaitEndsIt() {
        let semaphore = MonotonicSemaphore()
        semaphore.signal()
        semaphore.signal()
        semaphore.wait()
        #expect(semaphore.wait(seconds: 0))
        #expect(!semaphore.wait(seconds: 0))
    }

    @Test("A wait without a signal ends", arguments: [0.001, 0, -1, -.infinity, .nan])
    func ends(seconds: Double) {
        #expect(!MonotonicSemaphore().wait(seconds: seconds))
    }

    @Test("A signal of another thread ends a wait", arguments: [1e3, 1e300, .infinity])
    func isWoken(seconds: Double) {
        let semaphore = MonotonicSemaphore()
        DispatchQueue.global().async { semaphore.signal() }
        #expect(semaphore.wait(seconds: seconds))
        DispatchQueue.global().async { semaphore.signal() }
        semaphore.wait()
    }

    @Test func eachSignalEndsOneWait() {
        let semaphore = MonotonicSemaphore()
        let ended = Mutex(0)
        let group = DispatchGroup()
        for _ in 0..<8 {
            DispatchQueue.global().async(group: group) {
                semaphore.wait()
                ended.withLock { $0 += 1 }
            }
        }
        for _ in 0..<8 { semaphore.signal() }
        #expect(group.wait(seconds: 60))
        #expect(ended.withLock { $0 } == 8)
        #expect(!semaphore.wait(seconds: 0))
    }

    @Test func aGroupThatIsBusyIsNotWaitedForTooLong() {
        let (group, go) = (DispatchGroup(), MonotonicSemaphore())
        #expect(group.wait(seconds: 60))
        DispatchQueue.global().async(group: group) { go.wait() }
        #expect(!group.wait(seconds: 0.001))
        go.signal()
        #expect(group.wait(seconds: 60))
    }
}
