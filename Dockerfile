# Lanescope beside nvcc, CMake and Python: builds CUDA programs and checks them on machines without a GPU.
#     docker build -t lanescope --build-arg WHEEL=lanescope-0.4.0-py3-none-manylinux_2_34_x86_64.whl .
#     docker run --rm -v "$PWD:/work" lanescope lanescope run program.cu --check
# WHEEL: a release's wheel in this folder, or what app/python/wheel.sh made in it.
FROM debian:bookworm-slim
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    ca-certificates cmake g++ git libegl1 libgl1 libgl1-mesa-dri make ninja-build python3-venv \
    && rm -rf /var/lib/apt/lists/* && python3 -m venv /opt/lanescope
ARG WHEEL
COPY ${WHEEL} /tmp/
RUN /opt/lanescope/bin/pip install --no-cache-dir "/tmp/${WHEEL}[programs]" pytest && rm /tmp/*.whl
ENV PATH=/opt/lanescope/bin:${PATH}
WORKDIR /work
