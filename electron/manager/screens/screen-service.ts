// One content service that the manager asks about its screens: finds its version 3 interface, and reports which screens changed
// since a revision.

import type {
  ScreensView,
  ScreenView,
} from "../../../server/contract/ipc/ipc-screens.ts";
import { Failure } from "../../../server/contract/ipc/ipc.ts";
import type {
  ServiceAccess,
  ServiceAnswer,
} from "../../../server/player/sync/sync.ts";
import { imageDataUrl } from "./image-data-url.ts";
import {
  comparableRow,
  rowOfList,
  rowOfStates,
  type ScreenRow,
} from "./screen-rows.ts";

export interface ScreenService {
  /** Screens that changed since this revision. */
  screens(revision: string | null): Promise<ScreensView>;
  /** Null if the screen has no screenshot. */
  picture(screenId: string): Promise<string | null>;
  /** Below version 3 of the interface: `/screens/`. Throws a Failure with the service's reason where it rejects the request. */
  request(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    json?: unknown,
  ): Promise<unknown>;
}

/** The service answers below `/api` or without it; the commercial one has no states. */
interface Found {
  readonly base: "/api/v3" | "/v3";
  readonly hasStates: boolean;
}

interface KnownScreen extends ScreenRow {
  /** The row as it was received, without its signed address. */
  readonly text: string;
  /** The number of the response in which it changed last. */
  readonly changedIn: number;
}

const bases = ["/api/v3", "/v3"] as const;
/** As many as a service accepts from a player (L-13). */
const maxPictureBytes = 8 * 1024 * 1024;
/** Rows compared before other work of this process gets its turn: it also runs the player. */
const rowsPerTurn = 500;
/** A service without states may have been updated. */
const searchAgainMs = 300_000;

let services = 0;

export function createScreenService(
  access: () => Promise<ServiceAccess>,
  now: () => number,
): ScreenService {
  // A revision of an earlier run of this app, or of another service, is not known.
  const epoch = `${now()}-${(services += 1)}`;
  const screens = new Map<string, KnownScreen>();
  const removals = new Map<string, number>();
  let found: { readonly value: Found; readonly atMs: number } | null = null;
  let etag: string | null = null;
  let count = 0;
  let reading: Promise<boolean> | null = null;

  const listPath = ({ base, hasStates }: Found): string =>
    `${base}/screens/${hasStates ? "states/" : ""}`;

  /** The response of the first path that exists. */
  async function search(): Promise<ServiceAnswer> {
    const service = await access();
    let last: ServiceAnswer | null = null;
    for (const hasStates of [true, false])
      for (const base of bases) {
        const candidate = { base, hasStates };
        const answer = await service.request("GET", listPath(candidate));
        if (answer.status === 404 || answer.status === 405) {
          last = answer;
          continue;
        }
        assertAccepted(answer);
        if (!Array.isArray(answer.json)) continue;
        found = { value: candidate, atMs: now() };
        return answer;
      }
    throw new Failure(
      "unavailable",
      last?.reason ?? "This content service has no list of screens.",
    );
  }

  async function request(): Promise<ServiceAnswer> {
    const isOutdated =
      found !== null &&
      !found.value.hasStates &&
      now() - found.atMs > searchAgainMs;
    if (found === null || isOutdated) return search();
    const service = await access();
    const answer = await service.request("GET", listPath(found.value), {
      etag,
    });
    if (answer.status === 404) {
      found = null;
      return search();
    }
    if (answer.status !== 304) assertAccepted(answer);
    return answer;
  }

  /** True for a service that reports states. */
  async function read(): Promise<boolean> {
    const answer = await request();
    const { hasStates } = found?.value ?? { hasStates: false };
    if (answer.status === 304) return hasStates;
    if (!Array.isArray(answer.json))
      throw new Failure(
        "unavailable",
        "Unexpected response. Check that the address is a content service.",
      );
    await take(answer.json, hasStates ? rowOfStates : rowOfList);
    ({ etag } = answer);
    return hasStates;
  }

  async function take(
    listed: readonly unknown[],
    rowOf: (value: unknown) => ScreenRow | null,
  ): Promise<void> {
    const next = count + 1;
    const seen = new Set<string>();
    for (const [index, value] of listed.entries()) {
      if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
      const { id, text, pictureUrl } = comparableRow(value);
      const before = id === null ? undefined : screens.get(id);
      if (id !== null && before?.text === text) {
        // Validation takes several times as long as the comparison.
        seen.add(id);
        screens.set(id, { ...before, pictureUrl });
        continue;
      }
      const row = rowOf(value);
      if (row === null) continue;
      seen.add(row.view.id);
      removals.delete(row.view.id);
      screens.set(row.view.id, { ...row, text, changedIn: next });
    }
    for (const id of screens.keys())
      if (!seen.has(id)) {
        screens.delete(id);
        removals.set(id, next);
      }
    count = next;
  }

  /** Requests that come meanwhile get the same response. */
  function readOnce(): Promise<boolean> {
    reading ??= read().finally(() => (reading = null));
    return reading;
  }

  function changedSince(revision: string | null, isManageable: boolean) {
    const since = countIn(revision, epoch);
    const changed: ScreenView[] = [];
    for (const { view, changedIn } of screens.values())
      if (since === null || changedIn > since) changed.push(view);
    const removed = [...removals].flatMap(([id, at]) =>
      since !== null && at > since ? [id] : [],
    );
    return {
      ...{ revision: `${epoch}.${count}`, isWhole: since === null },
      ...{ screens: changed, removed, isManageable },
    };
  }

  return {
    screens: async (revision) => changedSince(revision, await readOnce()),
    picture: async (screenId) => {
      const address = screens.get(screenId)?.pictureUrl ?? null;
      if (address === null) return null;
      const service = await access();
      try {
        return imageDataUrl(await service.readFile(address, maxPictureBytes));
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== "not-found")
          throw error;
        // The signature of its address has expired: a full response has another.
        etag = null;
        await readOnce();
        const renewed = screens.get(screenId)?.pictureUrl ?? null;
        if (renewed === null || renewed === address) throw error;
        return imageDataUrl(await service.readFile(renewed, maxPictureBytes));
      }
    },
    request: async (method, path, json) => {
      if (found === null) await readOnce();
      const { base } = found?.value ?? { base: bases[0] };
      const service = await access();
      const answer = await service.request(method, base + path, { json });
      assertAccepted(answer);
      // What changed is listed by the next request, whatever the service caches.
      if (method !== "GET") etag = null;
      return answer.json;
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Null for a revision of another list. */
function countIn(revision: string | null, epoch: string): number | null {
  if (!revision?.startsWith(`${epoch}.`)) return null;
  const since = Number(revision.slice(epoch.length + 1));
  return Number.isInteger(since) ? since : null;
}

function assertAccepted({ status, reason }: ServiceAnswer): void {
  if (status < 300) return;
  if (status === 401 || status === 403)
    throw new Failure("unauthorized", reason);
  throw new Failure(status === 404 ? "not-found" : "invalid", reason);
}
