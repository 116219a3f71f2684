#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace sluice {

/// Memory that grows and is used again; a failed growth is a value, not an exception.
template <typename Element>
class Buffer {
public:
    Buffer() noexcept = default;
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() noexcept { std::free(elements_); }

    Element *data() noexcept { return elements_; }
    const Element *data() const noexcept { return elements_; }
    Element &operator[](size_t index) noexcept { return elements_[index]; }
    const Element &operator[](size_t index) const noexcept { return elements_[index]; }

    /// Makes room for `count` elements; `kept` of the present ones survive.
    bool reserve(size_t count, size_t kept = 0) noexcept {
        if (count <= capacity_) return true;
        size_t wanted = count < 64 ? 64 : count + count / 2;
        if (wanted > std::numeric_limits<size_t>::max() / sizeof(Element)) return false;
        auto *grown = static_cast<Element *>(std::malloc(wanted * sizeof(Element)));
        if (grown == nullptr) return false;
        if (kept > 0) std::memcpy(grown, elements_, kept * sizeof(Element));
        std::free(elements_);
        elements_ = grown;
        capacity_ = wanted;
        return true;
    }

private:
    Element *elements_ = nullptr;
    size_t capacity_ = 0;
};

}  // namespace sluice
