// Client of the version 2 interface of one player, within limits of time and size, and without following redirects (V3-112, V3-117).

import { reasonOfConnection, requestHttp } from "../../platform/http/client.ts";
import type { HttpAnswer, SentBody } from "../../platform/http/client.ts";
import {
  multipartBody,
  type MultipartFile,
} from "../../platform/http/multipart-body.ts";
import {
  connectionReasons,
  playerReasonText,
  type PlayerReason,
} from "../../contract/v3/player-reasons.ts";
import type { PlayerFactsV3 } from "../../contract/v3/v3-adopted.ts";
import { cutText } from "../../core/text-limit.ts";
import { PlayerError } from "./player-error.ts";
import {
  assetFrom,
  assetsFrom,
  factsFrom,
  uploadedFrom,
  type RemoteAsset,
  type UploadedFile,
} from "./player-rows.ts";

export interface PlayerLogin {
  readonly username: string;
  readonly password: string;
}

export interface AnthiasClientOptions {
  readonly origin: string;
  readonly login: PlayerLogin | null;
  readonly mayConnect: (address: string) => boolean;
  readonly signal: AbortSignal;
  /** From the start of a request to the end of its response; uploads have longer. */
  readonly deadlineMs: number;
}

/** Fields of a new asset, as version 2 requires them. */
export interface NewAsset {
  readonly name: string;
  readonly uri: string;
  readonly ext?: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly duration: number;
  readonly mimetype: string;
  readonly is_enabled: boolean;
  readonly skip_asset_check: boolean;
}

export type AssetChange = Partial<
  Pick<NewAsset, "name" | "duration" | "is_enabled">
> & { readonly start_date?: string; readonly end_date?: string };

/** Every method throws a PlayerError. */
export interface AnthiasClient {
  assets(): Promise<readonly RemoteAsset[]>;
  create(asset: NewAsset): Promise<RemoteAsset>;
  change(id: string, change: AssetChange): Promise<RemoteAsset>;
  /** One that is not there any more is removed, too. */
  remove(id: string): Promise<void>;
  order(ids: readonly string[]): Promise<void>;
  upload(file: MultipartFile): Promise<UploadedFile>;
  /** `next`, `previous` or `asset&ID`. */
  control(command: string): Promise<void>;
  reboot(): Promise<void>;
  /** Null where the player has no such request. */
  facts(): Promise<PlayerFactsV3 | null>;
  /** Identifier of the asset on the screen; null for none, undefined where the player has no such request. */
  current(): Promise<string | null | undefined>;
}

/** Not that of requests which any address or redirect can cause: a player carries out no command of those (V2-450). */
const agent = "content-service (Vitrine)";
/** A list of several thousand assets. */
const maxBodyBytes = 4 * 1024 * 1024;
/** A player on a slow wireless network. */
const slowestBytesPerMs = 50;
/** Both may wait for a program on the player that does not run. */
const optionalMs = 5_000;
const maxReason = 200;

interface Answer {
  readonly status: number;
  /** Of a 401: the schemes of the login it requires. */
  readonly schemes: string;
  /** Undefined where it is no JSON. */
  readonly json: unknown;
}

interface Sent {
  readonly json?: unknown;
  readonly body?: SentBody;
  readonly deadlineMs?: number;
}

