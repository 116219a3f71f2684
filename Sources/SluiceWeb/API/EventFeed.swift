internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceServeModel
internal import SluiceStores
internal import Synchronization

/// The events of a service for one client.
enum EventFeed {
    /// A subscription that is known only after the stream it feeds.
    private final class Link: Sendable {
        private struct State {
            var subscription: ServeSubscription?
            var isOver = false
        }

        private let state = Mutex(State())
        private let control: any ServeControl

        init(_ control: any ServeControl) { self.control = control }

        func keep(_ subscription: ServeSubscription) {
            let isOver = state.withLock { state in
                state.subscription = subscription
                return state.isOver
            }
            if isOver { control.unsubscribe(subscription) }
        }

        func end() {
            let subscription = state.withLock { state in
                state.isOver = true
                return state.subscription
            }
            if let subscription { control.unsubscribe(subscription) }
        }
    }

    static func answer(_ site: WebSite) -> OutgoingResponse {
        let link = Link(site.control)
        let stream = EventStream { link.end() }
        stream.send("retry: 3000\n\n")
        let control = site.control
        link.keep(control.subscribe { event in stream.send(text(event, control)) })
        return OutgoingResponse(200, [HeaderField("Content-Type", "text/event-stream")], body: .events(stream))
    }

    private static func text(_ event: ServeEvent, _ control: any ServeControl) -> String {
        func run(_ run: ServedRun) -> String {
            // What events tell is the service's own; its store is not asked.
            let pipeline = ServedPipeline(
                name: run.pipeline, file: ServedFile(path: "", problems: []), store: .standard)
            return APIAnswer.text(RunView(pipeline: pipeline, served: run))
        }
        func due(_ pipeline: String, _ moment: Int64, _ reason: String? = nil) -> String {
            var object = JSONObject()
            object.add("pipeline", pipeline)
            object.add("due", MomentText.utc(moment))
            if let reason { object.add("reason", reason) }
            return object.text
        }
        let (name, data): (String, String) =
            switch event {
            case .queued(let one): ("queued", run(one))
            case .started(let one): ("started", run(one))
            case .progressed(let one): ("progressed", run(one))
            case .ended(let one): ("ended", run(one))
            case .late(let pipeline, let moment): ("late", due(pipeline, moment))
            case .skipped(let pipeline, let moment, let reason): ("skipped", due(pipeline, moment, reason))
            case .reloaded: ("reloaded", "{}")
            case .stopping: ("stopping", "{}")
            }
        // JSON of this program has no line break but where lists have one.
        return "event: \(name)\ndata: \(data.replacing("\n", with: " "))\n\n"
    }
}
