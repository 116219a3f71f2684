import Foundation
import TestSupport

/// Pipelines over invoices, each with the first of its lines.
enum Invoices {
    /// A paginator that sends the last record back.
    static let byLastRecord =
        "{type: cursor, cursor_path: id, cursor_param: after, cursor_from: last_record, has_more_path: has_more}"

    /// What is asked for the rest of the lines where `has_more` says so.
    static func more(_ paginator: String = byLastRecord, _ extra: String = "") -> String {
        "more: {when: .lines.has_more, path: \"/invoices/{{ parent.id }}/lines\", paginator: \(paginator)\(extra)}"
    }

    /// The pipeline.
    ///
    /// - Parameters:
    ///   - base: The server.
    ///   - more: What is asked for the rest.
    ///   - list: Where the lines are.
    ///   - child: What the entity says of them.
    ///   - line: The entity of a line, but for its fields.
    ///   - fields: Further fields of an invoice.
    ///   - stream: Further keys of the stream.
    ///   - source: Further keys of the source.
    ///   - top: Further keys of the file.
    /// - Returns: The text of the file.
    static func pipeline(
        _ base: String, _ more: String = more(), list: String = "path: lines, records: \"data[*]\", ",
        child: String = "children: {lines: {entity: Line, from: \"lines.data[*]\", key: id}}", line: String = "",
        fields: String = "", stream: String = "", source: String = "", top: String = ""
    ) -> String {
        """
        version: 1
        name: shop
        store: sqlite:shop.db
        source: {base_url: "\(base)", retry: {max_attempts: 1}\(source)}
        entities:
          Invoice: {primary_key: id, fields: {id: string, total: int\(fields)}\(child.isEmpty ? "" : ", " + child)}
          Line: {\(line)fields: {id: string, amount: int}}
        streams:
          - name: invoices
            entity: Invoice
            path: /invoices
            delete_missing: {mode: hard, max_delete: 100%, min_records: 0}
            nested: [{\(list)entity: Line, \(more)}]
            \(stream)
        \(top)
        """
    }

    /// A list of lines.
    static func lines(_ ids: String..., more: Bool = false) -> String {
        let records = ids.map { "{\"id\": \"\($0)\", \"amount\": \(Int($0.dropFirst()) ?? 1)}" }
        return "{\"data\": [\(records.joined(separator: ", "))], \"has_more\": \(more)}"
    }

    /// An invoice.
    static func invoice(_ id: String, _ lines: String, total: Int = 1) -> String {
        "{\"id\": \"\(id)\", \"total\": \(total), \"lines\": \(lines)}"
    }

    /// Two invoices, of one of which the list goes on over two pages.
    static let small: [String: Forge.Answer] = [
        "/invoices": .body(
            "[" + invoice("i1", lines("a1", "a2", more: true)) + ", " + invoice("i2", lines("b1")) + "]"),
        "/invoices/i1/lines?after=a2": .body(lines("a3", "a4", more: true)),
        "/invoices/i1/lines?after=a4": .body(lines("a5")),
    ]
}

extension Scene {
    /// The lines with their invoices.
    func lines() throws -> [String] { try query("SELECT invoice_id, id FROM line ORDER BY 1, 2") }
}
