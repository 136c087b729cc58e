// Command line: a player without a manager that follows a content service, once or continuously.

import path from "node:path";
import { parseArgs } from "node:util";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import { Failure } from "../../../core/failure.ts";
import {
  cloudVersions,
  connectionDefaults,
  type SyncConnectionInput,
  type SyncStatus,
} from "../../../core/sync-plan/sync-state.ts";
import { createSyncAccountV2 } from "../../../contract/v2/v2-sync.ts";
import { sentencesOf } from "../../../contract/v2/v2.ts";
import { systemClock } from "../../../platform/clock.ts";
import { endAfter } from "../../../platform/process/end-process.ts";
import {
  endOnRequest,
  orderEndAndReport,
} from "../../../platform/process/end-requests.ts";
import { createLog } from "../../../platform/log.ts";
import { openWindowsSeal } from "../../../platform/windows-encryption.ts";
import { packageVersion } from "../../../platform/process/package-version.ts";
import {
  makePrivateFolder,
  warnOfOthers,
} from "../../../platform/files/private-folder.ts";
import { createNoStage, createPlayer } from "../../player.ts";
import { createSync, createSyncExtensions, type Sync } from "../sync.ts";
import { follow, type FollowOptions } from "./select-connection.ts";
import { planCommand, planUsage, type OpenedPlans } from "./bundle.ts";
import { readToken } from "./token.ts";

const usage = `Usage:
  npm run sync -- --data-dir DIR --url BASE [--version auto|${cloudVersions.join("|")}]
                  [--name NAME] [--label NAME …] [--asset-group NAME …] [--screen ID] [--once] [--api-port N]
The token comes from --token, VITRINE_SYNC_TOKEN, or the first line of standard input.
A new connection receives the content for All Screens, unless --label is given. On an existing connection to this
address, only what the options name is changed; --label, --asset-group and --screen replace each other's values.
If there are several connections to this address, --name selects one, or names a new one. A screen that was paired
with a PIN keeps its connection. With --once the program exits when everything is downloaded (code 0) or failed
(code 1); otherwise it runs until it is stopped.
  npm run sync -- stop --data-dir DIR
${planUsage}`;

const flags = {
  "data-dir": { type: "string" },
  url: { type: "string" },
  version: { type: "string" },
  token: { type: "string" },
  name: { type: "string" },
  label: { type: "string", multiple: true },
  "asset-group": { type: "string", multiple: true },
  screen: { type: "string" },
  once: { type: "boolean", default: false },
  "api-port": { type: "string", default: "0" },
} as const;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof Failure;
  process.stderr.write(
    `${isExpected ? error.message : String((error as Error).stack)}\n`,
  );
  process.exitCode = isExpected && error.code === "malformed" ? 2 : 1;
}

interface CommandOptions extends Omit<FollowOptions, "seal"> {
  readonly isOnce: boolean;
  readonly apiPort: number;
}

async function main(words: readonly string[]): Promise<number> {
  if (words.includes("--help")) {
    console.log(usage);
    return 0;
  }
  const onPlans = planCommand(words);
  if (onPlans) {
    await onPlans(openPlans);
    return 0;
  }
  if (words[0] === "stop") return stop(words.slice(1));
  const options = await readOptions(words);
  const { dataDir, connection, isOnce, apiPort } = options;
  const { player, sync, extensions, log, seal, end } = await openSync(
    dataDir,
    apiPort,
  );
  const id = await follow(sync, { ...options, seal }).catch(
    async (error: unknown) => {
      await end();
      throw error;
    },
  );
  if (!isOnce) await player.listen();
  // Started by hand, it polls at once instead of waiting for a pause to end.
  sync.run(id);
  sync.start();
  if (!isOnce) extensions.start();
  if (!isOnce) {
    await endOnRequest({
      ...{ dataDir, program: "sync" },
      end: () => endAfter(end()),
      onFailed: (error) => log.warn("end-requests.not-received", { error }),
    });
    const isPrivate = await warnOfOthers(dataDir, log);
    const whose = seal
      ? "the token is encrypted by Windows for your user"
      : isPrivate
        ? "the token is in a file only you can read"
        : "other users of this PC can read that folder and the token in it";
    console.log(
      `Vitrine is syncing from ${connection.baseUrl}: API ${player.apiAddress} · data ${dataDir} · ${whose}`,
    );
    return 0;
  }
  const status = await restOf(sync, id);
  await end();
  return printStatus(status);
}

/** Stops one that runs continuously; `--once` has ended by itself. */
function stop(words: readonly string[]): Promise<number> {
  const { "data-dir": dataDir } = readFlags(words);
  if (dataDir === undefined) throw new Failure("malformed", usage);
  return orderEndAndReport(path.resolve(dataDir), "sync");
}

