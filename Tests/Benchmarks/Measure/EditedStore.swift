import Glibc

/// What a re-sync costs where a hundredth of the rows was edited by hand, compared with one where none was.
struct EditedStore {
    /// The runs over both stores.
    struct Cost {
        let job: Job
        let data: Dataset
        let plain: [Sample]
        let edited: [Sample]

        /// How many times as long the run over the edited rows takes.
        var factor: Double { edited.medianSeconds / plain.medianSeconds }
    }

    /// The most that edits may cost.
    static let bar = 1.3

    let comparison: Comparison
    let sluice: Program

    /// Measures both stores in turn.
    ///
    /// - Parameter job: A job that starts from a synced store.
    /// - Returns: The samples of both.
    /// - Throws: ``BenchError`` where a program failed.
    func measure(_ job: Job) throws(BenchError) -> Cost {
        let data = comparison.data
        let edited = data.folder + "/edited.db"
        try TextFile.copy(comparison.template(of: sluice), to: edited)
        defer { unsafe unlink(edited) }
        _ = try ChildProcess.run([comparison.floor.path, "edit", edited], output: comparison.log)
        let stores = [comparison.template(of: sluice), edited]
        var samples: [[Sample]] = [[], []]
        for round in 0..<comparison.rounds {
            // Who goes first changes, as it does between programs.
            for index in round % 2 == 0 ? [0, 1] : [1, 0] {
                comparison.removeStore(of: sluice)
                try TextFile.copy(stores[index], to: comparison.store(of: sluice))
                let arguments = sluice.arguments(for: job, on: data, store: comparison.store(of: sluice))
                sync()
                samples[index].append(try ChildProcess.run(arguments, output: comparison.log))
            }
        }
        return Cost(job: job, data: data, plain: samples[0], edited: samples[1])
    }
}

extension EditedStore.Cost {
    /// The figure as a line for people.
    var line: String {
        let mark = factor <= EditedStore.bar ? "pass" : "miss"
        return
            "\(data.label), \(job.title), 1 % of the rows edited here: \(ResultTable.decimal(factor)) times the time without edits, bar \(ResultTable.decimal(EditedStore.bar)): \(mark)"
    }

    /// The figure as JSON for machines.
    var json: String {
        func seconds(_ samples: [Sample]) -> String {
            samples.map { "\(($0.seconds * 10_000).rounded() / 10_000)" }.joined(separator: ", ")
        }
        return
            "{\"job\": \"\(job.name)\", \"size\": \"\(data.label)\", \"plain\": [\(seconds(plain))], \"edited\": [\(seconds(edited))], \"factor\": \(ResultTable.decimal(factor)), \"bar\": \(EditedStore.bar), \"passed\": \(factor <= EditedStore.bar)}"
    }
}
