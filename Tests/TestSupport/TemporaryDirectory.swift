import FoundationEssentials
import Glibc

/// A folder of a test's own, removed with everything in it when nothing refers to it any longer.
public final class TemporaryDirectory: Sendable {
    /// The absolute path, without a slash at its end.
    public let path: String

    /// Makes a folder in `$TMPDIR`, or in `/tmp`.
    ///
    /// - Throws: Where no folder can be made.
    public init() throws {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Failure(parent: parent, number: errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // What cannot be removed is left to the system, which clears its temporary folder anyway.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of an entry of the folder, given a relative one; nothing is made there.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Why no folder could be made.
    public struct Failure: Error {
        let parent: String
        let number: Int32
    }
}

/// Runs a body with a folder of its own, which is removed afterwards.
///
/// - Parameter body: Gets the folder.
/// - Returns: What the body returns.
/// - Throws: What the body throws, or ``TemporaryDirectory/Failure`` where no folder can be made.
public func withTemporaryDirectory<Result>(_ body: (TemporaryDirectory) throws -> Result) throws -> Result {
    let directory = try TemporaryDirectory()
    return try withExtendedLifetime(directory) { try body(directory) }
}
