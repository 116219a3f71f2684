import Foundation
import SluiceSystem
import TestSupport
import Testing

@Suite("Locks on files")
struct FileLockTests {
    @Test func oneHolderAtATime() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("lock")
            try OutputStream(writing: path).write("")
            var first = try FileLock(path: path, position: 1 << 40)
            #expect(first != nil)
            #expect(try FileLock(path: path, position: 1 << 40) == nil)
            // Another byte is another lock, and a refused attempt takes nothing from the holder.
            let other = try FileLock(path: path, position: 0)
            #expect(other != nil)
            #expect(try FileLock(path: path, position: 1 << 40) == nil)
            first = nil
            let next = try FileLock(path: path, position: 1 << 40)
            #expect(next != nil)
            withExtendedLifetime((first, other, next)) {}
        }
    }

    /// A process that is being started has all descriptors until its program begins.
    @Test func itIsGoneWithItsHolderWhoeverElseHasTheDescriptor() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("lock")
            try OutputStream(writing: path).write("a")
            var lock = try FileLock(path: path, position: 5)
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
                Int32($0)
            }
            let copies = descriptors.filter { Self.path(of: $0) == path }.map { dup($0) }
            defer { for copy in copies { close(copy) } }
            #expect(lock != nil && copies.count == 1)
            #expect(try FileLock(path: path, position: 5) == nil)
            lock = nil
            #expect(try FileLock(path: path, position: 5) != nil)
        }
    }

    private static func path(of descriptor: Int32) -> String {
        let link = "/proc/self/fd/\(descriptor)"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? ""
    }

    @Test func anotherHandleOnTheFileDoesNotReleaseIt() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("lock")
            try OutputStream(writing: path).write("a")
            let lock = try FileLock(path: path, position: 5)
            // A lock of the process would go when any of its descriptors of the file is closed.
            do { #expect(try ByteFile(reading: path).byteCount == 1) }
            #expect(try FileLock(path: path, position: 5) == nil)
            withExtendedLifetime(lock) {}
        }
    }

    @Test func severalShareOneUntilSomebodyWantsItAlone() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("lock")
            var first = try FileLock(path: path, position: 5, isShared: true, isMade: true)
            let second = try FileLock(path: path, position: 5, isShared: true)
            #expect(first != nil && second?.becomeExclusive() == false)
            #expect(try FileLock(path: path, position: 5) == nil)
            first = nil
            #expect(second?.becomeExclusive() == true)
            #expect(try FileLock(path: path, position: 5, isShared: true) == nil)
        }
    }

    @Test func itKnowsAFileThatTookThePlaceOfItsOwn() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("lock")
            let lock = try #require(try FileLock(path: path, position: 5, isMade: true))
            #expect(lock.isOn(path))
            FileSystem.remove(path)
            #expect(!lock.isOn(path))
            let other = try #require(try FileLock(path: path, position: 5, isMade: true))
            #expect(other.isOn(path) && !lock.isOn(path))
        }
    }

    @Test func aMissingFileIsAnError() throws {
        try withTemporaryDirectory { directory in
            let error = try #require(throws: SystemError.self) {
                _ = try FileLock(path: directory.file("none"), position: 0)
            }
            #expect(error.isMissing)
            #expect(error.description.contains("none"))
        }
    }
}

