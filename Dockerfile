# The Node that the tests run on (package.json pins it too; test/containers.test.ts compares them).
ARG NODE_VERSION=26.10.0

# Makes the npm package, and installs it as on any machine.
FROM node:${NODE_VERSION}-slim AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY client ./client
COPY packages ./packages
COPY web ./web
RUN npm ci --ignore-scripts
COPY bin ./bin
COPY scripts ./scripts
COPY sample ./sample
COPY src ./src
COPY docs ./docs
COPY deploy ./deploy
COPY examples ./examples
COPY bench/README.md ./bench/README.md
COPY README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE ./
RUN npm run package -- --pack-destination /build
# More packages to install beside it: --build-arg PACKAGES=sharp makes thumbnails of media files.
ARG PACKAGES=""
WORKDIR /app
# The Node of this image is new enough, so the one that comes with the package is taken out.
RUN npm init --yes && npm install --ignore-scripts --omit=dev /build/libretto-*.tgz ${PACKAGES} && rm -rf node_modules/node-linux-*

FROM node:${NODE_VERSION}-slim
LABEL org.opencontainers.image.title="Libretto" \
      org.opencontainers.image.description="A catalogue service for libraries and theatres" \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=package /app/node_modules ./node_modules
# A named volume takes over the owner of this folder. Everything else belongs to root, and the
# service cannot write to it.
RUN mkdir /data && chown 1000:1000 /data
RUN ln -s /app/node_modules/.bin/libretto /usr/local/bin/libretto
USER 1000:1000
VOLUME /data
ENV HOST=0.0.0.0 \
    PORT=8080 \
    DATABASE_URL=sqlite:/data/libretto.db
EXPOSE 8080
# Asks whether the process answers, not whether the database does: restarting a container whose
# database is away helps nobody.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["libretto"]
CMD ["serve"]
