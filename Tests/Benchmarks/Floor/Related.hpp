#pragma once
#include "Issue.hpp"

/// What several issues share; text points into the parser's buffer.
struct Parent {
    int64_t id = 0, number = 0;
    string_view texts[3];
    uint64_t hash() const {
        uint64_t state = hashing::hash(number);
        for (string_view text : texts) state = hashing::fold(state ^ hashing::seeds[1], hashing::hash(text));
        return state;
    }
};

/// All of one record: eighteen columns, a user, a milestone or none, and labels.
struct RelatedIssue {
    static constexpr int maximumLabels = 16;

    int64_t id, number, comments, reactions;
    double score;
    bool isLocked, hasMilestone;
    string_view node, url, title, state, reason, association, createdAt, updatedAt, closedAt, body;
    Parent user, milestone, labels[maximumLabels];
    int labelCount = 0;
};

/// One digest per column and one for the labels, 0 for null.
struct RelatedDigests {
    static constexpr int count = 19;
    uint32_t fields[count];
    uint64_t hash() const { return hashing::hash(reinterpret_cast<const char *>(fields), sizeof fields); }
};

inline uint32_t digest(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return digest(bits);
}

inline RelatedDigests digests(const RelatedIssue &issue) {
    // In whatever order they come.
    uint64_t labels = 0;
    for (int i = 0; i < issue.labelCount; i++) labels += hashing::hash(issue.labels[i].id);
    return {{digest(issue.id), digest(issue.node), digest(issue.number), digest(issue.url), digest(issue.title),
             digest(issue.state), digest(issue.reason), digest(static_cast<int64_t>(issue.isLocked)),
             digest(issue.comments), digest(issue.reactions), digest(issue.score), digest(issue.user.id),
             issue.hasMilestone ? digest(issue.milestone.id) : 0, digest(issue.association), digest(issue.createdAt),
             digest(issue.updatedAt), digest(issue.closedAt), digest(issue.body),
             digest(static_cast<int64_t>(labels))}};
}

inline RelatedIssue readRelatedIssue(simdjson::ondemand::object object) {
    RelatedIssue issue;
    issue.id = object.find_field("id").get_int64();
    issue.node = readText(object, "node_id");
    issue.number = object.find_field("number").get_int64();
    issue.url = readText(object, "html_url");
    issue.title = readText(object, "title");
    issue.state = readText(object, "state");
    issue.reason = readOptionalText(object, "state_reason");
    issue.isLocked = object.find_field("locked").get_bool();
    issue.comments = object.find_field("comments").get_int64();
    issue.reactions = object.find_field("reactions").get_int64();
    issue.score = object.find_field("score").get_double();
    simdjson::ondemand::object user = object.find_field("user").get_object();
    issue.user.id = user.find_field("id").get_int64();
    issue.user.texts[0] = readText(user, "login");
    issue.user.texts[1] = readText(user, "url");
    issue.user.texts[2] = readText(user, "type");
    for (auto element : object.find_field("labels").get_array()) {
        if (issue.labelCount == RelatedIssue::maximumLabels) fail("a record", "it has more labels than were made");
        simdjson::ondemand::object object = element.get_object();
        Parent &label = issue.labels[issue.labelCount++];
        label.id = object.find_field("id").get_int64();
        label.texts[0] = readText(object, "name");
        label.texts[1] = readText(object, "color");
    }
    auto optionalMilestone = object.find_field("milestone");
    issue.hasMilestone = !optionalMilestone.is_null();
    if (issue.hasMilestone) {
        simdjson::ondemand::object milestone = optionalMilestone.get_object();
        issue.milestone.id = milestone.find_field("id").get_int64();
        issue.milestone.number = milestone.find_field("number").get_int64();
        issue.milestone.texts[0] = readText(milestone, "title");
        issue.milestone.texts[1] = readText(milestone, "state");
        issue.milestone.texts[2] = readText(milestone, "due_on");
    }
    issue.association = readText(object, "author_association");
    issue.createdAt = readText(object, "created_at");
    issue.updatedAt = readText(object, "updated_at");
    issue.closedAt = readOptionalText(object, "closed_at");
    issue.body = readOptionalText(object, "body");
    return issue;
}
