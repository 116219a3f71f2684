// The floor of the related job: issues with all their columns, users, labels and milestones in tables of their own, and
// a table of links, kept in step with nothing but simdjson and SQLite. Its base is a 64-bit hash and nineteen 32-bit
// digests per issue; a parent is compared with its row once per content and run. The tables are those that Sluice makes,
// with the same deferred foreign keys and an index for each: they cost the first import about half of its time.
//
//   sluice-related-floor sync FILE STORE     merges the records of FILE, one per line, into STORE
//   sluice-related-floor dry FILE STORE      the same comparison without a write
//   sluice-related-floor check STORE         the number of issues and a checksum of all tables
#include "Related.hpp"
#include <algorithm>
#include <exception>
#include <string>
#include <unordered_map>
#include <vector>

namespace {
const char *const tables =
    "CREATE TABLE IF NOT EXISTS users (id INTEGER PRIMARY KEY, login TEXT, url TEXT, type TEXT) STRICT;"
    "CREATE TABLE IF NOT EXISTS labels (id INTEGER PRIMARY KEY, name TEXT, color TEXT) STRICT;"
    "CREATE TABLE IF NOT EXISTS milestones (id INTEGER PRIMARY KEY, number INTEGER, title TEXT, state TEXT, "
    "due_on TEXT) STRICT;"
    "CREATE TABLE IF NOT EXISTS issues (id INTEGER PRIMARY KEY, node_id TEXT, number INTEGER, html_url TEXT, "
    "title TEXT, state TEXT, state_reason TEXT, locked INTEGER, comments INTEGER, reactions INTEGER, score REAL, "
    "user_id INTEGER REFERENCES users (id) DEFERRABLE INITIALLY DEFERRED, "
    "milestone_id INTEGER REFERENCES milestones (id) DEFERRABLE INITIALLY DEFERRED, author_association TEXT, "
    "created_at TEXT, updated_at TEXT, closed_at TEXT, body TEXT) STRICT;"
    "CREATE INDEX IF NOT EXISTS issues_user_id ON issues (user_id);"
    "CREATE INDEX IF NOT EXISTS issues_milestone_id ON issues (milestone_id);"
    "CREATE TABLE IF NOT EXISTS issue_labels ("
    "issue_id INTEGER REFERENCES issues (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED, "
    "label_id INTEGER REFERENCES labels (id) DEFERRABLE INITIALLY DEFERRED, PRIMARY KEY (issue_id, label_id)) "
    "WITHOUT ROWID, STRICT;"
    "CREATE INDEX IF NOT EXISTS issue_labels_label_id ON issue_labels (label_id);"
    "CREATE TABLE IF NOT EXISTS _base (id INTEGER PRIMARY KEY, hash INTEGER, fields BLOB) STRICT";

/// One table that many issues lead to.
class Parents {
public:
    Parents(Database &database, const char *select, const char *upsert, int textCount, bool hasNumber)
        : select(database, select), upsert(database, upsert), textCount(textCount), hasNumber(hasNumber) {}

