# The built page behind a file server. It computes in the visitor's browser; the container only sends files.
# docs/deploy.md says how to build and run it.

FROM node:22-slim AS build
WORKDIR /lightwell
COPY package.json package-lock.json .npmrc ./
# Not `npm ci`: the lock file may lack packages of other platforms.
RUN npm install --no-save --ignore-scripts
COPY . .
RUN npx vite build && find dist -name '*.br' -delete

# nginx that runs as the user `nginx` and listens above port 1024.
FROM nginxinc/nginx-unprivileged:stable-alpine
COPY docs/deploy/nginx.conf /etc/nginx/nginx.conf
COPY --from=build /lightwell/dist /srv/lightwell
EXPOSE 8080
# The folder that this image lets its user write to.
CMD ["nginx", "-p", "/var/cache/nginx/", "-g", "daemon off;"]
HEALTHCHECK --interval=30s --timeout=3s CMD wget -q -O /dev/null http://127.0.0.1:8080/ || exit 1
