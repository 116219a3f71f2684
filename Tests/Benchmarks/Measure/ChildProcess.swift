import Glibc

/// What one run of a program took.
struct Sample {
    let seconds: Double
    /// The time of the processor, the system's included.
    let processorSeconds: Double
    let peakBytes: Int
}

/// Runs programs and measures the whole process, from its start to its end.
enum ChildProcess {
    /// Runs a program to its end.
    ///
    /// The peak is what the kernel reports for the child. It starts at the parent's own peak, since the child shares
    /// the parent's memory until it executes; this program is smaller than any that it measures.
    ///
    /// - Parameters:
    ///   - arguments: The program's path and its arguments.
    ///   - output: The file that receives what the program prints.
    /// - Returns: What the run took.
    /// - Throws: ``BenchError`` where the program does not start or does not end well.
    static func run(_ arguments: [String], output: String) throws(BenchError) -> Sample {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o644)
        unsafe posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var strings = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe strings.forEach { unsafe free($0) } }

        var child: pid_t = 0
        let start = now()
        let failure = unsafe posix_spawn(&child, arguments[0], &actions, nil, &strings, environ)
        if failure != 0 {
            errno = failure
            throw BenchError.system(arguments[0])
        }
        var status: Int32 = 0
        var usage = rusage()
        while unsafe wait4(child, &status, 0, &usage) < 0 {
            if errno != EINTR { throw BenchError.system(arguments[0]) }
        }
        let seconds = now() - start
        guard status == 0 else {
            let text = (try? TextFile.read(output)) ?? ""
            throw BenchError(message: "\(arguments.joined(separator: " ")) failed:\n\(text)")
        }
        return Sample(
            seconds: seconds, processorSeconds: Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime),
            peakBytes: usage.ru_maxrss * 1024)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    private static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
