internal import SluiceCommands
internal import SluiceHTTPServer
internal import SluiceJSON
internal import SluiceServeModel
internal import SluiceSystem

/// The log of a run, and what its streams asked for.
struct LogPage {
    private static let size = 200
    private static let mostBytes = 32 << 20
    let context: PageContext

    func answer() throws -> OutgoingResponse {
        let question = context.question
        let run = try RunFinder(site: context.site).run(question["run"])
        guard let served = run.served, let path = context.site.control.path(of: .log, of: served.id) else {
            throw Refusal.notFound("Of this run the service has no log, or none any more.")
        }
        let page = try question.number("page", standard: 1, within: 1...1_000_000)
        let search = question.query("q") ?? ""
        let lines = try Self.text(path).split(separator: UInt8(ascii: "\n")).filter { line in
            search.isEmpty || String(decoding: line, as: UTF8.self).lowercased().contains(search.lowercased())
        }
        let shown = lines.dropFirst((page - 1) * Self.size).prefix(Self.size)
        let address = Link.run(run.reference)
        let fields = search.isEmpty ? [] : [FormField("q", search)]
        return context.page(
            "Log of \(run.title.lowercased()) of \(run.pipeline.name)", .runs, isLive: run.isRunning,
            """
            <p><a href="\(link: address)">To the run</a></p>
            \(streams(served))<form class="tools" action="\(link: address + "/log")"><label>Search <input type="search" name="q" value="\(value: search)"></label> <button>Show</button></form>
            <table><thead><tr><th scope="col">Time</th><th scope="col">Level</th><th scope="col">What</th></tr></thead><tbody>\(shown.map(Self.row))</tbody></table>
            \(context.pages(address + "/log", fields, page: page, hasMore: lines.count > page * Self.size))
            """)
    }

    private static func text(_ path: String) throws -> [UInt8] {
        let file = try ByteFile(reading: path)
        return try file.bytes(at: 0, count: min(file.byteCount, mostBytes))
    }

    private static func row(_ line: ArraySlice<UInt8>) -> HTML {
        guard let root = (try? JSONDocument(Array(line)))?.root, root.kind == .object else {
            return "<tr><td></td><td></td><td>\(String(decoding: line, as: UTF8.self))</td></tr>\n"
        }
        func text(_ name: String) -> String { root.member(named: name)?.string ?? "" }
        let place = [text("stream"), text("event")].filter { !$0.isEmpty }.joined(separator: " · ")
        return """
            <tr><td><time>\(text("time"))</time></td><td class="\(value: text("level"))"><strong>\(text("level"))</strong></td><td>\(text("message"))<div class="faint">\(place)</div></td></tr>

            """
    }

    /// What each stream asked its source for.
    private func streams(_ served: ServedRun) -> HTML {
        guard let path = context.site.control.path(of: .json, of: served.id), let file = try? ByteFile(reading: path),
            let text = try? file.bytes(at: 0, count: file.byteCount), let root = (try? JSONDocument(text))?.root
        else { return "" }
        let rows = (root.member(named: "pipelines")?.elements ?? []).flatMap { report in
            (report.member(named: "streams")?.elements ?? []).map { stream -> HTML in
                func number(_ name: String) -> String {
                    CountText.grouped(Int(stream.member(named: name)?.integer ?? 0))
                }
                return """
                    <tr><th scope="row"><bdi>\(stream.member(named: "stream")?.string ?? "")</bdi></th><td class="number">\(number("requests"))</td><td class="number">\(number("retries"))</td><td class="number">\(number("not_modified"))</td><td class="number">\(number("pages"))</td><td class="number">\(number("bytes"))</td><td class="number">\(number("read"))</td></tr>

                    """
            }
        }
        if rows.isEmpty { return "" }
        return """
            <h2>Requests</h2><div class="wide"><table><thead><tr><th scope="col">Stream</th><th scope="col" class="number">requests</th><th scope="col" class="number">repeated</th><th scope="col" class="number">as before</th><th scope="col" class="number">pages</th><th scope="col" class="number">bytes</th><th scope="col" class="number">records</th></tr></thead><tbody>\(rows)</tbody></table></div>
            <h2>Log</h2>
            """
    }
}
