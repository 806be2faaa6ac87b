# The Node that the tests run on (package.json pins it too; test/containers.test.ts holds the two together).
ARG NODE_VERSION=26.10.0

FROM node:${NODE_VERSION}-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json ./client/
COPY web/package.json ./web/
# No package that is needed at run time has an install script; test/packages.test.ts holds them to that.
RUN npm ci --omit=dev --ignore-scripts

# The web page, built here once: where it is served there is no Vite, and nothing can be written.
FROM node:${NODE_VERSION}-slim AS page
WORKDIR /app
COPY --from=packages /app ./
RUN npm ci --ignore-scripts
COPY client ./client
COPY web ./web
RUN node web/build.ts

FROM node:${NODE_VERSION}-slim
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=page /app/web/dist ./web/dist
COPY package.json ./
COPY sample ./sample
COPY src ./src
# A named volume takes over whose this folder is. Everything else belongs to root, and the service cannot write to it.
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
ENV HOST=0.0.0.0 \
    PORT=8080 \
    DATABASE_URL=sqlite:/data/libretto.db
EXPOSE 8080
# Whether the process answers, not whether the database does: a container that is started again for a database that is away helps nobody.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/src/cli/libretto.ts"]
CMD ["serve"]
