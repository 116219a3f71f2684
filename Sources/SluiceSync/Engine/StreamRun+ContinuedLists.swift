internal import SluiceDecode
internal import SluiceFetch
internal import SluiceJSON
internal import SluiceModel
internal import SluicePages
internal import SluicePipeline
internal import SluiceReconcile
internal import SluiceReport

/// Records whose lists were not read to their ends.
extension StreamRun {
    /// Whether all lists within the records were read to their ends, none of them by counting.
    func hasWholeLists(_ tree: borrowing TreeMerger) -> Bool {
        pages.pages.allSatisfy { $0.lists?.areWhole ?? true } && checkpoint?.state.hasCutLists != true
            && tree.cutLists.isEmpty
    }

    /// What to tell of lists that say that there is more of them, of which nothing asks for the rest: of each stream once,
    /// also where an earlier run read the pages of the scan that have them.
    func cutLists(_ tree: borrowing TreeMerger) -> [String] {
        if let before = checkpoint?.state.cutLists, !before.isEmpty { return before }
        let isAsked = pages.requests > 0 || checkpoint != nil
        return tree.cutLists.map { $0.message(stream: stream.name, isAsked: isAsked) }
    }

    /// Keeps the cursor from passing records whose rests could not be read, so that the next run asks for them again.
    mutating func recordUnread(_ batch: borrowing RecordBatch) {
        if pages.continuedLists.isEmpty || cursor == nil && partitionTracker == nil { return }
        for record in 0..<batch.count {
            let origin = batch.origins[record]
            guard pages.pages.indices.contains(origin.page),
                pages.pages[origin.page].lists?.failed.contains(origin.ordinal) == true
            else { continue }
            cursor?.recordIncomplete(record, of: batch)
            partitionTracker?.recordIncomplete(record, of: batch)
        }
    }
}

extension CutList {
    private var list: String { path.text.hasPrefix("$.") ? String(path.text.dropFirst(2)) : path.text }

    /// What it means and what to do.
    ///
    /// - Parameters:
    ///   - stream: The name of the stream.
    ///   - isAsked: Whether its source can be asked for more.
    /// - Returns: Sentences.
    fileprivate func message(stream: String, isAsked: Bool) -> String {
        switch place {
        case .children(let entity, let isOfStream, let isOrdered):
            let kept =
                if isOfElement {
                    "It belongs to an element of a list with `ordered: true`, which is known only as a whole, so nothing of the list around it is taken"
                } else if isOrdered {
                    "Its order is known only as a whole, so nothing of such a list is taken"
                } else {
                    "What it does not show stays, and nothing of it counts as gone"
                }
            let message =
                "The list `\(list)` within records of `\(stream)` has more records of `\(entity)` than the record shows: it \(sign.words). \(kept)."
            if hasMore {
                return "\(message) Its `more` was not used: have its `when` hold here, as `\(sign.condition)` does."
            }
            if !isAsked { return "\(message) Have the file written with whole lists." }
            if isOfElement {
                return
                    "\(message) Tell the elements around it apart by a `key` in place of `ordered: true`, or read its records with a stream of their own, if the source has one."
            }
            if !isOfStream { return "\(message) Read them with a stream of their own, if the source has one." }
            let names = list.split(separator: ".", omittingEmptySubsequences: false)
            let (path, records) =
                names.count > 1
                ? (names.dropLast().joined(separator: "."), String(names.last ?? ""))
                : (list.replacing("[*]", with: ""), "[*]")
            return
                "\(message) Set `more` to ask for the rest, with the path of its requests: `nested: [{path: \(path), records: \"\(records)\", entity: \(entity), more: {when: '\(sign.condition)', path: …}}]`."
        case .field(let field, let entity, let isGrowing):
            let message =
                "The list `\(list)` of `\(field)` within records of `\(stream)` has more than the record shows: it \(sign.words)."
            if isGrowing { return "\(message) What it does not show is not linked." }
            let lost = isOfElement ? "the list with `ordered: true` around it" : "it"
            return
                "\(message) So nothing of \(lost) is taken where it is not whole. `merge: add_only` of the field `\(field)` of `\(entity)` takes what is there, and takes no link away."
        }
    }
}
