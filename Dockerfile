# An image with an installed tabia. Its working directory is /data:
#
#   docker build -t tabia .
#   docker run --rm -v "$PWD:/data" tabia selfplay --db games.db --games 100
FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends make
WORKDIR /src
COPY . .
RUN make deb

FROM debian:bookworm-slim
RUN --mount=from=build,source=/src/build/package,target=/package \
    apt-get update && apt-get install -y --no-install-recommends /package/*.deb && rm -rf /var/lib/apt/lists/*
WORKDIR /data
ENTRYPOINT ["tabia"]
