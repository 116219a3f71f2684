internal import Glibc

/// What the process was given.
public enum Environment {
    /// A variable, or nil where it is not set.
    public static func variable(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The working directory.
    public static var workingDirectory: String {
        guard let path = unsafe getcwd(nil, 0) else { return "." }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// The number of this process.
    public static var processID: Int32 { getpid() }

    /// Whether a stream of this process, 0 to 2, is a terminal.
    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
