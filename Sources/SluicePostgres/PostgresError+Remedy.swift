extension PostgresError {
    /// What helps, as a sentence; nil where that depends on the statement.
    package var remedy: String? {
        switch code {
        case .cannotConnect:
            "Check host, port, database, user and password, and that the server is running. Where it is starting, or has no connection left, repeat it."
        case .connectionLost, .adminShutdown, .crashShutdown:
            "What was not committed is undone. Repeat it when the server is up."
        case _ where isTimedOut:
            "The program was stopped, or waited, for longer than that. What was not committed is undone. Repeat it."
        case .cannotConnectNow: "The server is starting or stopping. Try again in a moment."
        case .serialization, .deadlock: "Others were in the way. Repeat the transaction."
        case .lockNotAvailable: "Another connection holds the lock. Repeat it when that one has ended."
        case .cancelled: "Repeat it, or raise `statement_timeout` where that ended it."
        case .insufficientPrivilege:
            "Grant what is missing to the role, or connect as another one: `sluice validate PIPELINE --store URL` lists what tables that were there need, and new columns and indexes need the owner of their table."
        case .undefinedTable: "Check the name of the table and its schema."
        case .readOnly:
            "The server is a standby, or read-only by its settings (`default_transaction_read_only`): name the primary, or another role."
        case .duplicatePreparedStatement, .unknownPreparedStatement:
            "A pool between the program and the server gives each transaction another connection, it seems: give each client one of its own (pgbouncer: `pool_mode = session`), or connect without the pool."
        case .notText: "Take the NUL out of the text, or what is no UTF-8; or use bytes."
        default: remedyOfFamily
        }
    }

    private var remedyOfFamily: String? {
        switch code.family {
        case "28": "Check user and password, and what pg_hba.conf allows."
        case "3D": "Create the database, or name another one."
        case "3F": "Create the schema, or name another one."
        case "53": "The server is out of room, memory or connections. Free some and repeat it."
        default: nil
        }
    }
}
