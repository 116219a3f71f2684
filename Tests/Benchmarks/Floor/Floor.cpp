// The floor: what the flat job costs with nothing but simdjson and SQLite. It keeps the same table and a base of a
// 64-bit hash and twelve 32-bit digests per record, so that it does the same work and no more.
//
//   sluice-floor sync FILE STORE     merges the records of FILE, one per line, into STORE
//   sluice-floor dry FILE STORE      the same comparison without a write
//   sluice-floor edit STORE          edits a hundredth of the rows as a person would
//   sluice-floor check STORE         the number of rows and a checksum that does not depend on their order
#include "Issue.hpp"
#include <algorithm>
#include <exception>
#include <vector>

namespace {
struct Counts {
    size_t unchanged = 0, changed = 0, inserted = 0, deleted = 0, conflicts = 0;
};

class Sync {
public:
    Sync(Database &database, bool writes)
        : writes(writes),
          upsert(database,
                 "INSERT INTO issues VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12) ON CONFLICT (id) DO UPDATE SET "
                 "number=?2,title=?3,state=?4,locked=?5,comments=?6,user_id=?7,milestone_id=?8,created_at=?9,"
                 "updated_at=?10,closed_at=?11,body=?12"),
          readRow(database, "SELECT * FROM issues WHERE id = ?1"),
          deleteRow(database, "DELETE FROM issues WHERE id = ?1"),
          readBase(database, "SELECT hash, fields FROM _base WHERE id = ?1"),
          writeBase(database, "INSERT OR REPLACE INTO _base VALUES (?1, ?2, ?3)"),
          deleteBase(database, "DELETE FROM _base WHERE id = ?1"),
          listBase(database, "SELECT id FROM _base ORDER BY id") {
        baseIsEmpty = !listBase.step();
        listBase.reset();
    }

    void merge(const Issue &issue) {
        seen.push_back(issue.id);
        Digests remote = digests(issue);
        uint64_t hash = remote.hash();
        bool isKnown = false;
        if (!baseIsEmpty) {
            Digests base;
            readBase.bind(1, issue.id);
            isKnown = readBase.step();
            bool isEqual = isKnown && static_cast<uint64_t>(readBase.integer(0)) == hash;
            if (isKnown && !isEqual) memcpy(&base, readBase.bytes(1), sizeof base);
            readBase.reset();
            if (isEqual) {
                counts.unchanged++;
                return;
            }
            if (isKnown) countConflicts(issue.id, base, remote);
        }
        isKnown ? counts.changed++ : counts.inserted++;
        if (writes) write(issue, remote, hash);
    }

    /// Removes what the file no longer has, found by one pass over the base in key order.
    void removeMissing() {
        if (baseIsEmpty) return;
        if (!std::is_sorted(seen.begin(), seen.end())) std::sort(seen.begin(), seen.end());
        std::vector<int64_t> missing;
        auto next = seen.begin();
        while (listBase.step()) {
            int64_t id = listBase.integer(0);
            while (next != seen.end() && *next < id) ++next;
            if (next == seen.end() || *next != id) missing.push_back(id);
        }
        listBase.reset();
        counts.deleted = missing.size();
        if (!writes) return;
        for (int64_t id : missing) {
            deleteRow.bind(1, id);
            deleteRow.run();
            deleteBase.bind(1, id);
            deleteBase.run();
        }
    }

    Counts counts;

private:
    void countConflicts(int64_t id, const Digests &base, const Digests &remote) {
        readRow.bind(1, id);
        if (readRow.step()) {
            auto integer = [&](int column) { return readRow.isNull(column) ? 0 : digest(readRow.integer(column)); };
            auto text = [&](int column) { return digest(readRow.text(column)); };
            Digests local = {{integer(0), integer(1), text(2), text(3), integer(4), integer(5), integer(6), integer(7),
                              text(8), text(9), text(10), text(11)}};
            for (int i = 0; i < 12; i++)
                counts.conflicts += remote.fields[i] != base.fields[i] && local.fields[i] != base.fields[i]
                                 && remote.fields[i] != local.fields[i];
        }
        readRow.reset();
    }

