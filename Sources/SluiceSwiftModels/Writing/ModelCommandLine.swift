internal import SluiceDiagnostics

/// The command line that writes models, for copying.
package struct ModelCommandLine: Sendable {
    private var words: [String]

    /// Makes the command line that prints the models of pipelines.
    ///
    /// - Parameter pipelines: What names the pipelines and their values, as a shell takes it.
    package init(_ pipelines: [String]) { words = ["sluice generate swift"] + pipelines }

    /// The command line.
    package var text: String { words.joined(separator: " ") }

    /// The command line with an option more.
    func adding(_ option: String) -> ModelCommandLine {
        var line = self
        line.words.append(option)
        return line
    }

    /// The command line that writes the files of a folder again, as they were made.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - layout: How models are put into files.
    ///   - options: How the models are made.
    ///   - hasHeader: Whether the files begin with comments of a person's. No file says where those come from.
    /// - Returns: The command line.
    func writing(
        to folder: String, _ layout: ModelFiles.Layout, _ options: SwiftModelOptions, hasHeader: Bool
    ) -> ModelCommandLine {
        var line = self
        line.words += ["--to", ShellWord.quoted(folder)]
        if layout == .single { line.words.append("--single-file") }
        line.words += options.words
        if hasHeader { line.words += ["--header-template", "FILE"] }
        return line
    }
}
