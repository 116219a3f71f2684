internal import SluiceJSON

extension JSONValue {
    func text(_ name: String) -> String? { member(named: name)?.string }
    func flag(_ name: String) -> Bool { member(named: name)?.boolean ?? false }
}
