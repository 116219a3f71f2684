import Synchronization

/// Keeps each exchange with a server, its secrets taken out.
///
/// One recorder serves all clients of a run, so that what one of them knows to be secret is secret for all.
package final class HTTPRecorder: Sendable {
    /// Keeps an exchange; called on the thread that waits for the response.
    package typealias Keeping = @Sendable (RecordedRequest, RecordedResponse) throws(HTTPTrafficError) -> Void

    private let keeping: Keeping
    private let disguise: Mutex<Disguise>
    private let failure = Mutex<HTTPTrafficError?>(nil)

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - secrets: Texts that must never be kept, besides those that requests bring.
    ///   - keeping: Keeps an exchange.
    package init(secrets: [String], keeping: @escaping Keeping) {
        disguise = Mutex(Disguise(secrets: secrets))
        self.keeping = keeping
    }

    /// Why something could not be kept; nil where everything was.
    package var problem: HTTPTrafficError? { failure.withLock { $0 } }

    /// Keeps a complete response.
    func keep(_ request: TransferRequest, _ head: HeadParser.Head, _ body: [UInt8]) throws(HTTPTrafficError) {
        let (recorded, response) = disguise.withLock { disguise in
            disguise.hide(request.privacy.secrets)
            var response = RecordedResponse(
                status: head.status, httpVersion: head.httpVersion,
                headers: head.headers.fields.map { disguise.response($0, isLogin: request.privacy.isLogin) },
                body: disguise.body(body, isLogin: request.privacy.isLogin))
            response.hidesData = !request.privacy.isLogin && response.body != body
            return (disguise.request(request), response)
        }
        do throws(HTTPTrafficError) {
            try keeping(recorded, response)
        } catch {
            failure.withLock { $0 = $0 ?? error }
            throw error
        }
    }
}
