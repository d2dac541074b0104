#include "preview/run/run.h"

#include <algorithm>
#include <cmath>

#include "base/folders.h"
#include "lesson/parallel.h"
#include "preview/run/cpu_code.h"
#include "trace/recorder.h"

namespace lanescope::preview {

namespace {

// For the machines of all passes at a time, with the copies that they make to run on several cores.
constexpr std::uint64_t max_bytes_together = 2ull << 30;
constexpr std::uint64_t pixels_of_a_portion = 1u << 19;
constexpr std::uint64_t max_portions = 8;

std::uint64_t block_rows(const trace::Dim3& grid) {
    return grid.y > 1 ? grid.y : grid.x;
}
std::uint64_t blocks_in_row(const trace::Dim3& grid) {
    return grid.y > 1 ? grid.x : 1;
}

}  // namespace

std::vector<std::string> kernels_to_choose_from() {
    return {(resource_folder() / "kernels" / "convolution" / "tiled_2d.cu").string(),
            (resource_folder() / "assets" / "preview" / "any_mask.cu").string()};
}

Result<std::shared_ptr<const KernelFile>> choose_kernel(const std::vector<std::string>& paths,
                                                        const Request& request) {
    Diagnostics why{error("no kernel file was given")};
    for (const std::string& path : paths) {
        Result<KernelFile> kernel = read_kernel(path);
        if (!kernel) {
            why = kernel.diagnostics();
            continue;
        }
        std::uint32_t margin = 0;
        for (const Mask& mask : request.filter.masks)
            margin = std::max({margin, mask.rows / 2, mask.columns / 2});
        if (request.border == Border::zero) margin = 0;
        const Plane plane{request.image->height + 2ull * margin, request.image->width + 2ull * margin,
                          request.image->max_level()};
        bool takes = true;
        for (const Mask& mask : request.filter.masks)
            if (const Result<Fit> fitted = fit(*kernel, plane, mask, request.settings); !fitted) {
                takes = false;
                why = fitted.diagnostics();
            }
        if (takes) return std::make_shared<const KernelFile>(std::move(*kernel));
    }
    return why;
}

Run::Run(Request request) : request_(std::move(request)) {
    const image::Image& image = *request_.image;
    if (request_.border != Border::zero)
        for (const Mask& mask : request_.filter.masks)
            margin_ = std::max({margin_, mask.rows / 2, mask.columns / 2});
    filtered_ = image.has_alpha() && !request_.filter_alpha ? image.channels - 1 : image.channels;
    plane_rows_ = image.height + 2ull * margin_;
    plane_columns_ = image.width + 2ull * margin_;
}

Result<std::unique_ptr<Run>> Run::make(const Request& request) {
    std::unique_ptr<Run> run(new Run(request));
    const image::Image& image = *request.image;
    for (const Mask& mask : request.filter.masks) {
        Result<Fit> fitted =
            preview::fit(*request.kernel, {run->plane_rows_, run->plane_columns_, image.max_level()}, mask,
                         request.settings);
        if (!fitted) return fitted.diagnostics();
        run->fits_.push_back(std::make_shared<const Fit>(std::move(*fitted)));
    }
    Result<std::shared_ptr<const CpuCode>> code = compile_for_cpu(*request.kernel, *run->fits_.front());
    if (!code) return code.diagnostics();
    run->code_ = std::move(*code);
    static_cast<image::Header&>(run->result_) = image;
    run->result_.samples.assign(image.samples.size(), 0);
    if (run->filtered_ < image.channels)
        for (std::uint64_t i = 0; i < image.pixels(); ++i)
            run->result_.samples[i * image.channels + run->filtered_] =
                image.samples[i * image.channels + run->filtered_];
    run->done_.assign(image.pixels(), 0);
    run->values_.assign(run->filtered_, std::vector<float>(image.pixels(), 0.0f));
    return run;
}

trace::Dim3 Run::grid() const {
    const auto& grid = fits_.front()->instance.launches.back().grid;
    return {grid[0], grid[1], grid[2]};
}

SampleNames Run::sample_names() const {
    const std::vector<lesson::BufferInstance>& buffers = fits_.front()->instance.buffers;
    const Fit& fit = *fits_.front();
    // The last launch may read another buffer than the image: some files pass the image on through other
    // buffers.
    return {buffers[fit.image].name, buffers[fit.mask].name, buffers[fit.out].name,
            buffers[fit.image].extents.back(), buffers[fit.out].extents.back()};
}

// `number`: channel × masks + mask.
Result<std::unique_ptr<CpuPass>> Run::make_pass(std::size_t number) const {
    const std::size_t masks = request_.filter.masks.size(), mask = number % masks;
    const PaddedPlane plane(*request_.image, static_cast<std::uint32_t>(number / masks), margin_,
                            request_.border);
    return CpuPass::make(code_, fits_[mask], request_.kernel->file, plane, request_.filter.masks[mask],
                         request_.seconds);
}

// Blocks lie on the image in rows or, in a one-dimensional grid, one behind the other; only the order of the
// portions depends on it.
std::vector<std::vector<BlockRange>> Run::portions(std::optional<Box> visible) const {
    const trace::Dim3 size = grid();
    const std::uint64_t rows = block_rows(size), across = blocks_in_row(size);
    if (size.z > 1) return {{{0, size.count()}}};
    std::vector<std::vector<BlockRange>> made;
    std::uint64_t skip_first = 0, skip_end = 0;  // rows of blocks that are done whole
    if (visible && visible->width() > 0 && visible->height() > 0) {
        const auto block_at = [](std::uint64_t pixel, std::uint64_t pixels, std::uint64_t blocks, bool up) {
            const std::uint64_t at = pixel * blocks / std::max<std::uint64_t>(pixels, 1);
            return up ? std::min(at + 2, blocks) : at - std::min<std::uint64_t>(at, 1);
        };
        const std::uint64_t top = block_at(visible->top + margin_, plane_rows_, rows, false);
        const std::uint64_t bottom = block_at(visible->bottom + margin_, plane_rows_, rows, true);
        const std::uint64_t left =
            across == 1 ? 0 : block_at(visible->left + margin_, plane_columns_, across, false);
        const std::uint64_t right =
            across == 1 ? 1 : block_at(visible->right + margin_, plane_columns_, across, true);
        std::vector<BlockRange> first;
        if (left == 0 && right == across) {
            first.push_back({top * across, bottom * across});
            skip_first = top;
            skip_end = bottom;
        } else {
            for (std::uint64_t row = top; row < bottom; ++row)
                first.push_back({row * across + left, row * across + right});
        }
        made.push_back(std::move(first));
    }
    const std::uint64_t parts =
        std::clamp<std::uint64_t>(request_.image->pixels() / pixels_of_a_portion, 1, max_portions);
    for (const BlockRange part : {BlockRange{0, skip_first}, BlockRange{skip_end, rows}}) {
        const std::uint64_t step = std::max<std::uint64_t>((rows + parts - 1) / parts, 1);
        for (std::uint64_t row = part.first; row < part.end; row += step)
            made.push_back({{row * across, std::min(row + step, part.end) * across}});
    }
    return made;
}

std::pair<std::uint32_t, std::uint32_t> Run::rows_of(const std::vector<BlockRange>& portion) const {
    const trace::Dim3 size = grid();
    const std::uint64_t rows = block_rows(size), across = blocks_in_row(size);
    if (size.z > 1) return {0, request_.image->height};
    const std::uint64_t pixels = (plane_rows_ + rows - 1) / rows;  // of a block
    const std::uint64_t first = portion.front().first / across * pixels,
                        end = portion.back().end / across * pixels + pixels;
    const std::uint64_t before = margin_ + 2 * pixels;
    return {static_cast<std::uint32_t>(first > before ? first - before : 0),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(end + pixels, request_.image->height))};
}

