import SluiceSystem
import TestSupport
import Testing

@Suite("Files that are read piece by piece")
struct WatchedFileTests {
    @Test func noticesChanges() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("file")
            try FileSystem.writePrivately(Array("some bytes".utf8), to: path)
            // What was just written may be written again at the same time of the clock.
            #expect(try WatchedFile(reading: path, unchangedFor: 60) == nil)
            let file = try #require(try WatchedFile(reading: path, unchangedFor: 0))
            #expect(file.byteCount == 10 && file.isAsOpened)
            // A file that takes its place is another one.
            try FileSystem.writePrivately(Array("others".utf8), to: path)
            #expect(file.isAsOpened)
            let other = try #require(try WatchedFile(reading: path, unchangedFor: 0))
            #expect(other.byteCount == 6)
            let writer = try ByteFile(private: path)
            try writer.write([1, 2, 3], at: 0)
            #expect(!other.isAsOpened && file.isAsOpened)
        }
    }
}
