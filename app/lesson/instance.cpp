#include "lesson/instance.h"

#include <algorithm>
#include <limits>
#include <span>

#include "base/sizes.h"
#include "lesson/array_entries.h"
#include "lesson/buffer_address.h"
#include "lesson/contents.h"
#include "lesson/data_file.h"
#include "lesson/element_type.h"
#include "lesson/expression.h"
#include "lesson/suggest.h"
#include "lesson/texture_entries.h"

namespace lanescope::lesson {

namespace {

constexpr std::size_t max_launches = 20'000;
constexpr std::uint64_t max_rounds = 100'000;
constexpr std::uint64_t max_shared_bytes = std::numeric_limits<std::uint32_t>::max();

void add_buffer_names(const BufferInstance& buffer, Names& names) {
    const bool matrix = buffer.extents.size() == 2;
    names[buffer.name + ".count"] = static_cast<std::int64_t>(buffer.count);
    names[buffer.name + ".width"] = static_cast<std::int64_t>(matrix ? buffer.extents[1] : buffer.count);
    names[buffer.name + ".height"] = static_cast<std::int64_t>(matrix ? buffer.extents[0] : 1);
}

// "14 TiB"
std::string readable(unsigned __int128 bytes) {
    constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = 0;
    while (bytes >= 10'240 && unit < 6) {
        bytes /= 1024;
        ++unit;
    }
    return std::to_string(static_cast<std::uint64_t>(bytes)) + " " + (bytes == 1 ? "byte" : units[unit]);
}

class Instantiation {
  public:
    Instantiation(const FrontMatter& front, const std::string& file, std::uint64_t max_bytes)
        : file_(file), max_bytes_(holdable(max_bytes)) {
        made_.front = front;
    }

    Result<Instance> run(const ParameterValues& overrides) {
        set_parameters(overrides);
        if (!problems_.empty()) return problems_;
        for (const Buffer& buffer : made_.front.buffers)
            if (!size_buffer(buffer)) return problems_;
        Result<std::vector<ShapeInstance>> shapes = shapes_of(made_.front.drawing, names_, file_);
        if (!shapes) return shapes.diagnostics();
        made_.shapes.insert(made_.shapes.end(), shapes->begin(), shapes->end());
        const std::span<const LaunchSpec> launches = made_.front.launches;
        for (std::size_t first = 0, end = 0; first < launches.size(); first = end) {
            for (end = first + 1; end < launches.size() && launches[end].together;)
                ++end;
            if (!expand_launches(launches.subspan(first, end - first))) return problems_;
        }
        for (std::size_t i = 0; i < made_.buffers.size(); ++i) {
            const auto filled = fill(made_.front.buffers[i], names_, file_, made_.buffers[i]);
            if (!filled) return filled.diagnostics();
            if (!made_.front.buffers[i].addresses.empty() &&
                !fill_addresses(made_.front.buffers[i], made_.buffers[i]))
                return problems_;
        }
        return std::move(made_);
    }

  private:
    bool fail(int line, int column, std::string message, std::string hint = {}) {
        problems_.push_back(error_at(file_, line, column, std::move(message), std::move(hint)));
        return false;
    }
    bool fail(const Expression& place, std::string message, std::string hint = {}) {
        return fail(place.line, place.column, std::move(message), std::move(hint));
    }
    bool fail(const Diagnostics& more) {
        problems_.insert(problems_.end(), more.begin(), more.end());
        return false;
    }

    void set_parameters(const ParameterValues& overrides) {
        std::vector<std::string> known;
        for (const Parameter& parameter : made_.front.parameters) {
            known.push_back(parameter.name);
            const auto given = overrides.find(parameter.name);
            const std::int64_t value = given == overrides.end() ? parameter.default_value : given->second;
            if (const std::string why = why_not(parameter, value); !why.empty())
                fail(parameter.line, 0, "parameter '" + parameter.name + "': " + why);
            made_.parameters[parameter.name] = value;
            names_[parameter.name] = value;
        }
        for (const auto& [name, value] : overrides)
            if (std::find(known.begin(), known.end(), name) == known.end())
                fail(0, 0, "unknown parameter '" + name + "'",
                     known.empty() ? "the file has no parameters" : suggestion(name, known));
    }

    bool number(const Expression& expression, std::int64_t& value) {
        const auto result = evaluate(expression, names_, file_);
        if (!result) return fail(result.diagnostics());
        value = *result;
        return true;
    }

