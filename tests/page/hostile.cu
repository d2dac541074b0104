/*--- lanescope
title = "</script><img src=x onerror=alert(1)> & \"quotes\" 'n' \u2028 \U0001F600"

[params]
n = { default = 40, min = 1, max = 1000, label = "<b>elements</b>" }

[buffers]
a = { type = "int", count = "n", init = "iota" }
text = { type = "char", text = "<!--<script>&amp;]]>" }

[[launch]]
kernel = "hostile"
grid   = ["ceil_div(n, 64)"]
block  = ["64"]
args   = ["a", "text", "n"]
---*/
// </script><script>document.title = "broken"</script> <!-- ]]> {{trace}} /*{{program}}*/ üñï — 日本
__global__ void hostile(int* a, char* text, int n) {
    const char* s = "</script>\"'&lt;\\";
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = a[i] * 2 + (s[1] == '/');
    if (i == 0) text[0] = '"';
}
