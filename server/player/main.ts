// Command line: runs the player without a desktop, creates, lists and revokes access tokens, and sets the password.

import { playerSentences } from "../contract/sentences/player-sentences.ts";
import { defaultApiPort } from "../contract/v2/api-port.ts";
import { randomBytes } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Failure } from "../core/failure.ts";
import { momentToText } from "../contract/v2/v2-values.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import {
  makePrivateFolder,
  tryMakePrivateFolder,
  warnOfOthers,
} from "../platform/files/private-folder.ts";
import { httpsComplaint, httpsOf } from "../platform/http/tls-options.ts";
import { endAfter } from "../platform/process/end-process.ts";
import {
  endOnRequest,
  orderEndAndReport,
} from "../platform/process/end-requests.ts";
import {
  newPasswordPrompt,
  readSecret,
} from "../platform/process/secret-from-input.ts";
import {
  migrateSqlite,
  openSqlite,
  type Sqlite,
} from "../platform/sqlite/sqlite.ts";
import { createAccess, type Access } from "./access-tokens.ts";
import { changePasswordIn } from "./access/password-command.ts";
import { noteCommand } from "./logs/command-note.ts";
import { playerMigrations } from "./migrations.ts";
import { createNoStage } from "./playback/headless-stage.ts";
import { createPlayer, type Player } from "./player.ts";

/** Where the bundler puts the manager for browsers. */
const managerDir = fileURLToPath(
  new URL("../../dist/renderer/browser", import.meta.url),
);

const usage = `Usage:
  main.ts serve --data-dir DIR [--api-port N] [--api-host HOST] [--https-port N [--tls-cert FILE --tls-key FILE]]
               [--no-discovery] [--version TEXT]
  main.ts stop --data-dir DIR
  main.ts tokens add NAME --data-dir DIR
  main.ts tokens list --data-dir DIR
  main.ts tokens revoke ID --data-dir DIR
  main.ts password --data-dir DIR    (reads it from standard input; an empty line removes it)`;

const flags = {
  "data-dir": { type: "string" },
  "api-port": { type: "string", default: String(defaultApiPort) },
  "api-host": { type: "string", default: "127.0.0.1" },
  // For other devices; --api-port is then for this machine only.
  "https-port": { type: "string" },
  "tls-cert": { type: "string" },
  "tls-key": { type: "string" },
  "no-discovery": { type: "boolean", default: false },
  version: { type: "string", default: "0.0.0" },
} as const;

type Flags = Readonly<
  Record<Exclude<keyof typeof flags, "no-discovery">, string | undefined>
> & { readonly "no-discovery": boolean };

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof Failure;
  process.stderr.write(
    `${isExpected ? error.message : String((error as Error).stack)}\n`,
  );
  process.exitCode = isExpected && error.code === "malformed" ? 2 : 1;
}

async function main(words: readonly string[]): Promise<void> {
  const { positionals, values } = readArguments(words);
  const [command, action, subject] = positionals;
  const dataDir = values["data-dir"];
  if (dataDir === undefined || command === undefined)
    throw new Failure("malformed", usage);
  if (command === "serve" && action === undefined)
    return serve(path.resolve(dataDir), values);
  if (command === "stop" && action === undefined) {
    process.exitCode = await orderEndAndReport(path.resolve(dataDir), "player");
    return;
  }
  if (command === "password" && action === undefined) {
    const next = readSecret(newPasswordPrompt);
    console.log(changePasswordIn(path.resolve(dataDir), next));
    return;
  }
  const act = command === "tokens" ? tokenAction(action, subject) : null;
  if (act && positionals.length <= 3)
    return withAccess(path.resolve(dataDir), act);
  throw new Failure("malformed", usage);
}

function readArguments(words: readonly string[]): {
  readonly positionals: readonly string[];
  readonly values: Flags;
} {
  try {
    return parseArgs({
      args: [...words],
      options: flags,
      allowPositionals: true,
    }) as unknown as { positionals: string[]; values: Flags };
  } catch (error) {
    throw new Failure("malformed", `${(error as Error).message}\n${usage}`);
  }
}

