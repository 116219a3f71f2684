import Foundation
import TestSupport
import Testing

/// Every link from one document of the project to another leads somewhere.
@Suite struct DocumentLinkTests {
    private static func text(_ file: String) throws -> String {
        try String(contentsOf: Program.project.appending(path: file), encoding: .utf8)
    }

    /// The documents, by their paths.
    private static func documents() throws -> [String] {
        let folder = try FileManager.default.contentsOfDirectory(atPath: Program.project.path + "/docs")
        return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
            + folder.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }

    /// What leads to a heading, as GitHub makes it.
    private static func anchor(_ heading: Substring) -> String {
        let words = heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
        return words.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
    }

    @Test func linksLeadSomewhere() throws {
        var count = 0
        for document in try Self.documents() {
            let folder = document.hasPrefix("docs/") ? "docs/" : ""
            for match in try Self.text(document).matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") {
                count += 1
                let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let file = parts[0].isEmpty ? document : folder + parts[0]
                let path = Program.project.appending(path: file).standardized.path
                #expect(FileManager.default.fileExists(atPath: path), "\(document): \(match.1)")
                guard parts.count == 2, file.hasSuffix(".md") else { continue }
                let headings = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter {
                    $0.hasPrefix("#")
                }
                #expect(headings.contains { Self.anchor($0) == parts[1] }, "\(document): \(match.1)")
            }
        }
        #expect(count > 60)
    }

    @Test func everyPictureIsShown() throws {
        let pictures = try FileManager.default.contentsOfDirectory(atPath: Program.project.path + "/docs/pictures")
        let text = try Self.documents().map(Self.text).joined()
        for picture in pictures { #expect(text.contains("pictures/\(picture))"), "\(picture)") }
    }

    @Test func theManualNamesEveryPage() throws {
        let manual = try Self.text("docs/README.md")
        for document in try Self.documents() where document.hasPrefix("docs/") && document != "docs/README.md" {
            #expect(manual.contains("(\(document.dropFirst(5)))"), "\(document)")
        }
    }
}
