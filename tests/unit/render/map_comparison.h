// Compares the map of threads that the CPU computes with that of the shaders, at many times and zooms.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "render/framebuffer.h"
#include "render/map_on_cpu.h"
#include "render/thread_map.h"

namespace lanescope::render {

struct MapTables {
    std::vector<CodePoint> code;
    std::vector<std::uint64_t> clock_offsets;
    std::vector<std::vector<WatchedRegister>> watched;
};

struct MapZoom {
    float cell = 1, x = 0, y = 0;
    std::uint32_t columns = 1;
};

class MapComparison {
  public:
    MapComparison(MapRecords records, const MapTables& tables) : records_(records) {
        auto map = ThreadMap::create();
        auto streams = StreamBuffer::upload(records.shape, std::as_bytes(records.records), records.counts);
        if (!map || !streams) {
            ADD_FAILURE() << "no map of the shaders";
            return;
        }
        map_.emplace(std::move(*map)), streams_ = std::move(*streams);
        EXPECT_TRUE(map_->set_code(tables.code) && map_->set_clock_offsets(tables.clock_offsets) &&
                    map_->set_watched(tables.watched));
        cpu_.set_code(tables.code), cpu_.set_clock_offsets(tables.clock_offsets);
        cpu_.set_watched(tables.watched);
        range_ = map_->range(streams_);
        const ValueRange range = cpu_.range(records_);
        EXPECT_EQ(range.any, range_.any);
        EXPECT_EQ(range.least, range_.least);
        EXPECT_EQ(range.greatest, range_.greatest);
    }

    // The states, the tally and a picture.
    void at(std::uint64_t time, const MapZoom& zoom, ColourBy by) {
        if (!map_) return;
        ASSERT_TRUE(map_->update(streams_, time));
        cpu_.update(records_, time);
        const Tally expected = map_->tally();
        ASSERT_EQ(cpu_.tally().states, expected.states) << "at " << time;
        ASSERT_EQ(cpu_.tally().lines, expected.lines) << "at " << time;
        for (std::uint32_t slot = 0; slot < records_.shape.threads(); slot += 1 + slot / 8)
            compare_thread(slot, time);
        compare_picture(zoom, by, time);
    }
    Tally tally() const { return cpu_.tally(); }

  private:
    static constexpr int width = 211, height = 97;

    void compare_thread(std::uint32_t slot, std::uint64_t time) {
        const ThreadNow expected = map_->thread(slot), now = cpu_.thread(slot);
        ASSERT_TRUE(now.state == expected.state && now.pc == expected.pc &&
                    now.has_value == expected.has_value && now.type == expected.type &&
                    now.bits == expected.bits)
            << "slot " << slot << " at " << time << ": state " << int(now.state) << " and not "
            << int(expected.state) << ", pc " << now.pc << " and not " << expected.pc;
    }

    // Processors round the last bit of a mixed colour in different ways.
    void compare_picture(const MapZoom& zoom, ColourBy by, std::uint64_t time) {
        MapPicture picture;
        picture.width = width, picture.height = height;
        picture.cell = zoom.cell, picture.origin_x = zoom.x, picture.origin_y = zoom.y;
        picture.columns = zoom.columns, picture.gap = 3;
        picture.colour_by = by, picture.range = range_;
        for (std::uint32_t i = 0; i < thread_states; ++i)
            picture.state_colours[i] = 0xff000000u | (i * 0x1d2b37u + 0x101820u);
        picture.scale_colours = {0xffff2010u, 0xff20a030u, 0xff8080f0u, 0xff10c0c0u, 0xffffffffu};
        picture.unset_colour = 0xff303030u;
        auto target = Framebuffer::create(width, height);
        ASSERT_TRUE(target);
        target->bind();
        map_->draw(streams_, picture);
        const auto expected = target->read();
        ASSERT_TRUE(expected);
        std::vector<std::uint32_t> pixels(std::size_t{width} * height);
        cpu_.draw(picture, pixels);
        const auto channel = [&](std::size_t i) { return int(pixels[i / 4] >> (8 * (i % 4)) & 255); };
        std::size_t drawn = 0, worst = 0;
        int most = 0;
        for (std::size_t i = 0; i < expected->samples.size(); ++i) {
            drawn += channel(i) != 0 ? 1 : 0;
            const int difference = std::abs(channel(i) - int(expected->samples[i]));
            if (difference > most) most = difference, worst = i;
        }
        ASSERT_LE(most, 1) << "pixel " << worst / 4 % width << ", " << worst / 4 / width << ", channel "
                           << worst % 4 << ": " << channel(worst) << " and not " << expected->samples[worst]
                           << "; cell " << zoom.cell << " px, coloured by " << int(by) << ", at " << time;
        ASSERT_GT(drawn, 0u) << "an empty picture";
    }

    MapRecords records_;
    std::optional<ThreadMap> map_;
    StreamBuffer streams_;
    MapOnCpu cpu_;
    ValueRange range_;
};

}  // namespace lanescope::render
