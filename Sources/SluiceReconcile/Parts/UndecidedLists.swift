internal import SluiceDecode
internal import SluiceMerge
internal import SluiceModel
internal import SluicePlans
internal import SluiceStore

/// The open conflicts over the lists of one part that are one value each, by the names of the lists.
struct UndecidedLists {
    private var conflicts: [ExactText: ConflictEntry] = [:]
    /// Those over single elements, as earlier versions kept them.
    private var elements: [ExactText: [ConflictEntry]] = [:]

    /// None.
    init() {}

    /// Reads them.
    ///
    /// - Parameters:
    ///   - schema: What the elements are.
    ///   - store: Has the conflicts.
    /// - Throws: `StoreError`.
    init(_ schema: RecordSchema, in store: any RecordStore) throws {
        let (text, json) = (ListText(schema: schema), StoredJSON())
        for entry in try store.conflicts.open(of: schema.source) {
            if entry.isOfList {
                conflicts[ExactText(entry.key)] = entry
            } else if entry.isOfElement, let key = json.key(entry.key, schema: schema) {
                elements[ExactText(text.name(of: ListText.owner(of: key))), default: []].append(entry)
            }
        }
    }

    /// The open conflict over a list.
    subscript(name: String) -> ConflictEntry? {
        get { conflicts.isEmpty ? nil : conflicts[ExactText(name)] }
        set { conflicts[ExactText(name)] = newValue }
    }

    /// The open conflicts over whole lists.
    var all: [ConflictEntry] { Array(conflicts.values) }

    /// Whether there is none at all, so that no list needs a name.
    var isEmpty: Bool { conflicts.isEmpty && elements.isEmpty }

    /// Takes the conflicts over single elements of a list out.
    mutating func acceptElements(of name: String) -> [ConflictEntry] {
        elements.isEmpty ? [] : elements.removeValue(forKey: ExactText(name)) ?? []
    }
}

extension ConflictEntry {
    /// Whether it asks about an element what is asked of its list as a whole.
    fileprivate var isOfElement: Bool {
        !isOfList && !isUniqueCollision && kind != FieldClass.disagreement.rawValue
    }
}
