internal import SluiceModel
internal import SluiceStore

/// What was copied from one store to another, for programs.
enum StoreCopyJSON {
    static func text(_ report: StoreCopyReport, from source: String, to target: String) -> String {
        var object = JSONObject()
        object.add("format", "sluice.store-copy/1")
        object.add("from", source)
        object.add("to", target)
        object.add("verified", report.isVerified)
        object.add("tables", json: JSONObject.array(report.tables.map(text)))
        object.add("not_copied", json: "[" + report.left.map { FieldJSON.quoted($0) }.joined(separator: ",") + "]")
        return object.text + "\n"
    }

    private static func text(_ table: StoreCopyReport.Table) -> String {
        var object = JSONObject()
        object.add("table", table.name)
        object.add("role", table.role.rawValue)
        object.add("rows", table.rows)
        let digits = String(table.digest, radix: 16)
        object.add("digest", String(repeating: "0", count: 16 - digits.count) + digits)
        return object.text
    }
}
