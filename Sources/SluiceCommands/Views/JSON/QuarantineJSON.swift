package import SluiceStore

/// One record in quarantine, for programs.
package enum QuarantineJSON {
    /// A list of a store's quarantine, of the JSON texts of its entries.
    static func list(_ entries: [String]) -> String {
        var object = JSONObject()
        object.add("format", "sluice.quarantine/1")
        object.add("quarantine", json: JSONObject.array(entries))
        return object.text + "\n"
    }

    /// The members that a report has.
    static func text(_ entry: QuarantineEntry) -> String { object(entry).text }

    /// The members that a list of a store's quarantine has.
    package static func listed(_ entry: QuarantineEntry) -> String { listedObject(entry).text }

    /// The members of a list, and the record itself.
    package static func shown(_ entry: QuarantineEntry) -> String {
        var object = listedObject(entry)
        object.add("record", json: JSONObject.kept(String(decoding: entry.record, as: UTF8.self)))
        return object.text
    }

    private static func object(_ entry: QuarantineEntry) -> JSONObject {
        var object = JSONObject()
        object.add("id", entry.id)
        object.add("stream", entry.stream)
        object.add("reason", entry.reason)
        object.add("pointer", entry.pointer)
        object.add("value", json: entry.value.map { JSONObject.kept($0) } ?? "null")
        object.add("message", entry.message)
        object.add("entity", entry.entity)
        object.add("key", json: entry.key.map { JSONObject.kept($0) } ?? "null")
        return object
    }

    private static func listedObject(_ entry: QuarantineEntry) -> JSONObject {
        var object = object(entry)
        object.add("pipeline", entry.pipeline)
        object.add("status", entry.status.rawValue)
        object.add("first_run", entry.firstRun)
        object.add("last_run", entry.lastRun)
        return object
    }
}
