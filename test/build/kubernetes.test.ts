// The manifests for Kubernetes: valid by its schemas, consistent with each other, and true of the service and its image.

import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { CronJob } from "kubernetes-models/batch/v1/CronJob";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { Secret } from "kubernetes-models/v1/Secret";
import { Service } from "kubernetes-models/v1/Service";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readContentConfig } from "../../server/content/config.ts";
import { contentFlags } from "../../server/content/content.ts";
import { readStorageAddress } from "../../server/content/files/storage-address.ts";
import { maxWaitSeconds } from "../../server/contract/link/link.ts";
import { startContent } from "../support/content/start-content.ts";
import { temporaryFolder } from "../support/folder.ts";

const build = fileURLToPath(new URL("../../build/", import.meta.url));
const dir = path.join(build, "kubernetes");
const text = (name: string): string =>
  readFileSync(path.join(dir, name), "utf8");

// The shapes are what the schemas check.
type Manifest = any;

// With slashes on Windows as well.
const files = globSync("**/*.yaml", { cwd: dir })
  .map((name) => name.replaceAll(path.sep, "/"))
  .toSorted();
const manifests: readonly Manifest[] = files
  .filter((name) => !name.endsWith("kustomization.yaml"))
  .flatMap((name) => parseAllDocuments(text(name)).map((one) => one.toJS()));

const models: Readonly<
  Record<string, new (data: Manifest) => { validate(): void }>
> = {
  "apps/v1 Deployment": Deployment,
  "batch/v1 CronJob": CronJob,
  "networking.k8s.io/v1 Ingress": Ingress,
  "policy/v1 PodDisruptionBudget": PodDisruptionBudget,
  "v1 Secret": Secret,
  "v1 Service": Service,
};
/** Of an operator, whose schemas are not among those of Kubernetes: checked by hand below. */
const foreign = "monitoring.coreos.com/v1 ServiceMonitor";

const kindOf = ({ apiVersion, kind }: Manifest): string =>
  `${apiVersion} ${kind}`;

const named = (kind: string, name = "vitrine-content"): Manifest => {
  const found = manifests.find(
    (one) => one.kind === kind && one.metadata.name === name,
  );
  if (!found) throw new Error(`There is no ${kind} ${name}.`);
  return found;
};

/** The schemas accept unknown fields, as the server does, which drops them: a field that no check reads is unknown. */
function unreadFields(
  data: Manifest,
  check: (watched: Manifest) => void,
): readonly string[] {
  const read = new Set<string>();
  const all: string[] = [];
  const watch = (value: Manifest, at: string): Manifest => {
    if (typeof value !== "object" || value === null) return value;
    const fields: Record<string, Manifest> = Array.isArray(value)
      ? ([] as Manifest)
      : {};
    for (const [key, inner] of Object.entries(value)) {
      const place = `${at}/${key}`;
      all.push(place);
      fields[key] = watch(inner, place);
    }
    return new Proxy(fields, {
      get: (target, key) => {
        if (typeof key === "string") read.add(`${at}/${key}`);
        return Reflect.get<Manifest, PropertyKey>(target, key);
      },
    });
  };
  check(watch(data, ""));
  return all.filter((place) => !read.has(place));
}

function complaintsOf(data: Manifest): readonly string[] {
  const Model = models[kindOf(data)];
  if (!Model) return [`${kindOf(data)} has no schema`];
  try {
    return unreadFields(data, (watched) => {
      Object.assign(Object.create(Model.prototype), watched).validate();
    });
  } catch (error) {
    return [(error as Error).message];
  }
}

