package import SluiceSystem

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where text goes: a stream of the process, a file, or memory.
package protocol TextSink: AnyObject {
    /// Whether a person looks at it, so that colours and a moving line are of use.
    var isTerminal: Bool { get }
    /// How many columns a line has, nil where nothing limits it.
    var columns: Int? { get }

    /// Writes UTF-8 text.
    ///
    /// - Throws: `SystemError`, as when the disk is full or the reader of a pipe is gone.
    func write(_ bytes: [UInt8]) throws(SystemError)
}

extension TextSink {
    /// Nothing limits a line.
    package var columns: Int? { nil }
}

/// A stream of the process or a file.
final class StreamSink: TextSink {
    let isTerminal: Bool
    let columns: Int?
    private let stream: OutputStream

    init(_ stream: OutputStream, isTerminal: Bool = false, columns: Int? = nil) {
        self.stream = stream
        self.isTerminal = isTerminal
        self.columns = columns
    }

    func write(_ bytes: [UInt8]) throws(SystemError) { try stream.write(bytes) }
}

extension SystemError {
    /// Whether the reader of a pipe is gone.
    var isClosedPipe: Bool { number == EPIPE }
}
