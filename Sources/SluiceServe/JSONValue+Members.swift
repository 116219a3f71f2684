internal import SluiceJSON

extension JSONValue {
    /// The whole number that a member is; nil where it is none.
    func integer(_ name: String) -> Int64? {
        member(named: name).flatMap { $0.kind == .integer ? $0.integer : nil }
    }

    /// The text that a member is; nil where it is none.
    func text(_ name: String) -> String? { member(named: name)?.string }
}
