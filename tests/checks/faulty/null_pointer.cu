/*--- lanescope
title = "A list that ends"

[buffers]
out = { type = "int", count = "4" }

[[launch]]
kernel = "third"
grid   = ["1"]
block  = ["1"]
args   = ["out"]

[[expect]]
problems = ["out_of_bounds"]
---*/
// Finds: out_of_bounds (a)
// Also: out_of_bounds (b)
// Only: debug (optimised code ends in a trap where the pointer is known to be null)
struct Node {
    int value;
    Node* next;
};
__global__ void third(int* out) {
    Node second{2, nullptr}, first{1, &second};
    Node* at = &first;
    for (int k = 0; k < 3; ++k) {
        out[k] = at->value;  // (a)
        at = at->next;       // (b)
    }
}
