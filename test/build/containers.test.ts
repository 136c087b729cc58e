// The container set-up: names that the service knows, metrics that it has, files that are there, and a service without rights.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, inject, it } from "vitest";
import { parse } from "yaml";
import { contentFlags } from "../../server/content/content.ts";
import { readStorageAddress } from "../../server/content/files/storage-address.ts";
import { afterThisTest } from "../support/after-this-test.ts";
import { makeDatabase } from "../support/database/postgres.ts";
import { temporaryFolder } from "../support/folder.ts";
import { startContent } from "../support/content/start-content.ts";

const dir = fileURLToPath(new URL("../../build/containers/", import.meta.url));
const text = (name: string): string =>
  readFileSync(path.join(dir, name), "utf8");

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const compose = parse(text("compose.yaml"), { merge: true }) as Compose;

/** Environment variables that the service reads. */
const known = new Set(contentFlags().match(/VITRINE_CONTENT_\w+/g));

const unknownIn = (given: string): readonly string[] =>
  (given.match(/VITRINE_CONTENT_\w+/g) ?? []).filter(
    (name) => !known.has(name),
  );

describe("the container image", () => {
  const dockerfile = text("Dockerfile");

  it("sets variables that the service knows", () => {
    expect(known.size).toBeGreaterThan(20);
    expect(unknownIn(dockerfile)).toEqual([]);
  });

  it("runs as an ordinary user, reports its health, and copies what the build makes", () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
    expect(last.match(/^USER (.*)$/m)?.[1]).toBe("10001:10001");
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect(last).toContain("COPY --from=build /src/release/service ");
    expect(dockerfile).toContain("RUN npm run dist -- service\n");
    // Nothing after it installs or writes as root.
    expect(last.slice(last.indexOf("\nUSER "))).not.toMatch(/^RUN /m);
  });
});

it("secrets of the set-up are neither committed nor copied into an image", () => {
  const copied = text("Dockerfile.dockerignore").split("\n");
  expect(copied).toContain("build/containers");
  const ignored = readFileSync(path.join(dir, "../../.gitignore"), "utf8");
  for (const name of ["secrets-key", "metrics-key", ".env"])
    expect(ignored).toContain(`build/containers/${name}\n`);
});

describe("the compose file", () => {
  it("sets variables that the service knows", () => {
    expect(unknownIn(text("compose.yaml"))).toEqual([]);
  });

  it("has two instances with the same data, without rights and with a read-only root", () => {
    const { "content-1": first, "content-2": second } = compose.services;
    expect(second).toEqual({ ...first, hostname: "content-2" });
    expect(first).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(first?.volumes).toEqual(["content:/var/lib/vitrine-content"]);
    expect(first?.ports).toBeUndefined();
  });

  it("mounts files that are there, and volumes that it names", () => {
    for (const { volumes = [] } of Object.values(compose.services))
      for (const volume of volumes) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("."))
          expect(existsSync(path.join(dir, source)), source).toBe(true);
        else expect(Object.keys(compose.volumes)).toContain(source);
      }
  });

  it("with object storage: an S3 server, credentials for both, and a volume of its own for each", () => {
    const storage = parse(text("compose.storage.yaml"), {
      merge: true,
      customTags: [
        {
          ...{ tag: "!override", collection: "seq" },
          resolve: (value: unknown) => value,
        } as never,
      ],
    }) as Compose;
    expect(unknownIn(text("compose.storage.yaml"))).toEqual([]);
    const host = "${VITRINE_STORAGE_HOST:?}";
    const { services } = storage;
    for (const name of ["content-1", "content-2"]) {
      const { environment = {}, volumes } = services[name] ?? {};
      const address = environment["VITRINE_CONTENT_STORAGE"] ?? "";
      expect(
        readStorageAddress(address.replace(host, "files.example.com")),
      ).toMatchObject({
        ...{ bucket: "content", endpoint: "http://storage:7070" },
        publicEndpoint: "https://files.example.com",
      });
      expect(environment).toMatchObject({
        AWS_ACCESS_KEY_ID:
          services["storage"]?.environment?.["ROOT_ACCESS_KEY"],
        AWS_SECRET_ACCESS_KEY:
          services["storage"]?.environment?.["ROOT_SECRET_KEY"],
      });
      expect(volumes).toEqual([`${name}:/var/lib/vitrine-content`]);
    }
    expect(services["storage"]?.environment).toMatchObject({
      ...{ VGW_PORT: ":7070", VGW_BACKEND: "posix", VGW_BACKEND_ARG: "/data" },
    });
    for (const { volumes = [], ports } of Object.values(services)) {
      expect(ports).toBeUndefined();
      for (const volume of volumes) {
        const [source = ""] = volume.split(":");
        if (source.startsWith("."))
          expect(existsSync(path.join(dir, source)), source).toBe(true);
        else expect(Object.keys(storage.volumes)).toContain(source);
      }
    }
    expect(text("Caddyfile")).toContain("\nimport conf.d/*\n");
    expect(services["proxy"]?.volumes).toEqual([
      "./Caddyfile.storage:/etc/caddy/conf.d/storage:ro",
    ]);
    expect(text("Caddyfile.storage")).toContain("reverse_proxy storage:7070\n");
    // Whatever Compose merges them with is there.
    for (const name of ["content-1", "content-2", "proxy"])
      expect(Object.keys(compose.services)).toContain(name);
  });

  it("publishes the proxy alone; Grafana on this machine only", () => {
    const published = Object.entries(compose.services).flatMap(
      ([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`),
    );
    expect(published).toEqual([
      ...["proxy 80:80", "proxy 443:443", "grafana 127.0.0.1:3000:3000"],
    ]);
  });
});

it("alert rules and dashboards ask for metrics and labels that the service has", async () => {
  const server = inject("postgresUrl");
  const made = server === "" ? null : await makeDatabase(server);
  if (made) afterThisTest(made.drop);
  const content = await startContent(await temporaryFolder(), {
    // Not a replica: it is not used, and there are metrics that say so.
    ...{ databaseUrl: made?.url, readDatabaseUrl: made?.url },
  });
  await content.add("/v4/labels", { name: "a" });
  await content.add("/v4/assets", { title: "a" });
  await content.request("/nowhere");
  const metrics = await (await content.request("/metrics")).text();
  const asked = [
    ...text("alerts.yml").matchAll(/expr: (.*)/g),
    ...text("grafana/dashboards/content-service.json").matchAll(
      /"expr": (.*)/g,
    ),
  ].map(([, expression = ""]) => expression.replaceAll('\\"', '"'));
  expect(asked.length).toBeGreaterThan(10);
  const used = asked.flatMap((one) => [
    ...one.matchAll(/\b((?:vitrine_content|process)_\w+)(?:\{([^}]*)\})?/g),
  ]);
  expect(used.length).toBeGreaterThan(10);
  for (const [, name = "", selector = ""] of used) {
    if (!made && /replica/.test(name)) continue;
    const series = metrics.match(new RegExp(`^${name}(?:\\{.*)? `, "gm"));
    expect(series, name).not.toBeNull();
    for (const [, label = ""] of selector.matchAll(/(\w+)[=!]/g))
      if (label !== "job" && label !== "instance")
        expect(series?.join("\n"), name).toContain(`${label}="`);
  }
  // What the rules leave out by name is there by that name.
  expect(metrics).toMatch(/route="v4\/assets"/);
  expect(metrics).toMatch(/route="other"/);
});
