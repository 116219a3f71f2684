import Glibc

/// Public test suites that lie beside the project rather than in it.
///
/// They are looked for in `$SLUICE_CONFORMANCE` and in `../shared/conformance`; tests that need them are skipped, saying
/// so, where they are missing.
public enum Conformance {
    /// The folder, or nil where there is none.
    public static let folder: String? = {
        if let named = unsafe getenv("SLUICE_CONFORMANCE") { return unsafe String(cString: named) }
        // This file is three folders deep within the project.
        let project = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        let beside = (project.dropLast() + ["shared", "conformance"]).joined(separator: "/")
        return unsafe access(beside, R_OK) == 0 ? beside : nil
    }()

    /// Whether the suites are there.
    public static var isAvailable: Bool { folder != nil }

    /// The content of a file of a suite.
    ///
    /// - Parameter path: Relative to the folder.
    /// - Returns: The whole content, unchanged.
    /// - Throws: ``Unreadable`` where the file cannot be opened.
    public static func bytes(_ path: String) throws -> [UInt8] {
        let whole = "\(folder ?? "")/\(path)"
        guard let file = unsafe fopen(whole, "r") else { throw Unreadable(path: whole, number: errno) }
        defer { unsafe fclose(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            if count == 0 { return content }
            content += buffer[..<count]
        }
    }

    /// A file that cannot be read.
    public struct Unreadable: Error {
        let path: String
        let number: Int32
    }
}
