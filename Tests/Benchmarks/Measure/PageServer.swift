import Glibc

/// A server of pages in a process of its own, which answers each request after a while.
final class PageServer {
    /// Where it listens.
    let url: String
    private let process: pid_t
    /// Its standard input, with which it ends.
    private let leash: Int32

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - program: The floor's program for pages.
    ///   - file: The records, one on each line.
    ///   - pageSize: How many of them make a page.
    ///   - milliseconds: How long each request takes.
    /// - Throws: ``BenchError`` where it does not start.
    init(program: String, file: String, pageSize: Int, milliseconds: Int) throws(BenchError) {
        let input = try Self.makePipe()
        let output = try Self.makePipe()
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, input.reading, STDIN_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        let arguments = [program, "serve", file, String(pageSize), String(milliseconds)]
        var strings = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe strings.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let failure = unsafe posix_spawn(&child, program, &actions, nil, &strings, environ)
        close(input.reading)
        close(output.writing)
        defer { close(output.reading) }
        if failure != 0 {
            close(input.writing)
            errno = failure
            throw BenchError.system(program)
        }
        process = child
        leash = input.writing
        url = "http://127.0.0.1:\(try Self.readLine(output.reading, from: program))"
    }

    /// Ends the server.
    func stop() {
        close(leash)
        var status: Int32 = 0
        unsafe waitpid(process, &status, 0)
    }

    private static func makePipe() throws(BenchError) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        if unsafe pipe(&ends) != 0 { throw BenchError.system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func readLine(_ descriptor: Int32, from program: String) throws(BenchError) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(descriptor, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        throw BenchError(message: "\(program) serve did not start")
    }
}