@Suite("Files of bytes")
struct ByteFileTests {
    private func read(_ file: ByteFile, at offset: Int, count: Int) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        let found = try unsafe buffer.withUnsafeMutableBytes { try unsafe file.read(into: $0, at: offset) }
        return Array(buffer.prefix(found))
    }

    @Test func aTemporaryFileHasNoName() throws {
        try withTemporaryDirectory { directory in
            let file = try ByteFile(temporaryIn: directory.path)
            #expect(FileSystem.matches(of: directory.file("*")) == [])
            #expect(
                FileSystem.matches(of: directory.file(".*")).allSatisfy { $0.hasSuffix("/.") || $0.hasSuffix("/..") })
            #expect(file.byteCount == 0)
            let bytes = Array("hello".utf8)
            try unsafe bytes.withUnsafeBytes { try unsafe file.write($0, at: 3) }
            #expect(file.byteCount == 8)
            #expect(try read(file, at: 0, count: 100) == [0, 0, 0] + bytes)
            #expect(try read(file, at: 5, count: 2) == Array("ll".utf8))
            #expect(try read(file, at: 8, count: 10) == [])
            #expect(try read(file, at: 800, count: 10) == [])
            try file.truncate(to: 4)
            #expect(file.byteCount == 4)
            #expect(try read(file, at: 0, count: 100) == [0, 0, 0, 0x68])
        }
    }

    @Test func bytesAreReadAndWrittenAsArrays() throws {
        try withTemporaryDirectory { directory in
            let file = try ByteFile(temporaryIn: directory.path)
            try file.write([1, 2, 3], at: 2)
            try file.write([9].span, at: 0)
            #expect(try file.read(at: 0, upTo: 99) == [9, 0, 1, 2, 3])
            #expect(try file.read(at: 3, upTo: 1) == [2])
            #expect(try file.read(at: 5, upTo: 4) == [] && file.read(at: 0, upTo: 0) == [])
        }
    }

    @Test func twoTemporaryFilesAreTwo() throws {
        try withTemporaryDirectory { directory in
            let one = try ByteFile(temporaryIn: directory.path)
            let two = try ByteFile(temporaryIn: directory.path)
            try unsafe [1, 2].withUnsafeBytes { try unsafe one.write($0, at: 0) }
            #expect(one.byteCount > 0 && two.byteCount == 0)
        }
    }

    @Test func aFileIsRead() throws {
        try withTemporaryDirectory { directory in
            try OutputStream(writing: directory.file("a")).write("content")
            let file = try ByteFile(reading: directory.file("a"))
            #expect(file.path == directory.file("a"))
            #expect(file.byteCount == 7)
            #expect(try read(file, at: 3, count: 10) == Array("tent".utf8))
        }
    }

    @Test func aFolderAndAMissingFileAreErrors() throws {
        try withTemporaryDirectory { directory in
            let folder = try #require(throws: SystemError.self) { _ = try ByteFile(reading: directory.path) }
            #expect(folder.number == EISDIR && !folder.isMissing)
            let none = try #require(throws: SystemError.self) { _ = try ByteFile(reading: directory.file("none")) }
            #expect(none.isMissing && none.operation == "open")
            let inFile = try #require(throws: SystemError.self) {
                _ = try ByteFile(temporaryIn: directory.file("none"))
            }
            #expect(inFile.isMissing)
        }
    }

    @Test func writingEmptiesAFileFirst() throws {
        try withTemporaryDirectory { directory in
            try OutputStream(writing: directory.file("a")).write("a long content")
            try OutputStream(writing: directory.file("a")).write("short")
            #expect(try ByteFile(reading: directory.file("a")).byteCount == 5)
        }
    }
}

@Suite("Questions about paths")
struct FileSystemTests {
    @Test(arguments: [
        ("a.json", "a"), ("/x/y/a.json", "a"), ("a", "a"), ("a.tar.gz", "a.tar"), (".hidden", ".hidden"),
        (".hidden.json", ".hidden"), ("dir.d/file", "file"), ("dir/", "dir"), ("a.", "a"), ("ünï.json", "ünï"),
        ("/", "/"),
        ("dir/\u{301}x.json", "\u{301}x"), ("a.\u{301}x", "a"),
        ("", ""),
    ])
    func theStemIsTheNameWithoutItsLastExtension(_ path: String, _ stem: String) {
        #expect(FileSystem.stem(of: path) == stem)
    }

    @Test(arguments: [
        ("a", "/x", "/x/a"), ("a/b", "/x/", "/x/a/b"), ("/a", "/x", "/a"), ("a", "", "a"), ("../a", "x", "x/../a"),
        ("/\u{301}a", "/x", "/\u{301}a"), ("a", "/x/\u{301}", "/x/\u{301}/a"),
    ])
    func aPathIsResolvedInAFolder(_ path: String, _ folder: String, _ resolved: String) {
        #expect(FileSystem.resolve(path, in: folder) == resolved)
    }

    @Test func aPatternGivesWhatItMatchesInTheOrderOfBytes() throws {
        try withTemporaryDirectory { directory in
            for name in ["b.json", "a.json", "B.json", "é.json", "a.txt", "10.json", "9.json", ".hidden.json"] {
                try OutputStream(writing: directory.file(name)).write("")
            }
            let expected = ["10.json", "9.json", "B.json", "a.json", "b.json", "é.json"].map(directory.file)
            #expect(FileSystem.matches(of: directory.file("*.json")) == expected)
            #expect(FileSystem.matches(of: directory.file("[ab].json")).count == 2)
            #expect(FileSystem.matches(of: directory.file("?.txt")) == [directory.file("a.txt")])
            #expect(FileSystem.matches(of: directory.file("a.json")) == [directory.file("a.json")])
            #expect(FileSystem.matches(of: directory.file("*.none")) == [])
            #expect(FileSystem.matches(of: directory.file("none")) == [])
        }
    }

