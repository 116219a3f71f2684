import Dispatch
import SluiceSystem
import Synchronization
import TestSupport
import Testing

@Suite("A queue that holds a few elements")
struct BoundedQueueTests {
    @Test func givesWhatItGotInOrder() {
        let queue = BoundedQueue<Int>(capacity: 3)
        for number in 1...3 { #expect(queue.push(number)) }
        #expect([queue.pop(), queue.pop(), queue.pop()] == [1, 2, 3])
    }

    @Test func whoDoesNotWaitGetsWhatIsThere() {
        let queue = BoundedQueue<Int>(capacity: 3)
        #expect(queue.popNow() == nil)
        #expect(queue.push(1) && queue.push(2))
        #expect(queue.popNow() == 1)
        queue.close()
        #expect(queue.popNow() == 2 && queue.popNow() == nil && queue.pop() == nil)
    }

    @Test func whatIsInItStaysAfterTheEnd() {
        let queue = BoundedQueue<Int>(capacity: 3)
        #expect(queue.push(1) && queue.push(2))
        queue.close()
        #expect(!queue.push(3))
        #expect(queue.pop() == 1)
        #expect(!queue.push(4))
        #expect(queue.pop() == 2)
        for _ in 0..<3 { #expect(queue.pop() == nil) }
    }

    @Test func closingTwiceIsClosing() {
        let queue = BoundedQueue<Int>(capacity: 1)
        #expect(queue.push(1))
        queue.close()
        queue.close()
        #expect(queue.pop() == 1)
        #expect(queue.pop() == nil && queue.pop() == nil)
        #expect(!queue.push(2) && !queue.push(3))
    }

    @Test(arguments: [1, 2, 7])
    func neverHoldsMoreThanItsCapacity(_ capacity: Int) {
        let queue = BoundedQueue<Int>(capacity: capacity)
        // Elements that were accepted and not yet asked for: what the queue must hold.
        let accepted = Atomic(0)
        let asked = Atomic(0)
        let most = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 2) { iteration in
            if iteration == 0 {
                for number in 0..<2_000 {
                    #expect(queue.push(number))
                    let now = accepted.add(1, ordering: .sequentiallyConsistent).newValue
                    let held = now - asked.load(ordering: .sequentiallyConsistent)
                    most.withLock { $0 = max($0, held) }
                }
                queue.close()
            } else {
                var expected = 0
                asked.add(1, ordering: .sequentiallyConsistent)
                while let number = queue.pop() {
                    #expect(number == expected)
                    expected += 1
                    asked.add(1, ordering: .sequentiallyConsistent)
                }
                #expect(expected == 2_000)
            }
        }
        #expect(most.withLock { $0 } <= capacity)
    }

    @Test func endingFreesAProducerThatWaits() {
        let queue = BoundedQueue<Int>(capacity: 1)
        #expect(queue.push(1))
        let (began, ended) = (Gate(), Gate())
        DispatchQueue(label: "producer").async {
            began.open()
            #expect(!queue.push(2))
            #expect(!queue.push(3))
            ended.open()
        }
        #expect(began.wait())
        queue.close()
        #expect(ended.wait())
        #expect(queue.pop() == 1)
        #expect(queue.pop() == nil)
    }

    @Test func endingFreesEveryConsumerThatWaits() {
        let queue = BoundedQueue<Int>(capacity: 1)
        let began = (0..<3).map { _ in Gate() }
        let ended = (0..<3).map { _ in Gate() }
        for index in 0..<3 {
            DispatchQueue(label: "consumer \(index)").async {
                began[index].open()
                #expect(queue.pop() == nil)
                ended[index].open()
            }
        }
        for gate in began { #expect(gate.wait()) }
        queue.close()
        for gate in ended { #expect(gate.wait()) }
    }

    @Test func manyProducersAndConsumersLoseAndDoubleNothing() {
        let queue = BoundedQueue<Int>(capacity: 4)
        let found = Mutex<[Int]>([])
        let ended = (0..<6).map { _ in Gate() }
        for index in 0..<3 {
            DispatchQueue(label: "producer \(index)").async {
                for number in 0..<500 { #expect(queue.push(index * 500 + number)) }
                ended[index].open()
            }
            DispatchQueue(label: "consumer \(index)").async {
                while let number = queue.pop() { found.withLock { $0.append(number) } }
                ended[3 + index].open()
            }
        }
        for gate in ended[..<3] { #expect(gate.wait()) }
        queue.close()
        for gate in ended[3...] { #expect(gate.wait()) }
        #expect(found.withLock { $0.sorted() } == Array(0..<1_500))
    }

    @Test func goesAwayInAnyState() {
        // A semaphore that ends below its first value would trap.
        for pushed in 0...2 {
            let queue = BoundedQueue<Int>(capacity: 2)
            for number in 0..<pushed { #expect(queue.push(number)) }
        }
        let empty = BoundedQueue<Int>(capacity: 1)
        empty.close()
    }
}
