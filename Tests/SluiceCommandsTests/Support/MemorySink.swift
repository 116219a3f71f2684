import SluiceCommands
import SluiceSystem

/// Keeps what is written.
final class MemorySink: TextSink {
    let isTerminal: Bool
    private var bytes: [UInt8] = []

    init(isTerminal: Bool = false) { self.isTerminal = isTerminal }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func write(_ bytes: [UInt8]) throws(SystemError) { self.bytes += bytes }
}
