// The command line of sync: once or for good, its token told in three ways and shown in none.

import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { cloudPicture, serveFaultyCloud } from "../../support/faulty-cloud.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { runSync, spawnSync } from "../../support/serve-sync.ts";

const token = "a-token-of-the-command-line";

describe("npm run sync", () => {
  it("brings everything once, tells so, and has nothing to do the second time", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [
      { id: "P1", assets: [cloudPicture("red"), cloudPicture("green")] },
    ];
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--url", cloud.address, "--once"];
    const first = await runSync([...words, "--token", token]);
    expect(first).toMatchObject({ code: 0, complained: "" });
    expect(first.said).toContain("2 assets, 1 playlists, as the cloud has it");
    const { length } = cloud.asked;
    expect(await runSync(words, { token })).toMatchObject({ code: 0 });
    expect(cloud.asked.length - length).toBe(1);
    const third = await runSync(words, { input: `${token}\n` });
    expect(third.code).toBe(0);
    for (const { said, complained } of [first, third])
      expect(said + complained).not.toContain(token);
    expect(cloud.asked.at(-1)?.headers.authorization).toBe(`Token ${token}`);
  });

  it("ends with 1 and a sentence when the cloud is away, and with 2 for what makes no sense", async () => {
    const dataDir = await temporaryFolder();
    const words = ["--data-dir", dataDir, "--url", "http://127.0.0.1:9"];
    const away = await runSync([...words, "--once", "--version", "v4.1"], {
      token,
    });
    expect(away).toMatchObject({ code: 1 });
    expect(away.complained).toContain("cannot be reached");
    const wrong = [...words, "--version", "v9"];
    const [odd, untold] = await Promise.all([
      runSync(wrong, { token }),
      runSync([...words, "--once"]),
    ]);
    expect([odd.code, untold.code]).toEqual([2, 2]);
    expect(untold.complained).toContain("There is no token");
  });

  it("goes on until it is told to end", async () => {
    const cloud = await serveFaultyCloud();
    cloud.playlists = [{ id: "P1", assets: [cloudPicture("red")] }];
    const dataDir = await temporaryFolder();
    const child = spawnSync(
      ["--data-dir", dataDir, "--url", cloud.address],
      token,
    );
    let said = "";
    child.stdout?.on("data", (chunk: Buffer) => (said += chunk.toString()));
    await expect.poll(() => said, { timeout: 20_000 }).toContain("API http");
    const api = /API (http:\S+)/.exec(said)?.[1] ?? "";
    const names = async (): Promise<unknown> => {
      const answer = await fetch(`${api}/api/v2/assets`);
      const assets = (await answer.json()) as { name: string }[];
      return assets.map(({ name }) => name);
    };
    await expect.poll(names, { timeout: 20_000 }).toEqual(["red"]);
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(0);
  });
});
