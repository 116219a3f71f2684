internal import SluiceDiagnostics
internal import SluicePipeline
internal import Synchronization

/// The texts that pipelines are made of: those of the disk, or those that were read before.
///
/// A service keeps the last texts without errors, and has its runs read these, whatever stands in the files meanwhile.
package final class PipelineTexts: Sendable {
    /// The variable by which a run is told of the file that has them.
    package static let variable = "SLUICE_PIPELINE_TEXTS"

    private let given: [String: [UInt8]]
    private struct Seen {
        var texts: [String: [UInt8]] = [:]
        var paths: Set<String> = []
        var named: [NamedFile] = []
    }

    private let seen = Mutex(Seen())

    /// Reads from the disk.
    package init() { given = [:] }

    /// Gives texts that ``encoded`` was made of, and reads others from the disk; nil where the bytes are none.
    package init?(encoded bytes: [UInt8]) {
        var texts: [String: [UInt8]] = [:]
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let counts = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            rest = rest[(end + 1)...]
            guard counts.count == 2, counts.allSatisfy({ 0...rest.count ~= $0 }), counts[0] <= rest.count - counts[1]
            else { return nil }
            let path = String(decoding: rest.prefix(counts[0]), as: UTF8.self)
            texts[path] = Array(rest.dropFirst(counts[0]).prefix(counts[1]))
            rest = rest.dropFirst(counts[0] + counts[1])
        }
        given = texts
    }

    /// The texts that were read, as bytes to keep.
    package var encoded: [UInt8] {
        let texts = seen.withLock { $0.texts }
        return texts.sorted { $0.key < $1.key }.reduce(into: []) { bytes, text in
            bytes += Array("\(text.key.utf8.count) \(text.value.count)\n\(text.key)".utf8) + text.value
        }
    }

    /// The files that were asked for, whether they are there or not.
    package var paths: Set<String> { seen.withLock { $0.paths } }

    /// The files that must be there besides, in the order in which they were met.
    package var named: [NamedFile] { seen.withLock { $0.named } }

    /// Where these files are that have values and certificates.
    package var namedPaths: [String] {
        named.filter { [.value, .certificate].contains($0.use) }
            .map { FilePath.join(FilePath.folder(of: $0.location.file), $0.path) }
    }

    /// Records that a file must be there besides the texts.
    func record(_ file: NamedFile) {
        seen.withLock { if !$0.named.contains(file) { $0.named.append(file) } }
    }

    /// Whether the text of a file was given, so that nobody asks the disk for it.
    package func has(_ path: String) -> Bool { given[FilePath.absolute(path)] != nil }

    /// The text of a file. It is known by its path as it is named: where that is a link, what it leads to may change.
    func read(_ path: String, maximumBytes: Int) throws(FileReader.Failure) -> [UInt8] {
        let name = FilePath.absolute(path)
        seen.withLock { _ = $0.paths.insert(path) }
        let bytes: [UInt8]
        if let kept = given[name] {
            bytes = kept
        } else {
            bytes = try FileReader.read(path, maximumBytes: maximumBytes)
        }
        seen.withLock { $0.texts[name] = bytes }
        return bytes
    }
}
