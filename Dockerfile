# Lanescope beside nvcc, CMake and Python: builds CUDA programs and checks them on machines without a GPU.
#     docker build -t lanescope .
#     docker run --rm -v "$PWD:/work" lanescope lanescope run program.cu --check
# BASE: Debian 12, Ubuntu 24.04 or their relatives, with a CUDA Toolkit (12 or 13) in /usr/local/cuda.
ARG BASE=nvidia/cuda:13.0.1-devel-ubuntu24.04

FROM ${BASE} AS build
COPY . /lanescope
RUN cd /lanescope && app/run.sh --build-only && apt-get install -y --no-install-recommends dpkg-dev file \
    && cpack --config build/release/CPackConfig.cmake -G DEB -B /packages

FROM ${BASE}
COPY --from=build /packages/*.deb /tmp/
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    /tmp/*.deb ca-certificates cmake g++ git make ninja-build python3 python3-pytest \
    && rm -rf /tmp/*.deb /var/lib/apt/lists/*
ENV PATH=/usr/local/cuda/bin:${PATH}
WORKDIR /work
