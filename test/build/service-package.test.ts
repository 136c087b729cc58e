// The content service as a package for servers: built, unpacked elsewhere, and run without the project.

import { execFile, spawn } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { waitUntilProcessed } from "../support/content/ingest-asset.ts";
import { startCollector } from "../support/content/trace-collector.ts";
import {
  contentKey,
  serveContent,
  type Row,
} from "../support/content/start-content.ts";
import { temporaryFolder, untilAllHaveRun } from "../support/folder.ts";
import { png } from "../support/media/media.ts";
import { outcomeOf, type Outcome } from "../support/outcome.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const mayPack = process.platform === "linux" && existsSync("/usr/bin/dpkg-deb");
/** Bundling and compressing take minutes on a busy machine. */
const packingMs = 600_000;

describe.runIf(mayPack)("the package of the content service", () => {
  let deb = "";
  let unpacked = "";
  let program = "";

  beforeAll(
    () =>
      untilAllHaveRun(async (atEnd) => {
        const words = ["dist", "service", "deb", "--test-build"];
        const { stdout } = await run(
          process.execPath,
          ["build/setup.mjs", ...words],
          { cwd: root },
        );
        deb = path.join(root, /^deb: (\S+),/m.exec(stdout)?.[1] ?? "");
        unpacked = await temporaryFolder(atEnd);
        await run("dpkg-deb", ["--extract", deb, unpacked]);
        program = path.join(unpacked, "usr/bin/vitrine-content");
      }),
    packingMs,
  );

  /** Runs its command line until it ends by itself. */
  const runProgram = (...words: readonly string[]): Promise<Outcome> =>
    outcomeOf(
      spawn(program, words, { cwd: "/", env: { PATH: "/usr/bin:/bin" } }),
    );

  it("needs nothing of the project: takes files, answers both interfaces, backs up and stops", async () => {
    const dataDir = await temporaryFolder();
    const collector = await startCollector();
    const env = {
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.address },
      OTEL_BSP_SCHEDULE_DELAY: "100",
    };
    const content = await serveContent(dataDir, [], env, [program]);
    const uploaded = await content.upload(png([3, 4, 5]), { title: "Menu" });
    const [row] = (await uploaded.json()) as Row[];
    // Read by its media process, through its native modules.
    expect(await waitUntilProcessed(content, row?.id ?? "")).toMatchObject({
      ...{ status: "finished", title: "Menu" },
    });
    // Found by a thread of its own.
    expect(await content.rows("/v4/assets?title=ilike.*EN*")).toHaveLength(1);
    // Threads of the place names and of the simulation.
    const place = await content.request(
      "/api/v3/screens/geocode?address=Hamburg",
    );
    expect([place.status, await place.text()]).toEqual([
      200,
      expect.stringContaining("Hamburg"),
    ]);
    for (const place of ["/health", "/metrics", "/api/v3/screens/"])
      expect((await content.request(place)).status, place).toBe(200);
    const page = await fetch(`${content.address}/`, {
      headers: { Accept: "text/html" },
    });
    const scripts = (await page.text()).matchAll(
      /(?:src|rel="modulepreload" href)="(\/manager\/[\w-]+\.js)"/g,
    );
    let letters = 0;
    for (const [, file = ""] of scripts) {
      const script = await fetch(content.address + file);
      expect([page.status, script.status]).toEqual([200, 200]);
      letters += (await script.text()).length;
    }
    expect(letters).toBeGreaterThan(10_000);
    const listed = await outcomeOf(
      spawn(
        path.join(unpacked, "usr/bin/vitrine-cli"),
        ["assets", "list", "--service", content.address, "--json"],
        { cwd: "/", env: { PATH: "/usr/bin:/bin", VITRINE_KEY: contentKey } },
      ),
    );
    expect([listed.code, listed.complained]).toEqual([0, ""]);
    expect(JSON.parse(listed.output)).toMatchObject([{ title: "Menu" }]);
    const backup = path.join(await temporaryFolder(), "backup.tar");
    expect(
      (await runProgram("backup", backup, "--data-dir", dataDir)).code,
    ).toBe(0);
    expect((await runProgram("verify", backup)).code).toBe(0);
    expect(await runProgram("stop", "--data-dir", dataDir)).toMatchObject({
      ...{ code: 0, complained: "" },
    });
    const traced = new Set(collector.spans.map(({ name }) => name));
    for (const name of ["GET /v3/screens", "ingest", "INSERT assets"])
      expect(traced).toContain(name);
  });

  it("has the packages for traces, which the app does not need", () => {
    const ofPackages = "maxQueueSize reached, dropping spans";
    const script = path.join(
      unpacked,
      "usr/lib/vitrine-content/dist/content.cjs",
    );
    expect(readFileSync(script, "utf8")).toContain(ofPackages);
    for (const name of ["content.cjs", "main.cjs"])
      expect(readFileSync(path.join(root, "dist", name), "utf8")).not.toContain(
        ofPackages,
      );
  });

  it("[V4-359] prints no key where that is turned off, and says how to create one", async () => {
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--port", "0", "--no-first-key"];
    const child = spawn(program, words, { env: { PATH: "/usr/bin:/bin" } });
    const ending = outcomeOf(child);
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("is ready")) child.kill("SIGTERM");
    });
    const { code, output } = await ending;
    expect(code).toBe(0);
    expect(output).toContain(
      "There is no API key yet. To create one, with the same options: vitrine-content keys add NAME\n",
    );
    expect(output).not.toContain("API key, shown");
    const { output: keys } = await runProgram(
      "keys",
      "list",
      "--data-dir",
      dataDir,
    );
    expect(keys).toBe("");
    const added = await runProgram(
      "keys",
      "add",
      "Anna",
      "--data-dir",
      dataDir,
    );
    expect(added.output.trim()).toMatch(/^[\w-]{40,}$/);
  });

  it("requires the system library that its programs are built for", async () => {
    const { stdout: about } = await run("dpkg-deb", [
      "--field",
      deb,
      "Depends",
    ]);
    const required = Number(/libc6 \(>= 2\.(\d+)\)/.exec(about)?.[1]);
    const folder = path.join(unpacked, "usr/lib/vitrine-content");
    const programs = globSync(["node", "**/*.node", "**/*.so*"], {
      cwd: folder,
    });
    expect(programs.length).toBeGreaterThan(3);
    const used = programs.flatMap((program) =>
      [
        ...readFileSync(path.join(folder, program), "latin1").matchAll(
          /GLIBC_2\.(\d+)/g,
        ),
      ].map(([, minor]) => Number(minor)),
    );
    expect(Math.max(...used)).toBeLessThanOrEqual(required);
  });

  it("speaks of itself by its own name and version", async () => {
    const { output } = await runProgram("--help");
    expect(output).toContain("vitrine-content keys add NAME");
    expect(output).not.toContain("npm");
  });

  it("has a unit, settings that the package manager keeps, and scripts that a shell accepts", async () => {
    const { stdout: files } = await run("dpkg-deb", ["--contents", deb]);
    for (const file of [
      "./usr/lib/systemd/system/vitrine-content.service",
      "./usr/sbin/vitrine-contentctl",
      "./etc/vitrine-content/service.env",
      "./usr/share/doc/vitrine-content/copyright",
    ])
      expect(files).toContain(`${file}\n`);
    // Belongs to root, and nothing is writable for others.
    expect(files).not.toMatch(/^(?!l)\S{5}w|^(?!l)\S{8}w/m);
    expect(files).not.toMatch(/^\S+ (?!root\/root)/m);
    const control = await temporaryFolder();
    await run("dpkg-deb", ["--control", deb, control]);
    const conffiles = readFileSync(path.join(control, "conffiles"), "utf8");
    expect(conffiles).toBe("/etc/vitrine-content/service.env\n");
    for (const script of ["postinst", "prerm", "postrm"])
      await run("sh", ["-n", path.join(control, script)]);
    await run("sh", ["-n", path.join(unpacked, "usr/sbin/vitrine-contentctl")]);
  });
});
