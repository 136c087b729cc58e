// Player health on the Now page of the manager.

import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { goTo } from "../support/manager/manager-page.ts";
import { openManager } from "../support/manager/manager-app.ts";
import {
  cloudImage,
  serveFaultyCloud,
} from "../support/faulty-service/faulty-service.ts";
import { temporaryFolder } from "../support/folder.ts";

it.each([
  ["en_GB.UTF-8", "Graphics", "Software rendering"],
  ["de_DE.UTF-8", "Grafik", "Software-Rendering"],
])(
  "[V2-463] reports in %s that the CPU renders since the GPU process was lost repeatedly",
  async (language, name, value) => {
    const dir = await temporaryFolder();
    await mkdir(path.join(dir, "data"), { mode: 0o700 });
    const lost = { since: Date.now(), reason: "It ended 3 times." };
    await writeFile(
      path.join(dir, "data", "graphics.json"),
      JSON.stringify(lost),
    );
    const manager = await openManager({ language, dir });
    onTestFinished(async () => {
      await manager.close();
      await manager.screen.close();
    });
    const { page } = manager;
    await goTo(page, "#/now");
    const line = page.locator(".health .fact", { hasText: name });
    await expect.poll(() => line.textContent()).toContain(value);
    expect(await line.getAttribute("data-bad")).toBe("true");
  },
);

it("[V2-463] reports nothing about graphics while they work", async () => {
  const manager = await openManager();
  onTestFinished(async () => {
    await manager.close();
    await manager.screen.close();
  });
  const { page } = manager;
  await goTo(page, "#/now");
  await page.locator(".health .fact").first().waitFor();
  expect(await page.locator(".health").textContent()).not.toContain("Graphics");
});

it("[V2-652] shows on the now and connections pages how many items of a service are downloaded and failed, and that it is in sync once none is missing", async () => {
  const cloud = await serveFaultyCloud();
  const late = cloudImage("late", [9, 9, 9]);
  cloud.files.set("late", (_request, response) => void response.end("no"));
  cloud.playlists = [{ id: "P1", assets: [cloudImage("red"), late] }];
  const manager = await openManager();
  onTestFinished(async () => {
    await manager.close();
    await manager.screen.close();
  });
  const { page, api } = manager;
  const connections = `${api}/api/v2/sync/accounts`;
  const made = await fetch(connections, {
    ...{ method: "POST", headers: { "Content-Type": "application/json" } },
    body: JSON.stringify({
      ...{ name: "Office", base_url: cloud.address, token: "any" },
    }),
  });
  expect(made.status).toBe(201);
  await goTo(page, "#/now");
  const line = page.locator(".health .fact", { hasText: "Office" });
  await expect
    .poll(() => line.textContent())
    .toContain("1 of 2 items; 1 failed");
  expect(await line.getAttribute("data-bad")).toBe("true");
  await goTo(page, "#/connections");
  await page.getByText("1 of 2 items; 1 failed").first().waitFor();
  cloud.playlists = [{ id: "P1", assets: [cloudImage("red")] }];
  await fetch(`${api}/api/v2/sync/run`, { method: "POST" });
  await goTo(page, "#/now");
  await expect.poll(() => line.textContent()).toContain("In sync");
  expect(await line.getAttribute("data-bad")).toBe("false");
});
