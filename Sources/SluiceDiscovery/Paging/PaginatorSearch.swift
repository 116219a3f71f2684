internal import SluiceDecode
internal import SluiceFetch
internal import SluiceHTTP
internal import SluiceJSON
internal import SluicePipeline
internal import SluiceReport
internal import SluiceSystem

/// Tries the paginators that a first page suggests, in the way in which a run would, until one leads to other records.
package struct PaginatorSearch {
    /// How many pages are read where nothing else is said.
    static let standardPages = 3
    /// The requests beyond the wanted pages: for trying paginators.
    static let trials = 8
    /// What is said of a way that was not followed to its end.
    package static let leadsOn = "more pages follow"
    /// What is said where there are more pages, and nothing leads to them.
    package static let notFound = "not found, and there are more pages"

    /// What was found, and the pages that were read on the way.
    struct Outcome {
        var paginator = StreamDefinition.Paginator.none
        var finding: ProbeFinding
        var pages: [ProbedPage]
        /// Whether the last of the pages said that it is the last one.
        var isWhole = false
        /// Whether a record came on more than one page.
        var overlaps = false
        /// What the pipeline should say of a paginator that was suspected in vain.
        var note: String?
        /// What speaks for a cut of the only page by its length, where nothing says that its records are all.
        var usualLength: String?
        /// Why a page that the first one itself leads to could not be read, where that may pass.
        var breakdown: String?

        /// Makes a value of its parts.
        package init(
            paginator: StreamDefinition.Paginator = StreamDefinition.Paginator.none, finding: ProbeFinding,
            pages: [ProbedPage], isWhole: Bool = false, overlaps: Bool = false, note: String? = nil,
            usualLength: String? = nil
        ) {
            self.paginator = paginator
            self.finding = finding
            self.pages = pages
            self.isWhole = isWhole
            self.overlaps = overlaps
            self.note = note
            self.usualLength = usualLength
        }
    }

    let client: ProbeClient
    let source: ProbeSource
    /// How records are found.
    let stream: StreamDefinition
    let key: JSONPath?
    let mostPages: Int
    /// When the first guess was sent.
    private let start = WallClock.monotonicSeconds()

    init(client: ProbeClient, source: ProbeSource, stream: StreamDefinition, key: JSONPath?, mostPages: Int) {
        (self.client, self.source, self.stream, self.key, self.mostPages) = (client, source, stream, key, mostPages)
    }

    /// How long all guesses may take.
    static let guessSeconds = 40
    private var secondsLeft: Double { Double(Self.guessSeconds) - (WallClock.monotonicSeconds() - start) }

    func find(from first: ProbedPage, isList: Bool) throws -> Outcome {
        let all = PaginatorCandidates(page: first, query: source.query, key: key, isList: isList).all
        let live = mostPages > 1 ? all.filter(\.hasNext) : []
        var trials: [Trial] = []
        for candidate in live where client.hasMore && secondsLeft > 0 {
            switch try attempt(candidate, from: first) {
            case .success(let outcome): return outcome
            case .failure(let refusal):
                trials.append(Trial(candidate: candidate, refusal: refusal))
                // A server that is busy is not asked for more.
                if refusal.isRateLimit { return conclude(all, trials, from: first, isList: isList) }
            }
        }
        return conclude(all, trials, from: first, isList: isList)
    }

    /// A candidate that was tried in vain.
    struct Trial {
        let candidate: PaginatorCandidate
        fileprivate let refusal: Refusal
        var reason: String { refusal.reason }
        /// Whether no answer came that says anything of the candidate.
        var isFailure: Bool { refusal.isFailure }
    }

    fileprivate struct Refusal: Error {
        let reason: String
        var isFailure = false
        var isRateLimit = false
    }

    private static func sentence(_ error: HTTPError) -> String {
        error.message.split(separator: "\n").first.map(String.init) ?? error.message
    }

    // MARK: One candidate

    private func attempt(_ candidate: PaginatorCandidate, from first: ProbedPage) throws -> Result<Outcome, Refusal> {
        do {
            return try trial(candidate, from: first)
        } catch let error as HTTPError {
            return .failure(
                Refusal(reason: Self.sentence(error), isFailure: error.isTransient, isRateLimit: error.isRateLimit))
        } catch let error as SyncError {
            return .failure(Refusal(reason: error.message))
        } catch let error as JSONError {
            return .failure(Refusal(reason: "what it leads to is no JSON: \(error.advice)"))
        }
    }

    private func trial(_ candidate: PaginatorCandidate, from first: ProbedPage) throws -> Result<Outcome, Refusal> {
        var candidate = candidate
        var walk = try PaginatorWalk(candidate.paginator, search: self)
        guard let request = try walk.next(after: first) else {
            return .failure(Refusal(reason: "it leads nowhere from the first page"))
        }
        var second = try ask(request, isGuess: !candidate.isStated)
        let known = Set(first.prints)
        if !second.hasPlace || (second.opening ?? first.opening) != first.opening {
            return .failure(Refusal(reason: "what it leads to has no list at `\(stream.records?.text ?? "$")`"))
        }
        if !second.prints.isEmpty, known.isSuperset(of: second.prints) {
            return .failure(Refusal(reason: "\(second.answer.page.name) brought the same records again"))
        }
        var evidence = [candidate.reason]
        if candidate.guessesStart, case .pageNumber(var rule) = candidate.paginator, rule.start == 1, client.hasMore,
            !second.prints.isEmpty
        {
            // Whoever counts from 0 has given page 0 first, and page 1 was passed over.
            rule.start = 0
            var fromZero = try PaginatorWalk(.pageNumber(rule), search: self)
            if let request = try fromZero.next(after: first) {
                let one = try ask(request, isGuess: true)
                if !one.prints.isEmpty, known.isDisjoint(with: one.prints) {
                    candidate.paginator = .pageNumber(rule)
                    (walk, second) = (fromZero, one)
                    evidence.append("`\(rule.parameter)=1` has other records than the first page")
                } else if one.prints == first.prints {
                    evidence.append("`\(rule.parameter)=1` is the first page")
                }
            }
        }
        return .success(try follow(candidate, &walk, [first, second], evidence))
    }

    /// Reads on, up to as many pages as wanted.
    private func follow(
        _ candidate: PaginatorCandidate, _ walk: inout PaginatorWalk, _ start: [ProbedPage], _ evidence: [String]
    ) throws -> Outcome {
        var pages = start
        var isWhole = false
        var trouble: String?
        /// Why the source did not answer further on: that says nothing of the way.
        var breakdown: String?
        while true {
            let known = Set(pages.dropLast().flatMap(\.prints))
            if let last = pages.last, !last.prints.isEmpty, known.isSuperset(of: last.prints) {
                trouble = "\(last.answer.page.name) brought records again that were there before"
                break
            }
            guard let last = pages.last, !last.envelope.saysEnd, let request = try walk.next(after: last) else {
                isWhole = true
                break
            }
            if pages.count >= mostPages || !client.hasMore { break }
            do {
                pages.append(try ask(request))
            } catch let error as HTTPError where error.isTransient {
                breakdown = Self.sentence(error)
                break
            }
        }
        let prints = pages.flatMap(\.prints)
        let repeated = prints.count - Set(prints).count
        var evidence = evidence
        var certainty = candidate.isStated ? ProbeFinding.Certainty.certain : .likely
        if pages[1].prints.isEmpty {
            evidence.append("the second page is empty")
            certainty = candidate.isStated ? .likely : .unsure
        } else if repeated == 0 {
            evidence.append("followed over \(pages.count) pages, each with other records")
            // A number of pages or records that holds over several pages is no guess any more.
            // And where the source led on and then said that it was the last page, it was followed.
            if candidate.paginator.rule.totalPath != nil || pages.count > 2 || isWhole { certainty = .certain }
        } else {
            evidence.append("\(pages.count) pages read, \(repeated) of \(prints.count) records came again")
            certainty = .unsure
        }
        if isWhole, certainty != .unsure { evidence.append("the last page says that it is the last") }
        if let breakdown { evidence.append("what follows was not read: \(breakdown)") }
        if !isWhole, trouble == nil { evidence.append(Self.leadsOn) }
        if let trouble {
            evidence.append(trouble)
            certainty = .unsure
        }
        var finding = ProbeFinding(candidate.text, certainty, evidence)
        finding.trouble = trouble
        return Outcome(
            paginator: candidate.paginator, finding: finding, pages: pages, isWhole: isWhole, overlaps: repeated > 0)
    }

    private func ask(_ request: PageRequest, isGuess: Bool = false) throws -> ProbedPage {
        let answer =
            isGuess ? try client.ask(guess: request, within: .seconds(secondsLeft)) : try client.ask(request)
        return try ProbedPage(answer, stream: stream, key: key)
    }
}
