import Foundation
import Testing

/// The pages of the library's catalogue show what is compiled and run: by these tests, or as a program of Examples.
struct CatalogueTests {
    private static let root = #filePath.components(separatedBy: "/Tests/")[0]
    private static let catalogue = root + "/Sources/Sluice/Sluice.docc"
    /// The modules that a program imports.
    private static let modules = ["Sluice", "SluicePipelines", "SluiceTesting", "SluiceDecoding"]

    private static func files(_ folder: String, _ suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(suffix) }.sorted().map {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
    }

    private static func squeezed(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    @Test func eachBlockOfSwiftIsCompiled() throws {
        let root = Self.root
        let sources = try
            (Self.files(root + "/Tests", "ManualTests.swift")
            + Self.files(root + "/Examples/Sources", ".swift") + Self.files(root + "/Examples/Tests", ".swift"))
            .map(Self.squeezed)
        var count = 0
        let pages = try Self.modules.flatMap { try Self.files("\(root)/Sources/\($0)/\($0).docc", ".md") }
        for page in pages {
            for block in page.components(separatedBy: "```swift\n").dropFirst() {
                count += 1
                let code = Self.squeezed(block.components(separatedBy: "\n```")[0])
                #expect(sources.contains { $0.contains(code) }, "\(code)")
            }
        }
        #expect(count > 30)
    }

    @Test func theTutorialMakesThePackageOfExamples() throws {
        let page = try String(contentsOfFile: Self.catalogue + "/BuildingABookshelf.md", encoding: .utf8)
        let manifest = try String(contentsOfFile: Self.root + "/Examples/Package.swift", encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```swift-manifest\n").last)
        let targets = block.matches(of: /(?s)\.(?:target|executableTarget|testTarget)\(.*?\),\n/)
        #expect(targets.count == 3)
        for target in targets {
            #expect(Self.squeezed(manifest).contains(Self.squeezed(String(target.0))), "\(target.0)")
        }
    }

    /// Each product for programs has pages, which the script builds, and the first page of all names it.
    @Test func eachProductHasPages() throws {
        let manifest = try String(contentsOfFile: Self.root + "/Package.swift", encoding: .utf8)
        let products = manifest.matches(of: /\.library\(name: "(\w+)", targets/).map { String($0.1) }
        #expect(products == Self.modules)
        let script = try String(contentsOfFile: Self.root + "/scripts/docc.sh", encoding: .utf8)
        #expect(script.contains("modules=\"\(products.joined(separator: " "))\""))
        let first = try String(contentsOfFile: Self.catalogue + "/Sluice.md", encoding: .utf8)
        for product in products { #expect(first.contains("`\(product)`"), "\(product)") }
    }

    /// The page of saving has each code of an error, and that of conflicts each kind.
    @Test func thePagesHaveEachCodeAndKind() throws {
        for (source, page, pattern) in [
            ("Errors/SluiceError.swift", "SavingRecords.md", /static let (\w+) = Code\(/),
            ("Runs/AnyConflict.swift", "DecidingConflicts.md", /static var (\w+): ConflictKind/),
            ("Runs/AnyConflict.swift", "DecidingConflicts.md", /ConflictKind\(description: "(\w+)"\)/),
            ("Sync/SyncOptions.swift", "MergingJSON.md", /\ {4}public (?:enum|struct) (\w+): Sendable/),
        ] {
            let text = try String(contentsOfFile: "\(Self.root)/Sources/Sluice/\(source)", encoding: .utf8)
            let shown = try String(contentsOfFile: "\(Self.catalogue)/\(page)", encoding: .utf8)
            let rows = shown.split(separator: "\n").filter { $0.hasPrefix("| ") }.joined(separator: "\n")
            let names = text.matches(of: pattern).map { String($0.1) }
            #expect(names.count > 5)
            for name in names { #expect(rows.contains("\(name)`"), "\(page): \(name)") }
        }
    }

    /// Each page is one that the first page leads to.
    @Test func eachPageIsFound() throws {
        let first = try String(contentsOfFile: Self.catalogue + "/Sluice.md", encoding: .utf8)
        let pages = try FileManager.default.contentsOfDirectory(atPath: Self.catalogue)
        #expect(pages.count > 10)
        for page in pages where page != "Sluice.md" {
            #expect(page.hasSuffix(".md") && first.contains("- <doc:\(page.dropLast(3))>"), "\(page)")
        }
    }
}
