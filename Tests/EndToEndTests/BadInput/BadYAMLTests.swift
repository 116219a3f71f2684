import Foundation
import TestSupport
import Testing

/// Pipeline files that are wrong: each says where and why, and nothing is done with them.
@Suite struct BadYAMLTests {
    /// One file, and what is said of it.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let words: [String]
        var testDescription: String { name }

        init(_ name: String, _ text: String, _ words: String...) {
            self.init(name, bytes: Array(text.utf8), words)
        }

        init(_ name: String, bytes: [UInt8], _ words: [String]) {
            self.name = name
            self.bytes = bytes
            self.words = words
        }
    }

    @Test(arguments: rows)
    func aWrongFileSaysWhereAndWhy(row: Row) throws {
        let scene = try Scene(records: 2)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        try scene.write("a.yaml", "include: [b.yaml]\n")
        try scene.write("b.yaml", "include: [a.yaml]\n")
        try scene.write("bad.yaml", "\tx: y\n")
        try scene.write("books.yaml", bytes: row.bytes)
        let before = try StoreDump(scene.store)
        for command in ["run", "plan"] {
            expectOneError(try Program.run(command, "books.yaml", in: scene.path), code: 78, row.words)
        }
        let checked = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(checked.code == 78)
        for word in row.words + ["1 error in 1 pipeline file."] {
            #expect(checked.output.contains(word), "\(checked.output)")
        }
        #expect(try StoreDump(scene.store).differences(from: before) == [])
    }

    @Test func aVariableThatIsNotSetIsAWarningAndFailsTheRun() throws {
        let scene = try Scene(records: 2)
        #expect(try Program.run("run", "books.yaml", in: scene.path).code == 0)
        let before = try StoreDump(scene.store)
        try scene.write(
            "books.yaml",
            Self.whole.replacing(
                "{base_url: \"file:.\"}", with: "{base_url: \"file:.\", headers: {X: \"${env:NOT_SET_HERE}\"}}"))
        let words = ["books.yaml:4:43:", "`NOT_SET_HERE` is not set", "${env:NOT_SET_HERE:-default}"]
        let checked = try Program.run("validate", "books.yaml", in: scene.path)
        #expect(checked.code == 0)
        for word in words + [": warning: ", "1 pipeline file is valid, with 1 warning."] {
            #expect(checked.output.contains(word), "\(checked.output)")
        }
        #expect(try Program.run("validate", "books.yaml", "--strict", in: scene.path).code == 78)
        expectOneError(try Program.run("run", "books.yaml", in: scene.path), code: 78, words)
        #expect(try StoreDump(scene.store).differences(from: before) == [])
    }

    /// Paths that lead to no file that could be read.
    @Test(arguments: [
        ("gone.yaml", ["gone.yaml: error:", "does not exist", "Name a pipeline file"]),
        ("empty", ["empty: error:", "no `*.yaml`", "Put a pipeline file into it"]),
        ("books.yaml/x", ["books.yaml/x: error:", "does not exist"]),
        ("loop.yaml", ["loop.yaml: error:", "symbolic links", "ls -lL"]),
    ])
    func aPathWithoutAFileSaysSo(path: String, words: [String]) throws {
        let scene = try Scene(records: 1)
        try FileManager.default.createDirectory(atPath: scene.folder.file("empty"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: scene.folder.file("loop.yaml"), withDestinationPath: "loop.yaml")
        expectOneError(try Program.run("run", path, in: scene.path), code: 78, words)
        let checked = try Program.run("validate", path, in: scene.path)
        #expect(checked.code == 78)
        #expect(checked.output.hasSuffix("\n1 error.\n"), "\(checked.output)")
    }

    @Test(.enabled(if: Privileges.canBeDropped, "permissions do not bind this user"))
    func aFileThatMayNotBeReadSaysSo() throws {
        let scene = try Scene(records: 1)
        try scene.permit(0, "books.yaml")
        let words = ["books.yaml: error:", "may not be read by this user", "ls -l"]
        expectOneError(try Privileges.run(["run", "books.yaml"], in: scene.path), code: 78, words)
        try scene.permit(0o644, "books.yaml")
        try scene.write("common.yaml", "entities: {}\n")
        try scene.permit(0, "common.yaml")
        try scene.write("books.yaml", Self.begin + "include: [common.yaml]\n" + Self.rest)
        expectOneError(
            try Privileges.run(["run", "books.yaml"], in: scene.path), code: 78,
            ["books.yaml:2:11: error:", "`common.yaml` may not be read", "ls -l"])
    }
}
