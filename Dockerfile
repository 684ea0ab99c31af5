# Kodiai as an image: `docker build --tag kodiai .`. A container runs `kodiai serve` by default.
# docs/deployment.md explains how to run it.

# Builds the published package and installs the dependencies that the lock file names.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
# .dockerignore lists the files that are copied.
COPY . .
RUN npm pack --pack-destination /tmp \
 && mkdir /kodiai \
 && tar --extract --gzip --file /tmp/kodiai-*.tgz --directory /kodiai --strip-components=1 \
 && cp package-lock.json /kodiai/ \
 && cd /kodiai \
 && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && node /source/scripts/unpack-grammars.ts dist/grammars

FROM node:24-bookworm-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git tini \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /kodiai /opt/kodiai
RUN ln -s /opt/kodiai/bin/kodiai.js /usr/local/bin/kodiai \
 && install --directory --owner=node --group=node --mode=700 /data

ENV NODE_ENV=production \
    DATABASE_URL=sqlite:/data/kodiai.db \
    KODIAI_DATA=/data
VOLUME /data
WORKDIR /data
EXPOSE 3000
# The base image's user `node`, by number: some platforms refuse a name, because it could be an alias of root.
USER 1000:1000
# PID 1 receives only signals that it handles and must reap orphaned processes; tini does both.
ENTRYPOINT ["tini", "--", "kodiai"]
CMD ["serve"]