    bool size_buffer(const Buffer& buffer) {
        const auto type = element_type(buffer.type);
        if (!type) return fail(buffer.line, 0, "unknown buffer type '" + buffer.type + "'");
        BufferInstance sized;
        sized.name = buffer.name;
        sized.type = buffer.type;
        sized.element_bytes = type->bytes();
        sized.space = buffer.space;
        sized.text = !buffer.text.empty();
        if (!measure(buffer, *type, sized)) return false;
        if (!buffer.image.empty() && !measure_image(buffer, *type, sized)) return false;
        if (!buffer.file.empty() && !measure_data(buffer, sized)) return false;
        sized.count = 1;
        for (const std::uint64_t extent : sized.extents)
            sized.count = extent != 0 && sized.count > (std::uint64_t{1} << 62) / extent
                              ? std::uint64_t{1} << 62
                              : sized.count * extent;
        const auto bytes = static_cast<unsigned __int128>(sized.count) * sized.element_bytes;
        if (bytes > max_bytes_ - total_bytes_)
            return fail(buffer.shape.empty() ? buffer.count.line : buffer.shape[0].line,
                        buffer.shape.empty() ? buffer.count.column : buffer.shape[0].column,
                        "the buffer '" + buffer.name + "' needs " + readable(bytes),
                        total_bytes_ == 0 ? "at most " + readable(max_bytes_) + " are allowed"
                                          : readable(max_bytes_ - total_bytes_) + " are left");
        total_bytes_ += static_cast<std::uint64_t>(bytes);
        add_buffer_names(sized, names_);
        if (sized.extents.size() > 1) made_.shapes.push_back({sized.name, sized.extents, {}, {}, {}, {}});
        made_.buffers.push_back(std::move(sized));
        return true;
    }

    // Sets the extents from `count` or `shape`, or from the length of `values` or `text`.
    bool measure(const Buffer& buffer, const ElementType& type, BufferInstance& sized) {
        std::vector<Expression> sizes = buffer.shape;
        if (sizes.empty() && !buffer.count.text.empty()) sizes.push_back(buffer.count);
        for (const Expression& expression : sizes) {
            std::int64_t size = 0;
            if (!number(expression, size)) return false;
            if (size < 0)
                return fail(expression,
                            "the buffer '" + buffer.name + "' has " + std::to_string(size) + " elements",
                            "expected 0 or more");
            sized.extents.push_back(static_cast<std::uint64_t>(size));
        }
        if (!sizes.empty()) return true;
        if (!buffer.values.empty() && buffer.values.size() % type.components != 0)
            return fail(buffer.line, 0,
                        "the values of '" + buffer.name + "' do not form whole elements of " + buffer.type);
        if (buffer.image.empty() && buffer.file.empty())
            sized.extents.push_back(!buffer.addresses.empty() ? buffer.addresses.size()
                                    : buffer.values.empty()   ? buffer.text.size()
                                                              : buffer.values.size() / type.components);
        return true;
    }

    bool measure_data(const Buffer& buffer, BufferInstance& sized) {
        const auto there = data_extents(buffer, file_);
        if (!there) return fail(there.diagnostics());
        const auto text_of = [](const std::vector<std::uint64_t>& extents) {
            return extents.size() == 1
                       ? std::to_string(extents[0]) + " elements"
                       : std::to_string(extents[0]) + " rows of " + std::to_string(extents[1]);
        };
        const auto product = [](const std::vector<std::uint64_t>& extents) {
            unsigned __int128 elements = 1;
            for (const std::uint64_t extent : extents)
                elements *= extent;
            return elements;
        };
        if (sized.extents.empty()) {
            sized.extents = *there;
            return true;
        }
        // A flat file or buffer has no shape that could differ.
        const bool same_shape = sized.extents == *there || sized.extents.size() == 1 || there->size() == 1;
        if (same_shape && product(sized.extents) == product(*there)) return true;
        return fail(buffer.line, 0,
                    "'" + buffer.file + "' has " + text_of(*there) + ", but the buffer '" + buffer.name +
                        "' has " + text_of(sized.extents),
                    "remove 'shape' and 'count' to use the file's size");
    }

