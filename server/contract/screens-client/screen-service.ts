// One content service that the manager asks about its screens: finds its version 3 interface, and reports which screens changed
// since a revision.

import * as z from "zod";
import { connectionSentences } from "../sentences/connection-sentences.ts";
import type { ScreensView } from "../ipc/ipc-screens.ts";
import { Failure } from "../../core/failure.ts";
import { screenChangesV3 } from "../v3/v3-screens.ts";
import type { ServiceAccess, ServiceAnswer } from "./service-access.ts";
import { imageDataUrl } from "./image-data-url.ts";
import { queryText } from "./query-text.ts";
import { expected } from "./response-rows.ts";
import { createScreenList } from "./screen-list.ts";
import { rowOfList, rowOfStates } from "./screen-rows.ts";

export interface ScreenService {
  /** Screens that changed since this revision. */
  screens(revision: string | null): Promise<ScreensView>;
  /** Null if the screen has no screenshot. */
  picture(screenId: string): Promise<string | null>;
  /** A file below version 3 of the interface. Throws a Failure `not-found` where there is none. */
  download(path: string, maxBytes: number): Promise<Uint8Array>;
  /** Below version 3 of the interface: `/screens/`. Throws a Failure with the service's reason where it rejects the request. */
  request(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    json?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<unknown>;
}

type ReadPart = Pick<ScreensView, "isManageable" | "isComplete">;

/** The rows are validated one by one, where they changed. */
const partOfChanges = screenChangesV3.extend({ screens: z.array(z.unknown()) });

/** The service answers below `/api` or without it; the commercial one has no states, and earlier ones only whole lists. */
interface Found {
  readonly base: "/api/v3" | "/v3";
  readonly kind: "changes" | "states" | "list";
}

const bases = ["/api/v3", "/v3"] as const;
/** As many as a service accepts from a player (L-13). */
const maxPictureBytes = 8 * 1024 * 1024;
/** A service that has less may have been updated. */
const searchAgainMs = 300_000;
/** The first part is short, so that there is something to see soon (V3-120). */
const partSizes = { first: 200, others: 2000 };

let services = 0;

/** What Node and browsers have under different names. */
export interface ScreenServiceMeans {
  readonly now: () => number;
  /** Resolves after other work that waits. */
  readonly nextTurn: () => Promise<void>;
  readonly base64: (bytes: Uint8Array) => string;
}

export function createScreenService(
  access: () => Promise<ServiceAccess>,
  { now, nextTurn, base64 }: ScreenServiceMeans,
): ScreenService {
  const list = createScreenList(`${now()}-${(services += 1)}`, nextTurn);
  let found: { readonly value: Found; readonly atMs: number } | null = null;
  let etag: string | null = null;
  /** Of the service's own list. */
  let revision = "";
  let reading: Promise<ReadPart> | null = null;

  const changesPath = (): string => {
    const limit = revision === "" ? partSizes.first : partSizes.others;
    const since = queryText([
      ["since", revision],
      ["limit", String(limit)],
    ]);
    return `/screens/states/?${since}`;
  };

  /** The response of the first path that exists. */
  async function search(): Promise<ServiceAnswer> {
    const service = await access();
    let last: ServiceAnswer | null = null;
    revision = "";
    for (const path of [changesPath(), "/screens/"])
      for (const base of bases) {
        const answer = await service.request("GET", base + path);
        if (answer.status === 404 || answer.status === 405) {
          last = answer;
          continue;
        }
        assertAccepted(answer);
        const kind = kindOf(answer, path);
        if (kind === null) continue;
        found = { value: { base, kind }, atMs: now() };
        return answer;
      }
    throw new Failure(
      "unavailable",
      last?.reason ?? connectionSentences["no-screens"],
    );
  }

  async function request(): Promise<ServiceAnswer> {
    const isOutdated =
      found !== null &&
      found.value.kind !== "changes" &&
      now() - found.atMs > searchAgainMs;
    if (found === null || isOutdated) return search();
    const service = await access();
    const { base, kind } = found.value;
    const path =
      kind === "changes"
        ? changesPath()
        : `/screens/${kind === "states" ? "states/" : ""}`;
    const answer = await service.request("GET", base + path, {
      etag: kind === "changes" ? null : etag,
    });
    if (answer.status === 404) {
      found = null;
      return search();
    }
    if (answer.status !== 304) assertAccepted(answer);
    return answer;
  }

  async function read(): Promise<ReadPart> {
    const answer = await request();
    const isManageable = found?.value.kind !== "list";
    const whole = { isManageable, isComplete: true };
    if (answer.status === 304) return whole;
    if (found?.value.kind === "changes") {
      const part = expected(partOfChanges, answer.json);
      if (part.is_whole) list.begin();
      await list.take(part.screens, rowOfStates);
      list.remove(part.removed);
      if (part.is_complete) list.end();
      ({ revision } = part);
      return { isManageable, isComplete: part.is_complete };
    }
    if (!Array.isArray(answer.json))
      throw new Failure("unavailable", connectionSentences.unexpected);
    list.begin();
    await list.take(answer.json, isManageable ? rowOfStates : rowOfList);
    list.end();
    ({ etag } = answer);
    return whole;
  }

  /** Requests that come meanwhile get the same response. */
  function readOnce(): Promise<ReadPart> {
    reading ??= read().finally(() => (reading = null));
    return reading;
  }

  /** The signature of its address has expired; a full response has another. */
  async function renewedAddress(screenId: string): Promise<string | null> {
    if (found?.value.kind === "changes") {
      const service = await access();
      const { base } = found.value;
      const one = queryText([["screen", screenId]]);
      const answer = await service.request(
        "GET",
        `${base}/screens/states/?${one}`,
      );
      assertAccepted(answer);
      if (Array.isArray(answer.json)) await list.take(answer.json, rowOfStates);
    } else {
      etag = null;
      await readOnce();
    }
    return list.pictureUrl(screenId);
  }

  return {
    screens: async (known) => {
      const part = await readOnce();
      return { ...list.changedSince(known), ...part };
    },
    picture: async (screenId) => {
      const address = list.pictureUrl(screenId);
      if (address === null) return null;
      const service = await access();
      try {
        return imageDataUrl(
          await service.readFile(address, maxPictureBytes),
          base64,
        );
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== "not-found")
          throw error;
        const renewed = await renewedAddress(screenId);
        if (renewed === null || renewed === address) throw error;
        return imageDataUrl(
          await service.readFile(renewed, maxPictureBytes),
          base64,
        );
      }
    },
    download: async (path, maxBytes) => {
      if (found === null) await readOnce();
      const { base } = found?.value ?? { base: bases[0] };
      return (await access()).download(base + path, maxBytes);
    },
    request: async (method, path, json, headers) => {
      if (found === null) await readOnce();
      const { base } = found?.value ?? { base: bases[0] };
      const service = await access();
      const answer = await service.request(method, base + path, {
        ...{ json, headers },
      });
      assertAccepted(answer);
      // What changed is listed by the next request, whatever the service caches; looking at a screen changes nothing.
      if (method !== "GET" && !path.endsWith("/watch/")) etag = null;
      return answer.json;
    },
  };
}

/** Null for a response that is no list of screens. */
function kindOf({ json }: ServiceAnswer, path: string): Found["kind"] | null {
  if (Array.isArray(json)) return path === "/screens/" ? "list" : "states";
  return partOfChanges.safeParse(json).success ? "changes" : null;
}

function assertAccepted({ status, reason }: ServiceAnswer): void {
  if (status < 300) return;
  if (status === 401 || status === 403)
    throw new Failure("unauthorized", reason);
  if (status === 409) throw new Failure("conflict", reason);
  throw new Failure(status === 404 ? "not-found" : "invalid", reason);
}
