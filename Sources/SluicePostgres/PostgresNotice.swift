internal import CSluicePostgres

/// Something that the server says beside its answers, such as that a table is there already.
package struct PostgresNotice: Sendable, Equatable {
    /// `WARNING`, `NOTICE`, `INFO`, `LOG` or `DEBUG`; `FATAL` or `PANIC` where the server said farewell before anything was
    /// asked of it, which libpq takes for a notice.
    package let severity: String
    /// Its code.
    package let code: PostgresError.Code
    /// What it says, in one line.
    package let message: String
}

/// The notices of a connection until somebody takes them.
final class NoticeBox {
    /// How many are kept: a trigger may say one for each row.
    static let capacity = 100

    var notices: [PostgresNotice] = []
    /// How many came since they were taken last; those beyond the capacity are only counted.
    var count = 0
    /// With what words the server ended the connection while no statement ran.
    private(set) var farewell: PostgresNotice?

    /// Called by libpq for each notice. The result is libpq's.
    func receive(_ result: OpaquePointer) {
        count += 1
        let fields = unsafe ResultFields(result)
        let notice = PostgresNotice(
            severity: fields.severity ?? "NOTICE", code: fields.code ?? .init(rawValue: "00000"),
            message: ErrorText.line(fields.message ?? ""))
        if ["FATAL", "PANIC"].contains(notice.severity) { farewell = notice }
        if notices.count < Self.capacity { notices.append(notice) }
    }
}

/// What a result of libpq says about an error or notice.
struct ResultFields {
    let code: PostgresError.Code?
    let severity: String?
    let message: String?
    let detail: String?
    let schema: String?
    let table: String?
    let column: String?
    let constraint: String?
    /// The functions in which it happened, the innermost first.
    let context: String?
    /// The function of the server's own source that reported it: the same in every language.
    let origin: String?

    init(_ result: OpaquePointer) {
        code = unsafe Self.text(sluice_postgres_sqlstate(result)).map { PostgresError.Code(rawValue: $0) }
        severity = unsafe Self.text(sluice_postgres_severity(result))
        message = unsafe Self.text(sluice_postgres_message(result))
        detail = unsafe Self.text(sluice_postgres_detail(result))
        schema = unsafe Self.text(sluice_postgres_schema(result))
        table = unsafe Self.text(sluice_postgres_table(result))
        column = unsafe Self.text(sluice_postgres_column(result))
        constraint = unsafe Self.text(sluice_postgres_constraint(result))
        context = unsafe Self.text(sluice_postgres_context(result))
        origin = unsafe Self.text(sluice_postgres_source_function(result))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        unsafe pointer.map { unsafe String(cString: $0) }
    }
}
