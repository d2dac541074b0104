#include "cudart/check/stream_order.h"

#include <gtest/gtest.h>

#include "cudart/check/touched.h"

namespace lanescope::cudart {
namespace stream_order_test {

Touched of(TouchKind kind, std::uint64_t address, std::uint64_t bytes) {
    Touched made;
    made.add(kind, address, bytes);
    return made;
}

TEST(Touched, collides_where_one_writes) {
    const Touched write = of(TouchKind::write, 100, 10), read = of(TouchKind::read, 109, 1);
    ASSERT_TRUE(write.collision(read));
    EXPECT_EQ(write.collision(read)->address, 109u);
    EXPECT_FALSE(read.collision(read));
    EXPECT_FALSE(write.collision(of(TouchKind::read, 110, 5))) << "the next byte";
    EXPECT_FALSE(of(TouchKind::strong, 0, 4).collision(of(TouchKind::strong, 0, 4)));
    EXPECT_TRUE(of(TouchKind::strong, 0, 4).collision(read) == std::nullopt);
    EXPECT_TRUE(of(TouchKind::strong, 108, 4).collision(read));
}

TEST(Touched, many_pieces_are_exact) {
    Touched even, odd, all;
    for (std::uint64_t i = 0; i < 1000; i += 2) {
        even.add(TouchKind::write, 4096 + i * 4, 4);
        odd.add(TouchKind::write, 4096 + i * 4 + 4, 4);
    }
    all.add(TouchKind::read, 4096 + 999 * 4, 4);
    EXPECT_FALSE(even.collision(odd));
    EXPECT_FALSE(even.collision(all));
    EXPECT_TRUE(odd.collision(all));
    EXPECT_TRUE(all.collision(odd));
}

class Order : public testing::Test {
  protected:
    void SetUp() override {
        order.create_stream(1, true);
        order.create_stream(2, true);
        order.create_stream(3, false);
    }
    bool write(std::uint64_t stream) {
        return order.submit(stream, number++, of(TouchKind::write, 64, 4)).has_value();
    }
    StreamOrder order;
    std::uint64_t number = 0;
};

TEST_F(Order, two_streams_overlap) {
    EXPECT_FALSE(write(1));
    EXPECT_FALSE(write(1)) << "one stream is in order";
    EXPECT_TRUE(write(2));
}

TEST_F(Order, an_event_orders_what_was_before_it) {
    write(1);
    order.record_event(7, 1);
    order.wait_for_event(7, 2);
    EXPECT_FALSE(write(2));
    write(1);
    EXPECT_TRUE(write(2)) << "after the event";
}

TEST_F(Order, the_default_stream_waits_for_blocking_ones) {
    write(1);
    EXPECT_FALSE(write(0));
    EXPECT_FALSE(write(2)) << "blocking streams wait for the default one";
    EXPECT_TRUE(write(3)) << "a non-blocking one does not";
}

TEST_F(Order, what_the_host_waited_for_is_done) {
    write(1);
    order.wait_for_stream(1);
    EXPECT_FALSE(write(2));
    order.record_event(5, 2);
    order.wait_for_event(5);
    EXPECT_FALSE(write(3));
    order.wait_for_device();
    EXPECT_FALSE(write(1));
    EXPECT_TRUE(write(3));
}

}  // namespace stream_order_test
}  // namespace lanescope::cudart
