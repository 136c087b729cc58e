// The container set-up: names that the service knows, metrics that it has, files that are there, and a service without rights.

import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { contentFlags } from "../../server/content/content.ts";
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
  const content = await startContent(await temporaryFolder());
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
