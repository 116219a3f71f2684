internal import SluiceDiagnostics
internal import SluicePipeline

extension PaginatorSearch {
    /// What to make of it where no candidate led to other records.
    func conclude(
        _ all: [PaginatorCandidate], _ failures: [Trial],
        from first: ProbedPage, isList: Bool
    ) -> Outcome {
        func outcome(
            _ paginator: StreamDefinition.Paginator, _ certainty: ProbeFinding.Certainty, _ evidence: [String],
            isWhole: Bool = false, note: String? = nil, usualLength: String? = nil
        ) -> Outcome {
            Outcome(
                paginator: paginator,
                finding: ProbeFinding(paginator.rule.summary, certainty, evidence), pages: [first],
                isWhole: isWhole, note: note, usualLength: usualLength)
        }
        // What the source itself names stands, so that a run says what is wrong with it.
        if let stated = failures.first(where: \.candidate.isStated) {
            var found = outcome(
                stated.candidate.paginator, .unsure, [stated.candidate.reason, "but \(stated.reason)"])
            found.finding.trouble = stated.reason
            if stated.isFailure { found.breakdown = stated.reason }
            return found
        }
        if mostPages < 2, let candidate = all.first(where: \.hasNext) {
            return outcome(
                candidate.paginator, .unsure, [candidate.reason, "not tried, since only one page was to be read"])
        }
        // A guess because of the page's length alone says little when it fails.
        if let failure = failures.first, !isOfLength(failure.candidate, first) {
            let tried = failures.map { "\($0.candidate.text): \($0.reason)" }
            let note = "\(failure.candidate.reason), but \(Self.vain(failures))"
            var found = outcome(.none, .unsure, [note] + tried, note: note)
            found.finding.text = Self.notFound
            return found
        }
        if let noted = all.first(where: { !$0.hasNext }) {
            return outcome(
                noted.paginator, noted.isStated ? .likely : .unsure, [noted.reason, "no second page to try it on"],
                isWhole: true)
        }
        if !isList { return outcome(.none, .likely, ["the page is one record"], isWhole: true) }
        let candidates = PaginatorCandidates(page: first, query: source.query, key: key, isList: true)
        let length = failures.isEmpty ? nil : candidates.usualLength
        var evidence = ["no Link header and nothing in the body speaks of another page"]
        evidence += failures.map { "\($0.candidate.text): \($0.reason)" }
        if failures.isEmpty {
            evidence.append(
                "\(Plural.of(first.recordCount, "record does", "records do")) not fill a page")
        }
        if let length { evidence.append(Self.usual(length)) }
        evidence.append("should a Link header come, it is followed")
        return outcome(
            .headerLink(relation: "next"), .likely, evidence, isWhole: length == nil, usualLength: length)
    }

    /// What is said of a page whose length is a usual one.
    package static func usual(_ length: String) -> String { "\(length), and nothing says that they are all" }

    /// What is said of guesses none of which led on.
    private static func vain(_ trials: [Trial]) -> String {
        let failed = trials.filter(\.isFailure)
        guard let first = failed.first else { return "no parameter that was tried leads to another page" }
        let tried = Plural.of(trials.count, "parameter was tried", "parameters were tried")
        let rest = failed.count == trials.count ? Plural.word(trials.count, "and it", "and all") : "\(failed.count)"
        return "no way to the next page was found: \(tried), \(rest) failed: \(first.reason)"
    }

    private func isOfLength(_ candidate: PaginatorCandidate, _ first: ProbedPage) -> Bool {
        let candidates = PaginatorCandidates(page: first, query: source.query, key: key, isList: true)
        return candidates.fullPages.contains { $0.reason == candidate.reason }
    }
}
