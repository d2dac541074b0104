// What the host submits and waits for, in the order of the program: events of the journal, and the check of
// the order of streams if request.json wants checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cudart/check/host_guard.h"
#include "cudart/check/stream_order.h"
#include "cudart/runtime/host_events.h"
#include "cudart/runtime/journal.h"

namespace lanescope::cudart {

class Device;

// Slices of rows of bytes, as copies and fills touch them.
struct Rows {
    std::uint64_t address = 0, width_bytes = 0, pitch_bytes = 0, count = 1;
    std::uint64_t slices = 1, slice_bytes = 0;
    std::uint64_t bytes() const { return width_bytes * count * slices; }
    std::uint64_t row(std::uint64_t number) const {
        return address + number / count * slice_bytes + number % count * pitch_bytes;
    }
};

class Timeline {
  public:
    explicit Timeline(Journal& journal);

    // The stream on which work runs; 0: the default one.
    std::uint64_t stream() const { return stream_; }
    // While this lives, work runs on this stream, and the host does not wait for it.
    class Submitted {
      public:
        Submitted(Timeline& timeline, std::uint64_t stream)
            : timeline_(timeline), stream_(timeline.stream_), submitted_(timeline.submitted_) {
            timeline.stream_ = stream;
            timeline.submitted_ = true;
        }
        ~Submitted() {
            timeline_.stream_ = stream_;
            timeline_.submitted_ = submitted_;
        }
        Submitted(const Submitted&) = delete;
        Submitted& operator=(const Submitted&) = delete;

      private:
        Timeline& timeline_;
        std::uint64_t stream_;
        bool submitted_;
    };

    bool checks() const { return order_.has_value(); }
    // Whether work can overlap with other work or with the host, so that what it touches must be known.
    bool checks_order() const { return order_ && (order_->several() || guard_.has_memory()); }
    // The host sees this memory, at the device's address.
    void share(std::uint64_t address, std::uint64_t bytes);
    // The host accesses memory that it does not see now; false: because of an error of the program, which
    // ends it.
    bool admit_host(const Device& device, std::uint64_t address, bool writes);

    void allocate(std::uint64_t buffer, std::uint64_t address, std::uint64_t bytes, const char* kind);
    void release(std::uint64_t buffer, std::uint64_t address, std::uint64_t bytes);
    // A launch has run.
    void launch(const Device& device, std::uint64_t number, std::uint64_t stream, Touched touched);
    void copy(const Device& device, const Rows& to, const Rows& from, const char* direction, double began_ms);
    void fill(const Device& device, const Rows& to, int value, double began_ms);
    void host_function(std::uint64_t stream);
    void launch_graph(std::uint64_t stream);

    void create_stream(std::uint64_t stream, unsigned flags, int priority);
    void destroy_stream(std::uint64_t stream);
    void record_event(std::uint64_t event, std::uint64_t stream);
    void wait_for_event(std::uint64_t event, std::uint64_t stream);
    // The host waits.
    void wait_for_device();
    void wait_for_stream(std::uint64_t stream);
    void wait_for_event(std::uint64_t event);

    Journal& journal() { return journal_; }

  private:
    struct Work {  // as a finding names it
        const char* what = "";
        std::int64_t launch = -1;
        std::uint64_t stream = 0;
        const char* function = "";
        nlohmann::ordered_json call;
    };
    static HostEnd end_of(const Device& device, const Rows& rows);
    static nlohmann::ordered_json json_of(const Work& work, TouchKind kind);
    void submit(const Device* device, Work work, Touched touched);
    void host_waited();
    // A copy to the host has elements of a buffer that nothing wrote.
    void note_unwritten(const Device& device, const Rows& from);
    // Adds rows in the device's memory or in page-locked memory of the host; leaves out other rows.
    void touch(const Device& device, Touched& touched, TouchKind kind, const Rows& rows);

    Journal& journal_;
    HostEvents events_{journal_};
    std::uint64_t stream_ = 0;
    bool submitted_ = false;
    std::optional<StreamOrder> order_;  // if checks are wanted
    std::vector<Work> work_;            // since its order counts
    bool told_ = false;                 // that work was forgotten
    HostGuard guard_;
};

}  // namespace lanescope::cudart
