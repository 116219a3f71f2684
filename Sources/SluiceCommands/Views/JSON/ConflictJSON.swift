internal import SluiceStore

/// One conflict, for programs.
enum ConflictJSON {
    /// The members that a report has.
    static func text(_ entry: ConflictEntry) -> String { object(entry).text }

    /// The members that a list of a store's conflicts has.
    static func listed(_ entry: ConflictEntry) -> String {
        var object = object(entry)
        object.add("pipeline", entry.pipeline)
        object.add("stream", entry.stream)
        object.add("first_run", entry.firstRun)
        object.add("last_run", entry.lastRun)
        object.add("seen", entry.seen)
        return object.text
    }

    private static func object(_ entry: ConflictEntry) -> JSONObject {
        var object = JSONObject()
        object.add("id", entry.id)
        object.add("kind", entry.kind)
        object.add("entity", entry.entity)
        object.add("key", json: JSONObject.kept(entry.key))
        object.add("field", entry.field)
        let sides = [("base", entry.base), ("local", entry.local), ("remote", entry.remote)]
        for case (let name, let value?) in sides { object.add(name, json: JSONObject.kept(value)) }
        object.add("policy", entry.policy)
        object.add("status", entry.status.rawValue)
        return object
    }
}