Result<void> Run::run_portion(CpuPass& pass, const std::vector<BlockRange>& portion,
                              const std::atomic<bool>* cancel) {
    for (const BlockRange range : portion)
        if (const Result<void> ran = pass.run(range, cancel); !ran) return ran;
    return {};
}

void Run::keep_problems(const CpuPass& pass) {
    for (const trace::Problem& problem : pass.problems()) {
        const auto known = [&](const trace::Problem& other) {
            return other.kind == problem.kind && other.first.line == problem.first.line &&
                   other.first.pc == problem.first.pc;
        };
        if (std::none_of(problems_.begin(), problems_.end(), known)) problems_.push_back(problem);
    }
}

void Run::harvest(const CpuPass& pass, std::size_t number, std::uint32_t first_row, std::uint32_t end_row) {
    const std::uint32_t width = request_.image->width, channels = request_.image->channels;
    const std::size_t masks = request_.filter.masks.size();
    const auto channel = static_cast<std::uint32_t>(number / masks);
    const double max_level = request_.image->max_level();
    lesson::in_parts(
        end_row - first_row,
        [&](std::uint64_t first, std::uint64_t end) {
            std::vector<float> row(width);
            std::vector<bool> set;
            for (std::uint64_t y = first_row + first; y < first_row + end; ++y) {
                pass.read_row(y + margin_, margin_, row, set);
                for (std::uint32_t x = 0; x < width; ++x) {
                    const std::size_t pixel = y * width + x;
                    if (!set[x] || done_[pixel] != number) continue;
                    ++done_[pixel];
                    float& value = values_[channel][pixel];
                    value = number % masks == 0 ? row[x] : static_cast<float>(magnitude(value, row[x]));
                    result_.samples[pixel * channels + channel] =
                        to_level(static_cast<double>(value), max_level);
                }
            }
        },
        64);
}

