import Foundation
import SluiceServeModel
import SluiceStores
import SluiceWeb
import TestSupport
import Testing

/// What is counted, and whether Prometheus can read it.
@Suite struct MetricsTests {
    private static let promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private func shop() throws -> WebShop {
        let shop = try WebShop()
        let path = shop.folder.path
        try #"{"pipelines":[{"streams":[{"requests":3,"retries":1,"bytes":500}]}]}"#
            .write(toFile: "\(path)/report.json", atomically: true, encoding: .utf8)
        shop.control.change { state in
            state.documents["1 report.json"] = "\(path)/report.json"
            state.status.pipelines[0].lateSince = state.status.now - 60
        }
        shop.site.start()
        var run = ServedRun(id: 1, pipeline: shop.pipeline, kind: .run)
        (run.outcome, run.seconds) = (.succeeded, 5.5)
        var counts = ServedCounts()
        counts.inserted = 3
        run.counts = counts
        (run.times.stages, run.times.limited) = (["fetch": 4, "merge": 1.25], 1.5)
        shop.control.tell(.ended(run))
        run = ServedRun(id: 2, pipeline: shop.pipeline, kind: .run)
        // Its report has no streams.
        (run.outcome, run.times.retries) = (.failed, 4)
        shop.control.tell(.ended(run))
        shop.control.tell(.skipped(pipeline: shop.pipeline, due: 0, reason: "the last run is still going"))
        return shop
    }

    /// The metrics, which have all in them that was told before.
    private func text(_ shop: WebShop, accept: String = "text/plain") throws -> String {
        try shop.get("/metrics", headers: [("Accept", accept)]).text
    }

    /// A server that takes connections and says nothing is waited for once, and not by each request and pipeline.
    @Test(.timeLimit(.minutes(1))) func aSilentServerHoldsUpNoPage() throws {
        let server = try SilentServer()
        let shop = try WebShop()
        let store = try #require(
            StoreAddress("postgres://me@127.0.0.1:\(server.port)/shop?connect_timeout=300"))
        shop.control.change { state in
            let pipeline = state.status.pipelines[0]
            for name in ["one", "two", "three"] {
                state.status.pipelines.append(ServedPipeline(name: name, file: pipeline.file, store: store))
            }
        }
        let start = ContinuousClock.now
        for page in ["/", "/metrics", "/pipelines", "/", "/metrics"] {
            let answer = try shop.get(page)
            #expect(answer.status == 200, "\(page) \(answer.text)")
        }
        // One wait of three seconds; each of twelve would take half a minute.
        #expect(ContinuousClock.now - start < .seconds(14))
        #expect(try shop.get("/").text.contains("cannot be reached"))
    }

    @Test func runsAreCounted() throws {
        let text = try text(try shop())
        let label = #"{pipeline="shop""#
        for line in [
            "sluice_runs_total\(label),outcome=\"succeeded\"} 1", "sluice_runs_total\(label),outcome=\"failed\"} 1",
            "sluice_records_total\(label),action=\"insert\"} 3", "sluice_requests_total\(label)} 3",
            "sluice_retries_total\(label)} 5", "sluice_rate_limit_wait_seconds_total\(label)} 1.5",
            "sluice_stage_seconds_total\(label),stage=\"fetch\"} 4",
            "sluice_stage_seconds_total\(label),stage=\"merge\"} 1.25",
            "sluice_run_seconds_total\(label)} 5.5", "sluice_skipped_starts_total\(label)} 1",
            "sluice_open_conflicts\(label)} 1", "sluice_quarantined_records\(label)} 1",
            "sluice_late_seconds\(label)} 60",
            "sluice_last_run_success\(label)} 1",
        ] {
            #expect(text.contains(line + "\n"), "\(line)\n\(text)")
        }
    }

    @Test(.disabled(if: promtool == nil, "promtool of Debian's prometheus is not installed"))
    func promtoolFindsNothing() throws {
        let folder = try shop()
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.promtool))
        process.arguments = ["check", "metrics"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(try text(folder).utf8))
        try input.fileHandleForWriting.close()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && said.isEmpty, "\(said)")
    }

    @Test func openMetricsNameTheFamily() throws {
        let shop = try shop()
        let text = try text(shop, accept: "application/openmetrics-text; version=1.0.0")
        #expect(text.hasSuffix("# EOF\n") && text.contains("# TYPE sluice_runs counter\nsluice_runs_total{"))
        let type = try shop.get("/metrics", headers: [("Accept", "application/openmetrics-text")]).header(
            "Content-Type")
        #expect(type?.hasPrefix("application/openmetrics-text; version=1.0.0") == true)
    }

    /// What is not known yet is not told as nothing.
    @Test func whoIsJustStartingSaysSo() throws {
        let shop = try WebShop()
        shop.control.change { $0.status.isStarting = true }
        for path in ["/", "/conflicts", "/metrics", "/api/v1/conflicts", "/api/v1/pipelines", "/readyz"] {
            let answer = try shop.get(path)
            #expect(answer.status == 503 && answer.text.contains("starting"), "\(path)")
        }
        #expect(try shop.get("/healthz").status == 200)
        shop.control.change { $0.status.isStarting = false }
        #expect(try shop.get("/conflicts").status == 200)
    }

    @Test func whoIsNotReadySaysSo() throws {
        let shop = try WebShop()
        #expect(try shop.get("/readyz").status == 200)
        shop.control.change { $0.status.trouble = "The store /secret/place cannot be written." }
        let answer = try shop.get("/readyz")
        #expect(answer.status == 503 && !answer.text.contains("secret"))
        #expect(try shop.get("/healthz").status == 200)
    }
}
