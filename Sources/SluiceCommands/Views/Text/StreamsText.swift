internal import SluiceReport

/// The counts of several streams as a table.
enum StreamsText {
    private static let columns: [(title: String, count: @Sendable (StreamReport) -> Int)] = [
        ("read", { $0.read }), ("insert", { $0.summary.insert }), ("update", { $0.summary.update }),
        ("delete", { $0.summary.delete }), ("conflict", { $0.summary.conflict }),
        ("in part", { $0.summary.conflictWritten }),
        ("not written", { $0.summary.quarantined }), ("kept", { $0.summary.keptLocal }),
        ("refused", { $0.summary.deleteRefused }), ("not as planned", { $0.summary.stale }),
        ("gone", { $0.reportedGone }), ("unchanged", { $0.summary.unchanged }), ("duplicates", { $0.duplicates }),
        ("filtered", { $0.filtered }), ("pages as before", { $0.notModified }), ("retries", { $0.retries }),
    ]

    /// A line per stream; columns that are zero everywhere are left out.
    static func text(_ streams: [StreamReport], style: TextStyle) -> String {
        let used = columns.filter { column in column.title == "read" || streams.contains { column.count($0) > 0 } }
        var rows = [["stream"] + used.map(\.title)]
        rows += streams.map { stream in
            [ShortText.of(stream.stream)] + used.map { CountText.grouped($0.count(stream)) }
        }
        return TableText.text(rows, style: style)
    }
}
