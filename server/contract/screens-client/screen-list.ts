// The screens of one content service as it reported them last, and which of them changed since a revision.

import type { ScreensView, ScreenView } from "../ipc/ipc-screens.ts";
import { comparableRow, type ScreenRow } from "./screen-rows.ts";

export interface ScreenList {
  /** A whole list follows, in one part or several: what isn't in it by its end is removed. */
  begin(): void;
  take(
    listed: readonly unknown[],
    rowOf: (value: unknown) => ScreenRow | null,
  ): Promise<void>;
  remove(ids: readonly string[]): void;
  end(): void;
  pictureUrl(screenId: string): string | null;
  /** All of them for a revision of another list. */
  changedSince(
    revision: string | null,
  ): Pick<ScreensView, "revision" | "isWhole" | "screens" | "removed">;
}

interface KnownScreen extends ScreenRow {
  /** The row as it was received, without its signed address. */
  readonly text: string;
  /** The number of the change with which it changed last. */
  readonly changedIn: number;
}

/** Rows compared before other work gets its turn: the process may also run the player, and a page the person who uses it. */
const rowsPerTurn = 200;

/** `epoch` tells its revisions from those of an earlier run of this app, and of another service. */
export function createScreenList(
  epoch: string,
  nextTurn: () => Promise<void>,
): ScreenList {
  const screens = new Map<string, KnownScreen>();
  const removals = new Map<string, number>();
  let count = 0;
  /** Of the whole list that is being received. */
  let seen: Set<string> | null = null;

  function remove(ids: readonly string[]): void {
    const next = count + 1;
    for (const id of ids) if (screens.delete(id)) removals.set(id, next);
    count = next;
  }

  return {
    begin: () => {
      seen = new Set();
    },
    take: async (listed, rowOf) => {
      const next = count + 1;
      for (const [index, value] of listed.entries()) {
        if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
        const { id, text, pictureUrl } = comparableRow(value);
        const before = id === null ? undefined : screens.get(id);
        if (id !== null && before?.text === text) {
          // Validation takes several times as long as the comparison.
          seen?.add(id);
          screens.set(id, { ...before, pictureUrl });
          continue;
        }
        const row = rowOf(value);
        if (row === null) continue;
        seen?.add(row.view.id);
        removals.delete(row.view.id);
        screens.set(row.view.id, { ...row, text, changedIn: next });
      }
      count = next;
    },
    remove,
    end: () => {
      const all = seen;
      seen = null;
      if (all) remove([...screens.keys()].filter((id) => !all.has(id)));
    },
    pictureUrl: (screenId) => screens.get(screenId)?.pictureUrl ?? null,
    changedSince: (revision) => {
      const since = countIn(revision, epoch);
      const changed: ScreenView[] = [];
      for (const { view, changedIn } of screens.values())
        if (since === null || changedIn > since) changed.push(view);
      const removed = [...removals].flatMap(([id, at]) =>
        since !== null && at > since ? [id] : [],
      );
      return {
        ...{ revision: `${epoch}.${count}`, isWhole: since === null },
        ...{ screens: changed, removed },
      };
    },
  };
}

/** Null for a revision of another list. */
function countIn(revision: string | null, epoch: string): number | null {
  if (!revision?.startsWith(`${epoch}.`)) return null;
  const since = Number(revision.slice(epoch.length + 1));
  return Number.isInteger(since) ? since : null;
}