    @Test(arguments: [
        ("**/*.json", ["a.json", "x/a.json", "x/y/a.json", "x/y/b.json", "z[1]/a.json"]),
        ("**", ["a.json", "link", "x", "x/a.json", "x/y", "x/y/a.json", "x/y/b.json", "z[1]", "z[1]/a.json"]),
        ("**/y/*", ["x/y/a.json", "x/y/b.json"]), ("x/**/a.json", ["x/a.json", "x/y/a.json"]),
        ("**/**/b.json", ["x/y/b.json"]), ("**/x/**/y/**/b.json", ["x/y/b.json"]), ("?/**/b*", ["x/y/b.json"]),
        ("z[[]1]/**/*", ["z[1]/a.json"]), ("link/**/b.json", ["link/y/b.json"]), ("none/**/*", []), ("a.json/**", []),
        ("a**/*.json", []), ("**/none", []),
    ])
    func twoStarsStandForFoldersOfAnyDepth(_ pattern: String, _ expected: [String]) throws {
        try withTemporaryDirectory { directory in
            for folder in ["x", "x/y", "z[1]", ".hidden"] { #expect(unsafe mkdir(directory.file(folder), 0o700) == 0) }
            for name in ["a.json", "x/a.json", "x/y/a.json", "x/y/b.json", "z[1]/a.json", ".hidden/a.json"] {
                try OutputStream(writing: directory.file(name)).write("")
            }
            #expect(unsafe symlink(directory.file("x"), directory.file("link")) == 0)
            #expect(FileSystem.matches(of: directory.file(pattern)) == expected.map(directory.file))
        }
    }

    @Test(arguments: ["a", "a*", "[a]?", "\\", "é*", "a\\*"])
    func anEscapedPathMatchesNothingElse(_ name: String) throws {
        try withTemporaryDirectory { directory in
            for other in ["a", "aa", "ab", "b"] + [name] { try OutputStream(writing: directory.file(other)).write("") }
            let pattern = FileSystem.escaped(directory.file(name))
            #expect(FileSystem.matches(of: pattern) == [directory.file(name)])
        }
    }

    @Test(arguments: [("a", false), ("a*", true), ("a?", true), ("[a]", true), ("a]", false), ("", false)])
    func aPatternIsKnownByItsSigns(_ path: String, _ isPattern: Bool) {
        #expect(FileSystem.isPattern(path) == isPattern)
    }

    @Test func aPathIsAFileAFolderOrNothing() throws {
        try withTemporaryDirectory { directory in
            try OutputStream(writing: directory.file("a")).write("")
            #expect(FileSystem.kind(of: directory.file("a")) == .file)
            #expect(FileSystem.kind(of: directory.path) == .folder)
            #expect(FileSystem.kind(of: "/dev/null") == .other)
            #expect(FileSystem.kind(of: directory.file("none")) == nil)
        }
    }

    @Test func aFileIsRenamedAndRemoved() throws {
        try withTemporaryDirectory { directory in
            try OutputStream(writing: directory.file("a")).write("new")
            try OutputStream(writing: directory.file("b")).write("older")
            try FileSystem.rename(directory.file("a"), to: directory.file("b"))
            #expect(FileSystem.kind(of: directory.file("a")) == nil)
            #expect(try ByteFile(reading: directory.file("b")).byteCount == 3)
            FileSystem.remove(directory.file("b"))
            FileSystem.remove(directory.file("b"))
            try FileSystem.delete(directory.file("b"))
            try OutputStream(writing: directory.file("c")).write("")
            try FileSystem.delete(directory.file("c"))
            #expect(FileSystem.matches(of: directory.file("*")) == [])
            #expect(throws: SystemError.self) {
                try FileSystem.rename(directory.file("none"), to: directory.file("b"))
            }
        }
    }

    @Test func whatCannotBeDeletedIsAnError() throws {
        try withTemporaryDirectory { directory in
            #expect(throws: SystemError.self) { try FileSystem.delete(directory.path) }
            FileSystem.remove(directory.path)
            #expect(FileSystem.kind(of: directory.path) == .folder)
        }
    }
}
