# syntax=docker/dockerfile:1
# Builds the image from this folder: docker build --tag deal-hub .
# `npm run release -- image` makes an image without Docker.

ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim
ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund --loglevel=error
COPY . .
ARG SOURCE_DATE_EPOCH=0
RUN node bin/bootstrap.mjs build \
  && node_modules/node/bin/node bin/release/lay-folder.ts /opt/deal-hub

FROM ${BASE}
ARG VERSION=1.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Deal Hub" \
  org.opencontainers.image.description="A self-hosted deal site where every claim on the page shows its evidence" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
RUN groupadd --gid 1000 deal-hub \
  && useradd --uid 1000 --gid 1000 --home-dir /data --no-create-home --shell /bin/sh deal-hub \
  && install --directory --owner=1000 --group=1000 --mode=0700 /data
COPY --from=build /opt/deal-hub /opt/deal-hub
ENV PATH=/opt/deal-hub:/usr/bin:/bin HOST=0.0.0.0 DATA_DIR=/data
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# A busy machine needs seconds for an answer.
HEALTHCHECK --interval=30s --timeout=20s --start-period=120s --retries=5 \
  CMD ["/opt/deal-hub/node/bin/node", "/opt/deal-hub/bin/healthcheck.mjs"]
ENTRYPOINT ["/opt/deal-hub/deals"]
CMD ["start"]
