#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the process was given.
package enum Environment {
    /// A variable, or nil where it is not set.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The number of this process.
    package static var processID: Int32 { getpid() }

    /// The name of this machine.
    package static var machine: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "localhost" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a stream of this process, 0 to 2, is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// How many columns a terminal has, nil where the stream is none or does not say.
    package static func terminalColumns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
