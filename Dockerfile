# Kodiai as an image: `docker build --tag kodiai .`. A container runs `kodiai serve` unless it is told another command.
# docs/deployment.md says how to run it.

# What the published package holds, with the dependencies that the lock file names.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
# .dockerignore lists what is copied.
COPY . .
RUN npm pack --pack-destination /tmp \
 && mkdir /kodiai \
 && tar --extract --gzip --file /tmp/kodiai-*.tgz --directory /kodiai --strip-components=1 \
 && cp package-lock.json /kodiai/ \
 && cd /kodiai \
 && npm ci --omit=dev --ignore-scripts --no-audit --no-fund

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
# The user `node` of the base image, by its number: some platforms refuse a name, which might be root's.
USER 1000:1000
# The first process of a container gets no signal that it does not handle, and inherits what others leave behind.
ENTRYPOINT ["tini", "--", "kodiai"]
CMD ["serve"]
