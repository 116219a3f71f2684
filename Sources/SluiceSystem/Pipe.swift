internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A pipe whose ends are closed when the last reference goes.
final class Pipe: Sendable {
    private struct Ends {
        var reading: Int32
        var writing: Int32
    }

    private let ends: Mutex<Ends>
    /// Held while a pipe is made, so that no program that is started meanwhile has it open too.
    static let making = Mutex(())

    /// Makes a pipe.
    ///
    /// - Parameter name: What it is for, for messages.
    /// - Throws: ``SystemError``.
    init(for name: String) throws(SystemError) {
        var numbers: [Int32] = [-1, -1]
        let failure = Self.making.withLock { _ -> Int32 in
            if unsafe pipe(&numbers) != 0 { return errno }
            for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
            return 0
        }
        if failure != 0 { throw SystemError("make a pipe for", name, number: failure) }
        ends = Mutex(Ends(reading: numbers[0], writing: numbers[1]))
    }

    deinit {
        closeReading()
        closeWriting()
    }

    /// The end to read from; -1 once it is closed or taken.
    var reading: Int32 { ends.withLock { $0.reading } }
    /// The end to write to; -1 once it is closed or taken.
    var writing: Int32 { ends.withLock { $0.writing } }

    /// Gives the end to read from to somebody else, who closes it.
    func takeReading() -> Int32 {
        ends.withLock { ends in
            defer { ends.reading = -1 }
            return ends.reading
        }
    }

    /// Gives the end to write to to somebody else, who closes it.
    func takeWriting() -> Int32 {
        ends.withLock { ends in
            defer { ends.writing = -1 }
            return ends.writing
        }
    }

    func closeReading() {
        let number = takeReading()
        if number >= 0 { close(number) }
    }

    func closeWriting() {
        let number = takeWriting()
        if number >= 0 { close(number) }
    }
}
