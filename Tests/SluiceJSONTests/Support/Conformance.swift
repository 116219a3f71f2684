import Foundation

/// The public test suites: read where they stand, which is outside of this package.
enum Conformance {
    static let absence: String = "no conformance suites: set SLUICE_CONFORMANCE to their folder"

    private static let root: URL = {
        if let path = ProcessInfo.processInfo.environment["SLUICE_CONFORMANCE"] { return URL(fileURLWithPath: path) }
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared/conformance")
    }()

    static func has(_ suite: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(suite).path)
    }

    static func files(in folder: String, prefix: String) throws -> [(name: String, bytes: [UInt8])] {
        let folder = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasPrefix(prefix) }
            .map { ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0)))) }
    }

    static func bytes(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: root.appendingPathComponent(file)))
    }
}