describe("the manifests", () => {
  it("are valid by the schemas of Kubernetes, and have no field that these do not know", () => {
    expect(manifests.length).toBeGreaterThan(8);
    for (const manifest of manifests)
      if (kindOf(manifest) !== foreign)
        expect(complaintsOf(manifest), kindOf(manifest)).toEqual([]);
  });

  it("would not be with a misspelled field, a wrong type or a missing field", () => {
    const changed = (change: (deployment: Manifest) => void): Manifest => {
      const copy = structuredClone(named("Deployment"));
      change(copy);
      return complaintsOf(copy);
    };
    expect(
      changed(({ spec }) => {
        spec.template.spec.containers[0].readynessProbe = {};
      }),
    ).toEqual(["/spec/template/spec/containers/0/readynessProbe"]);
    expect(
      changed(({ spec }) => {
        spec.replicas = "two";
      }).join(""),
    ).toContain("replicas");
    expect(
      changed(({ spec }) => {
        delete spec.selector;
      }).join(""),
    ).toContain("selector");
  });

  it("are all named by a kustomization, except the secrets", () => {
    for (const folder of ["base", "example"]) {
      const { resources } = parse(text(`${folder}/kustomization.yaml`));
      const listed = (resources as string[]).filter((one) => one !== "../base");
      expect(listed.toSorted()).toEqual(
        files
          .filter((name) => name.startsWith(`${folder}/`))
          .map((name) => path.basename(name))
          .filter((name) => !/^(kustomization|secrets\.example)/.test(name)),
      );
    }
  });
});

const deployment = named("Deployment");
const pod = deployment.spec.template.spec;
const [container] = pod.containers;
const job = named("CronJob", "vitrine-content-backup").spec.jobTemplate.spec
  .template.spec;
const dockerfile = readFileSync(
  path.join(build, "containers/Dockerfile"),
  "utf8",
);

describe("the pods", () => {
  const everyContainer = [...pod.containers, ...job.containers];

  it("run as the user of the image, without rights, on a read-only root", () => {
    const [, user] = /^USER (\d+):\1$/m.exec(dockerfile) ?? [];
    for (const { securityContext, automountServiceAccountToken } of [
      pod,
      job,
    ]) {
      expect(securityContext).toMatchObject({
        ...{ runAsNonRoot: true, runAsUser: Number(user) },
        ...{ runAsGroup: Number(user), fsGroup: Number(user) },
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(automountServiceAccountToken).toBe(false);
    }
    for (const { securityContext, resources } of everyContainer) {
      expect(securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ["ALL"] },
      });
      expect(resources.limits.memory).toBeDefined();
    }
  });

  it("mount volumes that they have, and keep their data in a folder of one of them", () => {
    for (const { containers, volumes } of [pod, job])
      for (const { volumeMounts, env = [] } of containers) {
        const names = volumes.map(({ name }: Manifest) => name);
        for (const { name } of volumeMounts) expect(names).toContain(name);
        for (const { name, value } of env)
          if (/_DIR$|_FILE$/.test(name))
            expect(
              volumeMounts.some(({ mountPath }: Manifest) =>
                value.startsWith(`${mountPath}/`),
              ),
              name,
            ).toBe(true);
      }
  });

  it("set variables that the service knows", () => {
    const known = new Set([
      ...(contentFlags().match(/VITRINE_CONTENT_\w+/g) ?? []),
      "VITRINE_CONTENT_DATA_DIR",
    ]);
    const used = files.flatMap(
      (name) => text(name).match(/VITRINE_CONTENT_\w+/g) ?? [],
    );
    expect(used.length).toBeGreaterThan(5);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
    const { configMapGenerator } = parse(text("example/kustomization.yaml"));
    const settings = Object.fromEntries(
      configMapGenerator[0].literals.map((one: string) => [
        one.slice(0, one.indexOf("=")),
        one.slice(one.indexOf("=") + 1),
      ]),
    );
    expect(
      readContentConfig(["--data-dir", "d", "--behind-proxy"], settings),
    ).toMatchObject({ ok: true });
    expect(
      readStorageAddress(
        `${settings.BACKUP_BUCKET}/a.tar.gz?${settings.BACKUP_OPTIONS}`,
      ),
    ).not.toBeNull();
    const [, , command] = job.containers[0].command;
    expect(command).toContain(
      'vitrine-content backup "$BACKUP_BUCKET/vitrine-content-',
    );
  });

  it("get secrets that the example lists, without values", () => {
    const secrets = manifests.filter(({ kind }) => kind === "Secret");
    const names = secrets.map(({ metadata }) => metadata.name);
    const monitor = named("ServiceMonitor").spec.endpoints[0].authorization;
    const asked = [
      ...everyContainer.flatMap(({ envFrom = [] }) =>
        envFrom.flatMap(({ secretRef }: Manifest) => secretRef?.name ?? []),
      ),
      ...pod.volumes.flatMap(
        ({ secret }: Manifest) => secret?.secretName ?? [],
      ),
      monitor.credentials.name,
    ];
    expect([...new Set(asked)].toSorted()).toEqual(names.toSorted());
    for (const { stringData } of secrets)
      expect(new Set(Object.values(stringData))).toEqual(new Set([""]));
    const keyFile = container.env.find(
      ({ name }: Manifest) => name === "VITRINE_CONTENT_SECRETS_KEY_FILE",
    ).value;
    const ofKey = named("Secret", "vitrine-content-secrets-key").stringData;
    expect(Object.keys(ofKey)).toEqual([path.basename(keyFile)]);
    expect(readFileSync(path.join(build, "../.gitignore"), "utf8")).toContain(
      "build/kubernetes/**/secrets.yaml\n",
    );
  });

  it("have longer for their stop than the service takes at most", () => {
    const endProcess = readFileSync(
      path.join(build, "../server/platform/process/end-process.ts"),
      "utf8",
    );
    const [, stopMs] = /maxStopMs = (\d_?\d*);/.exec(endProcess) ?? [];
    const [, pauseSeconds] = container.lifecycle.preStop.exec.command;
    expect(pod.terminationGracePeriodSeconds * 1000).toBeGreaterThan(
      Number(stopMs?.replace("_", "")) + Number(pauseSeconds) * 1000,
    );
  });

  it("write the log where the second container reads it", () => {
    const [, log] = pod.containers;
    expect(log.command.at(-1)).toContain(
      '"/var/lib/vitrine-content/data/log/$HOSTNAME-8090/vitrine.log"',
    );
    expect(log.image).toBe(container.image);
  });
});

