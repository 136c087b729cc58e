// Command line of the content service: runs it, backs it up, manages its keys and people, and requests a pin as a player.

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../core/failure.ts";
import { OutsideError } from "../platform/outside-error.ts";
import { endAfter } from "../platform/process/end-process.ts";
import {
  endOnRequest,
  orderEndAndReport,
} from "../platform/process/end-requests.ts";
import { packageVersion } from "../platform/process/package-version.ts";
import { makePrivateFolder } from "../platform/files/private-folder.ts";
import {
  addressOf,
  asStartFailure,
  contentFlags,
  createContent,
  defaultTeam,
  readProcessConfig,
  withKeys,
  type Content,
  type ContentConfig,
} from "./content.ts";
import {
  backUpTo,
  restoreFrom,
  verifyBackup,
} from "./backup/backup-command.ts";
import type { Keys } from "./access/keys.ts";
import { StorageAwayError } from "./files/storage-away.ts";
import { storageText } from "./files/storage-address.ts";
import { requestPin, baseFrom } from "./pin-command.ts";
import { managerDir } from "./manager-dir.ts";
import { programName } from "./program-name.ts";
import { invitationLink } from "./people/invitation-link.ts";
import { peopleAction } from "./people/people-command.ts";
import { grantAmong, type Grant } from "./grant-flags.ts";
import { windowsTaskFile } from "./windows-task.ts";

const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

const usage = `Usage:
  ${programName} --data-dir DIR [--port N] [--host HOST] [--database-url postgres://…] [--storage s3://…] [--api-key KEY]
  ${programName} stop --data-dir DIR
  ${programName} task FILE --data-dir DIR [options as above]
  ${programName} backup FILE|s3://… --data-dir DIR [--database-url postgres://…] [--storage s3://…]
  ${programName} verify FILE|s3://…
  ${programName} restore FILE|s3://… --data-dir DIR [--database-url postgres://…] [--storage s3://…]
  ${programName} keys add NAME [TEAM] [--role viewer|editor|operator|admin] [--labels "LABEL,LABEL"] --data-dir DIR
  ${programName} keys list --data-dir DIR
  ${programName} keys revoke ID --data-dir DIR
  ${programName} people invite EMAIL [TEAM] [--role ROLE] [--labels "LABEL,LABEL"] --data-dir DIR
  ${programName} people list --data-dir DIR
  ${programName} people disable|enable|reset EMAIL --data-dir DIR
  ${programName} pin --url http://…`;

main(process.argv.slice(2)).catch((reason: unknown) => {
  const error = asStartFailure(reason);
  const isExpected =
    error instanceof Failure ||
    error instanceof OutsideError ||
    error instanceof StorageAwayError;
  process.stderr.write(
    `${isExpected ? error.message : String((error as Error).stack)}\n`,
  );
  const isUsage = error instanceof Failure && error.code === "malformed";
  process.exitCode = isUsage ? 2 : 1;
});

async function main(words: readonly string[]): Promise<void> {
  if (words.includes("--help")) {
    console.log(`${usage}\n\n${contentFlags()}`.trimEnd());
    return;
  }
  if (words[0] === "pin") return printPin(words.slice(1));
  if (words[0] === "verify" && words.length === 2)
    return console.log(await verifyBackup(words[1] ?? ""));
  const firstFlag = words.findIndex((word) => word.startsWith("--"));
  const flagsFrom = firstFlag < 0 ? words.length : firstFlag;
  const command = words.slice(0, flagsFrom);
  const isGranting = /^(keys add|people invite) /.test(command.join(" "));
  const { grant, flags } = isGranting
    ? grantAmong(words.slice(flagsFrom))
    : { grant: {}, flags: words.slice(flagsFrom) };
  const reading = readProcessConfig(flags);
  if (!reading.ok)
    throw new Failure("malformed", `${reading.message}\n${usage}`);
  if (command.length === 0) return serve(reading.value);
  if (command.join(" ") === "stop") {
    process.exitCode = await orderEndAndReport(
      reading.value.dataDir,
      "content",
    );
    return;
  }
  const [action, file] = command;
  if (action === "backup" && file !== undefined && command.length === 2)
    return console.log(await backUpTo(file, reading.value));
  if (action === "restore" && file !== undefined && command.length === 2)
    return console.log(await restoreFrom(file, reading.value));
  if (command[0] === "task" && command.length === 2)
    return writeTask(path.resolve(command[1] ?? ""), reading.value, words);
  const config = reading.value;
  const address = addressOf(config, config);
  const act =
    keysAction(command, grant) ?? peopleAction(command, grant, address);
  if (act === null) throw new Failure("malformed", usage);
  makePrivateFolder(config.dataDir);
  await withKeys(config, act);
}

