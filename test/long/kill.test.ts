// The player killed at random moments of client requests: acknowledged changes hold, and nothing is half done.

import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, onTestFailed, vi } from "vitest";
import { membersOf } from "../support/player/archives.ts";
import { temporaryFolder } from "../support/folder.ts";
import { png } from "../support/media/media.ts";
import { servePlayer } from "../support/player/serve-player.ts";
import { createRandom } from "./kill/random.ts";
import {
  request,
  createActions,
  kinds,
  readState,
  RejectedRequest,
  upload,
  type Action,
  type Kind,
} from "./kill/player-actions.ts";
import { age, faultsOf, leftOvers } from "./kill/store.ts";

const { VITRINE_LONG, VITRINE_SEED } = process.env;
const moments = VITRINE_LONG === "1" ? 100 : 5;
/** Each moment is a start, some actions and a check of everything. */
const maxMsPerMoment = 36_000;
const maxActionsBefore = 4;
/** Factor by which the next kill comes later after one that was too early, and earlier after one that was too late. */
const stride = 1.6;
/** A little longer than unclaimed uploads are kept. */
const longEnoughMs = 2 * 3_600_000;

describe("a player that is killed", () => {
  const maxMs = moments * maxMsPerMoment;
  it(
    `is in a sound state after being killed at each of ${moments} random moments`,
    async () => {
      const seed = Number(VITRINE_SEED ?? Date.now() % 1_000_000);
      onTestFailed(() =>
        console.error(`To see this again: VITRINE_SEED=${seed}`),
      );
      const random = createRandom(seed);
      const actions = createActions(random);
      const outcomes = new Set<"before" | "after">();
      const defaultMs = new Map<Kind, number>();
      // A machine under load takes a multiple of the usual time: the kills adapt to it, and converge on the commit.
      let stretch = 1;
      const dataDir = await temporaryFolder();
      let player = await servePlayer(dataDir);
      let state = await readState(player.address);

      async function timed(action: Action): Promise<void> {
        const startedAt = performance.now();
        await action.act(player.address);
        defaultMs.set(action.kind, performance.now() - startedAt);
        const found = await readState(player.address);
        expect(found, `after ${action.kind}`).toEqual(action.after(found));
        state = found;
      }

      for (const kind of kinds) await timed(actions.of(kind, state));
      // Kills that all came too early, or all too late, prove little: then there are some more.
      const maxMoments = () => (outcomes.size < 2 ? 2 * moments : moments);
      for (let moment = 0; moment < maxMoments(); moment += 1) {
        for (let left = random.below(maxActionsBefore); left > 0; left -= 1)
          await timed(actions.of(random.oneOf(kinds), state));

        const action = actions.of(
          kinds[moment % kinds.length] ?? "create",
          state,
        );
        const usual = defaultMs.get(action.kind) ?? 50;
        const atMs = usual * random.share() * 1.2 * stretch;
        const isAnswered = await kill(player, action, atMs);
        await age(dataDir, longEnoughMs);
        player = await servePlayer(dataDir);

        const where = `moment ${moment}: ${action.kind} killed after ${atMs.toFixed(1)} ms`;
        expect(await faultsOf(dataDir), where).toEqual([]);
        const found = await readState(player.address);
        const after = action.after(found);
        expect(isAnswered ? [after] : [state, after], where).toContainEqual(
          found,
        );
        if (action.kind !== "backup") {
          const isBefore = isDeepStrictEqual(found, state);
          outcomes.add(isBefore ? "before" : "after");
          stretch *= isBefore ? stride : 1 / stride;
        }
        state = found;
        await vi.waitFor(
          async () => expect(await leftOvers(dataDir), where).toEqual([]),
          { interval: 20 },
        );
        await assertArchivesIntact(player.address);
      }
      // Otherwise the kills came too early or too late to prove anything.
      expect([...outcomes].sort()).toEqual(["after", "before"]);
    },
    maxMs,
  );
});

/** Kills the player during this action and during an upload that is never claimed; returns whether the action was done. */
async function kill(
  { process: player, address }: Awaited<ReturnType<typeof servePlayer>>,
  action: Action,
  atMs: number,
): Promise<boolean> {
  const aside = Buffer.concat([png([0, 0, 1]), Buffer.alloc(2_000_000, 5)]);
  const unclaimed = upload(address, aside).catch(() => undefined);
  const actionDone = action.act(address).then(
    () => true,
    (error: unknown) => {
      if (error instanceof RejectedRequest) throw error;
      return false;
    },
  );
  await new Promise((resolve) => setTimeout(resolve, atMs));
  const exit = new Promise((resolve) => player.once("exit", resolve));
  player.kill("SIGKILL");
  await Promise.all([exit, unclaimed]);
  return actionDone;
}

async function assertArchivesIntact(address: string): Promise<void> {
  const listed = (await (await request(address, "/backups")).json()) as {
    name: string;
    size: number;
  }[];
  for (const { name, size } of listed.slice(0, 1)) {
    const answer = await request(address, `/backups/${name}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.length).toBe(size);
    expect(membersOf(bytes)[0]?.path).toBe("manifest.json");
  }
}