describe("what leads to the pods", () => {
  it("selects them and names their port, which is that of the service and of the image", () => {
    const labels = deployment.spec.template.metadata.labels;
    const service = named("Service");
    for (const selector of [
      deployment.spec.selector.matchLabels,
      named("PodDisruptionBudget").spec.selector.matchLabels,
      service.spec.selector,
      ...pod.topologySpreadConstraints.map(
        ({ labelSelector }: Manifest) => labelSelector.matchLabels,
      ),
    ])
      expect(selector).toEqual(labels);
    expect(named("PodDisruptionBudget").spec.minAvailable).toBeLessThan(
      deployment.spec.replicas,
    );
    const monitor = named("ServiceMonitor");
    expect(monitor.spec.selector.matchLabels).toEqual(service.metadata.labels);
    expect(monitor.spec.endpoints[0].port).toBe(service.spec.ports[0].name);
    const [{ name, containerPort }] = container.ports;
    expect(service.spec.ports[0].targetPort).toBe(name);
    const reading = readContentConfig(["--data-dir", "d"], {});
    expect(reading.ok && reading.value.port).toBe(containerPort);
    expect(dockerfile).toContain(`\nEXPOSE ${containerPort}\n`);
    const [rule] = named("Ingress").spec.rules;
    expect(rule.http.paths[0].backend.service).toEqual({
      ...{ name: service.metadata.name },
      port: { name: service.spec.ports[0].name },
    });
  });

  it("waits longer than a request for news", () => {
    const { annotations } = named("Ingress").metadata;
    for (const name of ["read", "send"])
      expect(
        Number.parseInt(annotations[`nginx.org/proxy-${name}-timeout`], 10),
      ).toBeGreaterThan(maxWaitSeconds);
  });

  it("asks for paths that the service answers, as it runs there", async () => {
    const content = await startContent(await temporaryFolder(), {
      behindProxy: true,
    });
    const probes = [
      ...[container.startupProbe, container.livenessProbe],
      container.readinessProbe,
    ];
    for (const { httpGet } of probes) {
      expect(httpGet.port).toBe("http");
      const answer = await fetch(content.address + httpGet.path);
      expect(answer.status, httpGet.path).toBe(200);
    }
    expect(container.livenessProbe.httpGet.path).toBe("/health/live");
    expect(container.readinessProbe.httpGet.path).toBe("/health");
    const [endpoint] = named("ServiceMonitor").spec.endpoints;
    const metrics = content.address + endpoint.path;
    expect((await fetch(metrics)).status).toBe(401);
    const key = await content.keys.add({ name: "Prometheus", team: "Vitrine" });
    const { type } = endpoint.authorization;
    const answer = await fetch(metrics, {
      headers: { Authorization: `${type} ${key}` },
    });
    expect(answer.status).toBe(200);
  });
});