    /// Brings a row up to date unless the same was said of it before.
    void take(const Parent &parent, bool writes) {
        uint64_t hash = parent.hash();
        auto [known, isNew] = met.try_emplace(parent.id, hash);
        if (!isNew && known->second == hash) return;
        known->second = hash;
        select.bind(1, parent.id);
        bool isEqual = select.step();
        int column = 0;
        if (isEqual && hasNumber) isEqual = select.integer(column++) == parent.number;
        for (int i = 0; isEqual && i < textCount; i++) isEqual = select.text(column++) == parent.texts[i];
        select.reset();
        if (isEqual || !writes) return;
        int index = 1;
        upsert.bind(index++, parent.id);
        if (hasNumber) upsert.bind(index++, parent.number);
        for (int i = 0; i < textCount; i++) upsert.bind(index++, parent.texts[i]);
        upsert.run();
    }

private:
    Statement select, upsert;
    int textCount;
    bool hasNumber;
    std::unordered_map<int64_t, uint64_t> met;
};

class Sync {
public:
    Sync(Database &database, bool writes)
        : writes(writes),
          users(database, "SELECT login, url, type FROM users WHERE id = ?1",
                "INSERT INTO users VALUES (?1,?2,?3,?4) ON CONFLICT (id) DO UPDATE SET login=?2,url=?3,type=?4", 3,
                false),
          labels(database, "SELECT name, color FROM labels WHERE id = ?1",
                 "INSERT INTO labels VALUES (?1,?2,?3) ON CONFLICT (id) DO UPDATE SET name=?2,color=?3", 2, false),
          milestones(database, "SELECT number, title, state, due_on FROM milestones WHERE id = ?1",
                     "INSERT INTO milestones VALUES (?1,?2,?3,?4,?5) ON CONFLICT (id) DO UPDATE SET "
                     "number=?2,title=?3,state=?4,due_on=?5",
                     3, true),
          upsert(database,
                 "INSERT INTO issues VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18) "
                 "ON CONFLICT (id) DO UPDATE SET node_id=?2,number=?3,html_url=?4,title=?5,state=?6,state_reason=?7,"
                 "locked=?8,comments=?9,reactions=?10,score=?11,user_id=?12,milestone_id=?13,author_association=?14,"
                 "created_at=?15,updated_at=?16,closed_at=?17,body=?18"),
          readRow(database, "SELECT * FROM issues WHERE id = ?1"),
          deleteRow(database, "DELETE FROM issues WHERE id = ?1"),
          readLinks(database, "SELECT label_id FROM issue_labels WHERE issue_id = ?1"),
          addLink(database, "INSERT INTO issue_labels VALUES (?1, ?2)"),
          deleteLinks(database, "DELETE FROM issue_labels WHERE issue_id = ?1"),
          readBase(database, "SELECT hash, fields FROM _base WHERE id = ?1"),
          writeBase(database, "INSERT OR REPLACE INTO _base VALUES (?1, ?2, ?3)"),
          deleteBase(database, "DELETE FROM _base WHERE id = ?1"),
          listBase(database, "SELECT id FROM _base ORDER BY id") {
        baseIsEmpty = !listBase.step();
        listBase.reset();
    }

    void merge(const RelatedIssue &issue) {
        seen.push_back(issue.id);
        users.take(issue.user, writes);
        if (issue.hasMilestone) milestones.take(issue.milestone, writes);
        for (int i = 0; i < issue.labelCount; i++) labels.take(issue.labels[i], writes);
        RelatedDigests remote = digests(issue);
        uint64_t hash = remote.hash();
        bool isKnown = false;
        if (!baseIsEmpty) {
            RelatedDigests base;
            readBase.bind(1, issue.id);
            isKnown = readBase.step();
            bool isEqual = isKnown && static_cast<uint64_t>(readBase.integer(0)) == hash;
            if (isKnown && !isEqual) memcpy(&base, readBase.bytes(1), sizeof base);
            readBase.reset();
            if (isEqual) {
                unchanged++;
                return;
            }
            if (isKnown) countConflicts(issue.id, base, remote);
        }
        isKnown ? changed++ : inserted++;
        if (writes) write(issue, remote, hash, isKnown);
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
        deleted = missing.size();
        if (!writes) return;
        for (int64_t id : missing)
            for (Statement *statement : {&deleteLinks, &deleteRow, &deleteBase}) {
                statement->bind(1, id);
                statement->run();
            }
    }

    size_t unchanged = 0, changed = 0, inserted = 0, deleted = 0, conflicts = 0;

private:
    void countConflicts(int64_t id, const RelatedDigests &base, const RelatedDigests &remote) {
        RelatedDigests local = {};
        readRow.bind(1, id);
        bool isThere = readRow.step();
        if (isThere) {
            for (int column = 0; column < 18; column++)
                local.fields[column] = readRow.isNull(column)   ? 0
                                     : readRow.isText(column)   ? digest(readRow.text(column))
                                     : readRow.isReal(column)   ? digest(readRow.real(column))
                                                                : digest(readRow.integer(column));
        }
        readRow.reset();
        if (!isThere) return;
        uint64_t links = 0;
        readLinks.bind(1, id);
        while (readLinks.step()) links += hashing::hash(readLinks.integer(0));
        readLinks.reset();
        local.fields[18] = digest(static_cast<int64_t>(links));
        for (int i = 0; i < RelatedDigests::count; i++)
            conflicts += remote.fields[i] != base.fields[i] && local.fields[i] != base.fields[i]
                      && remote.fields[i] != local.fields[i];
    }

