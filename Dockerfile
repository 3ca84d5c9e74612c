# headsup with its page. CPU: docker build -t headsup .    GPU: docker build -t headsup --build-arg DEVICE=gpu .
# Start: docker run --rm -p 127.0.0.1:8000:8000 -v headsup:/data headsup    (GPU: add --gpus all)
ARG DEVICE=cpu

FROM python:3.12-slim AS cpu
ENV EXTRAS=web,histories

FROM nvidia/cuda:13.0.1-devel-ubuntu24.04 AS gpu
ENV EXTRAS=web,histories,gpu
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-venv && rm -rf /var/lib/apt/lists/*

FROM ${DEVICE}
COPY pyproject.toml README.md LICENSE /src/
COPY headsup /src/headsup
COPY docs /src/docs
RUN python3 -m venv /opt/headsup && /opt/headsup/bin/pip install --no-cache-dir "/src[${EXTRAS}]" && rm -rf /src
# Solved spots, tables and compiled kernels outlive the container in one volume, which its user can write.
ENV PATH=/opt/headsup/bin:$PATH HEADSUP_CACHE=/data/cache NUMBA_CACHE_DIR=/data/kernels CUPY_CACHE_DIR=/data/cupy
RUN useradd --create-home --uid 10001 headsup && mkdir /data && chown headsup /data
USER headsup
WORKDIR /data
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["headsup"]
CMD ["serve", "--host", "0.0.0.0", "--work", "/data/spots"]
