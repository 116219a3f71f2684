internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A program that gets a text on its standard input and is ended where it takes too long.
///
/// It runs in a process group of its own, so that its own children end with it. What it writes to standard output and
/// standard error is kept together, and only the end of it.
package struct ChildProcess: Sendable {
    /// How a program ended.
    package enum Ending: Sendable, Equatable {
        /// By itself, with this exit code.
        case exited(Int32)
        /// By a signal that this process did not send.
        case signalled(Int32)
        /// It took longer than it may.
        case timedOut
        /// This process was asked to stop.
        case cancelled
    }

    /// What became of a program.
    package struct Result: Sendable {
        /// How it ended.
        package let ending: Ending
        /// The last bytes of what it wrote.
        package let output: [UInt8]
        /// Whether ``output`` lacks the beginning.
        package let isCut: Bool
    }

    /// The program, looked up in `PATH` where it has no slash, and its arguments.
    package let arguments: [String]
    /// The variables that it is given.
    package let environment: [String: String]
    /// How long it may take.
    package let limit: Duration
    /// How long it may take to end once it was asked to with SIGTERM.
    package var grace = Duration.seconds(2)
    /// How many bytes of its output are kept.
    package var outputBytes = 8192

    /// Whether its standard input stays open until it ends, by which it knows that this process lives.
    package var keepsInputOpen = false
    /// Is given what it writes, as it comes, on the thread of ``run(input:cancellation:)``.
    package var onOutput: (@Sendable (ArraySlice<UInt8>) -> Void)?
    /// Sends it signals while it runs; nil where nobody does.
    package var signals: ChildSignals?

    /// Makes a program that is not started yet.
    package init(_ arguments: [String], environment: [String: String], limit: Duration) {
        (self.arguments, self.environment, self.limit) = (arguments, environment, limit)
    }

    /// Runs the program to its end.
    ///
    /// A program that does not read its input, or not all of it, is none the worse for it. What it leaves in the
    /// background is left alone, unless it had to be ended.
    ///
    /// - Parameters:
    ///   - input: What it reads on standard input.
    ///   - cancellation: Ends it early.
    /// - Returns: How it ended.
    /// - Throws: ``SystemError``, where it cannot be started.
    package func run(input: [UInt8], cancellation: Cancellation) throws(SystemError) -> Result {
        // Who writes to a program that has ended gets an error then, and no signal.
        signal(SIGPIPE, SIG_IGN)
        let name = arguments.first ?? ""
        let toChild = try Pipe(for: name)
        let fromChild = try Pipe(for: name)
        let wake = try Pipe(for: name)
        let child = ChildHandle(
            try spawn(input: toChild.takeReading(), output: fromChild.takeWriting()), wake: wake)
        // One that watches its input ends with this process by itself.
        if !keepsInputOpen { Signals.record(group: child.number) }
        defer { if !keepsInputOpen { Signals.record(group: 0) } }
        signals?.begin(child.number)
        let registration = cancellation.onCancel { child.wake() }
        defer { cancellation.remove(registration) }
        var tracker = ProcessTracker(
            child: child, input: input, keepsInputOpen: keepsInputOpen, toChild: toChild, fromChild: fromChild,
            tail: OutputTail(limit: outputBytes), onOutput: onOutput)
        let stopped = tracker.follow(limit: limit, grace: grace, cancellation: cancellation)
        signals?.end()
        let status = child.reap(endingGroup: stopped != nil)
        return Result(ending: stopped ?? Ending(status: status), output: tracker.tail.bytes, isCut: tracker.tail.isCut)
    }

    /// Starts the program.
    ///
    /// The signals that this process blocks and ignores are as usual for it, and it is as nice as this process.
    private func spawn(input: Int32, output: Int32) throws(SystemError) -> pid_t {
        Niceness.hold()
        defer {
            close(input)
            close(output)
        }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, number) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (output, STDERR_FILENO)] {
            unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var blocked = sigset_t()
        unsafe sigemptyset(&blocked)
        var usual = sigset_t()
        unsafe sigemptyset(&usual)
        for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&usual, number) }
        unsafe posix_spawnattr_setsigmask(&attributes, &blocked)
        unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        let assignments = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        var variables = unsafe assignments.map { unsafe strdup($0) } + [nil]
        defer { unsafe variables.forEach { unsafe free($0) } }
        let name = arguments.first ?? ""
        var child: pid_t = 0
        let failure = Pipe.making.withLock { _ in
            unsafe posix_spawnp(&child, name, &actions, &attributes, &words, &variables)
        }
        if failure != 0 { throw SystemError("start", name, number: failure) }
        return child
    }
}

extension ChildProcess.Ending {
    /// How a program ended by itself, of what `waitpid` says.
    fileprivate init(status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }
}
