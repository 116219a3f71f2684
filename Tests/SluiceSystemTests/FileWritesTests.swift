import Foundation
import SluiceSystem
import TestSupport
import Testing

struct FileWritesTests {
    @Test(.timeLimit(.minutes(30))) func tellsOfWrites() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/log"
        try Data().write(to: URL(fileURLWithPath: path))
        let writes = try #require(FileWrites.stream(of: [directory.path + "/none", path]))
        var iterator = writes.makeAsyncIterator()
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        for text in ["a", "b", "c"] {
            try file.write(contentsOf: Data(text.utf8))
            #expect(await iterator.next() != nil)
        }
    }

    @Test func watchesNothingWhereNoFileIs() throws {
        let directory = try TemporaryDirectory()
        #expect(FileWrites.stream(of: [directory.path + "/none"]) == nil)
    }

    @Test(.timeLimit(.minutes(30))) func endsWithItsTask() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/log"
        try Data().write(to: URL(fileURLWithPath: path))
        let writes = try #require(FileWrites.stream(of: [path]))
        let task = Task { for await _ in writes {} }
        task.cancel()
        await task.value
    }
}