Result<void> Run::run(std::optional<Box> visible, const std::atomic<bool>* cancel, const Progress& progress) {
    std::uint64_t bytes = 0;  // of a pass
    for (const lesson::BufferInstance& buffer : fits_.front()->instance.buffers)
        bytes += buffer.count * buffer.element_bytes;
    std::vector<std::vector<BlockRange>> all = portions(visible);
    if (2 * bytes * passes() <= max_bytes_together) return run_together(all, cancel, progress);
    if (visible &&
        all.size() > 1) {  // the machines do not fit together: first what is visible, in all channels
        const auto tell = [&](float, std::uint32_t first_row, std::uint32_t end_row) {
            if (progress) progress(0, first_row, end_row);
        };
        const Result<bool> ran = run_one_by_one({all.front()}, rows_of(all.front()), cancel, tell);
        if (!ran) return ran.diagnostics();
        if (!*ran) return {};
        all.erase(all.begin());
    }
    const Result<bool> ran = run_one_by_one(all, {0, request_.image->height}, cancel, progress);
    if (!ran) return ran.diagnostics();
    return {};
}

Result<void> Run::run_together(const std::vector<std::vector<BlockRange>>& portions,
                               const std::atomic<bool>* cancel, const Progress& progress) {
    std::vector<std::unique_ptr<CpuPass>> all;
    for (std::size_t number = 0; number < passes(); ++number) {
        Result<std::unique_ptr<CpuPass>> pass = make_pass(number);
        if (!pass) return pass.diagnostics();
        all.push_back(std::move(*pass));
    }
    std::size_t ran_portions = 0;
    for (const std::vector<BlockRange>& portion : portions) {
        const bool last = ++ran_portions == portions.size();
        const auto [first_row, end_row] = last ? std::pair{0u, request_.image->height} : rows_of(portion);
        for (std::size_t number = 0; number < all.size(); ++number) {
            if (const Result<void> ran = run_portion(*all[number], portion, cancel); !ran) return ran;
            harvest(*all[number], number, first_row, end_row);
        }
        if (progress)
            progress(static_cast<float>(ran_portions) / static_cast<float>(portions.size()), first_row,
                     end_row);
        if (std::any_of(all.begin(), all.end(), [](const auto& pass) { return pass->failed(); })) break;
    }
    for (const std::unique_ptr<CpuPass>& pass : all)
        keep_problems(*pass);
    return {};
}

Result<bool> Run::run_one_by_one(const std::vector<std::vector<BlockRange>>& portions,
                                 std::pair<std::uint32_t, std::uint32_t> rows,
                                 const std::atomic<bool>* cancel, const Progress& progress) {
    for (std::size_t number = 0; number < passes(); ++number) {
        const Result<std::unique_ptr<CpuPass>> pass = make_pass(number);
        if (!pass) return pass.diagnostics();
        std::size_t ran_portions = 0;
        for (const std::vector<BlockRange>& portion : portions) {
            if (const Result<void> ran = run_portion(**pass, portion, cancel); !ran) return ran.diagnostics();
            ++ran_portions;
            const float within = static_cast<float>(ran_portions) / static_cast<float>(portions.size());
            if (progress)
                progress((static_cast<float>(number) + within) / static_cast<float>(passes()), 0, 0);
        }
        harvest(**pass, number, rows.first, rows.second);
        if (progress)
            progress(static_cast<float>(number + 1) / static_cast<float>(passes()), rows.first, rows.second);
        keep_problems(**pass);
        if ((*pass)->failed()) return false;
    }
    return true;
}

