internal import SluiceHTTP

/// One thing that looking at a source told: what was found, how sure that is, and why.
package struct ProbeFinding: Sendable, Equatable {
    /// How sure a finding is.
    package enum Certainty: String, Sendable, CaseIterable {
        /// The source says so, or every record that was read does.
        case certain
        /// It speaks for it, and nothing against it.
        case likely
        /// A person should look at it.
        case unsure
    }

    /// What was found, in a few words.
    package var text: String
    /// How sure that is.
    package var certainty: Certainty
    /// What speaks for it, each as the end of a sentence.
    package var evidence: [String]
    /// What speaks against it, as the end of a sentence; nil where nothing does.
    package var trouble: String?

    package init(_ text: String, _ certainty: Certainty, _ evidence: [String]) {
        self.text = text
        self.certainty = certainty
        self.evidence = evidence.filter { !$0.isEmpty }
    }

    package func hiding(_ secrets: [String]) -> ProbeFinding {
        var hidden = ProbeFinding(text.hiding(secrets), certainty, evidence.map { $0.hiding(secrets) })
        hidden.trouble = trouble?.hiding(secrets)
        return hidden
    }
}

extension String {
    /// The text with each of some secrets replaced.
    package func hiding(_ secrets: [String]) -> String { Redactor(secrets: secrets).scrub(self) }
}