    void write(const RelatedIssue &issue, const RelatedDigests &remote, uint64_t hash, bool isKnown) {
        int index = 1;
        upsert.bind(index++, issue.id);
        upsert.bind(index++, issue.node);
        upsert.bind(index++, issue.number);
        upsert.bind(index++, issue.url);
        upsert.bind(index++, issue.title);
        upsert.bind(index++, issue.state);
        upsert.bind(index++, issue.reason);
        upsert.bind(index++, static_cast<int64_t>(issue.isLocked));
        upsert.bind(index++, issue.comments);
        upsert.bind(index++, issue.reactions);
        upsert.bindReal(index++, issue.score);
        upsert.bind(index++, issue.user.id);
        issue.hasMilestone ? upsert.bind(index++, issue.milestone.id) : upsert.bindNull(index++);
        for (string_view text : {issue.association, issue.createdAt, issue.updatedAt, issue.closedAt, issue.body})
            upsert.bind(index++, text);
        upsert.run();
        if (isKnown) {
            deleteLinks.bind(1, issue.id);
            deleteLinks.run();
        }
        for (int i = 0; i < issue.labelCount; i++) {
            addLink.bind(1, issue.id);
            addLink.bind(2, issue.labels[i].id);
            addLink.run();
        }
        writeBase.bind(1, issue.id);
        writeBase.bind(2, static_cast<int64_t>(hash));
        writeBase.bindBytes(3, remote.fields, sizeof remote.fields);
        writeBase.run();
    }

    bool writes;
    bool baseIsEmpty;
    Parents users, labels, milestones;
    Statement upsert, readRow, deleteRow, readLinks, addLink, deleteLinks, readBase, writeBase, deleteBase, listBase;
    std::vector<int64_t> seen;
};

void sync(const char *file, const char *store, bool writes) {
    Database database(store);
    database.execute("PRAGMA foreign_keys=ON");
    database.execute(tables);
    database.execute("BEGIN");
    {
        Sync sync(database, writes);
        forEachRecord(file, [&](simdjson::ondemand::object object) { sync.merge(readRelatedIssue(object)); });
        sync.removeMissing();
        printf("unchanged %zu, changed %zu, inserted %zu, deleted %zu, conflicts %zu\n", sync.unchanged, sync.changed,
               sync.inserted, sync.deleted, sync.conflicts);
    }
    database.execute("COMMIT");
}

/// The same for any store with these tables: a sum over all rows, whatever their order.
void check(const char *store) {
    Database database(store);
    const std::pair<const char *, int> queries[] = {
        {"SELECT id, node_id, number, html_url, title, state, state_reason, locked, comments, reactions, score, user_id, "
         "milestone_id, author_association, created_at, updated_at, closed_at, body FROM issues",
         18},
        {"SELECT id, login, url, type FROM users", 4},
        {"SELECT id, name, color FROM labels", 3},
        {"SELECT id, number, title, state, due_on FROM milestones", 5},
        {"SELECT issue_id, label_id FROM issue_labels", 2},
    };
    size_t issues = 0;
    uint64_t sum = 0;
    for (auto &[query, columns] : queries) {
        Statement rows(database, query);
        while (rows.step()) {
            uint64_t row = static_cast<uint64_t>(columns);
            for (int column = 0; column < columns; column++) {
                uint64_t value = rows.isNull(column) ? 0
                               : rows.isText(column) ? hashing::hash(rows.text(column))
                               : rows.isReal(column) ? hashing::hash(static_cast<int64_t>(rows.real(column) * 1000))
                                                     : hashing::hash(rows.integer(column));
                row = hashing::fold(row ^ hashing::seeds[column % 4], value + static_cast<uint64_t>(column));
            }
            issues += columns == 18;
            sum += row;
        }
    }
    printf("%zu %016llx\n", issues, static_cast<unsigned long long>(sum));
}
} // namespace

int main(int count, char **arguments) try {
    string_view command = count > 1 ? arguments[1] : "";
    if (command == "sync" && count == 4)
        sync(arguments[2], arguments[3], true);
    else if (command == "dry" && count == 4)
        sync(arguments[2], arguments[3], false);
    else if (command == "check" && count == 3)
        check(arguments[2]);
    else {
        fputs("usage: sluice-related-floor sync|dry FILE STORE | check STORE\n", stderr);
        return 64;
    }
    return 0;
} catch (const std::exception &error) {
    fail("the work stopped", error.what());
}