    bool measure_image(const Buffer& buffer, const ElementType& type, BufferInstance& sized) {
        if (!type.floating() && !holds({type.kind, type.scalar_bytes, 1}, 255))
            return fail(buffer.line, 0, "pixels do not fit into " + buffer.type,
                        "expected uchar or a wider type");
        const auto image = image_extents(buffer, file_);
        if (!image) return fail(image.diagnostics());
        const std::vector<std::uint64_t> extents(image->begin(), image->end());
        const bool fits = sized.extents.empty() || sized.extents == extents ||
                          (sized.extents.size() == 1 && sized.extents[0] == extents[0] * extents[1]);
        sized.extents = extents;
        return fits || fail(buffer.line, 0,
                            "'" + buffer.image + "' has " + std::to_string(extents[0]) + " rows of " +
                                std::to_string(extents[1]) + " pixels, but the buffer '" + buffer.name +
                                "' has another size",
                            "remove 'shape' and 'count' to use the image's size");
    }

    using LaunchGroup = std::span<const LaunchSpec>;  // the first one's repetition repeats them together

    bool expand_launches(LaunchGroup group) {
        return group[0].repeat.text.empty() ? add_launches(group) : repeat_launches(group, 0);
    }

    bool add_launches(LaunchGroup group) {
        return std::all_of(group.begin(), group.end(),
                           [&](const LaunchSpec& spec) { return add_launch(spec); });
    }

    // `depth`: 0 for the repetition itself, 1 for the one in its rounds, …
    bool repeat_launches(LaunchGroup group, std::size_t depth) {
        const LaunchSpec& spec = group[0];
        const auto repeat = parse_repeat(depth == 0 ? spec.repeat : spec.inner[depth - 1], file_);
        if (!repeat) return fail(repeat.diagnostics());
        const Names outer = names_;
        std::int64_t value = 0, more = 0;
        if (!number(repeat->first, value)) return false;
        for (;;) {
            names_[repeat->name] = value;
            if (!number(repeat->condition, more)) return false;
            if (more == 0) break;
            if (++rounds_ > max_rounds)
                return fail(spec.repeat, "more than 100000 rounds", "does the repetition end?");
            const bool added =
                depth < spec.inner.size() ? repeat_launches(group, depth + 1) : add_launches(group);
            if (!added || !number(repeat->next, value)) return false;
        }
        names_ = outer;
        return true;
    }

    bool add_launch(const LaunchSpec& spec) {
        if (made_.launches.size() == max_launches)
            return fail(spec.repeat.line ? spec.repeat.line : spec.line, spec.repeat.column,
                        "more than " + std::to_string(max_launches) + " launches",
                        "does the repetition end?");
        LaunchInstance launch;
        launch.kernel = spec.kernel;
        launch.cooperative = spec.cooperative;
        launch.line = spec.line;
        if (!dimensions(spec.grid, "grid", launch.grid) || !dimensions(spec.block, "block", launch.block))
            return false;
        std::int64_t shared = 0;
        if (!spec.shared.text.empty() && !number(spec.shared, shared)) return false;
        if (shared < 0 || static_cast<std::uint64_t>(shared) > max_shared_bytes)
            return fail(spec.shared, std::to_string(shared) + " bytes of shared memory",
                        "expected 0 to 2^32 - 1");
        launch.shared_bytes = static_cast<std::uint64_t>(shared);
        std::int64_t resident = 0;
        if (!spec.resident.text.empty() && !number(spec.resident, resident)) return false;
        if (resident < 0 || resident > std::numeric_limits<std::uint32_t>::max())
            return fail(spec.resident, std::to_string(resident) + " resident blocks",
                        "expected 1 or more, or 0 for no limit");
        launch.resident_blocks = static_cast<std::uint32_t>(resident);
        for (const Expression& argument : spec.args)
            if (!add_argument(argument, launch)) return false;
        made_.launches.push_back(std::move(launch));
        return true;
    }

    bool dimensions(const std::vector<Expression>& sizes, const char* what,
                    std::array<std::uint32_t, 3>& into) {
        for (std::size_t i = 0; i < sizes.size() && i < 3; ++i) {
            std::int64_t size = 0;
            if (!number(sizes[i], size)) return false;
            if (size < 1)
                return fail(sizes[i], "the " + std::string(what) + " is " + std::to_string(size),
                            "a launch needs at least 1, as in max(1, ceil_div(n, block))");
            if (size > std::numeric_limits<std::uint32_t>::max())
                return fail(sizes[i], "the " + std::string(what) + " is " + std::to_string(size),
                            "expected less than 2^32");
            into[i] = static_cast<std::uint32_t>(size);
        }
        return true;
    }

