// Shows Vitrine at work: a content service, three screens, one of them with a fault, and the manager's page that names it.
// Everything is stored in a temporary folder, which is removed at the end.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startDemoApp, type DemoApp } from "./demo/app.ts";
import { fillService } from "./demo/content.ts";
import { startDemoService } from "./demo/service.ts";
import { onStopSignal } from "./start/app.ts";
import { openStartEnvironment } from "./start/start-environment.ts";

/** In a row above the manager, on a display of 1920 by 1440 pixels. */
const windows = [
  { name: "Entrance", label: "Shop", place: "440x248+280+20" },
  { name: "Shop window", label: "Shop", place: "440x248+740+20" },
  { name: "Canteen", label: "Canteen", place: "440x248+1200+20" },
] as const;

const stopped = new AbortController();
onStopSignal(() => stopped.abort());

const dir = await mkdtemp(path.join(tmpdir(), "vitrine-demo-"));
const screen = await openStartEnvironment(null, {
  screenStays: true,
  size: { width: 1920, height: 1440 },
});
const apps: DemoApp[] = [];
let stopService = async (): Promise<void> => undefined;
try {
  console.log("Starting a content service and filling it…");
  const service = await startDemoService(
    path.join(dir, "service"),
    stopped.signal,
  );
  stopService = service.stop;
  await fillService(service);
  const start = (name: string, flags: readonly string[]) =>
    startDemoApp({
      // Chromium keeps its own temporary files, and leaves some of them there.
      ...{ dataDir: path.join(dir, name) },
      env: { ...screen.env, TMPDIR: dir },
      ...{ flags: [...flags, ...screen.flags], signal: stopped.signal },
    });
  for (const [at, { name, label, place }] of windows.entries()) {
    console.log(`Starting screen ${at + 1} of ${windows.length}: ${name}…`);
    const flags = ["--no-manager", "--window", place, "--screen", "0"];
    const player = await start(name, flags);
    apps.push(player);
    const pin = await player.pinFor(service.address);
    await service.addScreen({ pin, name, label });
  }
  console.log("Starting the manager…");
  const managerDir = path.join(dir, "manager");
  await mkdir(managerDir);
  // A PC that is only a manager has no playback window.
  await writeFile(
    path.join(managerDir, "machine.json"),
    JSON.stringify({ role: "desk", isFirstRunDone: true }),
  );
  const manager = await start("manager", ["--page", "screens"]);
  apps.push(manager);
  await manager.connectTo(service.address, service.key);
  console.log(
    [
      "The manager shows the three screens. The canteen's lunch menu is a web page whose server does not respond:",
      "its screen is wrong, and the Screens page shows why.",
      `  Manager          ${manager.address}`,
      `  Content service  ${service.address}   API key ${service.key}`,
      ...windows.map(
        ({ name }, at) => `  ${name.padEnd(15)}  ${apps[at]?.address ?? ""}`,
      ),
      "Press Ctrl+C to end the demo. It leaves nothing behind.",
    ].join("\n"),
  );
  await Promise.race([
    new Promise<void>((resolve) => {
      stopped.signal.addEventListener("abort", () => resolve());
    }),
    manager.ended,
  ]);
} catch (error) {
  if (!stopped.signal.aborted) throw error;
} finally {
  await Promise.all(apps.map((app) => app.stop()));
  await stopService();
  screen.close();
  await rm(dir, { recursive: true, force: true });
}
