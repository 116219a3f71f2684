internal import SluiceFetch
internal import SluiceHTTP
package import SluicePipeline
internal import SluiceReport
package import SluiceSync
internal import SluiceSystem

/// Looks at the source of a pipeline: whether it can be reached, and whether its clock and this one agree.
///
/// One request goes to the base URL, without credentials; whatever is answered, the source is there.
package struct SourceCheckup {
    /// By how many seconds two clocks may differ before tokens and cursors suffer.
    private static let tolerance: Int64 = 60

    private let pipeline: PipelineDefinition
    private let options: SyncOptions

    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - options: How its runs ask.
    package init(_ pipeline: PipelineDefinition, options: SyncOptions) {
        (self.pipeline, self.options) = (pipeline, options)
    }

    /// Checks the source.
    ///
    /// - Returns: What was found.
    /// - Throws: `CancelledError`.
    package func findings() throws -> [CheckupFinding] {
        switch pipeline.source.base {
        case .file(let path): [files(path)]
        case .http(let base): try answer(base)
        }
    }

    private func files(_ path: String) -> CheckupFinding {
        guard FileSystem.kind(of: path) != nil else {
            return CheckupFinding(
                "source", .bad,
                "`\(path)` does not exist. Check `base_url`; relative folders start at the pipeline's file.")
        }
        return FileSystem.isReadable(path)
            ? CheckupFinding("source", .good, "`\(path)` can be read.")
            : CheckupFinding("source", .bad, "This user may not read `\(path)`. Check its permissions.")
    }

    private func answer(_ base: ConfigurationText) throws -> [CheckupFinding] {
        var configuration = HTTPConfiguration(pipeline.source, version: options.version)
        configuration.retry.maximumAttempts = 1
        let client = HTTPClient(configuration: configuration, environment: options.httpEnvironment)
        defer { client.shutDown() }
        var request = HTTPRequest(url: base.revealed)
        request.displayURL = base.description
        request.secrets = base.secrets + pipeline.source.authentication.secrets
        var body = HTTPBodyBuffer()
        let start = WallClock.monotonicSeconds()
        do {
            let head = try client.fetch(
                request, into: &body, judge: AnyAnswer(), cancellation: options.cancellation
            ).head
            let milliseconds = Int((WallClock.monotonicSeconds() - start) * 1000)
            let untried =
                [401, 403].contains(head.status) ? " Credentials are not tried here; `sluice plan` tries them." : ""
            let found = CheckupFinding(
                "source", .good,
                "\(base) answers a request without credentials with \(head.status), in \(milliseconds) ms over HTTP/\(head.httpVersion).\(untried)"
            )
            return [found] + [clock(head)].compactMap(\.self)
        } catch let error as HTTPError {
            return [CheckupFinding("source", .bad, error.message)]
        }
    }

    /// What the time of the answer says of the clocks; nil where it has none.
    private func clock(_ head: HTTPResponseHead) -> CheckupFinding? {
        let now = WallClock.seconds()
        guard let date = head.headers.first("Date").flatMap({ HTTPDate($0, now: .seconds(now)) }) else { return nil }
        let difference = now - date.sinceEpoch.components.seconds
        if abs(difference) <= Self.tolerance {
            return CheckupFinding("clock", .good, "It agrees with that of the source.")
        }
        let direction = difference > 0 ? "ahead of" : "behind"
        return CheckupFinding(
            "clock", .doubtful,
            "The clock of this machine is \(abs(difference)) s \(direction) that of the source, so tokens expire at other times than expected. Keep it with NTP, as `timedatectl set-ntp true` does."
        )
    }
}

/// Takes any answer for one.
private struct AnyAnswer: HTTPJudge {
    func verdict(_ head: HTTPResponseHead, body: () throws -> [UInt8]) -> HTTPVerdict? { HTTPVerdict(.empty) }
}