/** Alone on its line, so that a script can read it. */
async function printPin(words: readonly string[]): Promise<void> {
  const base = baseFrom(words);
  if (base === null) throw new Failure("malformed", usage);
  console.log(await requestPin(base));
}

async function serve(config: ContentConfig): Promise<void> {
  makePrivateFolder(config.dataDir);
  const version = packageVersion();
  const content = await createContent({ ...config, version, managerDir });
  await endOnRequest({
    ...{ dataDir: config.dataDir, program: "content" },
    end: () => endAfter(content.stop()),
    onFailed: (error) =>
      process.stderr.write(
        `"stop" will not work for this run: ${(error as Error).message}\n`,
      ),
  });
  if (content.newKey !== null)
    console.log(`API key, shown only once: ${content.newKey}`);
  else if (!(await content.keys.hasAny()))
    console.log(
      `There is no API key yet. To create one, with the same options: ${programName} keys add NAME`,
    );
  await printFirstInvitation(config, content);
  console.log(
    [
      `Vitrine content service is ready: ${content.address}`,
      `data ${config.dataDir}`,
      config.databaseUrl === undefined ? "SQLite" : "PostgreSQL",
      ...(config.storage ? [`files in ${storageText(config.storage)}`] : []),
    ].join(" · "),
  );
}

/** Each start replaces the link of the one before, until the first person has used it. */
async function printFirstInvitation(
  { noFirstKey }: ContentConfig,
  { address, keys, people }: Content,
): Promise<void> {
  if (await people.hasAny()) return;
  // A person who can read the log must not become an administrator by it.
  if (noFirstKey) {
    console.log(
      `Nobody can sign in yet. To invite the first person, with the same options: ${programName} people invite EMAIL --role admin`,
    );
    return;
  }
  try {
    const { secret } = await people.invite(await keys.teamNamed(defaultTeam), {
      ...{ email: null, role: "admin", labels: null },
    });
    console.log(
      `To sign in as the first person, open this link within 72 hours: ${invitationLink(address, secret)}`,
    );
  } catch (error) {
    // With a full disk it serves all the same (V4-325).
    process.stderr.write(
      `There is no link for the first person until the next start: ${(error as Error).message}\n`,
    );
  }
}

/** For `schtasks`: serves what this command line would serve, with an absolute data folder. */
async function writeTask(
  file: string,
  { dataDir }: ContentConfig,
  words: readonly string[],
): Promise<void> {
  if (process.platform !== "win32")
    throw new Failure(
      "malformed",
      "Scheduled tasks exist on Windows only; use a systemd unit elsewhere.",
    );
  const [, , ...flags] = words;
  const script = process.argv[1] ?? "";
  await writeFile(
    file,
    windowsTaskFile({
      ...{ node: process.execPath, script, workingFolder: projectFolder },
      // When given twice, the last one counts.
      flags: [...flags, "--data-dir", dataDir],
    }),
  );
  console.log(`The task was saved to ${file}.`);
}

/** Null for an unknown action. */
function keysAction(
  words: readonly string[],
  grant: Grant,
): ((keys: Keys) => Promise<void>) | null {
  const [command, action, subject, team, ...others] = words;
  if (command !== "keys" || others.length > 0) return null;
  if (action === "list" && subject === undefined) return printKeys;
  if (action === "add" && subject)
    return async (keys) => {
      // Alone on its line, so that a script can read it.
      console.log(
        await keys.add({ name: subject, team: team ?? defaultTeam, ...grant }),
      );
    };
  if (action === "revoke" && subject && team === undefined)
    return (keys) => keys.revoke(subject);
  return null;
}

async function printKeys(keys: Keys): Promise<void> {
  const moment = (ms: number): string => new Date(ms).toISOString();
  const { labelNames, list } = keys;
  for (const key of await list()) {
    const { id, name, team, role, createdAt, lastUsedAt } = key;
    const use =
      lastUsedAt === null ? "never used" : `used ${moment(lastUsedAt)}`;
    const names = key.labelIds && (await labelNames(key.labelIds));
    const access = names ? `${role} for ${names.join(", ")}` : role;
    const facts = [`created ${moment(createdAt)}`, use, access, team, name];
    console.log([id, ...facts].join("  "));
  }
}
