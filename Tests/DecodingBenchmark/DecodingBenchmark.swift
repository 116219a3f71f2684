import Foundation
import SluiceDecoding
import SluiceJSON

/// Compares ``TapeDecoder`` with Foundation's decoder on the same records and types.
@main
enum DecodingBenchmark {
    private static func processorTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    static func main() throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
        let texts = (0..<count).map(Issue.json)
        let blobs = texts.map { Data($0) }
        let byteCount = texts.reduce(0) { $0 + $1.count }
        let array = Array("[".utf8) + texts.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)

        let foundation = JSONDecoder()
        let tape = TapeDecoder()
        for index in stride(from: 0, to: count, by: max(1, count / 100)) {
            let expected = try foundation.decode(Issue.self, from: blobs[index])
            let found = try tape.decode(Issue.self, from: texts[index])
            precondition(found == expected, "the decoders disagree")
        }

        // For a profiler: the one thing that is to be seen, for some seconds.
        if CommandLine.arguments.contains("--profile") {
            for _ in 0..<40 { for text in texts { _ = try tape.decode(Issue.self, from: text) } }
            return
        }

        var best: [String: Double] = [:]
        func measure(_ name: String, _ body: () throws -> Int) rethrows {
            // The time of the processor: other programs may run beside this one.
            let start = processorTime()
            let sum = try body()
            let seconds = processorTime() - start
            precondition(sum != 0)
            best[name] = min(best[name] ?? .infinity, seconds)
        }
        for _ in 0..<7 {
            try measure("records: Foundation") {
                try blobs.reduce(0) { try $0 &+ foundation.decode(Issue.self, from: $1).id }
            }
            try measure("records: TapeDecoder") {
                try texts.reduce(0) { try $0 &+ tape.decode(Issue.self, from: $1).id }
            }
            let parser = JSONParser()
            try measure("records: parse only") {
                try texts.reduce(0) { try $0 &+ (unsafe parser.parse($1)).count }
            }
            let page = Data(array)
            try measure("array: Foundation") { try foundation.decode([Issue].self, from: page).count }
            try measure("array: TapeDecoder") { try tape.decode([Issue].self, from: array).count }
        }
        print("\(count) records, \(byteCount / count) bytes each")
        for (name, seconds) in best.sorted(by: { $0.key < $1.key }) {
            let rate = Int(Double(count) / seconds)
            print("\(name): \(rate) records/s, \(Int(Double(byteCount) / seconds / 1e6)) MB/s")
        }
        for kind in ["records", "array"] {
            if let slow = best["\(kind): Foundation"], let fast = best["\(kind): TapeDecoder"] {
                print("\(kind): \((slow / fast * 10).rounded() / 10) times as fast")
            }
        }
    }
}
