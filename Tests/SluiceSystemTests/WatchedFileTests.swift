import Glibc
import SluiceSystem
import TestSupport
import Testing

@Suite("Files that are read piece by piece")
struct WatchedFileTests {
    @Test func noticesChanges() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("file")
            try FileSystem.writePrivately(Array("some bytes".utf8), to: path)
            let file = try WatchedFile(reading: path)
            #expect(file.byteCount == 10 && file.isAsOpened)
            // A file that takes its place is another one.
            try FileSystem.writePrivately(Array("others".utf8), to: path)
            #expect(file.isAsOpened)
            let other = try WatchedFile(reading: path)
            #expect(other.byteCount == 6)
            let writer = try ByteFile(private: path)
            try writer.write([1, 2, 3], at: 0)
            #expect(!other.isAsOpened && file.isAsOpened)
        }
    }

    /// What was just written may be written again at the same time of the clock: only once it is settled does that show.
    @Test func aSettledFileShowsEachChange() throws {
        try withTemporaryDirectory { directory in
            let path = directory.file("file")
            for _ in 0..<10 {
                let writer = try ByteFile(private: path)
                try writer.write(Array("some bytes".utf8), at: 0)
                let file = try WatchedFile(reading: path)
                #expect(file.secondsToSettle <= 0.02)
                while file.secondsToSettle > 0 { sched_yield() }
                try writer.write(Array("more".utf8), at: 0)
                #expect(!file.isAsOpened && file.byteCount == 10)
            }
        }
    }
}