void Run::take(std::vector<std::uint16_t> levels, std::vector<std::vector<float>> values) {
    result_.samples = std::move(levels);
    values_ = std::move(values);
    for (std::size_t pixel = 0; pixel < done_.size(); ++pixel)
        done_[pixel] = std::any_of(values_.begin(), values_.end(),
                                   [&](const std::vector<float>& plane) { return std::isnan(plane[pixel]); })
                           ? 0
                           : passes();
}

std::uint64_t Run::missing() const {
    return static_cast<std::uint64_t>(
        std::count_if(done_.begin(), done_.end(), [&](std::uint8_t each) { return each != passes(); }));
}

Difference Run::difference() const {
    const std::uint32_t width = request_.image->width, height = request_.image->height;
    const double max_level = request_.image->max_level();
    Difference total;
    for (std::uint32_t channel = 0; channel < filtered_; ++channel) {
        const ExactRows exact(*request_.image, request_.filter, request_.border, channel);
        std::vector<Difference> rows(height);
        lesson::in_parts(
            height,
            [&](std::uint64_t first, std::uint64_t end) {
                std::vector<double> values;
                for (std::uint64_t y = first; y < end; ++y) {
                    exact.row(static_cast<std::uint32_t>(y), values);
                    for (std::uint32_t x = 0; x < width; ++x)
                        if (done_[y * width + x] == passes())
                            rows[y].add(static_cast<double>(values_[channel][y * width + x]), values[x],
                                        max_level);
                }
            },
            16);
        for (const Difference& row : rows)
            total += row;
    }
    return total;
}

Result<std::shared_ptr<const trace::Trace>> Run::record(std::vector<std::uint32_t> blocks,
                                                        const std::atomic<bool>* cancel) const {
    const trace::Dim3 size = grid();
    if (blocks.empty())
        for (const auto& [x, y] : {std::pair{size.x / 2, size.y / 2}, std::pair{size.x / 3, size.y / 2},
                                   std::pair{size.x / 2, size.y / 3}})
            blocks.push_back(y * size.x + x);
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    Result<std::unique_ptr<CpuPass>> pass = make_pass(0);
    if (!pass) return pass.diagnostics();
    trace::Recorder recorder;
    (*pass)->record_into(&recorder, blocks);
    for (const std::uint32_t block : blocks)
        if (const Result<void> ran = (*pass)->run({block, block + 1ull}, cancel); !ran)
            return ran.diagnostics();
    std::shared_ptr<trace::Trace> trace = recorder.finish();
    if (trace->truncated) return error("the trace of the block does not fit: " + trace->truncation);
    return std::shared_ptr<const trace::Trace>(std::move(trace));
}

Result<Loads> Run::loads(const std::atomic<bool>* cancel) const {
    const Result<std::shared_ptr<const trace::Trace>> trace = record({}, cancel);
    if (!trace) return trace.diagnostics();
    Loads loads;
    loads.counted = count_loads(**trace, sample_names());
    const Fit& taken = *fits_.front();
    const double rows = taken.separable ? taken.mask_columns : taken.mask_rows, columns = taken.mask_columns;
    loads.without_tiles = rows * columns;
    if (loads.counted.image > 0) loads.reduction = loads.without_tiles / loads.counted.image;
    const auto down = static_cast<std::uint32_t>(rows) / 2, across = static_cast<std::uint32_t>(columns) / 2;
    loads.interior = !loads.counted.blocks.empty();
    for (const BlockSample& block : loads.counted.blocks)
        loads.interior = loads.interior && block.tile.left >= across && block.tile.top >= down &&
                         block.tile.right + across <= plane_columns_ &&
                         block.tile.bottom + down <= plane_rows_;
    if (loads.counted.shared && taken.instance.launches.size() == 1 && !loads.counted.blocks.empty()) {
        const Box& tile = loads.counted.blocks.front().tile;
        const double width = tile.width(), height = tile.height();
        loads.formula = width * height * rows * columns / ((width + columns - 1) * (height + rows - 1));
    }
    return loads;
}

}  // namespace lanescope::preview
