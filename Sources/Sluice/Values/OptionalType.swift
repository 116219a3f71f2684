private protocol OptionalType { static var wrappedType: Any.Type { get } }
extension Optional: OptionalType { fileprivate static var wrappedType: Any.Type { Wrapped.self } }

/// The type without the sign that makes it optional, and whether it has one.
func unwrapped(_ type: Any.Type) -> (type: Any.Type, isOptional: Bool) {
    (type as? any OptionalType.Type).map { ($0.wrappedType, true) } ?? (type, false)
}
