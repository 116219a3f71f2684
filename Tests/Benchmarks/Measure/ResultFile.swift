/// The figures as JSON for machines.
struct ResultFile {
    let measurements: [Measurement]
    let edits: [EditedStore.Cost]
    let lone: [LoneJob.Cost]
    let pages: [PagedFetch.Cost]
    let library: [LibraryComparison.Cost]

    var text: String {
        let entries = measurements.map(entry).joined(separator: ",\n    ")
        return """
            {
              "format": "sluice.bench/1",
              "measurements": [
                \(entries)
              ],
              "edits": [
                \(edits.map(\.json).joined(separator: ",\n    "))
              ],
              "alone": [
                \(lone.map(\.json).joined(separator: ",\n    "))
              ],
              "pages": [
                \(pages.map(\.json).joined(separator: ",\n    "))
              ],
              "library": [
                \(library.map(\.json).joined(separator: ",\n    "))
              ]
            }

            """
    }

    private func entry(_ measurement: Measurement) -> String {
        let job = measurement.job
        var members = [
            "\"job\": \"\(job.name)\"", "\"size\": \"\(measurement.data.label)\"",
            "\"records\": \(measurement.data.count)",
            "\"floor\": \(program(measurement.floor, measurement.data))",
        ]
        if let ratio = measurement.ratio {
            members.append("\"sluice\": \(program(measurement.sluice, measurement.data))")
            members.append("\"ratio\": \(ResultTable.decimal(ratio))")
            members.append("\"bar\": \(job.bar), \"aim\": \(job.aim), \"passed\": \(ratio >= job.bar)")
        }
        if !measurement.byHand.isEmpty {
            members.append("\"by_hand\": \(program(measurement.byHand, measurement.data))")
        }
        if let lead = measurement.lead { members.append("\"lead\": \(ResultTable.decimal(lead))") }
        return "{" + members.joined(separator: ", ") + "}"
    }

    private func program(_ samples: [Sample], _ data: Dataset) -> String {
        let seconds = samples.map { "\(($0.seconds * 10_000).rounded() / 10_000)" }.joined(separator: ", ")
        let speed = Int((Double(data.count) / samples.medianSeconds).rounded())
        return "{\"seconds\": [\(seconds)], \"records_per_second\": \(speed), \"peak_bytes\": \(samples.peakBytes)}"
    }
}
