import Glibc
import SluiceMerge
import SluiceModel
import SluicePipeline
import SluicePipelineFiles
import SluiceReport
import SluiceStore
import SluiceStores
import SluiceSync
import SluiceSystem

/// Fetches the pages of a pipeline as a run does, and does nothing with them.
@main
enum FetchBenchmark {
    static func main() {
        guard CommandLine.arguments.count == 2 else { fail("usage: sluice-fetch-bench PIPELINE") }
        let path = CommandLine.arguments[1]
        let (pipeline, problems) = PipelineLoader.load(path: path, environment: [:], mode: .run)
        guard let pipeline else { fail("\(problems)") }
        let options = SyncOptions(
            store: StoreAddress(file: path + ".db"), command: .plan, version: "bench", cancellation: Cancellation())
        let report = SyncEngine(pipeline: pipeline, options: options, observer: Silence()).fetchAlone()
        guard report.status == .succeeded else { fail("\(report.problems)") }
        for stream in report.streams { print(stream.pages, stream.bytes) }
    }

    private static func fail(_ message: String) -> Never {
        print(message)
        exit(1)
    }
}

/// Nobody wants to know.
private final class Silence: RunObserver {
    var wantsChanges: Bool { false }
    func changed(_ change: RecordChange, schema: RecordSchema) {}
    func skippedChange(of schema: RecordSchema) {}
    func conflict(_ entry: ConflictEntry) {}
    func quarantined(_ entry: QuarantineEntry) {}
    func restart() {}
    func progress(_ progress: RunProgress) {}
}
