// Pauses of the outbox while a service is unavailable.

import { expect, it } from "vitest";
import { createPauses } from "../../../../server/player/sync/outbox/outbox-backoff.ts";
import { RemoteError } from "../../../../server/player/sync/remote/remote-error.ts";
import { manualClock } from "../../../support/clock.ts";

const away = new RemoteError("unavailable", "No answer.");

it.each([
  [0, 1000],
  [0.999_999, 3000],
])(
  "[V2-310] begin with 1 to 3 seconds and never exceed 5 minutes, at random %f",
  (random, firstMs) => {
    const pauses = createPauses({
      ...{ clock: manualClock(), random: () => random },
      onOver: () => undefined,
    });
    const lengths = Array.from({ length: 20 }, () =>
      pauses.pauseAll(away, true),
    );
    expect(lengths[0]).toBeCloseTo(firstMs, -1);
    expect(lengths[1]).toBe(2 * (lengths[0] ?? 0));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(300_000);
    expect(Math.max(...lengths)).toBeGreaterThanOrEqual(100_000);
    const longer = new RemoteError("unavailable", "Later.", 900_000);
    expect(pauses.pauseAll(longer, false)).toBe(900_000);
    pauses.stop();
  },
);
