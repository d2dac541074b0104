struct __align__(16) Body {
    float x, y, z, m;
    float vx, vy, vz, pad;
};
__global__ void integrate(Body* bodies, float dt, int nBodies) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= nBodies) return;
    Body b = bodies[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < nBodies; j++) {
        float dx = bodies[j].x - b.x, dy = bodies[j].y - b.y, dz = bodies[j].z - b.z;
        float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-9f);
        float f = bodies[j].m * inv * inv * inv;
        ax += dx * f;
        ay += dy * f;
        az += dz * f;
    }
    bodies[i].vx = b.vx + ax * dt;
    bodies[i].vy = b.vy + ay * dt;
    bodies[i].vz = b.vz + az * dt;
}