    void write(const Issue &issue, const Digests &remote, uint64_t hash) {
        upsert.bind(1, issue.id);
        upsert.bind(2, issue.number);
        upsert.bind(3, issue.title);
        upsert.bind(4, issue.state);
        upsert.bind(5, static_cast<int64_t>(issue.isLocked));
        upsert.bind(6, issue.comments);
        upsert.bind(7, issue.userID);
        issue.hasMilestone ? upsert.bind(8, issue.milestoneID) : upsert.bindNull(8);
        upsert.bind(9, issue.createdAt);
        upsert.bind(10, issue.updatedAt);
        upsert.bind(11, issue.closedAt);
        upsert.bind(12, issue.body);
        upsert.run();
        writeBase.bind(1, issue.id);
        writeBase.bind(2, static_cast<int64_t>(hash));
        writeBase.bindBytes(3, remote.fields, sizeof remote.fields);
        writeBase.run();
    }

    bool writes;
    bool baseIsEmpty;
    Statement upsert, readRow, deleteRow, readBase, writeBase, deleteBase, listBase;
    std::vector<int64_t> seen;
};

void sync(const char *file, const char *store, bool writes) {
    Database database(store);
    database.execute("CREATE TABLE IF NOT EXISTS issues (id INTEGER PRIMARY KEY, number INTEGER, title TEXT, "
                     "state TEXT, locked INTEGER, comments INTEGER, user_id INTEGER, milestone_id INTEGER, "
                     "created_at TEXT, updated_at TEXT, closed_at TEXT, body TEXT) STRICT;"
                     "CREATE TABLE IF NOT EXISTS _base (id INTEGER PRIMARY KEY, hash INTEGER, fields BLOB) STRICT;"
                     "BEGIN");
    {
        Sync sync(database, writes);
        forEachRecord(file, [&](simdjson::ondemand::object object) { sync.merge(readIssue(object)); });
        sync.removeMissing();
        const Counts &counts = sync.counts;
        printf("unchanged %zu, changed %zu, inserted %zu, deleted %zu, conflicts %zu\n", counts.unchanged,
               counts.changed, counts.inserted, counts.deleted, counts.conflicts);
    }
    database.execute("COMMIT");
}

void edit(const char *store) {
    Database database(store);
    database.execute("UPDATE issues SET title = title || ' (edited)' WHERE rowid % 100 = 7");
}

/// The same for any store that has the table: what two programs wrote is equal if and, but for chance, only if their
/// lines are equal.
void check(const char *store) {
    Database database(store);
    Statement rows(database, "SELECT id, number, title, state, locked, comments, user_id, milestone_id, created_at, "
                             "updated_at, closed_at, body FROM issues");
    size_t count = 0;
    uint64_t sum = 0;
    while (rows.step()) {
        uint64_t row = 0;
        for (int column = 0; column < 12; column++) {
            bool isText = rows.isText(column);
            uint64_t value = rows.isNull(column) ? 0
                           : isText              ? hashing::hash(rows.text(column))
                                                 : hashing::hash(rows.integer(column));
            row = hashing::fold(row ^ hashing::seeds[column % 4], value + static_cast<uint64_t>(column) + isText);
        }
        count++;
        sum += row;
    }
    printf("%zu %016llx\n", count, static_cast<unsigned long long>(sum));
}
} // namespace

int main(int count, char **arguments) try {
    string_view command = count > 1 ? arguments[1] : "";
    if (command == "sync" && count == 4)
        sync(arguments[2], arguments[3], true);
    else if (command == "dry" && count == 4)
        sync(arguments[2], arguments[3], false);
    else if (command == "edit" && count == 3)
        edit(arguments[2]);
    else if (command == "check" && count == 3)
        check(arguments[2]);
    else {
        fputs("usage: sluice-floor sync|dry FILE STORE | edit STORE | check STORE\n", stderr);
        return 64;
    }
    return 0;
} catch (const std::exception &error) {
    fail("the work stopped", error.what());
}
