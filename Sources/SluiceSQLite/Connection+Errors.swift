internal import CSluiceSQLite

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Connection {
    func error(code: Int32, sql: String?) -> SQLiteError {
        unsafe SQLiteError(
            code: .init(rawValue: code), message: String(cString: sqlite3_errmsg(handle)), sql: sql,
            systemReason: Self.systemReason(of: handle, code))
    }

    /// The system's words, where the failure was one of its calls. See: sqlite.org/c3ref/system_errno.html
    static func systemReason(of handle: OpaquePointer, _ code: Int32) -> String? {
        let primary = SQLiteError.Code(rawValue: code).primary
        guard primary == .ioError || primary == .cannotOpen || primary == .full else { return nil }
        var number = unsafe sqlite3_system_errno(handle)
        // SQLite does not note it for a COMMIT; of these nothing but the write can be the cause.
        if number == 0 && [EFBIG, ENOSPC, EDQUOT, EIO, EROFS].contains(errno) { number = errno }
        return number == 0 ? nil : unsafe String(cString: strerror(number))
    }
}
