# One image for every process of Hermes Actors: planner, executor, inspector, client.
FROM node:20-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY src src
COPY machines machines
COPY agents agents
RUN npm run build && chmod +x dist/src/cli/main.js && npm prune --omit=dev

FROM node:20-slim
ENV NODE_ENV=production \
    HACT_DATA_DIR=/var/lib/hact \
    HACT_FILES_ROOTS=/files
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY LICENSE ./
RUN ln -s /app/dist/src/cli/main.js /usr/local/bin/hact \
    && mkdir -p /var/lib/hact /files \
    && chown node:node /var/lib/hact /files
USER node
STOPSIGNAL SIGTERM
# Unhealthy means: this process could not reach NATS, or its settings are wrong.
HEALTHCHECK --interval=30s --timeout=10s --start-period=20s --retries=3 CMD ["hact", "doctor"]
ENTRYPOINT ["hact"]
CMD ["worker", "--role", "executor"]
