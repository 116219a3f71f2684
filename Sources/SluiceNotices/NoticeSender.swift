internal import SluiceFetch
internal import SluiceHTTP
package import SluicePipeline
package import SluiceReport
package import SluiceSystem

/// What it takes to tell somebody how a run ended.
package struct NoticeSender: Sendable {
    /// The variables that programs are given.
    private let environment: [String: String]
    /// The program's version, which requests name.
    private let version: String
    private let cancellation: Cancellation
    /// Texts that must not be told.
    private let secrets: [String]

    /// Makes a sender for one pipeline.
    ///
    /// - Parameters:
    ///   - pipeline: The pipeline.
    ///   - secrets: What its run knows that must not be told, besides what the pipeline says.
    ///   - version: The program's version.
    ///   - environment: The variables that programs are given.
    ///   - cancellation: Ends it early.
    package init(
        _ pipeline: PipelineDefinition, hiding secrets: [String] = [], version: String, environment: [String: String],
        cancellation: Cancellation
    ) {
        (self.environment, self.version, self.cancellation) = (environment, version, cancellation)
        self.secrets = secrets + pipeline.source.authentication.secrets + pipeline.notifications.flatMap(\.secrets)
    }

    /// Tells somebody, and waits until that is done or has taken too long.
    ///
    /// - Parameters:
    ///   - body: The JSON that is told.
    ///   - notification: Whom to tell.
    ///   - number: Which entry of `notify` says so, from 1.
    /// - Returns: Why it could not be told; nil where it was.
    package func send(_ body: String, to notification: NotificationDefinition, number: Int) -> RunProblem? {
        let reason: String?
        switch notification.channel {
        case _ where cancellation.isCancelled:
            reason = "It was left out, since the program was asked to stop."
        case .webhook(let url):
            reason = Webhook(url: url.revealed, version: version, limit: notification.timeout)
                .post(body, cancellation, redactor: Redactor(secrets: secrets))
        case .command(let words):
            reason = Hook(words: words, environment: environment, limit: notification.timeout)
                .run(body, cancellation, redactor: Redactor(secrets: secrets))
        }
        return reason.map { reason in
            RunProblem(
                code: "hook_failed", severity: .warning,
                message: "Entry \(number) of `notify` could not be delivered. \(reason)")
        }
    }
}

extension NotificationDefinition {
    /// What of it must not be told.
    fileprivate var secrets: [String] {
        switch channel {
        case .webhook(let url): Webhook.secrets(of: url.revealed) + url.secrets
        case .command(let words): words.flatMap(\.secrets)
        }
    }
}
