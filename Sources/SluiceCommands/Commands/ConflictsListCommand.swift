internal import SluiceStore

/// `sluice conflicts list`
struct ConflictsListCommand {
    let invocation: Invocation

    func run() throws -> ExitCode {
        let includesClosed = invocation.arguments.has(.all)
        let entries = try StoreReading(invocation).read { try $0.conflicts.list(includingClosed: includesClosed) }
        let output = try invocation.openOutput()
        if invocation.arguments.isJSON {
            var object = JSONObject()
            object.add("format", "sluice.conflicts/1")
            object.add("conflicts", json: JSONObject.array(entries.map(ConflictJSON.listed)))
            try output.write(object.text + "\n")
        } else {
            let view = ConflictText(style: invocation.style(for: output))
            if entries.isEmpty { try output.write(includesClosed ? "No conflicts.\n" : "No open conflicts.\n") }
            for entry in entries { try output.write(view.listed(entry)) }
        }
        try output.finish()
        return .done
    }
}
