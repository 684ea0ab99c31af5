# Kodiai as an image: `docker build --tag kodiai .`. A container runs `kodiai serve` by default.
# docs/deployment.md explains how to run it. `npm run image` builds it, starts it and reports its size.

# Builds the published package and installs the dependencies that the lock file names.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
# .dockerignore lists the files that are copied.
COPY . .
# At the end, it removes files of packages that nothing reads at run time: C sources, types, source maps, tests, and grammars for other systems.
RUN npm pack --pack-destination /tmp \
 && mkdir /kodiai \
 && tar --extract --gzip --file /tmp/kodiai-*.tgz --directory /kodiai --strip-components=1 \
 && cp package-lock.json /kodiai/ \
 && cd /kodiai \
 && npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && node /source/scripts/unpack-grammars.ts dist/grammars \
 && find node_modules -type f -regextype posix-extended -regex '.*(\.(c|cc|h|gyp|map|tsbuildinfo)|\.d\.[cm]?ts)' -delete \
 && rm -rf node_modules/*/test

# The Debian that Node's image is made of, without npm, yarn and the C headers of Node.
FROM debian:bookworm-slim
# Debian's git requires the perl modules, but only for commands that Kodiai doesn't run (git add --interactive, git send-email).
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends ca-certificates git libstdc++6 tini \
 && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /usr/share/perl /usr/share/perl5 /usr/lib/*/perl /usr/lib/*/libperl.so.* \
 && groupadd --gid 1000 kodiai \
 && useradd --uid 1000 --gid 1000 --home-dir /data --no-create-home --shell /usr/sbin/nologin kodiai \
 && install --directory --owner=kodiai --group=kodiai --mode=700 /data
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /kodiai /opt/kodiai
RUN ln -s /opt/kodiai/bin/kodiai.js /usr/local/bin/kodiai

ENV NODE_ENV=production \
    DATABASE_URL=sqlite:/data/kodiai.db \
    KODIAI_DATA=/data
VOLUME /data
WORKDIR /data
EXPOSE 3000
# By number: some platforms refuse a name, because it could be an alias of root.
USER 1000:1000
# For `serve`. A worker listens to no port: start it with --no-healthcheck, as compose.yaml does.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# PID 1 receives only signals that it handles and must reap orphaned processes; tini does both.
ENTRYPOINT ["tini", "--", "kodiai"]
CMD ["serve"]