    bool is_buffer(const std::string& name) const {
        return std::any_of(made_.buffers.begin(), made_.buffers.end(),
                           [&](const BufferInstance& buffer) { return buffer.name == name; });
    }

    // The engine knows the addresses; numbers are known now. `i` is the element's index.
    bool fill_addresses(const Buffer& buffer, BufferInstance& made) {
        constexpr std::uint64_t most = 1'000'000;
        const ElementType type = *element_type(made.type);
        if (made.count > most)
            return fail(buffer.line, 0, "'" + buffer.name + "' has more than 1000000 addresses");
        const Names outer = names_;
        for (std::uint64_t i = 0; i < made.count; ++i) {
            const Expression& source = buffer.addresses[i % buffer.addresses.size()];
            if (!outer.contains("i")) names_["i"] = static_cast<std::int64_t>(i);
            std::int64_t integer = 0;
            const auto text = address_text(source, [&](const std::string& name) { return is_buffer(name); });
            if (!text) {
                if (!number(source, integer)) return false;
                store_integer(made.contents, type, i, static_cast<std::uint64_t>(integer));
                continue;
            }
            const auto address = buffer_address(*text, made_.buffers, names_, file_);
            if (!address) return fail(address.diagnostics());
            made.addresses[i * made.element_bytes] = *address;
        }
        names_ = outer;
        return true;
    }

    bool add_argument(const Expression& source, LaunchInstance& launch) {
        if (const auto choice =
                address_choice(source, [&](const std::string& name) { return is_buffer(name); })) {
            std::int64_t condition = 0;
            return number(choice->condition, condition) &&
                   add_argument(condition != 0 ? choice->yes : choice->no, launch);
        }
        Argument argument;
        if (is_texture(made_.front, source.text)) {
            argument.is_buffer = true;
            argument.address.buffer = source.text;
        } else if (const auto text =
                       address_text(source, [&](const std::string& name) { return is_buffer(name); })) {
            const auto address = buffer_address(*text, made_.buffers, names_, file_);
            if (!address) return fail(address.diagnostics());
            argument.is_buffer = true;
            argument.address = *address;
        } else if (const auto real = real_literal(source.text)) {
            argument.is_real = true;
            argument.real = *real;
        } else {
            if (!number(source, argument.integer)) return false;
            argument.real = static_cast<double>(argument.integer);
        }
        launch.arguments.push_back(std::move(argument));
        return true;
    }

    std::string file_;
    std::uint64_t max_bytes_, total_bytes_ = 0;
    std::uint64_t rounds_ = 0;  // of all repetitions
    Instance made_;
    Names names_;
    Diagnostics problems_;
};

}  // namespace

std::string why_not(const Parameter& parameter, std::int64_t value) {
    const std::string number = std::to_string(value);
    if (parameter.min && value < *parameter.min)
        return number + " is below its minimum " + std::to_string(*parameter.min);
    if (parameter.max && value > *parameter.max)
        return number + " is above its maximum " + std::to_string(*parameter.max);
    if (parameter.choices.empty()) return {};
    std::string list;
    for (const std::int64_t choice : parameter.choices) {
        if (choice == value) return {};
        list += (list.empty() ? "" : ", ") + std::to_string(choice);
    }
    return number + " is not one of its choices " + list;
}

Result<Instance> instantiate(const FrontMatter& front, const ParameterValues& overrides,
                             const std::string& file, std::uint64_t max_bytes) {
    return Instantiation(front, file, max_bytes).run(overrides);
}

Names names_of(const Instance& instance) {
    Names names;
    for (const auto& [name, value] : instance.parameters)
        names[name] = value;
    for (const BufferInstance& buffer : instance.buffers)
        add_buffer_names(buffer, names);
    return names;
}

Result<std::pair<std::string, std::int64_t>> parse_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string hint = "expected NAME=VALUE, as in n=1024 or n=2^20";
    const std::string padded = text.substr(0, equals);
    const std::string name = padded.substr(0, padded.find_last_not_of(' ') + 1);
    if (equals == std::string::npos || !is_identifier(name))
        return error("'" + text + "' is not a setting", hint);
    const auto value = setting_value(std::string_view(text).substr(equals + 1));
    if (!value) return error("'" + text + "': " + value.diagnostics().front().message, hint);
    return std::pair{name, *value};
}

}  // namespace lanescope::lesson
