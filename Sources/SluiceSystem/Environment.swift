#if canImport(Darwin)
    @unsafe @preconcurrency internal import Darwin
#else
    @unsafe @preconcurrency internal import Glibc
#endif

/// What the process was given.
package enum Environment {
    /// A variable, or nil where it is not set.
    package static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// All variables. They are read before any thread could change them.
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        // The list ends with a null.
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = unsafe environ
        while let text = unsafe entry.pointee {
            let assignment = unsafe String(cString: text)
            if let equals = assignment.firstIndex(of: "=") {
                variables[String(assignment[..<equals])] = String(assignment[assignment.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return variables
    }

    /// Whether two streams of this process, 0 to 2, are one file, terminal or pipe.
    package static func areSame(_ left: Int32, _ right: Int32) -> Bool {
        var first = stat()
        var second = stat()
        guard unsafe fstat(left, &first) == 0, unsafe fstat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
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
