internal import SluiceJSON
internal import SluiceMerge
internal import SluicePlans
package import SluiceStore

extension ConflictEntry {
    /// The JSON pointers of what both sides changed within an object, each to something else; none for other values, and
    /// where the base is not known in full.
    package var divergences: [String] {
        guard field != nil, base != nil || kind == FieldClass.addAdd.rawValue, let local = Self.tree(local),
            let remote = Self.tree(remote)
        else { return [] }
        let merge = MemberMerge(base: Self.tree(base), local: local, remote: remote)
        return merge.divergences.filter { !$0.isEmpty }.map { path in
            path.map { name in
                "/" + String(decoding: name, as: UTF8.self).replacing("~", with: "~0").replacing("/", with: "~1")
            }.joined()
        }
    }

    private static func tree(_ json: String?) -> MergeTree? {
        json.flatMap { try? JSONDocument($0) }.map { MergeTree($0.root) }
    }
}
