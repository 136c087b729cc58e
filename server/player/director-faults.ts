// What could not be shown: told, noted on the asset, and left in peace for a while.

import { momentToText } from "../contract/v2-values.ts";
import type { Log } from "../platform/log.ts";
import { createAnnouncement } from "./announcement.ts";
import type { Library } from "./library.ts";
import type { LineupWatch } from "./lineup-watch.ts";
import { createQuarantine, type Standing } from "./quarantine.ts";
import type { Clock } from "./stage.ts";
import type { Fault, Staged } from "./staged.ts";
import type { Takeover } from "./takeover.ts";

export interface Faults {
  /** It cannot be shown. */
  failed(staged: Staged, reason: string): void;
  /** It may be the reason why something went wrong: the third time it counts as failed. */
  suspected(staged: Staged, reason: string): void;
  /** Suspected, while somebody waits for it: told at once. */
  missed(staged: Staged, reason: string): void;
  /** Something is amiss that has no consequence yet; it may lie over the glass. */
  noticed(staged: Staged, reason: string, isCover: boolean): void;
  /** It is on the glass. */
  shown(staged: Staged): void;
  /** It was on the glass for its whole time. */
  played(staged: Staged): void;
  /** Whether a takeover has failed and waits for its next try. */
  isAside(takeover: Takeover): boolean;
  /** Why the takeover cannot be shown; null while nothing is known against it. */
  problemOf(takeover: Takeover): string | null;
  /** Something that is no slide does not work. */
  tell(name: string, reason: string): void;
  on(listener: (fault: Fault) => void): () => void;
  stop(): void;
}

export interface FaultsOptions {
  readonly library: Library;
  readonly watch: Pick<
    LineupWatch,
    "failed" | "suspect" | "played" | "planLook"
  >;
  readonly clock: Clock;
  readonly log: Log;
}

/** How soon the house card is tried again when even that failed. */
const cardAgainMs = 1000;

export function createFaults(options: FaultsOptions): Faults {
  const { library, watch, clock, log } = options;
  const told = createAnnouncement<Fault>();
  const takeovers = createQuarantine();
  let takeoverProblem: { readonly id: string; readonly text: string } | null =
    null;
  let stopWaiting = (): void => undefined;

  const subjectOf = ({ id }: Takeover) => ({ id, content: "" });

  function lookAfter(ms: number): void {
    stopWaiting();
    stopWaiting = clock.after(ms, watch.planLook);
  }

  function tell({ slide }: Staged, reason: string, isCover = false): void {
    const { assetId, name } = slide;
    told.tell({ assetId, name, reason, isCover, at: clock.now() });
  }

  /** The sentence, with what has become of it. */
  function sentence(reason: string, standing: Standing): string {
    if (!standing.isQuarantined) return reason;
    const again = clock.now() + standing.until - clock.monotonic();
    const when = momentToText(Math.round(again / 1000) * 1000);
    return `${reason} It has failed ${standing.failures} times and is tried again at ${when}.`;
  }

  function note(
    { asset, takeover }: Staged,
    reason: string,
    standing: Standing,
  ): string {
    const text = sentence(reason, standing);
    if (asset) {
      library.setProblem(asset.id, text);
      const { failures, isQuarantined } = standing;
      const name = isQuarantined ? "asset.quarantined" : "slide.failed";
      log.warn(name, { asset: asset.id, reason, failures });
    }
    if (takeover) {
      takeoverProblem = { id: takeover.id, text };
      log.warn("takeover.failed", { takeover: takeover.id, reason });
    }
    return text;
  }

  function failed(staged: Staged, reason: string): void {
    const { asset, takeover } = staged;
    const now = clock.monotonic();
    if (!asset && !takeover) {
      // The house card needs nothing but the stage: without that there is nothing better to try than again.
      log.error("card.failed", { reason });
      tell(staged, reason);
      lookAfter(cardAgainMs);
      return;
    }
    const ofAsset = asset && watch.failed(asset);
    const ofTakeover = takeover && takeovers.add(subjectOf(takeover), now);
    if (ofTakeover) lookAfter(ofTakeover.until - now);
    const standing = ofAsset ?? ofTakeover;
    if (standing) tell(staged, note(staged, reason, standing));
    watch.planLook();
  }

  function suspected(staged: Staged, reason: string, isMissed = false): void {
    const { asset, takeover } = staged;
    const now = clock.monotonic();
    const ofAsset = asset && watch.suspect(asset);
    const ofTakeover = takeover && takeovers.suspect(subjectOf(takeover), now);
    if (ofTakeover?.isQuarantined) lookAfter(ofTakeover.until - now);
    const standing = ofAsset ?? ofTakeover;
    if (standing && (isMissed || standing.isQuarantined))
      tell(staged, note(staged, reason, standing));
    watch.planLook();
  }

  return {
    failed,
    suspected: (staged, reason) => suspected(staged, reason),
    missed: (staged, reason) => suspected(staged, reason, true),
    noticed: tell,
    shown: ({ asset, takeover }) => {
      if (asset?.problem) library.setProblem(asset.id, null);
      if (takeover) takeoverProblem = null;
    },
    played: ({ asset }) => {
      if (asset) watch.played(asset);
    },
    isAside: (takeover) =>
      takeovers.has(subjectOf(takeover), clock.monotonic()),
    problemOf: ({ id }) =>
      takeoverProblem?.id === id ? takeoverProblem.text : null,
    tell: (name, reason) =>
      told.tell({
        ...{ assetId: null, name, reason, isCover: false },
        at: clock.now(),
      }),
    on: told.on,
    stop: () => stopWaiting(),
  };
}
