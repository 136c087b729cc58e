// One content service for a whole file of tests; each test is a team of its own.

import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { clientV3, type ClientV3 } from "./each-v3.ts";
import { removeFolder } from "../folder.ts";
import { startContent, type StartedContent } from "./start-content.ts";

export interface TeamsService extends ClientV3 {
  /** Below `/api/v3`. */
  readonly v3: ClientV3;
}

/** The returned function creates a new team. */
export function oneService(): () => Promise<TeamsService> {
  let running: StartedContent | null = null;
  let dataDir = "";
  let teams = 0;
  beforeAll(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), "vitrine-test-"));
    running = await startContent(dataDir);
  });
  afterAll(async () => {
    await running?.stop();
    await removeFolder(dataDir);
  });
  return async () => {
    if (!running) throw new Error("the service is not up");
    const team = `Team ${(teams += 1)}`;
    const key = await running.keys.add({ name: "test", team });
    const v3 = clientV3(running.address, key);
    return { ...v3, v3 };
  };
}
