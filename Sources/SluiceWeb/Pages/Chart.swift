internal import SluiceCommands
internal import SluiceStore

/// Small charts of a pipeline's last runs.
enum Chart {
    private static let height = 24
    private static let step = 5

    /// How long runs took, coloured by how they ended; newest first.
    static func durations(_ runs: [RunEntry]) -> HTML {
        chart(runs, "Duration", { $0.seconds }, { $0.status }, { CountText.time($0) })
    }

    /// How many records runs read.
    static func records(_ runs: [RunEntry]) -> HTML {
        chart(runs, "Records read", { $0.recordsRead }, { _ in "records" }, { CountText.grouped($0) })
    }

    private static func chart(
        _ runs: [RunEntry], _ title: String, _ value: (RunEntry) -> Int?, _ name: (RunEntry) -> String,
        _ words: (Int) -> String
    ) -> HTML {
        let values = runs.reversed().map { (run: $0, value: value($0)) }
        let known = values.compactMap(\.value)
        guard let most = known.max(), known.count > 1 else { return "" }
        let bars = values.enumerated().map { index, one -> HTML in
            guard let value = one.value else { return "" }
            let size = most == 0 ? 2 : max(2, Int(Double(value) / Double(most) * Double(height)))
            return """
                <rect class="\(value: name(one.run))" x="\(index * step)" y="\(height - size)" width="4" height="\(size)"><title>Run \(one.run.id): \(words(value)), \(one.run.status)</title></rect>
                """
        }
        let last = known.last.map { words($0) } ?? ""
        return """
            <svg class="chart" viewBox="0 0 \(StateReader.runsShown * step) \(height)" role="img" aria-label="\(value: "\(title) of the last \(known.count) runs: at most \(words(most)), last \(last)")">\(bars)</svg>
            """
    }
}
