// Exports the current plan as a signed offline bundle and imports one from a trusted player, completely or not at all.

import {
  createHash,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from "node:crypto";
import type { Readable } from "node:stream";
import { bundleSentences } from "../../../contract/sentences/bundle-sentences.ts";
import { connectionSentences } from "../../../contract/sentences/connection-sentences.ts";
import { composeSentence } from "../../../contract/sentence-templates.ts";
import { Failure } from "../../../core/failure.ts";
import { planSync } from "../../../core/sync-plan/sync-plan.ts";
import {
  connectionDefaults,
  planHostEnding,
  type SyncConnection,
} from "../../../core/sync-plan/sync-state.ts";
import {
  fetchedFilesOf,
  partsOfApps,
  type DesiredContent,
} from "../../../core/sync-plan/desired-content.ts";
import {
  bytesOfFile,
  packArchive,
  readArchive,
  type ArchiveMember,
} from "../../../platform/archive/archive.ts";
import { openFileStore } from "../../../platform/files/file-store.ts";
import type { Log } from "../../../platform/log.ts";
import {
  filesShownWith,
  fingerprintOfKey,
  keyFromText,
  manifestPath,
  manifestToBytes,
  pathOfFile,
  signaturePath,
  signatureToBytes,
  type PlanManifest,
} from "./bundle-manifest.ts";
import type { BundleRows, PlanFile, TrustedKey } from "./bundle-rows.ts";
import { planMembersAt, type PlanMembers } from "./bundle-source.ts";
import { planFailure, stagePlan, type StagedPlan } from "./bundle-staging.ts";
import type { PlanRecord, SyncLibrary } from "../store/library-store.ts";
import type { Sync } from "../connection/connections.ts";
import type { Secrets } from "../store/secret-store.ts";

/** Options of an import. */
export interface PlanImportInput {
  /** The connection to import into; without it, the bundle gets a connection of its own. */
  readonly connectionId?: string | undefined;
  /** Fingerprint to trust from now on. */
  readonly trust?: string | undefined;
}

export interface PlanImported {
  readonly connectionId: string;
  readonly from: string;
  readonly madeAt: number;
  readonly fingerprint: string;
  readonly assets: number;
  readonly playlists: number;
  readonly files: number;
  readonly bytes: number;
}

export interface OfflineBundles {
  /** Packed while it is read; a failure on the way aborts it. */
  exportPlan(
    connectionId?: string,
  ): Promise<{ readonly name: string; readonly content: Readable }>;
  /** Nothing has changed if it throws; `arrived` settles when the whole request has been received. */
  importPlan(
    source: Readable,
    input: PlanImportInput,
    arrived: Promise<unknown>,
  ): Promise<PlanImported>;
  /** Imports from a file or folder of this machine. */
  importFrom(place: string, input: PlanImportInput): Promise<PlanImported>;
  keys(): Promise<{
    readonly own: string;
    readonly trusted: readonly TrustedKey[];
  }>;
  distrust(fingerprint: string): void;
}

export interface OfflineBundlesOptions {
  readonly sync: Pick<
    Sync,
    | "connections"
    | "connection"
    | "addConnection"
    | "removeConnection"
    | "readAgain"
    | "holdFiles"
  >;
  readonly library: SyncLibrary;
  readonly rows: BundleRows;
  readonly secrets: Secrets;
  readonly log: Log;
  readonly now: () => number;
  readonly playerName: () => string;
  /** Folder for imports under way. */
  readonly dir: string;
  readonly reserveBytes: number;
  /** Upper bound for all files of a bundle; the default is 1 TiB, as the disk itself is full before that. */
  readonly maxBytes?: number | undefined;
}

const defaultMostBytes = 1024 ** 4;
const secretName = "plan-key";

export function createOfflineBundles(
  options: OfflineBundlesOptions,
): OfflineBundles {
  const { sync, library, rows, secrets, log, now } = options;
  let making: Promise<KeyObject> | null = null;
  let isImporting = false;

  /** Generated at the first request, and sealed like a token. */
  function signingKey(): Promise<KeyObject> {
    making ??= openKey().catch((error: unknown) => {
      making = null;
      throw error;
    });
    return making;
  }

  async function openKey(): Promise<KeyObject> {
    const existing = keyFromText((await secrets.open(secretName)) ?? "");
    if (existing) return existing;
    // Others may trust the existing key: it is not replaced because it cannot be opened at the moment.
    if (await secrets.isLocked(secretName)) throw lockedKey();
    const { privateKey } = generateKeyPairSync("ed25519");
    const bytes = privateKey.export({ type: "pkcs8", format: "der" });
    await secrets.keep(secretName, bytes.toString("base64"));
    return privateKey;
  }

  function exported(connectionId: string | undefined): SyncConnection {
    if (connectionId !== undefined) return sync.connection(connectionId);
    const withPlans = sync
      .connections()
      .filter(({ id }) => library.plans(id).some(({ isCurrent }) => isCurrent));
    const [only] = withPlans;
    if (!only)
      throw new Failure("conflict", bundleSentences["nothing-to-export"]);
    if (withPlans.length > 1)
      throw new Failure("conflict", connectionSentences.several);
    return only;
  }

  async function exportPlan(
    connectionId?: string,
  ): ReturnType<OfflineBundles["exportPlan"]> {
    const connection = exported(connectionId);
    const release = await rows.holdFiles();
    try {
      const plan = library.plans(connection.id).find((one) => one.isCurrent);
      if (!plan)
        throw new Failure("conflict", bundleSentences["nothing-to-export"]);
      const files = filesOf(plan.content, rows);
      const key = await signingKey();
      const moment = now();
      const manifest = manifestToBytes({
        ...{ from: options.playerName().slice(0, 1000), source: connection.id },
        ...{ made: new Date(moment).toISOString(), wanted: plan.content },
        files: [...files].map(([md5, { hash: sha256, sizeBytes }]) => ({
          ...{ md5, sha256, sizeBytes },
        })),
      });
      const signature = signatureToBytes(key, manifest);
      const content = packArchive(members(manifest, signature, files), moment);
      content.once("close", release).on("error", (error) => {
        log.error("plan.aborted", { error });
      });
      log.info("plan.exported", {
        connection: connection.id,
        files: files.size,
      });
      return { name: nameOf(options.playerName(), moment), content };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function take(
    open: () => Promise<PlanMembers> | PlanMembers,
    input: PlanImportInput,
    arrived: Promise<unknown>,
  ): Promise<PlanImported> {
    if (isImporting)
      throw new Failure("conflict", bundleSentences["import-busy"]);
    isImporting = true;
    try {
      return await takeAlone(open, input, arrived);
    } catch (error) {
      throw planFailure(error, "plan_upload");
    } finally {
      isImporting = false;
    }
  }

  async function takeAlone(
    open: () => Promise<PlanMembers> | PlanMembers,
    input: PlanImportInput,
    arrived: Promise<unknown>,
  ): Promise<PlanImported> {
    if (input.connectionId !== undefined) sync.connection(input.connectionId);
    const ownFingerprint = fingerprintOfKey(await signingKey());
    const store = await openFileStore(options.dir, {
      reserveBytes: options.reserveBytes,
    });
    await store.sweepAside(0);
    const storedFiles = library.files();
    const staged = await stagePlan(await open(), {
      ...{ store, maxBytes: options.maxBytes ?? defaultMostBytes },
      isHere: (md5) => storedFiles.has(md5),
      assertTrusted: (fingerprint, manifest) => {
        if (!isTrusted(fingerprint, ownFingerprint, input))
          throw stranger(fingerprint, manifest);
      },
    });
    try {
      await arrived;
      return await apply(staged, ownFingerprint, input);
    } finally {
      // Files that were added to the store are no longer in staging.
      for (const aside of staged.files.values()) await store.discard(aside);
    }
  }

  function isTrusted(
    fingerprint: string,
    ownFingerprint: string,
    input: PlanImportInput,
  ): boolean {
    return (
      fingerprint === ownFingerprint ||
      fingerprint === input.trust ||
      rows.trustedKeys().some((one) => one.fingerprint === fingerprint)
    );
  }

  async function apply(
    { manifest, fingerprint, files }: StagedPlan,
    ownFingerprint: string,
    input: PlanImportInput,
  ): Promise<PlanImported> {
    const { wanted: content, from } = manifest;
    const { id, isNew } = await connectionFor(manifest, fingerprint, input);
    const record: PlanRecord = {
      ...{ id: newId(), content, at: now() },
      target: createHash("sha256")
        .update(JSON.stringify(content))
        .digest("hex"),
    };
    // No plan names them yet, and other connections keep running in the meantime.
    const shownWith = filesShownWith(manifest);
    const release = sync.holdFiles(shownWith);
    try {
      const parts = partsOfApps(content);
      for (const [md5, aside] of files)
        if (parts.has(md5)) await library.admitPart(aside, md5);
        else await library.admit(aside, md5);
      assertAllHere(manifest.files.map(({ md5 }) => md5));
      for (const { app, file } of content.assets)
        if (app && file) await library.admitApp(app, file.md5);
      assertAllHere(shownWith);
      const held = library.held(id);
      const memory = library.connections().find((one) => one.id === id)?.memory;
      await library.apply(
        id,
        planSync(content, held),
        record,
        // It is the desired state until a service answers.
        {
          ...{ ...memoryOf(memory), wanted: record.target, seenAt: record.at },
          ...{ postponed: null, putOff: null, approved: null },
        },
        true,
        true,
      );
      sync.readAgain(id);
    } catch (error) {
      if (isNew) await sync.removeConnection(id, false);
      throw error;
    } finally {
      release();
    }
    const isFresh = rows
      .trustedKeys()
      .every((one) => one.fingerprint !== fingerprint);
    if (
      input.trust === fingerprint &&
      fingerprint !== ownFingerprint &&
      isFresh
    )
      rows.trustKey({ fingerprint, name: from, trustedAt: now() });
    const counts = {
      assets: content.assets.length,
      playlists: content.playlists.length,
    };
    rows.noteTaken({ from, ...counts });
    log.info("plan.imported", {
      connection: id,
      fingerprint,
      files: files.size,
    });
    return {
      ...{
        connectionId: id,
        from,
        fingerprint,
        madeAt: Date.parse(manifest.made),
      },
      ...counts,
      files: manifest.files.length,
      bytes: manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    };
  }

  /** A file that was here when it was checked may have been deleted before it was held. */
  function assertAllHere(md5s: readonly string[]): void {
    const storedFiles = library.files();
    if (md5s.some((md5) => !storedFiles.has(md5)))
      throw new Failure("conflict", bundleSentences["file-removed"]);
  }

  /** Bundles of the same connection of the same player replace each other; no request is ever sent to such an address. */
  async function connectionFor(
    { from, source }: PlanManifest,
    fingerprint: string,
    { connectionId }: PlanImportInput,
  ): Promise<{ readonly id: string; readonly isNew: boolean }> {
    if (connectionId !== undefined) return { id: connectionId, isNew: false };
    const baseUrl = `http://${source}.${fingerprint.slice(0, 16)}${planHostEnding}`;
    const existing = sync.connections().find((one) => one.baseUrl === baseUrl);
    if (existing) return { id: existing.id, isNew: false };
    const name = from.trim() || "Plan";
    const input = { ...connectionDefaults, baseUrl, name, isEnabled: false };
    const { id } = await sync.addConnection(input, "none");
    return { id, isNew: true };
  }

  return {
    exportPlan,
    importPlan: (source, input, arrived) =>
      take(() => readArchive(source), input, arrived),
    importFrom: (place, input) =>
      take(() => planMembersAt(place), input, Promise.resolve()),
    keys: async () => ({
      own: fingerprintOfKey(await signingKey()),
      trusted: rows.trustedKeys(),
    }),
    distrust: (fingerprint) => {
      if (rows.trustedKeys().every((one) => one.fingerprint !== fingerprint))
        throw new Failure("not-found", bundleSentences["key-unknown"]);
      rows.distrustKey(fingerprint);
    },
  };
}

function newId(): string {
  return randomBytes(8).toString("hex");
}

function lockedKey(): Failure {
  return new Failure(
    "conflict",
    "The key that signs this player's offline bundles is encrypted by the desktop app and cannot be read right now. Try there with the system's keyring unlocked. If it can no longer be read, delete sync/tokens/plan-key.token: a new key is created, which other players must trust again.",
  );
}

function stranger(fingerprint: string, { from }: PlanManifest): Failure {
  return new Failure(
    "conflict",
    composeSentence(bundleSentences.untrusted, {
      origin: from.slice(0, 100),
      fingerprint,
      key: fingerprint,
    }),
  );
}

/** Throws `conflict` if bytes are missing: an incomplete bundle is not exported. */
function filesOf(
  { assets }: DesiredContent,
  rows: BundleRows,
): ReadonlyMap<string, PlanFile> {
  const files = new Map<string, PlanFile>();
  for (const asset of assets)
    for (const { md5 } of fetchedFilesOf(asset)) {
      if (files.has(md5)) continue;
      const stored = rows.planFile(md5);
      if (!stored)
        throw new Failure(
          "conflict",
          composeSentence(bundleSentences["asset-missing"], {
            name: asset.facts.name,
          }),
        );
      files.set(md5, stored);
    }
  return files;
}

async function* members(
  manifest: Buffer,
  signature: Buffer,
  files: ReadonlyMap<string, PlanFile>,
): AsyncGenerator<ArchiveMember> {
  yield { path: manifestPath, sizeBytes: manifest.length, content: [manifest] };
  yield {
    path: signaturePath,
    sizeBytes: signature.length,
    content: [signature],
  };
  for (const [md5, { path, sizeBytes }] of files)
    yield {
      ...{ path: pathOfFile(md5), sizeBytes, isDense: true },
      content: bytesOfFile(path),
    };
}

function memoryOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

function nameOf(playerName: string, moment: number): string {
  const time = new Date(moment).toISOString().slice(0, 19).replaceAll(":", "-");
  const stem = playerName.replace(/[^\w-]+/g, "-").slice(0, 60) || "player";
  return `${stem}-plan-${time}.tar.gz`;
}