async function serve(dataDir: string, values: Flags): Promise<void> {
  const apiPort = portFrom(values["api-port"], "--api-port");
  const secure = {
    httpsPort:
      values["https-port"] === undefined
        ? undefined
        : portFrom(values["https-port"], "--https-port"),
    ...{ tlsCert: values["tls-cert"], tlsKey: values["tls-key"] },
  };
  const complaint = httpsComplaint({ apiPort, ...secure });
  if (complaint !== null) throw new Failure("malformed", complaint);
  tryMakePrivateFolder(dataDir);
  const log = createLog({
    dir: path.join(dataDir, "log"),
    toStandardOutput: false,
  });
  const open = (): Promise<Player> =>
    createPlayer({
      dataDir,
      apiHost: values["api-host"] ?? "127.0.0.1",
      ...{ apiPort, https: httpsOf(secure) },
      isDiscoverable: !values["no-discovery"],
      stage: createNoStage(systemClock),
      clock: systemClock,
      version: values.version ?? "0.0.0",
      managerDir,
      takeScreenshot: () =>
        Promise.reject(
          new Failure("unavailable", playerSentences["no-screen"]),
        ),
      log,
      restart,
    });
  let player = await open();
  await player.listen();
  await warnOfOthers(dataDir, log);
  const end = (error: unknown): void => {
    log.error("player.internal-error", { error });
    process.exit(1);
  };
  await endOnRequest({
    ...{ dataDir, program: "player" },
    end: () => endAfter(player.stop()),
    onFailed: (error) => log.warn("end-requests.not-received", { error }),
  });
  console.log(
    `Vitrine is ready: API ${player.apiAddress} · data ${dataDir} · no screen`,
  );

  function restart(): void {
    player
      .stop()
      .then(open)
      .then((restarted) => {
        player = restarted;
        return restarted.listen();
      })
      .catch(end);
  }
}

function portFrom(text: string | undefined, flag: string): number {
  const port = Number(text);
  if (
    text !== undefined &&
    Number.isInteger(port) &&
    port >= 0 &&
    port <= 65535
  )
    return port;
  throw new Failure("malformed", `${flag} must be a number from 0 to 65535.`);
}

/** Works while a player is running: the store allows several processes, and a token is valid from the next request on. */
async function withAccess(
  dataDir: string,
  act: (access: Access, database: Sqlite) => void,
): Promise<void> {
  makePrivateFolder(dataDir);
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  try {
    migrateSqlite(database, playerMigrations);
    const makeId = (): string => randomBytes(16).toString("hex");
    const access = createAccess({ database, now: Date.now, makeId });
    act(access, database);
  } finally {
    database.close();
  }
}

/** Null if it is not one of these actions. */
function tokenAction(
  action: string | undefined,
  subject: string | undefined,
): ((access: Access, database: Sqlite) => void) | null {
  const name = subject?.trim();
  if (action === "list" && subject === undefined) return printTokens;
  // Alone on its line, so that a script can read it.
  if (action === "add" && name)
    return (access, database) => {
      const secret = database.transaction(() => {
        const added = access.add(name);
        noteCommand(database, "token-added", name);
        return added.secret;
      })();
      console.log(secret);
    };
  if (action === "revoke" && name)
    return (access, database) => {
      database.transaction(() => {
        const revoked = access.nameOf(name);
        access.revoke(name);
        noteCommand(database, "token-revoked", revoked);
      })();
    };
  return null;
}

function printTokens(access: Access): void {
  for (const { id, name, createdAt, lastUsedAt } of access.tokens()) {
    const use =
      lastUsedAt === null ? "never used" : `used ${momentToText(lastUsedAt)}`;
    console.log(
      [id, `created ${momentToText(createdAt)}`, use, name].join("  "),
    );
  }
}
