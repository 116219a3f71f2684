package import SluiceSystem

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where a command's result goes: standard output or what `--output` names.
///
/// A regular file is replaced at once when the result is complete, and stays as it was where it never is. Who may read
/// and write it stays the same.
package final class ResultOutput {
    private let sink: any TextSink
    private var replacement: (temporary: String, path: String)?
    private var buffer: [UInt8] = []
    private var isReaderGone = false
    private var isOutlived = false
    private var isEscaped = false
    private var cancellation: Cancellation?
    /// Why the result could not be written, where the command went on all the same.
    private(set) var loss: SystemError?

    /// Whether a person looks at it.
    var isTerminal: Bool { sink.isTerminal }
    /// How many columns a line has, nil where nothing limits it.
    var columns: Int? { sink.columns }
    /// Whether it is the process's own standard output.
    let isStandardOutput: Bool
    /// Whether it is standard output or standard error.
    let isStandardStream: Bool

    /// Opens an output.
    ///
    /// - Throws: `SystemError` where the file cannot be made.
    package init(path: String?, context: CommandContext) throws {
        switch path {
        case nil, "-", "/dev/stdout", "/dev/fd/1":
            sink = context.output
            (isStandardOutput, isStandardStream) = (true, true)
        case "/dev/stderr", "/dev/fd/2":
            sink = context.errors
            (isStandardOutput, isStandardStream) = (false, true)
        case let path?:
            (isStandardOutput, isStandardStream) = (false, false)
            let kind = FileSystem.kind(of: path)
            if kind == .folder { throw Failure(.failed, "The output `\(path)` is a folder. Name a file in it.") }
            let isReplaced = (kind == .file || kind == nil) && !path.hasPrefix("/dev/") && !path.hasPrefix("/proc/")
            guard isReplaced else {
                sink = StreamSink(try OutputStream(writing: path))
                return
            }
            try OutputGuard.checkContents(of: path)
            let target = OutputGuard.resolved(path)
            let temporary = "\(target).\(Environment.processID).tmp"
            do throws(SystemError) {
                sink = StreamSink(
                    try OutputStream(writing: temporary, permissions: FileSystem.permissions(of: target)))
            } catch {
                throw Failure(
                    .failed,
                    "The output `\(path)` cannot be written: \(error.reason). Check its folder `\(FileSystem.folder(of: target))`, or name another file."
                )
            }
            replacement = (temporary, target)
        }
    }

    /// Says that what the command did stands whether or not it can be told: a failed write is kept as ``loss``.
    package func outlive() { isOutlived = true }

    /// Has writing end once the command is stopped: for results that take long, of commands that do nothing else.
    func end(with cancellation: Cancellation) { self.cancellation = cancellation }

    /// Has a terminal shown what acts on one, or is not seen, as escapes: for what has no escapes of its own, as CSV. Files and
    /// pipes get it as it is.
    func escapeWhereWatched() { isEscaped = isTerminal }

    deinit { if let replacement { FileSystem.remove(replacement.temporary) } }

    /// Adds text; nothing happens once the reader of a pipe is gone, unless a work outlives what is written.
    ///
    /// - Throws: `SystemError`, as when the disk is full.
    package func write(_ text: String) throws(SystemError) { try write(Array(text.utf8)) }

    /// Adds UTF-8 text.
    ///
    /// - Throws: `SystemError`, as when the disk is full.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        buffer += bytes
        if buffer.count >= 65_536 { try flush() }
    }

    /// Hands on what was added so far.
    ///
    /// - Throws: `SystemError`.
    package func flush() throws(SystemError) {
        try flush(isEnd: false)
    }

    private func flush(isEnd: Bool) throws(SystemError) {
        let (bytes, rest) = isEscaped ? VisibleLines.escaped(buffer, isEnd: isEnd) : (buffer, [])
        buffer.removeAll(keepingCapacity: true)
        buffer += rest
        if cancellation?.isCancelled == true { throw SystemError("write", "the result", number: EINTR) }
        if isReaderGone || bytes.isEmpty { return }
        do throws(SystemError) {
            try sink.write(bytes)
        } catch {
            isReaderGone = true
            if isOutlived {
                loss = error
            } else if !error.isClosedPipe {
                throw error
            }
        }
    }

    /// Says that the result is complete.
    ///
    /// - Throws: `SystemError`; the file is as it was then.
    package func finish() throws(SystemError) {
        try flush(isEnd: true)
        guard let replacement, loss == nil else { return }
        do throws(SystemError) {
            // The store may be made only by the command itself.
            if OutputGuard.isDatabase(replacement.path) {
                throw SystemError("replace the database", replacement.path, number: EEXIST)
            }
            try FileSystem.rename(replacement.temporary, to: replacement.path)
            self.replacement = nil
        } catch {
            if !isOutlived { throw error }
            loss = error
        }
    }
}
