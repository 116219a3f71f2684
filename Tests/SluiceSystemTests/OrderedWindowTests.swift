import SluiceSystem
import Synchronization
import TestSupport
import Testing

@Suite("A window of tasks under way")
struct OrderedWindowTests {
    private struct Refusal: Error, Equatable { let number: Int }

    /// Does what a test says, and tells which task it is at.
    private struct Worker: WindowWorker {
        let act: @Sendable (Int, Cancellation) throws -> Void
        var done = 0

        mutating func work(
            on task: Int, cancellation: Cancellation, note: @Sendable (Int) -> Void
        ) throws -> Int {
            note(task)
            try act(task, cancellation)
            done += 1
            return task * 10
        }
    }

    private func window(
        _ width: Int, cancellation: Cancellation = Cancellation(),
        act: @escaping @Sendable (Int, Cancellation) throws -> Void = { _, _ in }
    ) -> OrderedWindow<Worker> {
        OrderedWindow(width: width, cancellation: cancellation) { Worker(act: act) }
    }

    @Test(arguments: [1, 2, 5])
    func outputsComeInTheOrderOfTheTasks(width: Int) throws {
        let window = window(width)
        var outputs: [Int] = []
        var notes: [Int] = []
        var next = 0
        repeat {
            while next < 200, window.submit(next) { next += 1 }
            if let output = try window.next(onNote: { notes.append($0) }) { outputs.append(output) }
        } while outputs.count < 200
        #expect(outputs == (0..<200).map { $0 * 10 })
        #expect(notes.sorted() == Array(0..<200))
        #expect(try window.next() == nil)
    }

    @Test func aLaterTaskMayEndEarlier() throws {
        let second = Gate()
        let window = window(2) { task, _ in
            if task == 1 { second.wait() } else { second.open() }
        }
        #expect(window.submit(1) && window.submit(2))
        #expect(try window.next() == 10)
        #expect(try window.next() == 20)
    }

    @Test func aTaskKeepsItsPlaceUntilItsOutputIsTaken() throws {
        let second = Gate()
        let window = window(2) { task, _ in if task == 2 { second.open() } }
        #expect(window.submit(1) && window.submit(2))
        second.wait()
        #expect(!window.submit(3))
        #expect(try window.next() == 10)
        #expect(window.submit(3))
    }

    @Test func aFailureIsToldInItsTurn() throws {
        let window = window(3) { task, _ in if task == 2 { throw Refusal(number: task) } }
        for task in 1...3 { #expect(window.submit(task)) }
        #expect(try window.next() == 10)
        #expect(throws: Refusal(number: 2)) { try window.next() }
        #expect(try window.next() == 30)
    }

    @Test func aWorkerThatCannotBeMadeFailsItsTasks() throws {
        let window = OrderedWindow<Worker>(width: 1, cancellation: Cancellation()) { throw Refusal(number: 0) }
        #expect(window.submit(1))
        #expect(throws: Refusal(number: 0)) { try window.next() }
        #expect(window.submit(2), "the next one tries again")
        #expect(throws: Refusal(number: 0)) { try window.next() }
    }

    @Test(arguments: [false, true])
    func tasksUnderWayAreCancelled(fromOutside: Bool) throws {
        let cancellation = Cancellation()
        let cancelled = Atomic(0)
        let window = window(3, cancellation: cancellation) { _, token in
            let gate = Gate()
            let registration = token.onCancel { gate.open() }
            defer { token.remove(registration) }
            #expect(gate.wait())
            cancelled.add(1, ordering: .sequentiallyConsistent)
            try token.check()
        }
        for task in 1...3 { #expect(window.submit(task)) }
        if fromOutside {
            cancellation.cancel()
            for _ in 1...3 { #expect(throws: CancelledError.self) { try window.next() } }
        } else {
            var notes: [Int] = []
            window.clear { notes.append($0) }
            #expect(notes.sorted() == [1, 2, 3])
        }
        #expect(cancelled.load(ordering: .sequentiallyConsistent) == 3)
        #expect(try window.next() == nil)
    }

    @Test func aClearedWindowTakesTasksAgain() throws {
        let window = window(2)
        #expect(window.submit(1) && window.submit(2))
        window.clear()
        #expect(window.submit(3) && window.submit(4))
        #expect(try window.next() == 30)
        #expect(try window.next() == 40)
    }
}
