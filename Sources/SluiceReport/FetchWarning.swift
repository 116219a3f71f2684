package import SluicePipeline

/// What people should look at of the pages that were read.
package struct FetchWarning: Sendable, Equatable {
    /// The kind, as reports give it.
    package enum Code: String, Sendable {
        /// The last page says that there are others.
        case morePages = "more_pages"
        /// The reading ended after as many pages as are read unless the pipeline says otherwise.
        case pageLimit = "page_limit"
        /// The source does not know the token any more, so everything was read.
        case tokenExpired = "token_expired"
        /// A page says that errors kept it from giving all of its data.
        case pageErrors = "page_errors"
        /// The last page is as long as a page can be.
        case fullLastPage = "full_last_page"
    }

    package let code: Code
    package let message: String

    /// Makes a value of its parts.
    package init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    /// Whether it says why nothing counts as gone.
    package var explainsIncompleteness: Bool { [.morePages, .pageLimit, .pageErrors].contains(code) }
    package var problem: RunProblem {
        // Where pages led on, the last one may just be full.
        RunProblem(code: code.rawValue, severity: code == .fullLastPage ? .note : .warning, message: message)
    }
}

extension FetchWarning {
    /// Of pages that no paginator reads.
    ///
    /// - Parameters:
    ///   - sign: What says that there are some.
    ///   - page: The name of the page that says it.
    ///   - stream: The stream.
    package init(_ sign: PageSign, on page: String, of stream: StreamDefinition) {
        code = .morePages
        let isFollowed = stream.paginator != .none
        var message = "`\(stream.name)` has further pages that were not read: \(page) \(sign.words)"
        message += isFollowed ? ", and `paginator` found no way to them" : ", and the stream has no `paginator`"
        message += ". Records may be missing, and nothing counts as gone."
        if let remedy = Self.remedy(sign, stream) {
            message += " \(isFollowed ? "Let it be" : "Add") `paginator: \(remedy)`."
            if case .cursor? = sign.paginator {
                message += " `cursor_param` is a guess: take the parameter's name from the source's documentation."
            }
            switch sign.paginator {
            case .pageNumber:
                message +=
                    " The parameter and the number of the first page are a guess: `sluice probe` of the address finds out, or the source's documentation says it."
            case .offset:
                message +=
                    " The parameters are a guess: `sluice probe` of the address finds out, or the source's documentation says them."
            default: break
            }
        } else {
            message +=
                isFollowed
                ? " Check `paginator`; where it is right, the source left records out, and the next run reads them."
                : " Set a `paginator`, or narrow what is asked for until the source answers in one page."
        }
        self.message = message
    }

    /// Of pages that are not among the files.
    ///
    /// - Parameters:
    ///   - sign: What says that there are some.
    ///   - file: The file that says it.
    ///   - stream: The stream.
    package init(_ sign: PageSign, inFile file: String, of stream: StreamDefinition) {
        self.init(
            code: .morePages,
            message:
                "`\(stream.name)` has further pages that are not among its files: \(file) \(sign.words). Records may be missing, and nothing counts as gone. Let `path` lead to a file of each page, or read the source itself with an `http:` or `https:` address as `base_url`."
        )
    }

    /// The paginator as a pipeline has it; nil where the stream has one of the kind.
    private static func remedy(_ sign: PageSign, _ stream: StreamDefinition) -> String? {
        guard let paginator = sign.paginator else { return nil }
        var remedied = stream
        remedied.paginator = paginator
        switch (paginator, stream.paginator) {
        // Where pages lead on, a total that was not reached says that one of them led nowhere.
        case (.offset, .offset), (.offset, .pageNumber), (.pageNumber, .offset): return nil
        case (.offset, .cursor), (.offset, .headerLink), (.offset, .jsonLink): return nil
        case (.pageNumber(let wanted), .pageNumber) where wanted.totalPath == nil: return nil
        case (.cursor(let wanted), .cursor(let own))
        where wanted.origin == own.origin && (wanted.origin == .lastRecord || wanted.path == own.path):
            return nil
        case (.cursor(let cursor), _) where cursor.origin != .header && stream.sendsBody:
            remedied.pageLimits.place = .body
        default: break
        }
        return PipelineWriter.paginator(of: remedied)
    }

    /// Of pages that were left because there are too many.
    package static func pageLimit(_ limit: Int, of stream: StreamDefinition) -> FetchWarning {
        FetchWarning(
            code: .pageLimit,
            message:
                "Reading `\(stream.name)` stopped after \(limit) pages, the limit without `max_pages`. Nothing counts as gone. If the source has more pages, raise `max_pages` of `paginator`; if it does not, they lead in a circle: check `paginator`."
        )
    }

    /// Of a token that the source has forgotten.
    package static func tokenExpired(_ reason: String, of stream: StreamDefinition) -> FetchWarning {
        let deletes =
            stream.missesDeletions
            ? " Rows that the source deleted meanwhile stay, since the stream has no `delete_missing`." : ""
        return FetchWarning(
            code: .tokenExpired,
            message:
                "The source no longer accepts the token of `\(stream.name)`, so everything was read. \(reason)\(deletes)"
        )
    }

    /// What it says of a token that the source has forgotten; nil for another warning.
    package var expiredToken: String? { code == .tokenExpired ? message : nil }

    /// Of a page that has errors in the place of some of its data, as GraphQL answers.
    package static func pageErrors(_ page: String, of stream: StreamDefinition) -> FetchWarning {
        FetchWarning(
            code: .pageErrors,
            message:
                "\(page) of `\(stream.name)` has `errors` beside its `data`, so records may be missing. Nothing counts as gone, and the next run asks from where this one did."
        )
    }

    /// Of a last page that is as long as a page can be.
    package static func fullLastPage(_ page: String, of stream: StreamDefinition) -> FetchWarning {
        FetchWarning(
            code: .fullLastPage,
            message:
                "The last page of `\(stream.name)`, \(page), is full and names no next page. If there is one, `paginator` does not find it."
        )
    }
}

extension StreamDefinition {
    /// Whether what asks for a page can stand in a body.
    fileprivate var sendsBody: Bool {
        switch body {
        case .json(.object), .form: true
        case .json, .text, nil: false
        }
    }
}
