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

    private static var isDebian12: Bool {
        ((try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? "").contains("VERSION_ID=\"12\"")
    }

    /// Who builds an image needs the package of each library that the program loads.
    @Test(.enabled(if: isDebian12, "the packages are those of Debian 12"))
    func theManualNamesThePackagesOfAllLibraries() throws {
        func output(_ program: String, _ arguments: [String]) throws -> String {
            try Running(
                executable: URL(filePath: program), arguments: arguments, folder: "/", environment: [:]
            ).wait().output
        }
        let head = try output("/usr/bin/readelf", ["-d", Program.products.appending(path: "sluice").path])
        let own = #/lib(swift|dispatch|Blocks|m\.|c\.|gcc_s|stdc|rt\.|dl\.|pthread)|ld-/#
        let libraries = head.matches(of: #/Shared library: \[([^\]]+)\]/#).map { String($0.1) }
            .filter { $0.prefixMatch(of: own) == nil }
        #expect(libraries.count > 6)
        let text = try Self.text("docs/operation.md")
        for library in libraries {
            let package = try output("/usr/bin/dpkg", ["-S", "*/\(library)"]).split(separator: ":").first ?? ""
            #expect(!package.isEmpty && text.contains("\(package) "), "\(library): \(package)")
        }
    }

    @Test func theManualNamesEveryPage() throws {
        let manual = try Self.text("docs/README.md")
        for document in try Self.documents() where document.hasPrefix("docs/") && document != "docs/README.md" {
            #expect(manual.contains("(\(document.dropFirst(5)))"), "\(document)")
        }
    }
}
