// Geocoding and reverse geocoding from a bundled data set; no external service unless the operator configures one (V3-47).

import { Worker } from "node:worker_threads";
import { text as textOf } from "node:stream/consumers";
import * as z from "zod";
import { serviceSentences } from "../../../contract/sentences/service-sentences.ts";
import type { PlacesV3 } from "../../../contract/v3/v3.ts";
import { got } from "../../../contract/field-error.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import { requestHttp } from "../../../platform/http/client.ts";
import type { Log } from "../../../platform/log.ts";
import { sendJson, type Methods } from "../../http/routes.ts";

/** The words of an address, or a point. */
export type PlaceQuestion =
  | { readonly address: string }
  | { readonly latitude: number; readonly longitude: number };

export interface Geocode {
  find(question: PlaceQuestion): Promise<PlacesV3>;
  stop(): Promise<void>;
}

export interface GeocodeOptions {
  readonly log: Log;
  /** `{query}` is replaced by the address; responses are parsed as Nominatim's. */
  readonly providerUrl: string | undefined;
}

export interface GeocodeJob {
  readonly number: number;
  readonly question: PlaceQuestion;
}

export interface GeocodeWord {
  readonly number: number;
  readonly places: PlacesV3;
}

/** The data set takes several hundred megabytes of memory and is rarely needed for long. */
const restsAfterMs = 5 * 60_000;
const maxLength = 1000;
const providerMs = 5_000;

export function createGeocode(options: GeocodeOptions): Geocode {
  const { log, providerUrl } = options;
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let number = 0;
  let rest: NodeJS.Timeout | undefined;

  function letGo(error?: unknown): void {
    clearTimeout(rest);
    const gone = worker;
    worker = null;
    // The thread ends with the process at the latest.
    gone?.terminate().catch(() => undefined);
    for (const { reject } of pending.values())
      reject(error ?? new Error("the place search was canceled"));
    pending.clear();
  }

  function thread(): Worker {
    clearTimeout(rest);
    rest = setTimeout(() => {
      if (pending.size === 0) letGo();
    }, restsAfterMs);
    rest.unref();
    if (worker) return worker;
    const thread = new Worker(new URL("./geocode-thread.ts", import.meta.url));
    thread.unref();
    thread.on("message", ({ number: of, places }: GeocodeWord) => {
      pending.get(of)?.resolve(places);
      pending.delete(of);
    });
    thread.on("error", letGo);
    return (worker = thread);
  }

  function request(question: PlaceQuestion): Promise<PlacesV3> {
    return new Promise((resolve, reject) => {
      number += 1;
      pending.set(number, { resolve, reject });
      const job: GeocodeJob = { number, question };
      thread().postMessage(job);
    });
  }

  return {
    find: async (question) => {
      if (providerUrl !== undefined && "address" in question)
        try {
          return await requestProvider(providerUrl, question.address);
        } catch (error) {
          log.warn("geocode.provider-failed", { error });
        }
      return request(question).catch((error: unknown) => {
        log.error("geocode.places-missing", { error });
        throw new Failure("unavailable", serviceSentences["places-away"]);
      });
    },
    stop: async () => letGo(),
  };
}

interface Pending {
  readonly resolve: (places: PlacesV3) => void;
  readonly reject: (error: unknown) => void;
}

const provided = z.array(
  z.object({
    display_name: z.string(),
    lat: z.coerce.number().min(-90).max(90),
    lon: z.coerce.number().min(-180).max(180),
  }),
);

async function requestProvider(
  url: string,
  address: string,
): Promise<PlacesV3> {
  const { status, body } = await requestHttp(
    new URL(url.replaceAll("{query}", encodeURIComponent(address))),
    {
      ...{ verifyTls: true, silenceMs: providerMs },
      signal: AbortSignal.timeout(providerMs),
      headers: { Accept: "application/json" },
    },
  );
  if (status !== 200)
    throw new Error(`the provider responded with status ${status}`);
  return provided
    .parse(JSON.parse(await textOf(body)))
    .map(({ display_name, lat, lon }) => ({
      ...{ location: display_name, coords: [lat, lon], timezone: null },
    }));
}

export function createGeocodeRoute(geocode: Geocode): Methods {
  return {
    GET: async (request, response) => {
      const question = questionFrom(request.query as Query);
      const places = question === null ? [] : await geocode.find(question);
      sendJson(response, 200, places);
    },
  };
}

type Query = Readonly<Record<string, string | string[] | undefined>>;

/** Null when the query contains no question. */
function questionFrom(query: Query): PlaceQuestion | null {
  const address = wordOf(query["address"]) ?? wordOf(query["q"]);
  const [lat, lng] = [wordOf(query["lat"]), wordOf(query["lng"])];
  if (lat !== null || lng !== null)
    return {
      latitude: degrees("lat", lat, 90),
      longitude: degrees("lng", lng, 180),
    };
  if (address === null) return null;
  if (address.length > maxLength)
    throw fieldFailure(
      "address",
      `address must have at most ${maxLength} characters`,
    );
  return { address };
}

function wordOf(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text.trim() === "" ? null : text;
}

function degrees(field: string, text: string | null, most: number): number {
  const value = text === null || !/^-?\d/.test(text) ? NaN : Number(text);
  if (Math.abs(value) <= most) return value;
  throw fieldFailure(
    field,
    `${field} must be degrees from -${most} to ${most}${got(text ?? "")}`,
  );
}
