import Foundation
import TestSupport
import Testing

/// Folders of files, however they are called.
@Suite struct FileSourceTests {
    @Test(arguments: [
        ("my books", "file:my books"), ("my books", "file:my%20books"), ("100%", "file:100%25"), ("a+b", "file:a+b"),
        ("bücher", "file:bücher"), ("bücher", "file:b%C3%BCcher"), ("a#b?c", "file:a#b?c"), ("it's", "file:./it's/"),
    ])
    func aFolderIsFoundByItsName(folder: String, url: String) throws {
        let scene = try Scene(records: 2)
        try FileManager.default.createDirectory(
            atPath: scene.folder.file(folder), withIntermediateDirectories: false)
        try FileManager.default.moveItem(
            atPath: scene.folder.file("books.json"), toPath: scene.folder.file("\(folder)/books.json"))
        let pipeline = try String(contentsOfFile: scene.folder.file("books.yaml"), encoding: .utf8)
        try scene.write("books.yaml", pipeline.replacing("\"file:.\"", with: "\"\(url)\""))
        let run = try Program.run("run", "books.yaml", in: scene.path)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(try scene.query("SELECT count(*) FROM books") == ["2"])
    }
}
