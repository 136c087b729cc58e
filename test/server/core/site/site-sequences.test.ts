// Any number of players of a site, in any order of messages, deaths and lies: everybody gets everything, and the content service sends
// it once as long as the players work.

import { describe, expect, it, onTestFailed } from "vitest";
import { createRandom, type Random } from "../../../long/kill/random.ts";
import { isLong } from "../../../support/long-form.ts";
import { SiteSimulation, type Behaviour } from "./site-simulation.ts";

const sequences = isLong ? 500 : 25;
const mebibyte = 1024 * 1024;
/** The longest that anything may take on a site whose line needs a few seconds for all files. */
const maxMs = 400_000;

function each(act: (random: Random) => void): void {
  const seed = Number(process.env["VITRINE_SEED"] ?? Date.now() % 1_000_000);
  onTestFailed(() => console.error(`To see this again: VITRINE_SEED=${seed}`));
  const random = createRandom(seed);
  for (let sequence = 0; sequence < sequences; sequence += 1) act(random);
}

function newSimulation(
  random: Random,
  honest: number,
  others: readonly Behaviour[],
) {
  const files = Array.from({ length: 1 + random.below(8) }, (_, number) => ({
    md5: String(number).padStart(32, "0"),
    sizeBytes: 1000 + random.below(3 * mebibyte),
  }));
  const simulation = new SiteSimulation(random, files);
  for (let n = 0; n < honest; n += 1) simulation.add(`p${n}`);
  for (const [n, behaviour] of others.entries())
    simulation.add(`x${n}`, behaviour);
  const total = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const fetched = (): number =>
    [...simulation.wanBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { simulation, files, total, fetched };
}

describe("players of a site", () => {
  it(`[V2-823] download each byte from the content service exactly once, however their messages cross: ${sequences} sequences`, () => {
    each((random) => {
      const { simulation, total, fetched } = newSimulation(
        ...([random, 1 + random.below(8), []] as const),
      );
      for (const player of simulation.players) {
        simulation.start(player);
        // Some begin at the same moment, and others while the first are done.
        if (random.below(2) === 0)
          for (let n = random.below(60); n > 0; n -= 1) simulation.step();
      }
      simulation.run(maxMs);
      expect([fetched(), simulation.needlessBytes]).toEqual([total, 0]);
    });
  });

  it(`[V2-824] download hardly anything twice when some of them are killed and come back: ${sequences} sequences`, () => {
    each((random) => {
      const { simulation, total, fetched } = newSimulation(random, 8, []);
      for (const player of simulation.players) simulation.start(player);
      const killed = random.shuffled(simulation.players).slice(0, 3);
      for (const player of killed) {
        for (let n = random.below(30); n > 0; n -= 1) simulation.step();
        simulation.kill(player);
      }
      for (let n = random.below(200); n > 0; n -= 1) simulation.step();
      for (const player of killed) simulation.start(player);
      simulation.run(maxMs);
      for (const player of simulation.players)
        expect(simulation.hasAll(player)).toBe(true);
      // A step of the line for each file under way when its player died.
      expect(fetched()).toBeLessThanOrEqual(total + 3 * 8 * 64 * 1024);
    });
  });

  it(`[V2-825] get everything, at most twice from the content service, with others that lie, trickle or refuse: ${sequences} sequences`, () => {
    each((random) => {
      const kinds: Behaviour[] = [
        ...[{ lies: true }, { trickles: true }, { refuses: true }],
      ];
      const honest = 1 + random.below(5);
      const { simulation, total, fetched } = newSimulation(
        random,
        honest,
        random.shuffled(kinds).slice(0, 1 + random.below(3)),
      );
      for (const player of random.shuffled(simulation.players))
        simulation.start(player);
      simulation.run(maxMs);
      expect(fetched()).toBeLessThanOrEqual(2 * honest * total);
    });
  });
});
