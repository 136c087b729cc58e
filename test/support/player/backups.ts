// Creates and downloads backup archives as any client does.

import { expect } from "vitest";
import { answerOf, type RunningPlayer } from "./start-player.ts";

/** Returns the archive's name. */
export async function makeBackup({ request }: RunningPlayer): Promise<string> {
  const answer = await answerOf(await request("/backup", { method: "POST" }));
  expect(answer.status).toBe(201);
  return answer.body as string;
}

export async function fetchArchive(
  { request }: RunningPlayer,
  name: string,
): Promise<Buffer> {
  const answer = await request(`/backups/${encodeURIComponent(name)}`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
