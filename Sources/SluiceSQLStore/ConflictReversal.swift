internal import SluiceModel
internal import SluiceStore

/// What becomes of conflicts as changes of theirs are taken back, one after the other. It reads and writes nothing.
struct ConflictReversal {
    /// What one conflict at most is open over.
    struct Place: Hashable {
        private let mapping: RecordMapping
        private let key: ExactText
        private let field: ExactText

        init(_ mapping: RecordMapping, _ key: String, _ field: String?) {
            (self.mapping, self.key, self.field) = (mapping, ExactText(key), ExactText(field ?? ""))
        }

        init(_ change: RecordedEntry) { self.init(change.mapping, change.key ?? "", change.field) }
    }

    /// A conflict with what it says.
    typealias Numbered = (id: Int64, image: ConflictImage)

    /// What the conflicts say by now, by their numbers.
    private(set) var images: [Int64: ConflictImage]
    /// The numbers of those that are open by now, by what they are about.
    private var open: [Place: Set<Int64>]

    /// - Parameters:
    ///   - images: What the conflicts say, by their numbers.
    ///   - open: The numbers of the open ones, by what they are about.
    init(_ images: [Int64: ConflictImage], open: [Place: Set<Int64>]) { (self.images, self.open) = (images, open) }

    /// Takes back one change, where nothing happened to the conflict since.
    ///
    /// - Returns: Whether it is as before now.
    mutating func revert(_ change: RecordedEntry) -> Bool {
        let now = images[change.entry]
        let (old, new) = (change.old.flatMap { ConflictImage($0) }, change.new.flatMap { ConflictImage($0) })
        if now == old { return true }
        guard now == new else { return false }
        let place = Place(change)
        // Another conflict over the same field may be open by now.
        if old?.isOpen == true, open[place]?.contains(where: { $0 != change.entry }) == true { return false }
        images[change.entry] = old
        if old?.isOpen == true {
            open[place, default: []].insert(change.entry)
        } else {
            open[place]?.remove(change.entry)
        }
        return true
    }

    /// What is different by now.
    ///
    /// - Parameter before: What the conflicts said.
    /// - Returns: Those that are gone; those that say something else, of which no two are open over the same at any time where
    ///   the first part is written before the second one; and those that are there again.
    func differences(
        from before: [Int64: ConflictImage]
    ) -> (gone: [Int64], changed: [[Numbered]], back: [Numbered]) {
        let gone = before.keys.filter { images[$0] == nil }.sorted()
        let differing = images.sorted { $0.key < $1.key }.filter { before[$0.key] != $0.value }
        let changed = differing.filter { before[$0.key] != nil }.map { Numbered($0.key, $0.value) }
        let back = differing.filter { before[$0.key] == nil }.map { Numbered($0.key, $0.value) }
        return (gone, [changed.filter { !$0.image.isOpen }, changed.filter(\.image.isOpen)], back)
    }
}
