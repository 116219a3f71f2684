import Dispatch
import SluiceSystem
import Synchronization
import Testing

@Suite("A request to stop")
struct CancellationTests {
    /// Counts calls from any thread.
    private final class Counter: Sendable {
        private let value = Atomic(0)
        var count: Int { value.load(ordering: .sequentiallyConsistent) }
        func increment() { value.add(1, ordering: .sequentiallyConsistent) }
    }

    @Test func startsWithoutOne() throws {
        let cancellation = Cancellation()
        #expect(!cancellation.isCancelled)
        try cancellation.check()
    }

    @Test func staysOnceItIsRaised() {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(cancellation.isCancelled)
        #expect(throws: CancelledError()) { try cancellation.check() }
        cancellation.cancel()
        #expect(cancellation.isCancelled)
    }

    @Test func everyHandlerIsCalledOnce() {
        let cancellation = Cancellation()
        let (first, second) = (Counter(), Counter())
        let registrations = [
            cancellation.onCancel { first.increment() }, cancellation.onCancel { second.increment() },
        ]
        #expect(Set(registrations).count == 2)
        #expect(first.count == 0)
        cancellation.cancel()
        cancellation.cancel()
        #expect(first.count == 1 && second.count == 1)
    }

    @Test func aHandlerThatComesLateIsCalledAtOnce() {
        let cancellation = Cancellation()
        cancellation.cancel()
        let counter = Counter()
        let registration = cancellation.onCancel { counter.increment() }
        #expect(counter.count == 1)
        cancellation.remove(registration)
        cancellation.cancel()
        #expect(counter.count == 1)
    }

    @Test func aRemovedHandlerIsNotCalled() {
        let cancellation = Cancellation()
        let (removed, kept) = (Counter(), Counter())
        let registration = cancellation.onCancel { removed.increment() }
        _ = cancellation.onCancel { kept.increment() }
        cancellation.remove(registration)
        cancellation.remove(registration)
        cancellation.remove(12_345)
        cancellation.cancel()
        #expect(removed.count == 0 && kept.count == 1)
    }

    @Test func aHandlerMayUseTheTokenItself() {
        let cancellation = Cancellation()
        let counter = Counter()
        _ = cancellation.onCancel {
            #expect(cancellation.isCancelled)
            _ = cancellation.onCancel { counter.increment() }
            cancellation.remove(1)
            cancellation.cancel()
        }
        cancellation.cancel()
        #expect(counter.count == 1)
    }

    @Test func aHandlerIsReleasedOnceItWasCalledOrRemoved() {
        let cancellation = Cancellation()
        weak var called: Counter?
        weak var removed: Counter?
        do {
            let (one, two) = (Counter(), Counter())
            (called, removed) = (one, two)
            _ = cancellation.onCancel { one.increment() }
            cancellation.remove(cancellation.onCancel { two.increment() })
        }
        #expect(called != nil)
        #expect(removed == nil)
        cancellation.cancel()
        #expect(called == nil)
    }

    @Test func manyThreadsThatCancelCallEachHandlerOnce() {
        for _ in 0..<50 {
            let cancellation = Cancellation()
            let counter = Counter()
            DispatchQueue.concurrentPerform(iterations: 8) { iteration in
                if iteration.isMultiple(of: 2) {
                    _ = cancellation.onCancel { counter.increment() }
                } else {
                    cancellation.cancel()
                }
            }
            #expect(counter.count == 4)
        }
    }
}