export function createAnthiasClient(
  options: AnthiasClientOptions,
): AnthiasClient {
  const { origin, login, mayConnect } = options;

  async function request(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    sent: Sent = {},
  ): Promise<Answer> {
    const { json, body, deadlineMs = options.deadlineMs } = sent;
    const late = AbortSignal.timeout(deadlineMs);
    const signal = AbortSignal.any([options.signal, late]);
    const payload = json === undefined ? body : jsonBody(json);
    try {
      const answer = await requestHttp(new URL(`${origin}${path}`), {
        ...{ method, mayConnect, signal, verifyTls: true },
        ...{ isFirstServerOnly: true, silenceMs: deadlineMs },
        headers: { Accept: "application/json", "User-Agent": agent },
        ...(login && {
          originHeaders: { Authorization: basicLogin(login) },
        }),
        ...(payload && { body: payload }),
      });
      refuseRedirect(answer);
      return {
        ...{ status: answer.status, json: jsonOf(await textOf(answer)) },
        schemes: answer.headers["www-authenticate"] ?? "",
      };
    } catch (error) {
      if (error instanceof PlayerError) throw error;
      throw new PlayerError(
        ...(["unreachable", "unreachable"] as const),
        late.aborted ? connectionReasons.silent : reasonOfConnection(error),
      );
    }
  }

  /** Requests without which there is no player. */
  async function expectOk(of: Promise<Answer>): Promise<Answer> {
    const answer = await of;
    const { status } = answer;
    if (status >= 200 && status < 300) return answer;
    refuseLogin(answer);
    if (status === 507) throw new PlayerError("full", "disk-full");
    throw new PlayerError("refused", ...refusalOf(answer));
  }

  /** A service with keys or tokens, such as this one, is no such player. */
  function refuseLogin({ status, schemes }: Answer): void {
    if (status !== 401 && status !== 403) return;
    if (schemes !== "" && !/\bbasic\b/i.test(schemes))
      throw new PlayerError("stranger", "other-login", status);
    throw loginRefused(login !== null);
  }

  async function optional(path: string): Promise<unknown> {
    const deadlineMs = Math.min(optionalMs, options.deadlineMs);
    const { status, json } = await request("GET", path, { deadlineMs });
    return status === 200 ? json : undefined;
  }

  return {
    assets: async () => {
      const answer = await request("GET", "/api/v2/assets");
      const { status, json } = answer;
      refuseLogin(answer);
      if (status >= 500)
        throw new PlayerError(
          ...(["unreachable", "listing-failed"] as const),
          playerReasonText(...refusalOf(answer)),
        );
      const assets = status === 200 ? assetsFrom(json) : null;
      if (assets) return assets;
      throw stranger(status);
    },
    create: async (asset) => {
      const { json } = await expectOk(
        request("POST", "/api/v2/assets", { json: asset }),
      );
      return assetFrom(json) ?? refuseBody();
    },
    change: async (id, change) => {
      const { json } = await expectOk(
        request("PATCH", pathOf(id), { json: change }),
      );
      return assetFrom(json) ?? refuseBody();
    },
    remove: async (id) => {
      const answer = await request("DELETE", pathOf(id));
      if (answer.status !== 404) await expectOk(Promise.resolve(answer));
    },
    order: async (ids) => {
      const content = Buffer.from(
        new URLSearchParams({ ids: ids.join(",") }).toString(),
      );
      const type = "application/x-www-form-urlencoded";
      const body = { type, sizeBytes: content.length, content };
      await expectOk(request("POST", "/api/v2/assets/order", { body }));
    },
    upload: async (file) => {
      const { json } = await expectOk(
        request("POST", "/api/v2/file_asset", {
          body: multipartBody({}, file),
          deadlineMs: Math.ceil(
            options.deadlineMs + file.sizeBytes / slowestBytesPerMs,
          ),
        }),
      );
      return uploadedFrom(json) ?? refuseBody();
    },
    control: async (command) => {
      const path = `/api/v2/assets/control/${encodeURIComponent(command)}`;
      await expectOk(request("GET", path));
    },
    reboot: async () => {
      await expectOk(request("POST", "/api/v2/reboot"));
    },
    facts: async () => {
      const json = await optional("/api/v2/info");
      return json === undefined ? null : factsFrom(json);
    },
    current: async () => {
      const json = await optional("/api/v1/viewer_current_asset");
      if (json === undefined) return undefined;
      // An empty array while it shows none.
      return assetFrom(json)?.id ?? null;
    },
  };
}

function pathOf(id: string): string {
  return `/api/v2/assets/${encodeURIComponent(id)}`;
}

function jsonBody(value: unknown): SentBody {
  const content = Buffer.from(JSON.stringify(value));
  return { type: "application/json", sizeBytes: content.length, content };
}

function basicLogin({ username, password }: PlayerLogin): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

async function textOf({ body }: HttpAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBodyBytes) {
      body.destroy();
      throw new PlayerError("stranger", "response-too-large", maxBodyBytes);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Anthias redirects to its login page where no login was sent. */
function refuseRedirect({ status, headers, body }: HttpAnswer): void {
  if (status < 300 || status >= 400) return;
  body.on("error", () => undefined).destroy();
  if (/login/i.test(headers.location ?? "")) throw loginRefused(false);
  throw new PlayerError("stranger", "redirected");
}

function loginRefused(hasLogin: boolean): PlayerError {
  return new PlayerError("login", hasLogin ? "login-wrong" : "login-missing");
}

function stranger(status: number): PlayerError {
  return new PlayerError("stranger", "not-anthias", status);
}

function refuseBody(): never {
  throw new PlayerError("refused", "response-unreadable");
}

/** By the shapes of its releases: `{"error"}`, `{"detail"}`, or sentences by field. */
function refusalOf({
  status,
  json,
}: Pick<Answer, "status" | "json">): readonly [PlayerReason, string] {
  const fields =
    typeof json === "object" && json !== null && !Array.isArray(json)
      ? (json as Readonly<Record<string, unknown>>)
      : {};
  const message = [
    ...[fields["error"], fields["detail"]],
    ...Object.values(fields).flat(),
  ].find((one): one is string => typeof one === "string" && one.trim() !== "");
  return message === undefined
    ? ["response-status", String(status)]
    : ["response", cutText(message.replaceAll(/\s+/g, " ").trim(), maxReason)];
}
