/*--- lanescope
title = "From colour to grey"
exercise = "memory/grey_image"

[params]
rows = { default = 5, min = 1, max = 512 }
cols = { default = 20, min = 1, max = 512, label = "columns" }

[buffers]
image  = { type = "float", shape = ["rows * cols", "3"], init = "random(0.0, 1.0)" }
weight = { type = "float", shape = ["3", "1"], values = [0.299, 0.587, 0.114] }
grey   = { type = "float", shape = ["rows * cols", "1"] }

[arrays]
grey = { shape = ["rows", "cols"] }

[[launch]]
kernel = "to_grey"
grid   = ["ceil_div(cols, 32)", "ceil_div(rows, 8)"]
block  = ["32", "8"]
args   = ["image", "weight", "grey", "rows", "cols"]

[[expect]]
buffer = "grey"
equals = "matmul(image, weight)"
---*/
__global__ void to_grey(const float* image, const float* weight, float* grey, int rows, int cols) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        int pixel = row * cols + col;
        float sum = 0;
        for (int c = 0; c < 3; ++c)
            sum += weight[c] * image[pixel + c];
        grey[pixel] = sum;
    }
}
