internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Follows a program from its start to its end.
struct ProcessTracker {
    let child: ChildHandle
    let input: [UInt8]
    let toChild: Pipe
    let fromChild: Pipe
    var tail: OutputTail
    let keepsInputOpen: Bool
    let onOutput: ((ArraySlice<UInt8>) -> Void)?
    private var sent = 0

    init(
        child: ChildHandle, input: [UInt8], keepsInputOpen: Bool, toChild: Pipe, fromChild: Pipe, tail: OutputTail,
        onOutput: ((ArraySlice<UInt8>) -> Void)?
    ) {
        (self.child, self.input, self.toChild, self.fromChild) = (child, input, toChild, fromChild)
        (self.tail, self.keepsInputOpen, self.onOutput) = (tail, keepsInputOpen, onOutput)
        if input.isEmpty && !keepsInputOpen { toChild.closeWriting() }
        for descriptor in [toChild.writing, fromChild.reading] where descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        }
    }

    /// Passes on input and output until the program has ended.
    ///
    /// - Returns: Why it was ended; nil where it ended by itself.
    mutating func follow(
        limit: Duration, grace: Duration, cancellation: Cancellation
    ) -> ChildProcess.Ending? {
        var deadline = WallClock.monotonicSeconds() + limit / .seconds(1)
        var stopped: ChildProcess.Ending?
        while true {
            wait(until: deadline)
            receive()
            send()
            if child.hasEnded { break }
            let now = WallClock.monotonicSeconds()
            if stopped != nil {
                if now >= deadline {
                    child.signalGroup(SIGKILL)
                    deadline = .infinity
                }
            } else if cancellation.isCancelled || now >= deadline {
                stopped = cancellation.isCancelled ? .cancelled : .timedOut
                child.signalGroup(SIGTERM)
                deadline = now + grace / .seconds(1)
            }
        }
        // What it wrote last is there already.
        receive()
        return stopped
    }

    /// Waits until there is something to do.
    private func wait(until deadline: Double) {
        let seconds = min(60, max(0, deadline - WallClock.monotonicSeconds()))
        var polled = [
            pollfd(fd: child.waking, events: Int16(POLLIN), revents: 0),
            pollfd(fd: fromChild.reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: sent < input.count ? toChild.writing : -1, events: Int16(POLLOUT), revents: 0),
        ]
        // Descriptors below zero are left out.
        _ = unsafe poll(&polled, nfds_t(polled.count), Int32((seconds * 1000).rounded(.up)))
        child.clearWake()
    }

    private mutating func receive() {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while fromChild.reading >= 0 {
            let count = unsafe buffer.withUnsafeMutableBytes { all in
                unsafe read(fromChild.reading, all.baseAddress, all.count)
            }
            if count > 0 {
                tail.append(buffer[..<count])
                onOutput?(buffer[..<count])
            } else if count == 0 {
                fromChild.closeReading()
            } else if errno != EINTR {
                if errno != EAGAIN { fromChild.closeReading() }
                return
            }
        }
    }

    private mutating func send() {
        while toChild.writing >= 0 && sent < input.count {
            let count = unsafe input.withUnsafeBytes { all in
                unsafe write(toChild.writing, all.baseAddress?.advanced(by: sent), all.count - sent)
            }
            if count >= 0 {
                sent += count
                if sent == input.count && !keepsInputOpen { toChild.closeWriting() }
            } else if errno != EINTR {
                // Who reads no more has what it wants.
                if errno != EAGAIN { toChild.closeWriting() }
                return
            }
        }
    }
}

/// A program that was started and has not been waited for.
final class ChildHandle: Sendable {
    /// The number of the process and of its group.
    let number: pid_t
    private let pipe: Pipe
    private let ended = Atomic(false)

    /// Begins to wait for the program's end.
    ///
    /// - Parameters:
    ///   - number: The number of the process.
    ///   - wake: A pipe that becomes readable when there is news.
    init(_ number: pid_t, wake: Pipe) {
        self.number = number
        pipe = wake
        for descriptor in [pipe.reading, pipe.writing] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        DispatchQueue(label: "sluice.child").async { [self] in
            Niceness.hold()
            // Its number stays taken until somebody reaps it, so that no signal meets another process.
            var information = unsafe siginfo_t()
            while unsafe waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            ended.store(true, ordering: .releasing)
            self.wake()
        }
    }

    /// Whether the program has ended.
    var hasEnded: Bool { ended.load(ordering: .acquiring) }

    /// What becomes readable when there is news.
    var waking: Int32 { pipe.reading }

    /// Says that there is news.
    func wake() {
        var byte: UInt8 = 1
        _ = unsafe write(pipe.writing, &byte, 1)
    }

    /// Forgets the news so far.
    func clearWake() {
        var bytes = [UInt8](repeating: 0, count: 16)
        let room = bytes.count
        while unsafe read(pipe.reading, &bytes, room) > 0 {}
    }

    /// Sends a signal to the program and to its children.
    func signalGroup(_ signal: Int32) { kill(-number, signal) }

    /// Takes the program's number back.
    ///
    /// - Parameter endingGroup: Whether what it left in the background is ended too.
    /// - Returns: What `waitpid` says of it.
    func reap(endingGroup: Bool) -> Int32 {
        if endingGroup { signalGroup(SIGKILL) }
        var status: Int32 = 0
        while unsafe waitpid(number, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

/// The end of an output.
struct OutputTail {
    let limit: Int
    private var kept: [UInt8] = []
    private var count = 0

    init(limit: Int) { self.limit = limit }

    /// The last bytes.
    var bytes: [UInt8] { Array(kept.suffix(limit)) }
    /// Whether there were more.
    var isCut: Bool { count > limit }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        kept += bytes
        count += bytes.count
        if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
    }
}