async function openPlans(dataDir: string): Promise<OpenedPlans> {
  const { extensions, end } = await openSync(dataDir, 0);
  return { offlineBundles: extensions.offlineBundles, end };
}

async function openSync(dataDir: string, apiPort: number) {
  makePrivateFolder(dataDir);
  const version = packageVersion();
  const log = createLog({
    dir: path.join(dataDir, "log"),
    toStandardOutput: false,
  });
  const player = await createPlayer({
    ...{ dataDir, apiPort, apiHost: "127.0.0.1", version, log },
    stage: createNoStage(systemClock),
    clock: systemClock,
    takeScreenshot: () =>
      Promise.reject(new Failure("unavailable", playerSentences["no-screen"])),
  });
  const { library, zone, attach, extensionRows, name, playback } =
    player.forSync;
  const seal = await openWindowsSeal();
  const shared = { library, dataDir, log, seal, clock: systemClock };
  const sync = await createSync({ ...shared, zone });
  attach(sync);
  const extensions = createSyncExtensions({
    ...{ ...shared, sync, version, rows: extensionRows, playerName: name },
    ...{ actions: { collectLogs: () => player.supportBundle([]) }, playback },
  });
  player.forSync.attachExtensions(extensions);
  const end = async (): Promise<void> => {
    await extensions.stop();
    await sync.stop();
    await player.stop();
  };
  return { player, sync, extensions, log, seal, end };
}

/** Resolves when it has polled and there is nothing more to do for now. */
function restOf(sync: Sync, id: string): Promise<SyncStatus> {
  return new Promise((resolve) => {
    const checkStatus = (): void => {
      const status = sync
        .status()
        .find(({ connectionId }) => connectionId === id);
      const isOver =
        status?.nextPollAt != null &&
        !["polling", "downloading", "applying"].includes(status.phase);
      if (!isOver) return;
      stop();
      resolve(status);
    };
    const stop = sync.onProgress(() => setImmediate(checkStatus));
  });
}

function printStatus(status: SyncStatus): number {
  const { assets, playlists, problem, hold, itemFailures, isInSync } = status;
  const { wanted, here, failed } = status.items;
  for (const { name, reason } of itemFailures)
    console.log(`skipped: ${name}: ${reason}`);
  if (problem) process.stderr.write(`${problem.message}\n`);
  else if (hold)
    console.log(`Needs review (${hold}): open the player's manager or API.`);
  const details = isInSync
    ? ", in sync with the content service"
    : failed > 0
      ? `: ${here} of ${wanted} items; ${failed} failed`
      : "";
  console.log(`${assets} assets, ${playlists} playlists${details}`);
  return isInSync ? 0 : 1;
}

async function readOptions(words: readonly string[]): Promise<CommandOptions> {
  const values = readFlags(words);
  const dataDir = values["data-dir"];
  if (dataDir === undefined || values.url === undefined)
    throw new Failure("malformed", usage);
  const apiPort = Number(values["api-port"]);
  if (!Number.isInteger(apiPort) || apiPort < 0 || apiPort > 65_535)
    throw new Failure(
      "malformed",
      "--api-port must be a number from 0 to 65535.",
    );
  const token = await readToken(values.token);
  const body = createSyncAccountV2.safeParse({
    base_url: values.url,
    token,
    ...(values.name !== undefined && { name: values.name }),
    version: values.version ?? "auto",
    labels: values.label ?? [],
    asset_groups: values["asset-group"] ?? [],
    screen_id: values.screen ?? null,
  });
  if (!body.success)
    throw new Failure(
      "malformed",
      Object.values(sentencesOf(body.error)).flat().join("\n"),
    );
  const isScreenGiven = [
    ...[values.label, values["asset-group"], values.screen],
  ].some((value) => value !== undefined);
  const given: Partial<SyncConnectionInput> = {
    ...(values.version !== undefined && {
      version: body.data.version ?? "auto",
    }),
    ...(isScreenGiven && {
      labels: body.data.labels ?? [],
      assetGroups: body.data.asset_groups ?? [],
      screenId: body.data.screen_id ?? null,
    }),
    isEnabled: true,
  };
  const { base_url: baseUrl } = body.data;
  const name = body.data.name ?? new URL(baseUrl).host;
  return {
    ...{ apiPort, token, given, isOnce: values.once === true },
    name: values.name ?? null,
    dataDir: path.resolve(dataDir),
    connection: { ...connectionDefaults, ...given, name, baseUrl },
  };
}

function readFlags(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: flags }).values;
  } catch (error) {
    throw new Failure("malformed", `${(error as Error).message}\n${usage}`);
  }
}
